package parents

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

const (
	a = "aaaaaaaa-0000-4000-8000-000000000001"
	b = "bbbbbbbb-0000-4000-8000-000000000002"
	c = "cccccccc-0000-4000-8000-000000000003"
	d = "dddddddd-0000-4000-8000-000000000004"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// trajectory is a sidecar of a conversation with more members, each with a comma before it.
func trajectory(id string, members ...string) string {
	return fmt.Sprintf(`{"cascadeId":%q%s}`, id, strings.Join(members, ""))
}

func stamped(id string) string { return fmt.Sprintf(`,"agyReader":{"parentCascadeId":%q,"x":1}`, id) }
func child(of string) string   { return fmt.Sprintf(`,"metadata":{"parentConversationId":%q}`, of) }
func steps(list ...string) string {
	return `,"steps":[` + strings.Join(list, ",") + `]`
}

func result(id string) string {
	return fmt.Sprintf(`{"invokeSubagent":{"results":[{"conversationId":%q}]}}`, id)
}
func user(text string) string { return fmt.Sprintf(`{"userInput":{"userResponse":%q}}`, text) }
func planner(text string, calls ...string) string {
	return fmt.Sprintf(`{"plannerResponse":{"response":%q,"toolCalls":[%s]},"metadata":{"executionId":%q}}`, text, strings.Join(calls, ","), text)
}

func call(tool, prompt string) string {
	return fmt.Sprintf(`{"name":%q,"argumentsJson":%q}`, tool, fmt.Sprintf(`{"Subagents":[{"Prompt":%q}]}`, prompt))
}

func agentPath(parent string) string {
	return fmt.Sprintf(`,"executorMetadatas":[{"cascadeConfig":{"plannerConfig":{"customizationConfig":{"agentPath":"/h/brain/%s/.agents/agents/x.md"}}}}]`, parent)
}

// folder writes sidecars, named a, b … unless the text begins with a name and a space.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for id, text := range files {
		path := filepath.Join(dir, id+sidecar.Suffix)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, noon, noon); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// links are the stamps of a folder.
