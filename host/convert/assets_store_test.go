package convert

import (
	"path/filepath"
	"strings"
	"testing"
)

const id = "brain/00000000-0000-4000-8000-000000000001/"

func TestStorePath(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		id + "a.png":                                         id + "a.png",
		"/" + id + "a.png":                                   id + "a.png",
		"file:///home/x/" + id + "a%20b.png":                 id + "a b.png",
		"FILE:///home/x/" + id + "a.png":                     id + "a.png",
		"file://localhost/x/" + id + "a.png":                 id + "a.png",
		"file:/x/" + id + "a.png":                            id + "a.png",
		"file:///x/" + id + "100%.png":                       id + "100%.png",
		`C:\x\` + strings.ReplaceAll(id, "/", `\`) + `a.png`: id + "a.png",
		"/x/" + id + "x/" + id + "a.png":                     id + "a.png",
		"brain/tempmediaStorage/media__1.png":                "brain/tempmediaStorage/media__1.png",
		"brain/other/a.png":                                  "",
		"xbrain/00000000-0000-4000-8000-000000000001/a.png":  "",
		id + "../../token":                                   "",
		id + "%2e%2e/x":                                      id + "%2e%2e/x",
		"file:///" + id + "%2e%2e/x":                         "",
		id + "./a.png":                                       "",
		id + "a\x00.png":                                     "",
		"https://x/" + id + "a.png":                          "",
		"conversations/a.db":                                 "",
		"":                                                   "",
	} {
		if got, ok := storePath(uri); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", uri, got, ok, want)
		}
	}
}

func FuzzStorePath(f *testing.F) {
	for _, seed := range []string{id + "a", "file:///" + id + "%2e%2e/x", `\\x\` + id, id + "../" + id + "x", "brain/tempmediaStorage/../../x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		got, ok := storePath(uri)
		if ok && (!strings.HasPrefix(got, "brain/") || strings.Contains("/"+got+"/", "/../") || strings.ContainsRune(got, 0) || !filepath.IsLocal(got)) {
			t.Errorf("%q gives %q", uri, got)
		}
	})
}
