// Package schema compiles the protobuf text of a decoder profile.
package schema

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Compile compiles every `*.proto` below folder, which is also the import root. Well-known types need not be in the
// folder. The result is complete (well-known types that are used are in it), in order (a file stands behind what it
// imports), free of source positions, and the same for the same folder. An error names file and line.
func Compile(ctx context.Context, folder fs.FS) (*descriptorpb.FileDescriptorSet, error) {
	names, err := sourceFiles(folder)
	if err != nil {
		return nil, err
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			Accessor: func(name string) (io.ReadCloser, error) { return folder.Open(name) },
		}),
		MaxParallelism: 1,
	}
	files, err := compiler.Compile(ctx, names...)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	seen := map[string]bool{}
	for _, file := range files {
		appendFile(set, seen, file)
	}
	return set, nil
}

// Marshal returns the bytes of schema.binpb for a set that Compile made.
func Marshal(set *descriptorpb.FileDescriptorSet) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(set)
}

func sourceFiles(folder fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) == ".proto" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list schema files: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("list schema files: %w: no .proto file", fs.ErrNotExist)
	}
	slices.Sort(names)
	return names, nil
}

func appendFile(set *descriptorpb.FileDescriptorSet, seen map[string]bool, file protoreflect.FileDescriptor) {
	if seen[file.Path()] {
		return
	}
	seen[file.Path()] = true
	imports := file.Imports()
	for i := range imports.Len() {
		appendFile(set, seen, imports.Get(i).FileDescriptor)
	}
	described := protodesc.ToFileDescriptorProto(file)
	described.SourceCodeInfo = nil
	set.File = append(set.File, described)
}
