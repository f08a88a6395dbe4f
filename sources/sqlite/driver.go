package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	msqlite "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"agy-reader/sources"
)

// rowFunction is the SQL function that hands rows to Go: agy_row(key, column…). It is false for every row, so a scan that
// filters by it is one single call into SQLite.
const rowFunction = "agy_row"

// ourDriver is separate from the driver the library registers with database/sql, so that the function reaches no connection
// of anybody else.
var ourDriver = sync.OnceValues(func() (*msqlite.Driver, error) {
	// Without this, closing any descriptor of a database file drops SQLite's locks on it. An error means that this platform
	// has no such locks, or that the mode is already decided; lock_*.go then keeps its descriptor open long enough.
	_, _ = msqlite.OFDLocking(true)
	d := &msqlite.Driver{}
	err := d.RegisterFunction(rowFunction, &msqlite.FunctionImpl{NArgs: -1, VolatileArgs: true, Scalar: deliver})
	return d, err
})

type connector struct {
	driver *msqlite.Driver
	dsn    string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }

// connect opens the one connection of a reader. query holds SQLite's own parameters.
func connect(ctx context.Context, name string, query url.Values, busy time.Duration) (*sql.DB, *sql.Conn, error) {
	d, err := ourDriver()
	if err != nil {
		return nil, nil, err
	}
	query.Add("_pragma", "busy_timeout("+strconv.FormatInt(busy.Milliseconds(), 10)+")")
	// A database is untrusted input: functions in its schema must not run, and nothing may spill to a file.
	for _, p := range []string{"trusted_schema(0)", "query_only(1)", "temp_store(2)", "cell_size_check(1)"} {
		query.Add("_pragma", p)
	}
	db := sql.OpenDB(connector{d, "file:" + name + "?" + query.Encode()})
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, conn, nil
}

// uriPath writes a file system path as the path of a SQLite URI.
func uriPath(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive
	}
	return (&url.URL{Path: p}).EscapedPath()
}

// Result codes, without their extension.
func primaryCode(err error) int {
	var e *msqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// damaged reports whether SQLite found the file's content impossible.
func damaged(err error) bool {
	switch primaryCode(err) {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return true
	}
	return errors.Is(err, errOrder)
}

// sourceError gives an error of SQLite its kind.
func sourceError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	for _, kind := range []error{sources.ErrBusy, sources.ErrUnreadable, sources.ErrUnknown, sources.ErrLimit} {
		if errors.Is(err, kind) {
			return err
		}
	}
	switch primaryCode(err) {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return fmt.Errorf("%w: %w", sources.ErrBusy, err)
	case lib.SQLITE_NOTADB:
		return fmt.Errorf("%w: not a SQLite database", sources.ErrUnreadable)
	case lib.SQLITE_TOOBIG, lib.SQLITE_NOMEM:
		return fmt.Errorf("%w: %w", sources.ErrLimit, err)
	}
	return fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
}
