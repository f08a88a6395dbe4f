package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/scrub"
)

var _ sources.Scrubber = (*Source)(nil)

// Scrub implements sources.Scrubber. The copy has the same tables, rows and value sizes; it is one closed file, whatever
// state the original is in. What damage keeps back is counted, not invented.
func (s *Source) Scrub(ctx context.Context, ref sources.Ref, out io.Writer) (sources.ScrubReport, error) {
	var report sources.ScrubReport
	folder, err := temporaryFolder(scrubFolder)
	if err != nil {
		return report, fmt.Errorf("make a private folder: %w", err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "scrubbed.db")
	if report, err = s.scrubTo(ctx, ref.Path, path); err != nil {
		return report, err
	}
	file, err := os.Open(path)
	if err != nil {
		return report, err
	}
	defer file.Close()
	_, err = io.Copy(out, file)
	return report, err
}

func (s *Source) scrubTo(ctx context.Context, from, to string) (sources.ScrubReport, error) {
	d, err := s.connect(ctx, from)
	if err != nil {
		return sources.ScrubReport{}, err
	}
	defer d.close()
	c := &scrubCopy{from: d}
	if c.words, c.profile, err = scrubberFor(ctx, d); err != nil {
		return sources.ScrubReport{}, sourceError(ctx, err)
	}
	query := url.Values{"_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}}
	driver, err := ourDriver()
	if err != nil {
		return sources.ScrubReport{}, err
	}
	db := sql.OpenDB(connector{driver, "file:" + uriPath(to) + "?" + query.Encode()})
	db.SetMaxOpenConns(1)
	defer db.Close()
	if err := c.run(ctx, db); err != nil {
		return sources.ScrubReport{}, sourceError(ctx, err)
	}
	c.report.Texts = c.words.Texts
	return c.report, db.Close()
}

// scrubberFor chooses the profile that says which column holds which message.
func scrubberFor(ctx context.Context, d *database) (*scrub.Scrubber, *profile.Profile, error) {
	schema, err := d.schema(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, _, _, err := profile.Choose(profile.Evidence{SchemaFingerprint: schema.fingerprint})
	if err != nil {
		return nil, nil, err
	}
	raw, err := fs.ReadFile(antigravity.Profiles(), p.Info().Name+"/schema.binpb")
	if err != nil {
		return nil, nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		return nil, nil, fmt.Errorf("read the schema of profile %s: %w", p.Info().Name, err)
	}
	words, err := scrub.New(&set)
	return words, p, err
}

// scrubCopy copies one database.
type scrubCopy struct {
	from    *database
	words   *scrub.Scrubber
	profile *profile.Profile
	report  sources.ScrubReport
}

func (c *scrubCopy) run(ctx context.Context, db *sql.DB) error {
	tables, statements, err := c.declarations(ctx)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing to undo after Commit
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("declare %.40q: %w", statement, err)
		}
	}
	for _, table := range tables {
		if err := c.table(ctx, tx, table); err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
	}
	var version int64
	if err := c.from.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}

// declarations lists the ordinary tables, and the statements that make them and their indexes. Nothing else is taken over:
// triggers and views could do anything.
func (c *scrubCopy) declarations(ctx context.Context) (tables, statements []string, err error) {
	rows, err := c.from.conn.QueryContext(ctx, `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
		AND rootpage > 0 AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type DESC, name`)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return nil, nil, err
		}
		if kind == "table" {
			tables = append(tables, name)
		}
		statements = append(statements, text)
	}
	return tables, statements, rows.Err()
}

func (c *scrubCopy) table(ctx context.Context, tx *sql.Tx, table string) error {
	rows, err := c.from.conn.QueryContext(ctx, "SELECT * FROM "+quoted(table))
	if err != nil {
		return c.tolerate(table, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	insert := "INSERT INTO " + quoted(table) + " VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return c.tolerate(table, err)
		}
		for i, column := range columns {
			values[i] = c.value(table, column, values[i])
		}
		if _, err := tx.ExecContext(ctx, insert, values...); err != nil {
			return err
		}
		c.report.Rows++
	}
	return c.tolerate(table, rows.Err())
}

// value replaces the words of one stored value. Numbers stay.
func (c *scrubCopy) value(table, column string, value any) any {
	switch v := value.(type) {
	case []byte:
		c.words.Message(c.profile.ColumnMessage(table, column), v)
	case string:
		if table == "trajectory_metadata_blob" && column == "id" {
			return v // "main", a constant of the product
		}
		text := []byte(v)
		c.words.Text(text)
		return string(text)
	}
	return value
}

// tolerate records damage: what follows it in a table is left out.
func (c *scrubCopy) tolerate(table string, err error) error {
	if err != nil && damaged(err) {
		c.report.Damaged = append(c.report.Damaged, table)
		return nil
	}
	return errors.Join(err)
}
