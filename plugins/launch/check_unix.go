//go:build unix

package launch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const othersMayWrite fs.FileMode = 0o002

// checkModes refuses what cannot be run, and what any other user of the machine could have replaced.
func checkModes(file string, info fs.FileInfo) error {
	if info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable; run chmod +x on it", file)
	}
	if info.Mode()&othersMayWrite != 0 {
		return fmt.Errorf("%s may be changed by every user of this machine, so it is not run; run chmod o-w on it", file)
	}
	dir, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return err
	}
	if dir.Mode()&othersMayWrite != 0 && dir.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("%s lies in a folder every user of this machine may change, so it is not run; move it", file)
	}
	return nil
}
