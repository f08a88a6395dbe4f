package markdown_test

import (
	"strings"
	"testing"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
)

// BenchmarkHostile shows that no pattern costs more than linear time: compare the throughput of the two sizes.
func BenchmarkHostile(b *testing.B) {
	for _, pattern := range []string{
		"`", "``a`", "a`b`", "](", "](a", "[\n", "[a\n", "<", "<http", "<a@", "!", "\\", "|`|", "`\n", "   ```\n", "~", "~`", "x](<", "]:\n[", "https://a`b`", "> ", "\r\n", "<b\n", "_", "*", "\x00",
	} {
		for _, size := range []int{1 << 16, 1 << 20} {
			body := "<a](" + strings.Repeat(pattern, size/len(pattern))
			b.Run(strings.NewReplacer("\n", "LF", "\r", "CR", "\x00", "NUL", "/", "|").Replace(pattern)+"|"+map[bool]string{true: "small", false: "large"}[size == 1<<16], func(b *testing.B) {
				r := rendering(b)
				ev := &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{Model: body, Summary: body, Blocks: []*tv1.Block{
					{Text: body, Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}},
					{Text: body[4:], Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}},
					{Text: body, Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}},
				}}}}
				var dst []byte
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					dst, _ = r.Render(dst[:0], ev)
				}
			})
		}
	}
}
