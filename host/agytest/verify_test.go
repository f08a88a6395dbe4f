package agytest_test

import (
	"path/filepath"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/corpus"
)

// What an honest daemon answers is what the readers make of the same files, in both forms and encodings.
func TestHonestAnswersVerify(t *testing.T) {
	t.Parallel()
	for name, jsonOnly := range map[string]bool{"protobuf": false, "JSON": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, path := agytest.Store(t)
			d := agytest.Start(t, agytest.Options{Root: root, JSONOnly: jsonOnly})
			e, err := check(t, client(t, d), path)
			if err != nil || e.Steps == 0 {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
}

func TestHonestAnswersOfTheCorpusVerify(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	for _, store := range []string{"antigravity", "antigravity-cli"} {
		root := filepath.Join(home, ".gemini", store)
		d := agytest.Start(t, agytest.Options{Root: root})
		c := client(t, d)
		for _, ending := range []string{"*.db", "*.pb"} {
			paths, err := filepath.Glob(filepath.Join(root, "conversations", ending))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				if e, err := check(t, c, path); err != nil || e.Steps == 0 {
					t.Errorf("%s: %+v, %v", filepath.Base(path), e, err)
				}
			}
		}
	}
}
