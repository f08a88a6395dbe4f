package answers

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// background: a daemon reads its store to the end.
var background = context.Background()

// Database opens a session's database. Options are SQLite's, as in a URI.
func Database(path, options string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?"+options)
}

// errWritten: a database was written while it was read as one that nobody writes.
var errWritten = errors.New("the database is written all the time")

// readDatabase returns the trajectory message of a database. One without a log is read as it lies, so that reading leaves no
// trace beside it.
func readDatabase(s *Schema, path string) ([]byte, error) {
	const attempts = 20
	for range attempts {
		options := "mode=ro&_pragma=busy_timeout(5000)"
		before, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		_, noLog := os.Stat(path + "-wal")
		if noLog != nil {
			options = "immutable=1"
		}
		raw, err := readTables(s, path, options)
		if noLog == nil {
			return raw, err
		}
		after, statErr := os.Stat(path)
		_, stillNoLog := os.Stat(path + "-wal")
		if statErr == nil && stillNoLog != nil && after.Size() == before.Size() && after.ModTime().Equal(before.ModTime()) {
			return raw, err
		}
	}
	return nil, errWritten
}

// columns are where the members of a trajectory are stored (behaviour.md e.1).
var columns = []struct {
	member protoreflect.Name
	query  string
}{
	{"steps", "SELECT step_payload FROM steps ORDER BY idx"},
	{"generator_metadata", "SELECT data FROM gen_metadata ORDER BY idx"},
	{"parent_references", "SELECT data FROM parent_references ORDER BY idx"},
	{"metadata", "SELECT data FROM trajectory_metadata_blob WHERE id = 'main'"},
	{"executor_metadatas", "SELECT data FROM executor_metadata ORDER BY idx"},
	{"battle_mode_infos", "SELECT data FROM battle_mode_infos ORDER BY idx"},
}

func readTables(s *Schema, path, options string) ([]byte, error) {
	db, err := Database(path, options)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	tx, err := db.BeginTx(background, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	var id, cascade sql.NullString
	var kind, source sql.NullInt64
	err = tx.QueryRowContext(background, "SELECT trajectory_id, cascade_id, trajectory_type, source FROM trajectory_meta").Scan(&id, &cascade, &kind, &source)
	if err != nil {
		return nil, err
	}
	number := func(name protoreflect.Name) protowire.Number { return s.trajectory.Fields().ByName(name).Number() }
	var out []byte
	out = protowire.AppendString(protowire.AppendTag(out, number("trajectory_id"), protowire.BytesType), id.String)
	out = protowire.AppendString(protowire.AppendTag(out, number("cascade_id"), protowire.BytesType), cascade.String)
	out = protowire.AppendVarint(protowire.AppendTag(out, number("trajectory_type"), protowire.VarintType), uint64(kind.Int64))
	out = protowire.AppendVarint(protowire.AppendTag(out, number("source"), protowire.VarintType), uint64(source.Int64))
	for _, c := range columns {
		if out, err = appendRows(out, tx, number(c.member), c.query); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendRows appends one field for each row.
func appendRows(out []byte, tx *sql.Tx, number protowire.Number, query string) ([]byte, error) {
	rows, err := tx.QueryContext(background, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var blob []byte
		if err := rows.Scan(&blob); err != nil {
			return nil, err
		}
		out = protowire.AppendBytes(protowire.AppendTag(out, number, protowire.BytesType), blob)
	}
	return out, rows.Err()
}
