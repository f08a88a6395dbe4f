package interpret

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/corpus"
)

// legacyKey is the fixed key of the product's older files (format.md §4).
const legacyKey = "safeCodeiumworldKeYsecretBalloon"

// legacySteps returns the steps of the older, encrypted conversations of the corpus. They hold kinds that no database has.
func legacySteps(t testing.TB) []stored {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Home(t), ".gemini", "antigravity", "*", "*.pb"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	block, err := aes.NewCipher([]byte(legacyKey))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	var all []stored
	for _, file := range files {
		sealed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := gcm.Open(nil, sealed[:gcm.NonceSize()], sealed[gcm.NonceSize():], nil)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if filepath.Base(filepath.Dir(file)) == "implicit" {
			plain = fieldOf(plain, 1)[0]
		}
		for i, raw := range fieldOf(plain, 2) {
			all = append(all, stored{fmt.Sprintf("%s step %d", strings.TrimSuffix(filepath.Base(file), ".pb")[:8], i), input(uint32(i), raw)})
		}
	}
	return all
}

// fieldOf returns the values of a length-delimited field of a message.
func fieldOf(raw []byte, number protowire.Number) [][]byte {
	var list [][]byte
	for len(raw) > 0 {
		n, kind, size := protowire.ConsumeTag(raw)
		if size < 0 {
			return list
		}
		value := protowire.ConsumeFieldValue(n, kind, raw[size:])
		if value < 0 {
			return list
		}
		if n == number && kind == protowire.BytesType {
			b, _ := protowire.ConsumeBytes(raw[size:])
			list = append(list, b)
		}
		raw = raw[size+value:]
	}
	return list
}

// TestLegacySteps reads conversations of a year before the databases: everything is known, everything shows something.
func TestLegacySteps(t *testing.T) {
	t.Parallel()
	ip := New(load(t))
	kinds := make(map[string]bool)
	for _, st := range legacySteps(t) {
		for _, ev := range interpret(t, ip, everything, st.in) {
			if n := ev.GetNote(); n != nil {
				t.Errorf("%s: %v", st.label, n)
			}
			if step := ev.GetStep(); step != nil {
				kinds[step.GetKind()] = true
				if len(step.GetBlocks()) == 0 || step.GetKind() == "" || step.GetStatus() == "" {
					t.Errorf("%s: %v", st.label, step)
				}
			}
		}
	}
	for _, kind := range []string{"COMMAND_STATUS", "FIND", "GREP_SEARCH", "TASK_BOUNDARY", "KNOWLEDGE_ARTIFACTS"} {
		if !kinds[kind] {
			t.Errorf("no %s step", kind)
		}
	}
}
