package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

func TestAnswers(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for _, test := range []struct{ body, want string }{
		{`{}`, `{}`},
		{`{"trajectory":null,"status":"X"}`, `{}`},
		{` {"trajectory": {} } ` + "\n", `{}`},
		{`{"trajectory":{"a":1,"a":2}}`, `{"a":1,"a":2}`},
		{"{\"trajectory\":{\"a\":\"\xff\\ud800\"}}", "{\"a\":\"\xff\\ud800\"}"},
		{`{"trajectory":{"steps":null}}`, `{"steps":null}`},
		{`{"trajectory":{"n":12345678901234567890123.50}}`, `{"n":12345678901234567890123.50}`},
		{`{"trajectory":{},"numTotalSteps":"0"}`, `{}`},
	} {
		answers := loaded()
		answers[methodGet] = text(http.StatusOK, test.body)
		if got, err := newFake(t, answers).client(t).Ordinary(t.Context(), testID); err != nil || string(got.Trajectory) != test.want {
			t.Errorf("%.100s: %s, %v", test.body, got.Trajectory, err)
		}
	}
	for _, bad := range []string{
		``, `null`, `[]`, `"x"`, `{`, `{"trajectory":{}`, `{"trajectory":{}}x`, `{"trajectory":{}}{}`, `{"trajectory":[]}`, `{"trajectory":7}`,
		`{"trajectory":{},"trajectory":{}}`, `{"trajectory":{"steps":[],"steps":[]}}`, `{"trajectory":{"steps":{}}}`, `{"trajectory":{"steps":[1]}}`,
		`{"trajectory":{"a":nul}}`, `{"trajectory":{"a":` + deep + `}}`, `{"trajectory":{},"numTotalSteps":-1}`, `{"trajectory":{},"numTotalSteps":{}}`,
		"<html>" + secret,
	} {
		answers := loaded()
		answers[methodGet] = text(http.StatusOK, bad)
		_, err := newFake(t, answers).client(t).Ordinary(t.Context(), testID)
		if !errors.Is(err, ErrMalformed) || !errors.Is(err, sources.ErrUnreadable) || !strings.HasPrefix(err.Error(), "call GetCascadeTrajectory: ") || strings.Contains(err.Error(), secret) {
			t.Errorf("%.100s: %v", bad, err)
		}
	}
}

// Items of two bytes each stay bounded too.
func TestTooManyItems(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("{},", maxSteps)
	for name, body := range map[string]string{
		"steps": `{"trajectory":{"steps":[` + many + `{}]}}`, "members": `{` + strings.Repeat(`"":0,`, maxMembers) + `"":0}`,
	} {
		answers := loaded()
		answers[methodGet] = jsonOnly(text(http.StatusOK, body))
		_, err := newFake(t, answers).client(t).Full(t.Context(), testID)
		if !errors.Is(err, sources.ErrLimit) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	answers := loaded()
	answers[methodGet] = text(http.StatusOK, `{"trajectory":{},"numTotalSteps":9223372036854775807}`)
	answers[methodSteps] = text(http.StatusOK, `{"steps":[`+many[:len(many)/2]+`{}]}`)
	if _, err := newFake(t, answers).client(t).Ordinary(t.Context(), testID); !errors.Is(err, sources.ErrLimit) {
		t.Errorf("pages: %v", err)
	}
	for name, body := range map[string][]byte{
		"steps":   protowire.AppendBytes(protowire.AppendTag(nil, getTrajectory, protowire.BytesType), bytes.Repeat([]byte{byte(trajectory.StepsField)<<3 | 2, 0}, maxSteps+1)),
		"members": bytes.Repeat([]byte{byte(getGenerations+1)<<3 | 2, 0}, maxMembers+1),
	} {
		answers[methodGet] = func(w http.ResponseWriter, c call) {
			w.Header().Set("Content-Type", typeProto)
			_, _ = w.Write(body)
		}
		if _, err := newFake(t, answers).client(t).Full(t.Context(), testID); !errors.Is(err, sources.ErrLimit) || !strings.Contains(err.Error(), name) {
			t.Errorf("protobuf, %s: %v", name, err)
		}
	}
}

// pages answers GetCascadeTrajectorySteps with at most size of the steps, in the encoding asked for.
func pages(t *testing.T, steps []string, size int) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, c call) {
		w.Header().Set("Content-Type", c.contentType)
		if c.contentType == typeJSON {
			from := min(int(sent(t, c).StepOffset), len(steps))
			_, _ = fmt.Fprintf(w, `{"steps": [ %s ]}`, strings.Join(steps[from:min(from+size, len(steps))], " ,\n"))
			return
		}
		from := 0
		_ = eachField([]byte(c.body), func(f fieldOf) {
			if f.number == stepsOffset {
				n, _ := protowire.ConsumeVarint(f.value)
				from = min(int(n), len(steps))
			}
		})
		var out []byte
		for _, step := range steps[from:min(from+size, len(steps))] {
			out = protowire.AppendString(protowire.AppendTag(out, pageSteps, protowire.BytesType), step)
		}
		_, _ = w.Write(out)
	}
}

