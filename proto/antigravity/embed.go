// Package antigravity holds the decoder profiles: what the bytes of each range of product versions mean, as data.
//
// A profile is a folder with three things: the protobuf schema as text (`*.proto`, real package names), the same schema
// compiled (`schema.binpb`, a FileDescriptorSet made by the program in generate), and `profile.json` (see Manifest). A
// profile that extends another one brings only the files that differ, and need not have any. No profile needs Go code.
// sources/profile loads them.
package antigravity

import (
	"embed"
	"io/fs"
)

//go:generate go run ./generate

//go:embed */profile.json */schema.binpb
var profiles embed.FS

// Profiles returns the folders of all profiles: `<name>/profile.json` and, unless a profile's schema is that of the one it
// extends, `<name>/schema.binpb`. It never changes.
func Profiles() fs.FS { return profiles }
