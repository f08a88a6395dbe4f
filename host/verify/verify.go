package verify

import (
	"context"
	"errors"
	"fmt"

	"agy-reader/host/store"
	"agy-reader/sources"
)

// Verifier takes snapshots. Safe for concurrent use.
type Verifier struct {
	database, legacy sources.Source
}

// New returns a Verifier that reads databases and legacy files through these two sources.
func New(database, legacy sources.Source) *Verifier {
	return &Verifier{database: database, legacy: legacy}
}

// Storage forms of sessions, as evidence names them.
const (
	StorageSQLite = "sqlite"
	StorageLegacy = "legacy-pb"
)

// source returns who reads the session.
func (v *Verifier) source(session store.Session) (s sources.Source, storage string, err error) {
	switch session.Kind {
	case ".db":
		return v.database, StorageSQLite, nil
	case ".pb":
		return v.legacy, StorageLegacy, nil
	}
	return nil, "", fmt.Errorf("%w: %w: no database and no encrypted file is left", ErrSource, sources.ErrUnsupported)
}

// sourceError sorts an error of reading a source.
func sourceError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, sources.ErrBusy):
		return fmt.Errorf("%w: %w", ErrStale, err)
	}
	return fmt.Errorf("%w: %w", ErrSource, err)
}
