package reuse

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agy-reader/host/replace"
	"agy-reader/sources/regular"
)

// format is the version of the file. A file of another one counts as none.
const format = 1

// maxFile bounds how much of a cache file is read; 100,000 sessions need about half of it.
const maxFile = 128 << 20

// file is where the cache is kept; an empty path keeps it in memory only.
type file struct{ path string }

type key struct {
	Format   int    `json:"format"`
	Root     string `json:"root"`
	Profiles string `json:"profiles"`
	Boot     string `json:"boot"`
}

type content struct {
	key
	Entries map[string]entry `json:"entries"`
}

// Open returns the cache of a root. dir is the user's cache folder, such as ~/.cache; empty keeps the cache in memory.
// profiles names everything a verification depends on besides the files: another value, another boot or a damaged file
// begins an empty cache.
func Open(dir, root, profiles string) *Cache {
	c := &Cache{key: key{Format: format, Root: root, Profiles: profiles, Boot: boot()}, entries: map[string]entry{}}
	if absolute, err := filepath.Abs(root); err == nil {
		c.key.Root = absolute
	}
	if dir == "" || c.key.Boot == "" {
		return c
	}
	sum := sha256.Sum256([]byte(c.key.Root))
	c.file.path = filepath.Join(dir, "agy-reader", "verification-"+hex.EncodeToString(sum[:8])+".json")
	if loaded, err := c.file.load(); err == nil && loaded.key == c.key {
		for path, e := range loaded.Entries {
			if e.Limit <= int64(longest) { // no file of ours has more
				c.entries[path] = e
			}
		}
	}
	return c
}

func (f file) load() (loaded content, err error) {
	in, err := regular.Open(f.path)
	if err != nil {
		return loaded, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return loaded, err
	}
	if info.Mode().Perm()&0o077 != 0 || !own(info) {
		return loaded, fmt.Errorf("%s is not private: %w", f.path, fs.ErrPermission)
	}
	data, err := regular.ReadAll(in, maxFile)
	if err != nil {
		return loaded, err
	}
	return loaded, json.Unmarshal(data, &loaded)
}

// saveEvery is how often the file is written when all that is new is that sessions were checked again and are as they were:
// a watcher at rest is to leave the disk alone.
const saveEvery = 10 * time.Minute

// Save writes the cache when anything changed since it was last written; what was only confirmed can wait, unless it is the
// last time. The file is replaced at once or not at all. After an error the cache goes on in memory, and the next Save tries
// again.
func (c *Cache) Save(last bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := c.changed || c.confirmed && (last || time.Since(c.saved) >= saveEvery)
	if c.file.path == "" || !due {
		return nil
	}
	data, err := json.Marshal(content{key: c.key, Entries: c.entries})
	if err != nil {
		return err
	}
	if err := c.file.write(data); err != nil {
		return fmt.Errorf("keep what was verified: %w", err)
	}
	c.changed, c.confirmed, c.saved = false, false, time.Now()
	return nil
}

func (f file) write(data []byte) error {
	folder, name := filepath.Split(f.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	return replace.File(dir, name, data, 0o600)
}
