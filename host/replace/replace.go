// Package replace writes small files, such as manifests and records, at once or not at all: whoever reads sees the old file or
// the new one, and a writer that is killed leaves the old one. What sinks write goes through host/artifact, sidecars through
// host/sidecar, which have more to promise.
package replace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// leftoverAge is how old a temporary file must be before another writer takes its own to be dead.
const leftoverAge = time.Hour

// File puts data in the place of a file below dir, with exactly the permissions mode; the folder must exist. name has slashes.
// A link in the file's place is replaced, not followed. After an error the place is as it was. What killed writers of
// the same file left more than an hour ago is removed; what cannot be removed stays.
func File(dir *os.Root, name string, data []byte, mode fs.FileMode) error {
	folder, base := path.Split(name)
	tidy(dir, path.Clean(folder), base)
	temp := folder + "." + base + ".r" + rand.Text() + ".tmp"
	out, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = dir.Chmod(temp, mode)
	}
	if err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return nil
}

// tidy removes what killed writers of a file left.
func tidy(dir *os.Root, folder, base string) {
	at, err := dir.Open(folder)
	if err != nil {
		return
	}
	defer at.Close()
	names, err := at.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if !leftover(name, base) {
			continue
		}
		name = path.Join(folder, name)
		if info, err := dir.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftoverAge {
			_ = dir.Remove(name)
		}
	}
}

// leftover reports whether a name is a temporary file of base.
func leftover(name, base string) bool {
	random, ours := strings.CutPrefix(name, "."+base+".r")
	random, temporary := strings.CutSuffix(random, ".tmp")
	return ours && temporary && len(random) == 26 && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
