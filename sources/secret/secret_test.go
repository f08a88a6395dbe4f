package secret

import "testing"

func TestPath(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".env": true, "a/.ENV.local": true, "id_rsa": true, "id_rsa.pub": false, "x/server.key": true, "oauth_creds.json": true,
		"credentials.md": false, "environment.md": false, "brain/x/terminals/log.txt": true, "brain/x/Terminals/1": true, "a/.git/config": true,
		"terminals": false, ".git": false, "task.md": false, "media__1.png": false, "": false,
	} {
		if got := Path(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
