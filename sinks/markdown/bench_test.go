package markdown_test

import (
	"strings"
	"testing"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/markdown"
)

var prose = strings.Repeat("The quick brown fox jumps over the lazy dog, while the tests of the package run.\n\n", 12000)

var output = strings.Repeat("2026-01-02 03:04:05 INFO module/part.go:123 handled `GET /index` in 12ms\n", 14000)

func rendering(b testing.TB) sinks.Renderer {
	b.Helper()
	session, err := markdown.New().Open(b.Context(), &sinks.Request{BaseName: "x"}, new(parts))
	if err != nil {
		b.Fatal(err)
	}
	return session.(sinks.Renderer)
}

func BenchmarkBody(b *testing.B) {
	for _, bench := range []struct {
		name  string
		block *tv1.Block
	}{
		{"message", &tv1.Block{Text: prose, Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}},
		{"message with live characters", &tv1.Block{Text: strings.ReplaceAll(prose, "lazy", "`<T>` and [a](b)"), Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}},
		{"plain", &tv1.Block{Text: prose, Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}},
		{"output", &tv1.Block{Text: output, Detail: &tv1.Block_Code{Code: &tv1.Code{}}}},
		{"view", &tv1.Block{Text: output, Detail: &tv1.Block_FileView{FileView: &tv1.FileView{Uri: "file:///home/jo/a.go"}}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := rendering(b)
			ev := &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{Blocks: []*tv1.Block{bench.block}}}}
			var dst []byte
			b.SetBytes(int64(len(bench.block.Text)))
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = r.Render(dst[:0], ev)
			}
		})
	}
}

func BenchmarkSample(b *testing.B) {
	r := rendering(b)
	all := sample(b)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		for _, ev := range all {
			dst, _ = r.Render(dst[:0], ev)
		}
	}
	b.SetBytes(int64(len(dst)))
}

// TestAllocations holds the target of eight allocations a step, on the average of the sample's steps.
func TestAllocations(t *testing.T) {
	r := rendering(t)
	all := sample(t)
	dst := make([]byte, 0, 1<<20)
	steps := 0
	for _, ev := range all {
		if ev.GetStep() != nil {
			steps++
		}
	}
	total := testing.AllocsPerRun(20, func() {
		for _, ev := range all {
			dst, _ = r.Render(dst[:0], ev)
		}
	})
	if perStep := total / float64(steps); perStep > 8 {
		t.Errorf("%.1f allocations a step", perStep)
	} else {
		t.Logf("%.1f allocations a step", perStep)
	}
}
