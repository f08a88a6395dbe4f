package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"agy-reader/proto/antigravity"
)

// Fingerprint names everything in this program that decides what verified means: the format of evidence and the decoder
// profiles. Whoever remembers that a session was verified remembers this with it.
func Fingerprint() (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "format %d\n", FormatVersion)
	profiles := antigravity.Profiles()
	err := fs.WalkDir(profiles, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(profiles, path)
		fmt.Fprintf(sum, "%s %d\n", path, len(data))
		sum.Write(data)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
