package lineage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/convert"
	"agy-reader/host/demo/build"
	"agy-reader/host/lineage"
)

func same(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("outline (-want +got):\n%s", diff)
	}
}

// TestCaseG01: three levels are three nested sections with depth and counts.
func TestCaseG01(t *testing.T) {
	t.Parallel()
	a, b, c := id("a"), id("b"), id("c")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go"), build.Invoke(t, "1", b), build.Message(t, b, a, "done"), build.Answer(t, "fine", "")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "help"), build.Invoke(t, "1", c), build.Message(t, c, b, "done")}},
		build.Member{ID: c, Parent: b, Steps: [][]byte{build.Prompt(t, "help more"), build.Answer(t, "yes", "")}},
	)
	sink, result := convertOne(t, root, a)
	same(t, `
begin A depth 0
  step-0 USER_INPUT
  step-1 INVOKE_SUBAGENT [B inline]
  begin B depth 1 behind step-1
    step-1-1-0 USER_INPUT
    step-1-1-1 INVOKE_SUBAGENT [C inline]
    begin C depth 2 behind step-1-1-1
      step-1-1-1-1-0 USER_INPUT
      step-1-1-1-1-1 PLANNER_RESPONSE
    end complete: 2 steps
    step-1-1-2 SYSTEM_MESSAGE continues step-1-1-1
  end complete: 3 steps, 2 nested steps
  step-2 SYSTEM_MESSAGE continues step-1
  step-3 PLANNER_RESPONSE
end complete: 4 steps, 5 nested steps
`, sink.sessions[0].text())
	children := result.Footer.GetOverview().GetChildren()
	if len(children) != 1 || children[0].GetState() != "inline" || children[0].GetTitle() != "help" || children[0].GetAnchor() != "step-1" {
		t.Errorf("children in the overview: %v", children)
	}

	// A sink that cannot nest gets a document for each.
	flat := &outline{}
	convertOne(t, root, a, func(job *convert.Job) { job.Targets = []convert.Target{{Sink: flat}} })
	var names []string
	for _, s := range flat.sessions {
		names = append(names, strings.Replace(s.name, a, "A", 1)+": "+s.footers[0].GetCompleteness())
	}
	if diff := cmp.Diff([]string{
		"A: complete: 4 steps, 5 nested steps", "A-step-1: complete: 3 steps, 2 nested steps", "A-step-1-1-1: complete: 2 steps",
	}, names); diff != "" {
		t.Error(diff)
	}
}

// TestCaseG02: grandchildren stand under the child that started them, not under the root.
func TestCaseG02(t *testing.T) {
	t.Parallel()
	m, o, a, b := id("9"), id("0"), id("a"), id("b")
	root := build.Family(t,
		build.Member{ID: m, Steps: [][]byte{build.Invoke(t, "1", o)}},
		build.Member{ID: o, Parent: m, Steps: [][]byte{build.Prompt(t, "orchestrate"), build.Invoke(t, "1", a, b)}},
		build.Member{ID: a, Parent: o, Steps: [][]byte{build.Prompt(t, "a")}},
		build.Member{ID: b, Parent: o, Steps: [][]byte{build.Prompt(t, "b")}},
	)
	sink, _ := convertOne(t, root, m)
	same(t, `
begin 9 depth 0
  step-0 INVOKE_SUBAGENT [0 inline]
  begin 0 depth 1 behind step-0
    step-0-1-0 USER_INPUT
    step-0-1-1 INVOKE_SUBAGENT [A inline] [B inline]
    begin A depth 2 behind step-0-1-1
      step-0-1-1-1-0 USER_INPUT
    end complete: 1 step
    begin B depth 2 behind step-0-1-1
      step-0-1-1-2-0 USER_INPUT
    end complete: 1 step
    note child_without_result at step-0-1-1: subagent result not in this file: no later step carries what `+a+` reported
    note child_without_result at step-0-1-1: subagent result not in this file: no later step carries what `+b+` reported
  end complete: 2 steps, 2 nested steps
  note child_without_result at step-0: subagent result not in this file: no later step carries what `+o+` reported
end complete: 1 step, 4 nested steps
`, sink.sessions[0].text())
}

