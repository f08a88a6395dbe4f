package antigravity

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"google.golang.org/protobuf/encoding/protowire"
)

// A schema.binpb holds the files of its own folder and, when the profile extends no other, everything they import. That of
// a profile which extends another one is laid over the other's: its files stand in the place of files with the same name.

// ReadSchema returns the descriptor set of a profile, complete with what it takes from the profiles it extends.
func ReadSchema(files fs.FS, name string) ([]byte, error) { return readSchema(files, name, 0) }

func readSchema(files fs.FS, name string, depth int) ([]byte, error) {
	text, err := fs.ReadFile(files, path.Join(name, "profile.json"))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	m, err := ParseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("read schema of %s: %w", name, err)
	}
	own, err := fs.ReadFile(files, path.Join(name, "schema.binpb"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.Extends != "":
	case err != nil:
		return nil, fmt.Errorf("read schema: %w", err)
	}
	if m.Extends == "" {
		return own, nil
	}
	if depth == maxExtends {
		return nil, fmt.Errorf("read schema of %s: %w: more than %d profiles extend each other", name, ErrBadProfile, maxExtends)
	}
	base, err := readSchema(files, m.Extends, depth+1)
	if err != nil {
		return nil, err
	}
	return MergeSets(base, own)
}

// MergeSets lays the files of one serialized FileDescriptorSet over those of another. Base is returned as it is when own is
// empty. The order of files is no promise.
func MergeSets(base, own []byte) ([]byte, error) {
	if len(own) == 0 {
		return base, nil
	}
	replaced := map[string]bool{}
	if err := eachFile(own, func(name string, _ []byte) { replaced[name] = true }); err != nil {
		return nil, err
	}
	set := make([]byte, 0, len(base)+len(own))
	err := eachFile(base, func(name string, entry []byte) {
		if !replaced[name] {
			set = append(set, entry...)
		}
	})
	return append(set, own...), err
}

// eachFile calls fn for each file of a descriptor set, with its name and its bytes with their tag.
func eachFile(set []byte, fn func(name string, entry []byte)) error {
	for len(set) > 0 {
		number, kind, n := protowire.ConsumeTag(set)
		if n < 0 || number != 1 || kind != protowire.BytesType {
			return fmt.Errorf("%w: the schema is no FileDescriptorSet", ErrBadProfile)
		}
		file, size := protowire.ConsumeBytes(set[n:])
		if size < 0 {
			return fmt.Errorf("%w: the schema is no FileDescriptorSet", ErrBadProfile)
		}
		fn(fileName(file), set[:n+size])
		set = set[n+size:]
	}
	return nil
}

// fileName is field 1 of a FileDescriptorProto; empty when it has none.
func fileName(file []byte) string {
	for len(file) > 0 {
		number, kind, n := protowire.ConsumeTag(file)
		if n < 0 {
			return ""
		}
		if number == 1 && kind == protowire.BytesType {
			name, _ := protowire.ConsumeString(file[n:])
			return name
		}
		size := protowire.ConsumeFieldValue(number, kind, file[n:])
		if size < 0 {
			return ""
		}
		file = file[n+size:]
	}
	return ""
}
