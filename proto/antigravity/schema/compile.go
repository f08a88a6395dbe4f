// Package schema compiles the protobuf text of a decoder profile.
package schema

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/reporter"
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
	if len(names) == 0 {
		return nil, fmt.Errorf("list schema files: %w: no .proto file", fs.ErrNotExist)
	}
	files, err := compile(ctx, names, folder, nil)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	seen := map[string]bool{}
	for _, file := range files {
		appendFile(set, seen, file)
	}
	return set, nil
}

// CompileOver compiles the `*.proto` files below folder on top of the files of base: a file of the folder stands in the
// place of one with the same name, and everything else of base must still fit. The result has the files that base does not
// have or has otherwise; folder may hold none.
func CompileOver(ctx context.Context, folder fs.FS, base *descriptorpb.FileDescriptorSet) (*descriptorpb.FileDescriptorSet, error) {
	own, err := sourceFiles(folder)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	if len(own) == 0 {
		return set, nil
	}
	seen, inherited, names := map[string]bool{}, map[string]*descriptorpb.FileDescriptorProto{}, slices.Clone(own)
	for _, file := range base.GetFile() {
		if name := file.GetName(); !slices.Contains(own, name) {
			inherited[name], seen[name] = file, true
			names = append(names, name)
		}
	}
	files, err := compile(ctx, names, folder, inherited)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		appendFile(set, seen, file)
	}
	return set, nil
}

func compile(ctx context.Context, names []string, folder fs.FS, described map[string]*descriptorpb.FileDescriptorProto) (all []protoreflect.FileDescriptor, err error) {
	defer func() {
		if p := recover(); p != nil { // the text is anybody's
			all, err = nil, fmt.Errorf("compile schema: %w: %v", errCompiler, p)
		}
	}()
	linking := &files{
		ctx: ctx, folder: folder, described: described,
		handler: reporter.NewHandler(nil), linked: map[string]linker.File{},
	}
	for _, name := range names {
		file, err := linking.link(name)
		if err != nil {
			return nil, fmt.Errorf("compile schema: %w", err)
		}
		all = append(all, file)
	}
	return all, nil
}

// Marshal returns the bytes of schema.binpb for a set that Compile or CompileOver made.
func Marshal(set *descriptorpb.FileDescriptorSet) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(set)
}

// Unmarshal is the opposite of Marshal.
func Unmarshal(raw []byte) (*descriptorpb.FileDescriptorSet, error) {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(raw, set); err != nil {
		return nil, fmt.Errorf("read schema: %w", errors.Join(errSet, err))
	}
	return set, nil
}

var (
	errSet      = errors.New("not a serialized FileDescriptorSet")
	errCompiler = errors.New("the compiler gave up")
)

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
