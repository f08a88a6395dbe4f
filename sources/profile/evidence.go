package profile

import (
	"slices"
	"strconv"
	"strings"

	"agy-reader/proto/antigravity"
)

// Evidence is what a source saw before it chose a profile.
type Evidence struct {
	// Storage is "db" or "pb"; empty when neither.
	Storage string
	// SchemaFingerprint of the SQL schema, hex SHA-256; empty when the source has none.
	SchemaFingerprint string
	// FileKey is the name of the key that opened an encrypted file; empty when the source has none.
	FileKey string
	// Version is the agy release on record, such as "1.2.16"; empty when none is. No database, encrypted file or transcript
	// records one, and a version of the engine, Desktop or the IDE is not one.
	Version string
	// Samples are a few stored steps.
	Samples [][]byte
}

// stated reports whether the source said anything that tells formats apart.
func (ev Evidence) stated() bool {
	return ev.Storage != "" || ev.SchemaFingerprint != "" || ev.FileKey != "" || ev.Version != ""
}

// stepMessage is the message of a sample.
const stepMessage = "gemini_coder.Step"

// marksSeen returns the marks of a profile that the samples hold. Steps inside steps are not looked at.
func marksSeen(m *antigravity.Manifest, samples [][]byte) []string {
	var seen []string
	for _, mark := range m.Marks {
		if slices.ContainsFunc(samples, func(raw []byte) bool { return holds(raw, mark.Numbers) }) {
			seen = append(seen, mark.Path)
		}
	}
	return seen
}

// holds reports whether a message holds the field at the end of a way of field numbers.
func holds(raw []byte, way []uint32) bool {
	if len(way) == 0 {
		return false
	}
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			return false
		}
		if tag>>3 == uint64(way[0]) && (len(way) == 1 || tag&7 == wireBytes && holds(raw[start:end], way[1:])) {
			return true
		}
		i = end
	}
	return false
}

// Ways a recorded version lies to a profile's releases.
const (
	versionUnknown = iota
	versionBefore
	versionWithin
	versionAfter
)

// within compares a recorded version with the releases of a profile.
func within(version string, r antigravity.Releases) int {
	v, ok := numbers(version)
	if !ok || r == (antigravity.Releases{}) {
		return versionUnknown
	}
	if from, ok := numbers(r.From); ok && slices.Compare(v, from) < 0 {
		return versionBefore
	}
	if to, ok := numbers(r.To); ok && slices.Compare(v, to) > 0 {
		return versionAfter
	}
	return versionWithin
}

// numbers splits a dotted version.
func numbers(version string) ([]int, bool) {
	if version == "" || len(version) > 64 {
		return nil, false
	}
	parts := strings.Split(version, ".")
	all := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return nil, false
		}
		all[i] = int(n)
	}
	return all, true
}