func TestShortAnswers(t *testing.T) {
	t.Parallel()
	steps := []string{`{"n":9007199254740993}`, `{ "b":2 }`, `{"c":[3]}`, `{}`, `{"e":5}`}
	all := strings.Join(steps, ",")
	for _, test := range []struct{ name, trajectory, want string }{
		{"the first ones", `{"a":1, "steps": [{"n":9007199254740993}] ,"z":2}`, `{"a":1, "steps": [` + all + `] ,"z":2}`},
		{"the last ones", `{"steps":[{"e":5}]}`, `{"steps":[` + all + `]}`},
		{"none", `{"steps":[]}`, `{"steps":[` + all + `]}`},
		{"null", `{"steps":null,"z":1}`, `{"steps":[` + all + `],"z":1}`},
		{"no member", `{"a":"}"}`, `{"a":"}","steps":[` + all + `]}`},
		{"nothing", `{ }`, `{ "steps":[` + all + `]}`},
	} {
		answers := loaded()
		answers[methodGet] = text(http.StatusOK, `{"trajectory":`+test.trajectory+`,"numTotalSteps":5}`)
		answers[methodSteps] = pages(t, steps, 2)
		f := newFake(t, answers)
		a, err := Fetch(t.Context(), f.client(t), testID, "")
		if err != nil || string(a.Trajectory) != test.want || a.Steps != 5 || a.Short != nil || !json.Valid(a.Trajectory) {
			t.Errorf("%s: %s, %v, %v", test.name, a.Trajectory, a.Short, err)
		}
		if len(f.calls) != 5 {
			t.Errorf("%s: %v", test.name, f.methods())
		}
	}
	// What cannot be had is said, and what came stays as it came.
	for name, page := range map[string]func(http.ResponseWriter, call){
		"no such method": text(http.StatusNotImplemented, `{"code":"unimplemented"}`),
		"empty pages":    text(http.StatusOK, `{}`),
		"fewer":          pages(t, steps[:1], 9),
	} {
		answers := loaded()
		answers[methodGet] = text(http.StatusOK, `{"trajectory":{"steps": [ {"x":1},{} ]},"numTotalSteps":5}`)
		answers[methodSteps] = page
		a, err := Fetch(t.Context(), newFake(t, answers).client(t), testID, "")
		if err != nil || string(a.Trajectory) != `{"steps": [ {"x":1},{} ]}` || a.Steps != 2 || a.Total != 5 || a.Short == nil {
			t.Errorf("%s: %s, %v, %v", name, a.Trajectory, a.Short, err)
		}
	}
	answers := loaded()
	answers[methodGet] = text(http.StatusOK, `{"trajectory":{},"numTotalSteps":5}`)
	answers[methodSteps] = text(http.StatusForbidden, "")
	if _, err := Fetch(t.Context(), newFake(t, answers).client(t), testID, ""); !errors.Is(err, ErrAuth) {
		t.Error(err)
	}
}

// wireAnswer is a GetCascadeTrajectoryResponse around a trajectory.
func wireAnswer(message []byte, total uint64) []byte {
	out := protowire.AppendBytes(protowire.AppendTag(nil, getTrajectory, protowire.BytesType), message)
	return appendNumber(appendNumber(out, 2, 1), getTotalSteps, total)
}

// wireIs answers GetCascadeTrajectory in protobuf, and checks what is asked for.
func wireIs(t *testing.T, body []byte) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, c call) {
		want := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), testID)
		if want = appendNumber(want, 3, 3); c.contentType != typeProto || c.body != string(want) {
			t.Errorf("asked %s %x, want %x", c.contentType, c.body, want)
		}
		w.Header().Set("Content-Type", typeProto)
		_, _ = w.Write(body)
	}
}

func item(dst []byte, number protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(dst, number, protowire.BytesType), value)
}

