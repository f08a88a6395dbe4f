package convert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// What a step shows may be named by whoever made the conversation. Files that hold secrets are not copied, and no link of a
// brain folder leads to one, be it within the store.
func TestNoSecretIsCopied(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	var shown []*transcriptv1.Media
	write := func(name string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("password"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("oauth_creds.json")
	for _, name := range []string{".env", "terminals/.env", "terminals/1.txt", ".system_generated/terminals/2.txt", ".git/config", "id_rsa", "keys/server.pem", "Credentials.json"} {
		write(brain + name)
		shown = append(shown, &transcriptv1.Media{Uri: "file:///x/" + brain + name, MimeType: "image/png"})
	}
	for link, to := range map[string]string{"token.png": "../../oauth_creds.json", "store": "../..", "own.png": ".env", "inside": "terminals"} {
		if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(brain), link)); err != nil {
			t.Skip("no symbolic links", err)
		}
	}
	for _, name := range []string{"token.png", "store/oauth_creds.json", "store/token.json", "own.png", "inside/1.txt"} {
		shown = append(shown, &transcriptv1.Media{Uri: "file:///x/" + brain + name, MimeType: "image/png"})
	}
	files, result := converted(t, convert.Job{Ref: sources.Ref{Root: root}, Assets: true, Source: &fakeSource{batches: split([]*transcriptv1.Event{
		stepEvent(0, transcriptv1.Role_ROLE_USER, showing(shown...)),
	}, 9)}})
	for name, content := range files {
		if strings.Contains(content, "password") || content == "token" {
			t.Errorf("%s was copied", name)
		}
	}
	if len(result.Footer.Assets) != 0 || len(result.Footer.MissingFiles) != len(shown) {
		t.Errorf("copies %v, missing %v", result.Footer.Assets, result.Footer.MissingFiles)
	}
}