// TestCaseG03: messages in both directions make nobody a parent; a true circle in the data is cut once and reported.
func TestCaseG03(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go"), build.Invoke(t, "1", b), build.Message(t, b, a, "hello")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Message(t, a, b, "hello yourself"), build.Answer(t, "ok", "")}},
	)
	sink, _ := convertOne(t, root, a)
	same(t, `
begin A depth 0
  step-0 USER_INPUT
  step-1 INVOKE_SUBAGENT [B inline]
  begin B depth 1 behind step-1
    step-1-1-0 SYSTEM_MESSAGE
    step-1-1-1 PLANNER_RESPONSE
  end complete: 2 steps
  step-2 SYSTEM_MESSAGE continues step-1
end complete: 3 steps, 2 nested steps
`, sink.sessions[0].text())

	circle := build.Family(t,
		build.Member{ID: a, Parent: b, Steps: [][]byte{build.Invoke(t, "1", b), build.Message(t, b, a, "x")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Invoke(t, "1", a), build.Message(t, a, b, "x")}},
	)
	sink, _ = convertOne(t, circle, a)
	same(t, `
begin A depth 0
  step-0 INVOKE_SUBAGENT [B inline]
  begin B depth 1 behind step-0
    step-0-1-0 INVOKE_SUBAGENT [A cycle]
    note child_cycle at step-0-1-0: subagent `+a+` is this conversation or one above it: a circle, cut here
    step-0-1-1 SYSTEM_MESSAGE continues step-0-1-0
  end complete: 2 steps
  step-1 SYSTEM_MESSAGE continues step-0
end complete: 2 steps, 2 nested steps
`, sink.sessions[0].text())
}

// A circle of parents alone, which no step names, is cut once as well.
func TestCircleOfOwnRecords(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t,
		build.Member{ID: a, Parent: b, Steps: [][]byte{build.Prompt(t, "a")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "b")}},
		build.Member{ID: id("c"), Parent: id("c"), Steps: [][]byte{build.Prompt(t, "c")}},
	)
	sink, _ := convertOne(t, root, a)
	same(t, `
begin A depth 0
  step-0 USER_INPUT
  note unplaced_child: no step of this conversation names subagent `+b+`; its own record says that it belongs here
  begin B depth 1
    step-1-1-0 USER_INPUT
    note unplaced_child: no step of this conversation names subagent `+a+`; its own record says that it belongs here
    note child_cycle: subagent `+a+` is this conversation or one above it: a circle, cut here
  end complete: 1 step
end complete: 1 step, 1 nested step
`, sink.sessions[0].text())
	sink, _ = convertOne(t, root, id("c"))
	same(t, `
begin C depth 0
  note child_cycle: this conversation names itself as its parent
  step-0 USER_INPUT
end complete: 1 step
`, sink.sessions[0].text())
}

// TestCaseG05: of three calls the second failed; each child stands under its own call, by its id. A child that no step
// names trails, with a note.
func TestCaseG05(t *testing.T) {
	t.Parallel()
	a, b, c, d := id("a"), id("b"), id("c"), id("d")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Invoke(t, "1", c), build.Invoke(t, "2"), build.Invoke(t, "3", b), build.Message(t, b, a, "x"), build.Message(t, c, a, "x")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "b")}},
		build.Member{ID: c, Parent: a, Steps: [][]byte{build.Prompt(t, "c")}},
		build.Member{ID: d, Parent: a, Steps: [][]byte{build.Prompt(t, "d")}},
	)
	sink, result := convertOne(t, root, a)
	same(t, `
begin A depth 0
  step-0 INVOKE_SUBAGENT [C inline]
  begin C depth 1 behind step-0
    step-0-1-0 USER_INPUT
  end complete: 1 step
  step-1 INVOKE_SUBAGENT
  step-2 INVOKE_SUBAGENT [B inline]
  begin B depth 1 behind step-2
    step-2-1-0 USER_INPUT
  end complete: 1 step
  step-3 SYSTEM_MESSAGE continues step-2
  step-4 SYSTEM_MESSAGE continues step-0
  note unplaced_child: no step of this conversation names subagent `+d+`; its own record says that it belongs here
  begin D depth 1
    step-5-1-0 USER_INPUT
  end complete: 1 step
end complete: 5 steps, 3 nested steps
`, sink.sessions[0].text())
	if n := len(result.Footer.GetOverview().GetChildren()); n != 3 || result.Incomplete {
		t.Errorf("%d children, incomplete %v", n, result.Incomplete)
	}
}

