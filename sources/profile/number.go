package profile

// Number returns the field number behind a handle, 0 when the profile does not have the field. It is for a reader that
// writes messages, from a source that is not stored as such.
func (r *Resolved) Number(f Field) uint64 {
	if r == nil || uint(f.id-1) >= uint(len(r.names)) {
		return 0
	}
	n := &r.names[f.id-1]
	if n.message == nil {
		return 0
	}
	found := n.found.Load()
	if found == nil {
		if found = n.message.table().byName(n.field); found == nil {
			found = absentField
		}
		n.found.Store(found)
	}
	return found.number
}
