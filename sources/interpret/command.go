package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// command is what every way to store a shell command says about it.
type command struct {
	line, cwd, shell string
	// exit is nil when no exit code was recorded.
	exit                           *int32
	background, timedOut, rejected bool
}

// command adds the command block.
func (b *builder) command(c command) {
	cell := b.a.cells.command.next()
	d := &cell.detail
	d.Cwd, d.Shell, d.ExitCode = c.cwd, c.shell, c.exit
	d.Background, d.TimedOut, d.Rejected = c.background, c.timedOut, c.rejected
	cell.wrap.Command = d
	cell.block.Detail = &cell.wrap
	b.summary(c.line)
	b.push(&cell.block, "command", "", c.line)
}

// exitCode returns the recorded exit code; nil when there is none.
func (b *builder) exitCode(v profile.View, f profile.Field) *int32 {
	if !v.Has(f) {
		return nil
	}
	return b.a.int32(int32(v.Int(f)))
}

func runCommandStep(b *builder, v profile.View) {
	line := v.Str(runLine)
	if line == "" {
		line = b.oldCommandLine(v)
	}
	if line == "" {
		line = v.Str(runProposed)
	}
	b.command(command{
		line: line, cwd: v.Str(runCwd), shell: v.Str(runShell), exit: b.exitCode(v, runExit),
		background: b.step.GetTaskId() != "", timedOut: v.Bool(runTimedOut), rejected: v.Bool(runRejected),
	})
	if p := v.Str(runProposed); p != line {
		b.code("Proposed command", "", p)
	}
	if old := b.oldCommandLine(v); old != line {
		b.code("Command", "", old)
	}
	if v.Bool(runRejected) {
		b.warning("The person did not allow this command.")
	}
	shown := b.output("Output", v.Sub(runCombined))
	shown = b.output("Output", v.Sub(runStdoutOutput)) || shown
	shown = b.output("Error output", v.Sub(runStderrOutput)) || shown
	shown = b.oldOutput("Output", v.Str(runStdout), v.Str(runStdoutBuffer), v.Int(runStdoutAbove)) || shown
	shown = b.oldOutput("Error output", v.Str(runStderr), v.Str(runStderrBuffer), v.Int(runStderrAbove)) || shown
	if !shown {
		b.output("Output so far", v.Sub(runSnapshot))
	} else {
		snapshot := v.Sub(runSnapshot)
		for _, s := range [...]string{snapshot.Str(outputFull), snapshot.Str(outputTruncated)} {
			if !b.contains(s) {
				b.code("Output at an earlier moment", "", s)
			}
		}
	}
	b.code("Debug output", "", v.Str(runDebug))
	b.fact("Command id", v.Str(runCommandID))
	b.fact("Terminal", v.Str(runTerminal))
	if asked := v.Str(runAsked); asked != v.Str(runTerminal) {
		b.fact("Requested terminal", asked)
	}
	b.factTrue("Outside the sandbox", v, runSandboxOff)
	b.factTrue("In the sandbox", v, runInSandbox)
}

// oldCommandLine joins the command and its arguments as early versions stored them.
func (b *builder) oldCommandLine(v profile.View) string {
	if !v.Has(runArgs) {
		return v.Str(runCommand)
	}
	list := append(b.a.scratch.texts[:0], v.Str(runCommand))
	v.EachStr(runArgs, func(s string) bool {
		list = append(list, " ", s)
		return true
	})
	b.a.scratch.texts = list
	return b.a.join(list...)
}

// output shows recorded output and reports whether there was any.
func (b *builder) output(label string, v profile.View) bool {
	full, cut := v.Str(outputFull), v.Str(outputTruncated)
	text := full
	if text == "" {
		text = cut
	}
	if text == "" {
		return false
	}
	if above := v.Int(outputAbove); full == "" && above > 0 {
		b.info(b.a.join("The product cut ", b.a.number(above), " lines above this output."))
	}
	b.code(label, "", text)
	if full != "" && cut != "" && !strings.Contains(full, cut) {
		b.code(b.a.join(label, " as the model saw it"), "", cut)
	}
	return true
}

func (b *builder) oldOutput(label, text, buffer string, above int64) bool {
	if text == "" {
		text, buffer = buffer, ""
	}
	if text == "" || b.holds(text) {
		return false
	}
	if above > 0 {
		b.info(b.a.join("The product cut ", b.a.number(above), " lines above this output."))
	}
	b.code(label, "", text)
	if buffer != "" && !strings.Contains(text, buffer) {
		b.code(label, "", buffer)
	}
	return true
}

// contains reports whether a block so far contains the text.
func (b *builder) contains(text string) bool {
	for _, block := range b.a.scratch.blocks {
		if strings.Contains(block.Text, text) {
			return true
		}
	}
	return false
}

func sendCommandInput(b *builder, v profile.View) {
	b.command(command{line: v.Str(sendInput), exit: b.exitCode(v, sendExit), rejected: v.Bool(sendRejected)})
	if v.Bool(sendTerminate) {
		b.summary("Terminate command")
		b.info("The command was asked to terminate.")
	}
	if v.Bool(sendRejected) {
		b.warning("The person did not allow this input.")
	}
	b.output("Output", v.Sub(sendOutput))
	b.fact("Command id", v.Str(sendCommandID))
	b.factTrue("Still running", v, sendRunning)
}

func commandStatus(b *builder, v profile.View) {
	b.summary(v.Str(statusCommandID))
	b.fact("Command id", v.Str(statusCommandID))
	b.factEnum("Status", v, statusStatus)
	if v.Has(statusExit) {
		b.fact("Exit code", b.a.number(v.Int(statusExit)))
	}
	if v.Has(statusWaited) {
		b.fact("Waited", b.a.join(b.a.number(v.Int(statusWaited)), " s"))
	}
	b.code("Output", "", v.Str(statusCombined))
	for _, more := range [...]struct {
		label string
		text  string
	}{{"Output", v.Str(statusStdout)}, {"Error output", v.Str(statusStderr)}, {"New output", v.Str(statusDelta)}} {
		if !b.contains(more.text) {
			b.code(more.label, "", more.text)
		}
	}
	b.failure(v.Sub(statusError))
}

func readTerminal(b *builder, v profile.View) {
	b.summary(v.Str(terminalName))
	b.fact("Terminal", v.Str(terminalName))
	b.fact("Process", v.Str(terminalProcess))
	b.code("Output", "", v.Str(terminalContents))
}

func shellExec(b *builder, v profile.View) {
	// The field has no presence of its own: an exit code of zero is not written and cannot be told from none.
	b.command(command{line: v.Str(shellCommand), exit: b.exitCode(v, shellExit)})
	b.code("Output", "", v.Str(shellOutput))
	b.notice(doc.Severity_SEVERITY_ERROR, v.Str(shellError))
}

func clipboard(b *builder, v profile.View) {
	b.code("Clipboard", "", v.Str(clipboardContent))
}
