package present_test

import (
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

func TestBeside(t *testing.T) {
	t.Parallel()
	step := func(anchor string) *transcriptv1.Event {
		return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: &transcriptv1.Step{Anchor: anchor}}}
	}
	at := func(kind, anchor string) *transcriptv1.Event {
		return &transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: &transcriptv1.Attachment{Kind: kind, Anchor: anchor}}}
	}
	var b present.Beside
	for i, tc := range []struct {
		ev                    *transcriptv1.Event
		begins, group, ofStep bool
	}{
		{at("artifact", ""), true, true, false},
		{step("step-1"), false, false, false},
		{at("task_log", "step-1"), false, false, true},
		{at("output", "step-1"), false, false, true},
		{at("upload", "step-0"), true, true, false}, // its step is further up
		{at("upload", ""), false, false, false},
		{at("artifact", ""), false, true, false},
		{at("artifact", "step-1"), false, false, false},
		{step("step-2"), false, false, false},
		{at("artifact", ""), true, true, false},
	} {
		begins, group, ofStep := b.Next(tc.ev)
		if begins != tc.begins || group != tc.group || ofStep != tc.ofStep {
			t.Errorf("event %d: %v %v %v", i, begins, group, ofStep)
		}
	}
}

func TestRelativeHref(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]string{
		"x.assets/a.png": "x.assets/a.png", "x.assets/a%20b%28%29.png": "x.assets/a%20b%28%29.png", "a b(1)#2?é.png": "a%20b(1)%232%3F%C3%A9.png",
		"../x": "../x", `x/a"b'<c>`: "x/a%22b'%3Cc%3E", `x/a\b`: "x/a%5Cb",
		"": "", "/x": "", "//x/y": "", "javascript:x": "", "a:b/c": "", `\\x\y`: "", `a\b/c`: "", " javascript:x": "", "\tx": "", "C:/x": "",
	} {
		if got, ok := present.RelativeHref(href); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", href, got, ok, want)
		}
	}
	for href, want := range map[string]string{"a%20b": "a%20b.md", "a#step-1": "a.md#step-1", `a#"><x>`: "a.md#___x_", "#a": "", "x:y": ""} {
		if got, ok := present.DocumentHref(href, ".md"); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", href, got, ok, want)
		}
	}
}