func links(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		block, err := sidecar.ReadBlock(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if id, stamped := block.Parent(); stamped {
			out[strings.TrimSuffix(name, sidecar.Suffix)] = id
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.ModTime().Equal(noon) {
			t.Errorf("%s: the time is %v", name, info.ModTime())
		}
	}
	return out
}

func TestStamp(t *testing.T) {
	t.Parallel()
	type stamps = map[string]string
	for name, test := range map[string]struct {
		files            map[string]string
		normal, repaired stamps
		said             []string // kinds, in order, of the normal run
	}{
		"TestReferenceN01: messages to the parent are no evidence": {
			stamps{a: trajectory(a, steps(result(b))), b: trajectory(b, steps(`{"systemMessage":{"agentMessage":{"sender":"`+b+`","recipient":"`+a+`"}}}`))},
			stamps{b: a},
			stamps{b: a},
			nil,
		},
		"TestReferenceN09: native by the child, mixed case": {
			stamps{a: trajectory(strings.ToUpper(a)), b: trajectory(b, child(strings.ToUpper(a)))}, stamps{b: a}, stamps{b: a}, nil,
		},
		"TestReferenceN47: a stamp in upper case is the same": {
			stamps{a: trajectory(a), b: trajectory(b, child(a), stamped(strings.ToUpper(a)))}, stamps{b: strings.ToUpper(a)}, stamps{b: strings.ToUpper(a)}, nil,
		},
		"TestReferenceN61: native beats an inherited agent path": {
			stamps{a: trajectory(a), b: trajectory(b), c: trajectory(c, child(b), agentPath(a))}, stamps{c: b}, stamps{c: b}, nil,
		},
		"agent path": {stamps{a: trajectory(a), b: trajectory(b, agentPath(a))}, stamps{b: a}, stamps{b: a}, nil},
		"TestReferenceN62: two native parents": {
			stamps{a: trajectory(a, steps(result(c))), b: trajectory(b), c: trajectory(c, child(b))}, stamps{}, stamps{}, []string{ConflictingEvidence},
		},
		"TestReferenceN63: one planner response uses up the prompt": {
			stamps{a: trajectory(a, steps(planner("", call("invoke_subagent", "do it")), planner("nothing yet"), planner("it is "+b))), b: trajectory(b, steps(user(" "), user(" do it\n")))},
			stamps{},
			stamps{},
			nil,
		},
		"TestReferenceN64: the answer under a later execution id": {
			stamps{a: trajectory(a, steps(planner("one", call("spawn_agents", "do it")), user("x"), planner("it is "+strings.ToUpper(b)))), b: trajectory(b, steps(user("do it")))},
			stamps{b: a},
			stamps{b: a},
			nil,
		},
		"another prompt, another tool": {
			stamps{a: trajectory(a, steps(planner("", call("spawnagents", "do it"), call("run_command", "else")), planner(b+" "+c))), b: trajectory(b, steps(user("do that"))), c: trajectory(c, steps(user("else")))},
			stamps{},
			stamps{},
			nil,
		},
		"TestReferenceN65: a parent without sidecar": {stamps{b: trajectory(b, child(a))}, stamps{b: a}, stamps{b: a}, []string{MissingParent}},
		"TestReferenceN66: self":                     {stamps{a: trajectory(a, child(a))}, stamps{}, stamps{}, []string{ParentCycle}},
		"TestReferenceN67: leading into a cycle": {
			stamps{a: trajectory(a, child(b)), b: trajectory(b, child(a)), c: trajectory(c, child(a))}, stamps{c: a}, stamps{c: a}, []string{ParentCycle, ParentCycle},
		},
		"a stamped cycle": {
			stamps{a: trajectory(a, stamped(b)), b: trajectory(b, stamped(a))}, stamps{a: b, b: a}, stamps{}, []string{ParentCycle, ParentCycle},
		},
		"TestReferenceN68: duplicate cascade id": {
			stamps{a: trajectory(a), b: trajectory(b, child(a)), c: trajectory(b, child(a))}, stamps{}, stamps{}, []string{ConflictingEvidence, ConflictingEvidence},
		},
		"stale": {
			stamps{a: trajectory(a), b: trajectory(b), c: trajectory(c, child(b), stamped(a))}, stamps{c: a}, stamps{c: b}, []string{StaleStamp},
		},
		"TestReferenceN69: no evidence": {stamps{a: trajectory(a), b: trajectory(b, stamped(a))}, stamps{b: a}, stamps{}, []string{StaleStamp}},
		"TestReferenceN69: no evidence, but not all was read": {
			stamps{a: trajectory(a), b: trajectory(b, stamped(a)), d: `{"cascadeId"`}, stamps{b: a}, stamps{b: a}, []string{StaleStamp, UnreadableSidecar},
		},
		"a stamp without evidence whose parent is gone": {
			stamps{b: trajectory(b, stamped(a))}, stamps{b: a}, stamps{}, []string{MissingParent, StaleStamp},
		},
		"invalid stamps": {
			stamps{a: trajectory(a), b: trajectory(b, child(a), stamped("x")), c: trajectory(c, `,"agyReader":{"parentCascadeId":7}`)},
			stamps{b: a, c: ""},
			stamps{b: a},
			[]string{InvalidParentStamp, InvalidParentStamp},
		},
		"malformed": {
			stamps{a: `{}`, b: trajectory("nobody"), c: trajectory(c, child("..")), d: `{"cascadeId":"` + d + `","agyReader":7}`},
			stamps{},
			stamps{},
			[]string{InvalidCascadeID, InvalidCascadeID, InvalidCascadeID, UnreadableSidecar},
		},
		"evidence of odd types": {
			stamps{a: trajectory(a, `,"steps":{"x":[]},"metadata":[],"executorMetadatas":[7,{"cascadeConfig":[]}]`), b: trajectory(b, steps(`7`, `{"invokeSubagent":{"results":[{"conversationId":7},"x",null]}}`, `{"plannerResponse":{"toolCalls":[{"name":"invoke_subagent","argumentsJson":"{{"}]}}`))},
			stamps{},
			stamps{},
			nil,
		},
		"named by its file": {
			stamps{a: trajectory(a, steps(result(c))), c: trajectory(b)}, stamps{c: a}, stamps{c: a}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, test.files)
			report, err := Stamp(t.Context(), dir, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.normal, links(t, dir)); diff != "" {
				t.Errorf("normal:\n%s", diff)
			}
			var said []string
			for _, d := range report.Diagnostics {
				said = append(said, d.Kind)
			}
			if diff := cmp.Diff(test.said, said); diff != "" {
				t.Errorf("%v:\n%s", report.Diagnostics, diff)
			}
			for i, repair := range []bool{false, true, true} {
				r, err := Stamp(t.Context(), dir, repair)
				if err != nil || r.Scanned != r.Stamped+r.Cleared+r.Unchanged+r.Unresolved || i != 1 && r.Stamped+r.Cleared > 0 {
					t.Errorf("%+v, %v", r, err)
				}
			}
			if diff := cmp.Diff(test.repaired, links(t, dir)); diff != "" {
				t.Errorf("repaired:\n%s", diff)
			}
		})
	}
}