// The parent's own file about a subagent places it where the step itself says nothing.
func TestSubagentFolder(t *testing.T) {
	t.Parallel()
	a, b, c := id("a"), id("b"), id("c")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go"), build.Invoke(t, "1"), build.Answer(t, "x", "")}},
		build.Member{ID: b, Steps: [][]byte{build.Prompt(t, "b")}},
		build.Member{ID: c, Parent: id("e"), Steps: [][]byte{build.Prompt(t, "c")}},
	)
	build.SubagentFile(t, root, a, b, `{"conversationId":"`+b+`","spawnStepIndex":1,"state":"SUBAGENT_STATE_KILLED"}`)
	build.SubagentFile(t, root, a, c, `{"conversationId":"`+c+`","spawnStepIndex":1}`)
	build.SubagentFile(t, root, a, id("d"), `{"spawnStepIndex":`)
	sink, _ := convertOne(t, root, a)
	same(t, `
begin A depth 0
  note kinship: a file of the parent's subagents folder calls `+c+` a subagent of this conversation; its own record says that its parent is `+id("e")+`
  note kinship: subagents/`+id("d")+`.json: it is no JSON object of the known form
  step-0 USER_INPUT
  step-1 INVOKE_SUBAGENT [B inline]
  begin B depth 1 behind step-1
    step-1-1-0 USER_INPUT
  end complete: 1 step
  step-2 PLANNER_RESPONSE
  note unplaced_child: no step of this conversation names subagent `+id("d")+`; a file of the parent's subagents folder says that it belongs here
  note child_not_found: subagent `+id("d")+` not found: it is in none of the stores
  note child_without_result at step-1: subagent result not in this file: no later step carries what `+b+` reported
end complete: 3 steps, 1 nested step
`, sink.sessions[0].text())
}

// A link in the subagents folder never leads out of the store.
func TestSubagentFolderStaysInTheStore(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t, build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go")}}, build.Member{ID: b, Steps: [][]byte{build.Prompt(t, "b")}})
	outside := build.Family(t)
	build.SubagentFile(t, outside, a, b, `{"spawnStepIndex":0}`)
	if err := os.MkdirAll(filepath.Join(root, "brain", a, ".system_generated"), 0o755); err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(outside, "brain", a, ".system_generated", "subagents")
	if err := os.Symlink(from, filepath.Join(root, "brain", a, ".system_generated", "subagents")); err != nil {
		t.Skip(err)
	}
	sink, _ := convertOne(t, root, a)
	if text := sink.sessions[0].text(); strings.Contains(text, "unplaced") || !strings.Contains(text, "cannot be read") {
		t.Error(text)
	}
}

// TestCaseG06: the link lives in the child; without its parent it is exported alone and says so.
func TestCaseG06(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t, build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "help"), build.Answer(t, "yes", "")}})
	sink, result := convertOne(t, root, b)
	same(t, `
begin B depth 0
  note parent_not_found: parent `+a+` not found: it is in none of the stores
  step-0 USER_INPUT
  step-1 PLANNER_RESPONSE
end complete: 2 steps
`, sink.sessions[0].text())
	if result.Incomplete {
		t.Error("the child is whole")
	}
}

