package sidecar

import "sync"

var writing sync.Mutex

// inProcess excludes other writers of this process, where the system has no lock for a folder.
func inProcess() (unlock func()) {
	writing.Lock()
	return writing.Unlock
}
