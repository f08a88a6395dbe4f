package convert

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"agy-reader/sources"
)

// ErrInternal: a part of this program panicked. Only the conversation it was working on is lost.
var ErrInternal = errors.New("internal error")

// caught turns a panic into *err. It is deferred around everything that interprets what a conversation holds.
func caught(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%w: %v (%s)", ErrInternal, cause, origin())
	}
}

// origin is the function and line that panicked, without folders.
func origin() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		if frame.Function != "" && !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s, %s:%d", filepath.Base(frame.Function), filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return "unknown place"
		}
	}
}

// open is Source.Open that never panics.
func (p *plan) open(ctx context.Context) (reader sources.Reader, err error) {
	defer caught(&err)
	return p.Source.Open(ctx, p.Ref, p.want)
}

// next is Reader.Next that never panics.
func next(ctx context.Context, reader sources.Reader) (batch sources.Batch, err error) {
	defer caught(&err)
	return reader.Next(ctx)
}
