package profile

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"agy-reader/host/corpus"
	"agy-reader/proto/antigravity"

	_ "modernc.org/sqlite"
)

// blob is one stored message of the corpus.
type blob struct {
	label, message string
	raw            []byte
}

const stepURL = "type.googleapis.com/gemini_coder.Step"

// scrambledURL is how stepURL looks in the payloads: whoever made them anonymous also replaced words of it, letter for
// letter.
var scrambledURL = regexp.MustCompile(`type\.[a-z]{10}\.com/gemini_[a-z]{5}\.Step`)

// corpusBlobs returns every message that the eleven databases and the payload files hold.
func corpusBlobs(t testing.TB, p *Profile) []blob {
	t.Helper()
	var all []blob
	for _, file := range corpus.Databases(t, corpus.Copy(t)) {
		all = append(all, databaseBlobs(t, p, file)...)
	}
	payloads, err := filepath.Glob(filepath.Join(corpus.Payloads(t), "*.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range payloads {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		step := p.ColumnMessage("steps", "step_payload")
		all = append(all, blob{filepath.Base(file), step, raw})
		if mended := scrambledURL.ReplaceAll(raw, []byte(stepURL)); !bytes.Equal(mended, raw) {
			all = append(all, blob{filepath.Base(file) + ", type URL mended", step, mended})
		}
	}
	return all
}

func databaseBlobs(t testing.TB, p *Profile, file string) []blob {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all []blob
	for _, table := range p.Tables() {
		for _, column := range p.Columns(table) {
			message := p.ColumnMessage(table, column)
			if message == "" {
				continue
			}
			rows, err := db.Query(fmt.Sprintf("SELECT %q FROM %q", column, table))
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; rows.Next(); n++ {
				var raw []byte
				if err := rows.Scan(&raw); err != nil {
					t.Fatal(err)
				}
				label := fmt.Sprintf("%s %s.%s[%d]", filepath.Base(file)[:8], table, column, n)
				all = append(all, blob{label, message, raw})
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			rows.Close()
		}
	}
	return all
}

func embeddedProfile(t testing.TB) *Profile {
	t.Helper()
	p, err := Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCorpusHoldsNothingUnknown(t *testing.T) {
	t.Parallel()
	p := embeddedProfile(t)
	steps, foreign := 0, 0
	var f Findings
	for _, b := range corpusBlobs(t, p) {
		f.Reset()
		if err := p.Check(b.message, b.raw, "", &f); err != nil {
			t.Errorf("%s: %v", b.label, err)
		}
		if !bytes.Contains(b.raw, []byte(stepURL)) && scrambledURL.Match(b.raw) && len(f.UnknownWrappers) == 1 {
			foreign++
			f.UnknownWrappers = nil
		}
		if !f.Clean() {
			t.Errorf("%s: unknown %v, enums %v, wrappers %v, text %v, values %v",
				b.label, f.Unknown, f.UnknownEnums, f.UnknownWrappers, f.BadText, f.BadValues)
		}
		if b.message == "gemini_coder.Step" {
			steps++
		}
	}
	if foreign != 1 {
		t.Errorf("%d wrappers hold a scrambled type URL, want 1", foreign)
	}
	if want := 639 + 3 + 1; steps != want {
		t.Errorf("walked %d steps, want %d", steps, want)
	}
}

func TestEmbeddedSchemasCompile(t *testing.T) {
	t.Parallel()
	for _, info := range List() {
		p, err := Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.schema.verify(); err != nil {
			t.Error(err)
		}
	}
}

// scrambledFile holds the scrambled type URL.
const scrambledFile = "tool_printenv.step_payload.bin"

// embeddedSet is the descriptor set of the embedded profile.
func embeddedSet(t testing.TB) []byte {
	t.Helper()
	set, err := fs.ReadFile(antigravity.Profiles(), "agy-1.0.4/schema.binpb")
	if err != nil {
		t.Fatal(err)
	}
	return set
}
