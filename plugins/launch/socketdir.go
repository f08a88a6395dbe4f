package launch

import (
	"fmt"
	"os"
)

// maxSocketPath is the room every Unix leaves for the path of a socket.
const maxSocketPath = 100

// socketDir makes the private folder (0700) the plugin puts its socket in. The system's folder for temporary files is
// used unless its path is too long for a socket.
func socketDir() (string, error) {
	base := os.TempDir()
	const below = len("/agy-0123456789/plugin0123456789")
	if len(base)+below > maxSocketPath {
		base = "/tmp"
	}
	dir, err := os.MkdirTemp(base, "agy-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the plugin's socket: %w", err)
	}
	return dir, nil
}
