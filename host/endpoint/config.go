package endpoint

import (
	"strings"

	"agy-reader/host/store"
)

// logFolders are where the IDE of a surface keeps its logs, the likeliest first. Paths have the separators of goos.
func logFolders(goos, surface string, env store.Environment) []string {
	config := configFolder(goos, env)
	if config == "" {
		return nil
	}
	names := []string{"Antigravity"}
	if surface == "ide2" {
		names = []string{"Antigravity IDE", "Antigravity"} // the first is a guess by the name of the store
	}
	folders := make([]string, len(names))
	for i, name := range names {
		folders[i] = joined(goos, config, name, "logs")
	}
	return folders
}

// configFolder is where programs keep their state, empty when it is not known (behaviour.md c.2).
func configFolder(goos string, env store.Environment) string {
	switch goos {
	case "windows":
		if dir := env.Getenv("AppData"); dir != "" {
			return dir
		}
		return below(goos, env.Home, "AppData", "Roaming")
	case "darwin", "ios":
		return below(goos, env.Home, "Library", "Application Support")
	default:
		if dir := env.Getenv("XDG_CONFIG_HOME"); strings.HasPrefix(dir, "/") {
			return dir
		}
		return below(goos, env.Home, ".config")
	}
}

func below(goos, home string, elements ...string) string {
	if home == "" {
		return ""
	}
	return joined(goos, append([]string{home}, elements...)...)
}

func joined(goos string, elements ...string) string {
	if goos != "windows" {
		return strings.TrimSuffix(elements[0], "/") + "/" + strings.Join(elements[1:], "/")
	}
	return strings.TrimRight(elements[0], `\/`) + `\` + strings.Join(elements[1:], `\`)
}
