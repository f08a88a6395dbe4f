package launch

import "io/fs"

// checkModes has nothing to look at: mode bits say nothing about who may change a file on Windows.
func checkModes(string, fs.FileInfo) error { return nil }
