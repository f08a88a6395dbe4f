package rpc_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// A sink may report before the conversation is open, and at any time later; what it wrote comes all the same.
func TestReport(t *testing.T) {
	t.Parallel()
	var out sinks.Artifacts
	report := func() error {
		return out.(rpc.Reporter).Report(rpc.Diagnostic{Severity: "warning", Code: "odd", Message: "odd \xff step", Anchor: "step-0"})
	}
	sink := &trial.Script{
		OnOpen: func(_ context.Context, given sinks.Artifacts) error {
			out = given
			w, err := out.Create("a.txt", "text/plain", 0)
			if err != nil {
				return err
			}
			if _, err := w.Write([]byte(strings.Repeat("x", 2*rpc.MaxChunk+5))); err != nil {
				return err
			}
			if err := report(); err != nil {
				return err
			}
			return w.Close()
		},
		OnEvent: func(*transcriptv1.Event) error { return report() },
		OnClose: report,
	}
	var log strings.Builder
	client := connect(t, sink, rpc.ClientOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	files, err := trial.Drive(t.Context(), client, request(), &trial.Memory{}, false, trial.Sized(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if string(files["a.txt"]) != strings.Repeat("x", 2*rpc.MaxChunk+5) {
		t.Errorf("%d bytes came", len(files["a.txt"]))
	}
	if n := strings.Count(log.String(), `msg="odd \\xff step" plugin=script code=odd hint="" anchor=step-0`); n != 3 {
		t.Errorf("%d reports:\n%s", n, log.String())
	}
	if err := report(); err == nil {
		t.Error("a report after the end is taken")
	}
}
