package schema

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/options"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	// The files that every schema may import.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/sourcecontextpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/typepb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// files links the files of one schema, one after the other. The ready-made protocompile.Compiler does the same for many at
// once, but merely linking it into a program makes every start slower.
type files struct {
	ctx context.Context
	// folder has files as text, described those that are known without one.
	folder    fs.FS
	described map[string]*descriptorpb.FileDescriptorProto
	symbols   linker.Symbols
	handler   *reporter.Handler
	linked    map[string]linker.File
	// path are the files that wait for the one that is being linked.
	path []string
}

// link returns a file, linked with all that it imports.
func (f *files) link(name string) (linker.File, error) {
	if file := f.linked[name]; file != nil {
		return file, nil
	}
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	parsed, err := f.parse(name)
	if errors.Is(err, fs.ErrNotExist) {
		if known, e := protoregistry.GlobalFiles.FindFileByPath(name); e == nil && strings.HasPrefix(name, "google/protobuf/") {
			return linker.NewFileRecursive(known)
		}
	}
	if err != nil {
		return nil, err
	}
	f.path = append(f.path, name)
	defer func() { f.path = f.path[:len(f.path)-1] }()
	var imports linker.Files
	for _, dependency := range parsed.FileDescriptorProto().GetDependency() {
		file, err := f.imported(parsed, dependency)
		if err != nil {
			return nil, err
		}
		imports = append(imports, file)
	}
	file, err := linker.Link(parsed, imports, &f.symbols, f.handler)
	if err != nil {
		return nil, err
	}
	if _, err := options.InterpretOptions(file, f.handler); err != nil {
		return nil, err
	}
	if err := errors.Join(file.ValidateOptions(f.handler, &f.symbols), f.handler.Error()); err != nil {
		return nil, err
	}
	file.RemoveAST()
	f.linked[name] = file
	return file, nil
}

// imported returns a file that another one imports. Errors that are not about the file itself name the place of the import.
func (f *files) imported(by parser.Result, name string) (linker.File, error) {
	for i, waiting := range f.path {
		if waiting == name {
			var circle strings.Builder
			for _, file := range f.path[i:] {
				circle.WriteString(strconv.Quote(file) + " -> ")
			}
			return nil, reporter.Error(importSpan(by, name), fmt.Errorf("cycle found in imports: %s%q", &circle, name))
		}
	}
	file, err := f.link(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, reporter.Error(importSpan(by, name), err)
	}
	return file, err
}

func (f *files) parse(name string) (parser.Result, error) {
	if known := f.described[name]; known != nil {
		return parser.ResultWithoutAST(proto.CloneOf(known)), nil
	}
	text, err := f.folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = text.Close() }() // it was only read
	tree, err := parser.Parse(name, text, f.handler)
	if err != nil {
		return nil, err
	}
	return parser.ResultFromAST(tree, true, f.handler)
}

// importSpan is where a file imports another one.
func importSpan(file parser.Result, name string) ast.SourceSpan {
	if tree := file.AST(); tree != nil {
		for _, declaration := range tree.Decls {
			if line, ok := declaration.(*ast.ImportNode); ok && line.Name.AsString() == name {
				return tree.NodeInfo(line.Name)
			}
		}
	}
	return ast.UnknownSpan(file.FileDescriptorProto().GetName())
}
