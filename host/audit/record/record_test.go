package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit/record"
	"agy-reader/host/doctor"
	"agy-reader/sources/regular"
)

var full = record.Record{
	Version: "1.4.4", VerifiedOn: "2026-12-01 (linux/amd64)", Commit: "`0123` (clean tree)", Schema: "a, b; user_version 1",
	SchemaFingerprint: "`1ca9`", ShapeFingerprint: "`sha256:3acc`", Scope: "latest-paired-sidecar", IDE: "no store",
}

const around = "# Title\r\n\nbefore **agy version:** 9\n" + record.Begin + "\nold **text**\n**agy version:** 1.2.11\n" + record.End + "\nafter without an end"

func TestInsertKeepsWhatIsAround(t *testing.T) {
	t.Parallel()
	got, err := record.Insert(around, full)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Title\r\n\nbefore **agy version:** 9\n" + record.Begin + "\n" + full.String() + record.End + "\nafter without an end"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	back, err := record.Parse(got)
	if diff := cmp.Diff(full, back); err != nil || diff != "" {
		t.Error(err, diff)
	}
	windows := strings.ReplaceAll(strings.ReplaceAll(around, "\r", ""), "\n", "\r\n")
	got, err = record.Insert(windows, full)
	if err != nil || strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
		t.Errorf("%v: mixed line ends in %q", err, got)
	}
	if back, err := record.Parse(got); err != nil || back != full {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestEveryLabelOnALineOfItsOwn(t *testing.T) {
	t.Parallel()
	var labels []string
	for line := range strings.Lines(record.Record{}.String()) {
		if line = strings.TrimSpace(line); line != "" {
			labels = append(labels, line)
		}
	}
	want := []string{
		"**agy version:** not recorded", "**Verified on:** not recorded", "**agy-reader commit:** not recorded", "**Schema:** not recorded",
		"**Schema fingerprint:** not recorded", "**Sidecar shape fingerprint:** not recorded", "**Sidecar corpus scope:** not recorded", "**IDE surface note:** not recorded",
	}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Error(diff)
	}
}

// The record of this checkout can be read and replaced, and is what doctor reads.
func TestOwnRecord(t *testing.T) {
	t.Parallel()
	text, err := record.Read(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Parse(text)
	if err != nil || doctor.Recorded(text) != r.Version {
		t.Errorf("%+v, %v", r, err)
	}
	if text, err = record.Insert(text, full); err != nil || doctor.Recorded(text) != full.Version {
		t.Error(err)
	}
}

func TestSectionMustBeThereOnce(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no marks": "**agy version:** 1", "no end": record.Begin + "\n", "no begin": record.End + "\n",
		"turned": record.End + "\n" + record.Begin + "\n", "twice": around + "\n" + around, "not a line": "x" + record.Begin + "\n" + record.End,
	} {
		if _, err := record.Insert(text, full); !errors.Is(err, record.ErrSection) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := record.Parse(text); !errors.Is(err, record.ErrSection) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, record.FileName)
	if err := os.WriteFile(path, []byte(around), 0o640); err != nil { //nolint:gosec // the mode must stay
		t.Fatal(err)
	}
	if err := record.Write(dir, around, full); err != nil {
		t.Fatal(err)
	}
	want, _ := record.Insert(around, full)
	got, err := record.Read(dir)
	if err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := record.Write(dir, around, record.Record{}); err == nil || !strings.Contains(err.Error(), "changed during the audit") {
		t.Errorf("a file that changed meanwhile: %v", err)
	}
	if now, err := record.Read(dir); err != nil || now != want {
		t.Errorf("%q, %v", now, err)
	}
	if err := record.Write(dir, "no section", full); !errors.Is(err, record.ErrSection) {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestWriteFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other.md")
	if err := os.WriteFile(other, []byte(around), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, record.FileName)); err != nil {
		t.Skip(err)
	}
	if _, err := record.Read(dir); !errors.Is(err, regular.ErrLink) {
		t.Error(err)
	}
	if err := record.Write(dir, around, full); !errors.Is(err, regular.ErrLink) {
		t.Error(err)
	}
	if got, err := os.ReadFile(other); err != nil || string(got) != around {
		t.Errorf("%q, %v", got, err)
	}
}
