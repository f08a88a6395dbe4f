// Package secret recognises files that may hold keys, passwords or tokens, by their names. Readers name them and open none.
package secret

import (
	"path"
	"slices"
	"strings"
)

// File reports whether a file of this name may hold secrets. The name may be a path with slashes.
func File(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".kdbx", ".keystore", ".jks", ".ppk":
		return true
	}
	switch base {
	case ".npmrc", ".netrc", "_netrc", ".pypirc", ".git-credentials", ".htpasswd":
		return true
	}
	for _, start := range []string{".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "oauth_creds", "client_secret", "service_account"} {
		rest, ok := strings.CutPrefix(base, start)
		if ok && !strings.HasSuffix(base, ".pub") && (rest == "" || strings.ContainsAny(rest[:1], "._-") && !strings.HasSuffix(base, ".md")) {
			return true
		}
	}
	return false
}

// Path reports whether a path in a store, with slashes, names a file that may hold secrets, or one below a folder that does:
// settings of Git hold passwords of remotes, those of terminals the environment (format news, section 5).
func Path(name string) bool {
	return File(name) || slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool {
		return strings.EqualFold(folder, ".git") || strings.EqualFold(folder, "terminals")
	})
}
