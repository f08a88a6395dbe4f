package launch

// PID is the number of the process.
func (p *Process) PID() string { return p.child.ID() }
