package launch

import (
	"os"
	"strings"
)

// passed are the variables of the host that a plugin gets: where programs, home and temporary files are, and how people
// here write. Nothing else reaches it, tokens and keys in particular.
var passed = []string{
	"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LANG", "LANGUAGE", "TZ",
	// Windows programs do not start without these.
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
}

func allowedEnv(host []string) []string {
	var env []string
	for _, entry := range host {
		name, _, _ := strings.Cut(entry, "=")
		name = strings.ToUpper(name)
		if strings.HasPrefix(name, "LC_") {
			env = append(env, entry)
			continue
		}
		for _, ok := range passed {
			if name == ok {
				env = append(env, entry)
				break
			}
		}
	}
	return env
}

func hostEnv() []string { return allowedEnv(os.Environ()) }