func TestFullInProtobuf(t *testing.T) {
	t.Parallel()
	message := item(item(item(nil, trajectory.IDField, "id"), trajectory.StepsField, "one"), 77, "unknown")
	answers := loaded()
	answers[methodGet] = wireIs(t, item(wireAnswer(message, 1), 9, "beside"))
	full, err := newFake(t, answers).client(t).Full(t.Context(), testID)
	if err != nil || string(full.Proto) != string(message) || full.JSON != nil || full.Steps != 1 || full.Total != 1 {
		t.Fatalf("%+v, %v", full, err)
	}
	if len(full.beside) != 1 || full.beside[0].GetNumber() != 9 || string(full.beside[0].GetValue()) != "beside" {
		t.Errorf("beside: %v", full.beside)
	}

	answers[methodGet] = wireIs(t, wireAnswer(message, 3))
	answers[methodSteps] = pages(t, []string{"one", "two", "three"}, 2)
	full, err = newFake(t, answers).client(t).Full(t.Context(), testID)
	want := item(nil, trajectory.IDField, "id")
	for _, step := range []string{"one", "two", "three"} {
		want = item(want, trajectory.StepsField, step)
	}
	if want = item(want, 77, "unknown"); err != nil || string(full.Proto) != string(want) || full.Steps != 3 || full.Short != nil {
		t.Errorf("%q, %v, %v", full.Proto, full.Short, err)
	}

	answers[methodSteps] = text(http.StatusNotFound, "")
	full, err = newFake(t, answers).client(t).Full(t.Context(), testID)
	if err != nil || string(full.Proto) != string(message) || full.Short == nil || full.Total != 3 {
		t.Errorf("%q, %v, %v", full.Proto, full.Short, err)
	}

	answers[methodGet] = wireIs(t, nil)
	if full, err = newFake(t, answers).client(t).Full(t.Context(), testID); err != nil || full.Proto == nil || len(full.Proto) > 0 {
		t.Errorf("%+v, %v", full, err)
	}
	for _, bad := range [][]byte{{0xff}, wireAnswer([]byte{0x12, 9}, 0), wireAnswer(message, 1)[:4]} {
		answers[methodGet] = wireIs(t, bad)
		if _, err := newFake(t, answers).client(t).Full(t.Context(), testID); !errors.Is(err, ErrMalformed) {
			t.Errorf("%x: %v", bad, err)
		}
	}
}

func TestFullFallsBackToJSON(t *testing.T) {
	t.Parallel()
	full := func(w http.ResponseWriter, c call) {
		if in := sent(t, c); in.Verbosity != verbosityFull || in.CascadeID != testID {
			t.Errorf("asked %s", c.body)
		}
		text(http.StatusOK, `{"trajectory":{"x":1}}`)(w, c)
	}
	for name, answer := range map[string]func(http.ResponseWriter, call){
		"415": jsonOnly(full),
		"JSON whatever is asked": func(w http.ResponseWriter, c call) {
			if c.contentType == typeJSON {
				full(w, c)
				return
			}
			text(http.StatusOK, `{"trajectory":{}}`)(w, c)
		},
	} {
		answers := loaded()
		answers[methodGet] = answer
		got, err := newFake(t, answers).client(t).Full(t.Context(), testID)
		if err != nil || got.Proto != nil || string(got.JSON) != `{"x":1}` {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	// A real refusal is no reason to ask again.
	answers := loaded()
	answers[methodGet] = text(http.StatusForbidden, "")
	f := newFake(t, answers)
	if _, err := f.client(t).Full(t.Context(), testID); !errors.Is(err, ErrAuth) || len(f.calls) != 1 {
		t.Error(err, f.methods())
	}
}

// FuzzAnswer cuts any body, in both encodings, without panic; what is accepted keeps its bytes.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"trajectory":{"steps":[{"a":1},{}],"b":"}"},"numTotalSteps":"3","x":[null]}`))
	f.Add([]byte(`{"steps":null}`))
	f.Add(wireAnswer(item(item(nil, 2, "one"), 6, testID), 2))
	f.Fuzz(func(t *testing.T, body []byte) {
		a := Answer{Total: -1}
		if err := a.read(body); err == nil && !strings.Contains(string(body), string(a.Trajectory)) && string(a.Trajectory) != "{}" {
			t.Fatalf("%q became %q", body, a.Trajectory)
		}
		if l, err := stepsOf(body); err == nil {
			out := l.replace(body, [][]byte{[]byte(`{"new":1}`), []byte(`{}`)})
			again, err := stepsOf(out)
			if err != nil || len(again.items) != 2 || string(again.items[0]) != `{"new":1}` {
				t.Fatalf("%q: spliced %q: %v", body, out, err)
			}
		}
		if n, err := countSteps(body); err == nil {
			out := replaceSteps(body, item(nil, trajectory.StepsField, "new"))
			if again, err := countSteps(out); err != nil || again != 1 {
				t.Fatalf("%x: %d of %d steps after splicing: %v", body, again, n, err)
			}
		}
		webTrailer("application/grpc-web", body)
	})
}
