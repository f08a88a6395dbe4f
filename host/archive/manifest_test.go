package archive

import (
	"bytes"
	"strings"
	"testing"
)

func TestManifestRefusesWhatCannotBeOurs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"not JSON", `{"version":1`, "unexpected end"},
		{"newer", `{"version":2}`, "version 2"},
		{"null", `{"version":1,"conversations":[null]}`, "no conversation"},
		{"no id", `{"version":1,"conversations":[{"name":"x"}]}`, "no id"},
		{"twice", `{"version":1,"conversations":[{"id":"a","name":"x"},{"id":"A","name":"y"}]}`, "twice"},
		{"one name", `{"version":1,"conversations":[{"id":"a","name":"x"},{"id":"b","name":"X"}]}`, "two conversations"},
		{"path", `{"version":1,"conversations":[{"id":"a","name":"../x"}]}`, "cannot be"},
		{"below", `{"version":1,"conversations":[{"id":"a","name":"x/y"}]}`, "cannot be"},
		{"file outside", `{"version":1,"conversations":[{"id":"a","name":"x","files":[{"name":"/etc/passwd"}]}]}`, "cannot be"},
		{"earlier outside", `{"version":1,"conversations":[{"id":"a","name":"x","earlier":[{"n":1,"files":[{"name":"a\\b"}]}]}]}`, "cannot be"},
		{"the manifest", `{"version":1,"conversations":[{"id":"a","name":"x","files":[{"name":"AGY-reader.manifest.json"}]}]}`, "cannot be"},
		{"the index", `{"version":1,"conversations":[{"id":"a","name":"index.html"}]}`, "cannot be"},
		{"earlier zero", `{"version":1,"conversations":[{"id":"a","name":"x","earlier":[{"n":0}]}]}`, "earlier version 0"},
	} {
		if _, err := parseManifest([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	m, err := parseManifest([]byte(`{"version":1,"conversations":[{"id":"b","name":"y"},{"id":"a","name":"x","files":[{"name":"x.assets/p.png"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := m.write(&text); err != nil || m.Conversations[0].ID != "a" {
		t.Errorf("%s, %v", text.String(), err)
	}
	if again, err := parseManifest(text.Bytes()); err != nil || len(again.Conversations) != 2 {
		t.Errorf("%+v, %v", again, err)
	}
}

// A manifest that someone else wrote never leads out of the archive.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"conversations":[{"id":"a","name":"x","sources":[{"path":"conversations/a.db","size":1}],"files":[{"name":"x.md","format":"markdown"}],"earlier":[{"n":1,"files":[{"name":"x.earlier-1.md"}]}]}],"generator":"agy-reader"}`))
	f.Add([]byte(`{"version":1,"conversations":[{"id":"a","name":"\u202e"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		for _, e := range m.Conversations {
			for _, file := range e.Files {
				if strings.HasPrefix(file.Name, "/") || strings.Contains(file.Name, "..") && strings.Contains(file.Name, "/../") || strings.Contains(file.Name, `\`) {
					t.Errorf("%q", file.Name)
				}
			}
		}
		var encoded bytes.Buffer
		if err := m.write(&encoded); err != nil {
			t.Fatal(err)
		}
		if _, err := parseManifest(encoded.Bytes()); err != nil {
			t.Errorf("written and not read: %v", err)
		}
	})
}
