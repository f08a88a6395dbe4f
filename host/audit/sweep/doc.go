// Package sweep fetches every conversation of one store from its daemon, strictly: nothing is taken from sidecars, and nothing
// is written but a new private folder. What the daemon answered lies there byte for byte in `corpus`, and `manifest.json`
// says what was asked of whom and whether all of it came.
//
// The manifest is there, incomplete, before anything is fetched, and says `complete` only when everything came and could be
// rendered. A sweep that failed or was killed is never taken for a whole one.
//
// For each conversation it also says whether an ordinary sync could have written its sidecar (package verify): rendering an
// answer proves nothing about it. That it could not is no failure of the sweep.
package sweep
