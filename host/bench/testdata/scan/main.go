// Command scan reads every row of a session as agy-reader does and decodes none.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

func main() {
	if err := scan(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func scan(ctx context.Context, path string) error {
	reader, err := sqlite.New().Open(ctx, sources.Ref{Path: path}, sources.Want{})
	if err != nil {
		return err
	}
	for err == nil {
		var batch sources.Batch
		if batch, err = reader.Next(ctx); err == nil {
			batch.Release()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	_, closeErr := reader.Close()
	return errors.Join(err, closeErr)
}