// TestCaseG07: a subagent exported alone has its own messages, and under --all a link to its parent.
func TestCaseG07(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Invoke(t, "1", b, id("f")), build.Message(t, b, a, "x"), build.Message(t, id("f"), a, "x")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "help"), build.Answer(t, "yes", "")}},
	)
	links := family(root, func(o *lineage.Options) { o.Href = func(id string) string { return short(id) + ".html" } })
	separate := func(job *convert.Job) { job.Subagents, job.Family = convert.SubagentsSeparate, links }
	for _, mode := range []func(*convert.Job){func(*convert.Job) {}, separate} {
		sink, _ := convertOne(t, root, b, mode)
		same(t, `
begin B depth 0
  step-0 USER_INPUT
  step-1 PLANNER_RESPONSE
end complete: 2 steps
`, sink.sessions[0].text())
	}
	sink, _ := convertOne(t, root, b, separate)
	if got := sink.sessions[0].headers[0].GetParentHref(); got != "A.html" {
		t.Errorf("link to the parent: %q", got)
	}
	sink, result := convertOne(t, root, a, separate)
	same(t, `
begin A depth 0
  step-0 INVOKE_SUBAGENT [B separate B.html] [F not found]
  note child_not_found at step-0: subagent `+id("f")+` not found: it is in none of the stores
  step-1 SYSTEM_MESSAGE continues step-0
  step-2 SYSTEM_MESSAGE continues step-0
end complete: 3 steps
`, sink.sessions[0].text())
	child := result.Footer.GetOverview().GetChildren()[0]
	if child.GetHref() != "B.html" || child.GetState() != "separate" || child.GetTitle() != "help" || result.Footer.UsageWithChildren != nil {
		t.Errorf("%v", child)
	}
	sink, _ = convertOne(t, root, a, func(job *convert.Job) { job.Subagents = convert.SubagentsNone })
	same(t, `
begin A depth 0
  step-0 INVOKE_SUBAGENT [B left out] [F left out]
  step-1 SYSTEM_MESSAGE continues step-0
  step-2 SYSTEM_MESSAGE continues step-0
end complete: 3 steps
`, sink.sessions[0].text())
}

// TestCaseG09: a parent that ended before its subagent reported says so; a report that comes later is linked to the call.
func TestCaseG09(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	child := build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "help")}}
	before := build.Family(t, child, build.Member{ID: a, Steps: [][]byte{
		build.Invoke(t, "1", b), build.Message(t, b+"/task-3", a, "a task of the subagent, not its report"), build.Answer(t, "SUCCESS", ""),
	}})
	sink, _ := convertOne(t, before, a)
	text := sink.sessions[0].text()
	if !strings.Contains(text, "note child_without_result at step-0: subagent result not in this file") || strings.Contains(text, "continues") {
		t.Error(text)
	}
	later := build.Family(t, child, build.Member{ID: a, Steps: [][]byte{
		build.Invoke(t, "1", b), build.Answer(t, "SUCCESS", ""), build.Message(t, b, a, "here is my report"),
	}})
	sink, _ = convertOne(t, later, a)
	text = sink.sessions[0].text()
	if strings.Contains(text, "child_without_result") || !strings.Contains(text, "step-2 SYSTEM_MESSAGE continues step-0") {
		t.Error(text)
	}
}

// A subagent that cannot be read is named without where the store lies.
func TestBrokenSubagent(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t, build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go"), build.Invoke(t, "1", b), build.Message(t, b, a, "x")}})
	if err := os.WriteFile(filepath.Join(root, "conversations", b+".db"), []byte("no database, but long enough to be one"), 0o600); err != nil {
		t.Fatal(err)
	}
	sink, result := convertOne(t, root, a)
	text := sink.sessions[0].text()
	if !result.Incomplete || !strings.Contains(text, "note damage at step-1: subagent "+b+" could not be read") || strings.Contains(text, root) {
		t.Error(text)
	}
	if _, _, err := tryConvert(t, root, a, func(job *convert.Job) { job.Strict = true }); err == nil || !strings.Contains(err.Error(), b) {
		t.Errorf("strict: %v", err)
	}
}
