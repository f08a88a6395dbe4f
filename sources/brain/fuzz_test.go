package brain

import (
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func FuzzMessage(f *testing.F) {
	f.Add([]byte(`{"id":"b","sender":"x/task-4","timestamp":"2026-06-16T16:45:29.450051179Z","renderDetails":{"messageTitle":"t"},"content":"c","sourceMetadata":{"tool":{"stepIndex":4}}}`))
	f.Add([]byte(`{"sender":"user","stepPayload":"CA6aAQISAA=="}`))
	f.Add([]byte(`{"sender":{},"timestamp":3,"stepPayload":"!","x":"\ud800"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, ok := parseMessage(raw)
		if !ok {
			return
		}
		m.at()
		check(t, append(m.facts("c", map[string]bool{"i": true}, false, "i"), m.body()...))
	})
}

func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"artifactType":"T","summary":"s","updatedAt":"2026-07-02T18:33:36.5Z","version":"3","userFacing":true,"more":{"a":[1]}}`))
	f.Add([]byte(`{"summary":["\ud800"],"updatedAt":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) { check(t, parseMetadata(raw).facts) })
}

// FuzzText cuts and decodes the bytes of files.
func FuzzText(f *testing.F) {
	f.Add([]byte("one\ntwo\nthree\n"), uint8(4))
	f.Add([]byte("\xff\xfeh\x00i\x00"), uint8(200))
	f.Fuzz(func(t *testing.T, raw []byte, most uint8) {
		c := contents{size: int64(len(raw)), head: raw}
		if half := int(most) / 2; len(raw) > int(most) {
			c.head, c.tail = raw[:half], raw[len(raw)-half:]
		}
		check(t, text(c, func(label, text string) *transcriptv1.Block { return code(label, "", text) }))
	})
}

// check: whatever came in, the document model takes it.
func check(t *testing.T, blocks []*transcriptv1.Block) {
	t.Helper()
	for _, b := range blocks {
		if _, err := proto.Marshal(b); err != nil || !utf8.ValidString(b.GetText()) || b.GetDetail() == nil {
			t.Errorf("%v: %v", b, err)
		}
	}
}
