package reuse

import (
	"sync"
	"time"
)

// Cache holds successful checks of the sessions of one root. Safe for concurrent use.
type Cache struct {
	file file
	// key is what every entry depends on besides the files: the format, the verification profiles, the boot.
	key key

	mu      sync.Mutex
	entries map[string]entry
	// changed: the file does not have what is remembered. confirmed: it only has earlier checks of the same states.
	changed, confirmed bool
	saved              time.Time
}

// entry is one successful check.
type entry struct {
	State State `json:"state"`
	// Checked is when the check began, Limit how long it is good for, both in nanoseconds.
	Checked int64 `json:"checked"`
	Limit   int64 `json:"limit"`
}

// Good reports whether the session at path was verified in this very state, not too long before now. rememberable is what
// Look said about the state.
func (c *Cache) Good(path string, s State, rememberable bool, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, known := c.entries[path]
	if !known {
		return false
	}
	age := now.UnixNano() - e.Checked
	if !rememberable || e.State != s {
		delete(c.entries, path)
		c.changed = true
		return false
	}
	return age >= 0 && age < e.Limit
}

// tick is how far apart two changes of a file must be for its times to differ, with much to spare.
const tick = 50 * time.Millisecond

// Remember notes a full, successful check that began at the time now and in the state before as well as after it. A state
// that may not be remembered is forgotten, and so is one whose source changed so shortly before that another change during
// the check could have left the same times.
func (c *Cache) Remember(path string, before, after State, rememberable bool, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !rememberable || before != after || now.Sub(after.sourceChange()).Abs() < tick {
		if _, known := c.entries[path]; known {
			delete(c.entries, path)
			c.changed = true
		}
		return
	}
	if c.entries[path].State == after {
		c.confirmed = true
	} else {
		c.changed = true
	}
	c.entries[path] = entry{State: after, Checked: now.UnixNano(), Limit: int64(limit(path, after.lastChange(), now))}
}

// Keep forgets all sessions but those at paths: the others are gone.
func (c *Cache) Keep(paths map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.entries {
		if !paths[path] {
			delete(c.entries, path)
			c.changed = true
		}
	}
}