func TestReferenceN45RepairKeepsSiblings(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{a: trajectory(a), b: trajectory(b, stamped(a), `,"n":9007199254740993`)})
	r, err := Stamp(t.Context(), dir, true)
	if err != nil || r.Cleared != 1 {
		t.Fatal(r, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, b+sidecar.Suffix))
	if want := trajectory(b, `,"agyReader":{"x":1},"n":9007199254740993`) + "\n"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if len(r.Diagnostics) != 1 || !strings.Contains(r.Diagnostics[0].String(), "subagent: "+b+" stale-stamp: no evidence for the stamped parent "+a+", which is cleared") {
		t.Error(r.Diagnostics)
	}
}

func TestNoFolder(t *testing.T) {
	t.Parallel()
	if r, err := Stamp(t.Context(), filepath.Join(t.TempDir(), "none"), false); err != nil || r.Scanned != 0 {
		t.Error(r, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Stamp(t.Context(), file, false); err == nil {
		t.Error("a file is no folder")
	}
}

// Members that come again and again do not add up without end.
func TestFactsAreBounded(t *testing.T) {
	t.Parallel()
	response := `"response":"` + strings.Repeat(b+" ", 30_000) + `",`
	calls := `"toolCalls":[{"name":"spawn_agents","argumentsJson":"{\"subagents\":[{\"prompt\":\"p\"}]}"}]`
	text := trajectory(a, steps(`{"plannerResponse":{`+calls+`}}`, `{"plannerResponse":{`+strings.Repeat(response, 4)+calls+`}}`))
	if _, err := read(strings.NewReader(text)); !errors.Is(err, sources.ErrLimit) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(trajectory(a, child(b), stamped(c), agentPath(d))))
	f.Add([]byte(trajectory(a, steps(planner("x", call("spawn_agents", "p")), planner(b), user("p"), result(c)))))
	f.Add([]byte(`{"steps":[{"plannerResponse":{"toolCalls":[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := read(strings.NewReader(string(data)))
		if _, again := payloadDigest(strings.NewReader(string(data))); (again == nil) != (err == nil) && !strings.Contains(fmt.Sprint(err), "agyReader") {
			t.Errorf("%v, %v", err, again)
		}
		if got.kept > maxFacts+1 && err == nil {
			t.Error(got.kept)
		}
	})
}
