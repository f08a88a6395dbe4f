package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/scrub"
)

var _ sources.Scrubber = (*Source)(nil)

// Scrub implements sources.Scrubber. The copy has the tables and columns the profile knows, with the same rows and value
// sizes; everything else is left out and reported, because its names and values could be anything. The copy is one closed
// file, whatever state the original is in. A known schema keeps its fingerprint; of an unknown one the declarations are
// written anew. What damage keeps back is reported, not invented; rows behind it are kept.
func (s *Source) Scrub(ctx context.Context, ref sources.Ref, out io.Writer) (sources.ScrubReport, error) {
	var report sources.ScrubReport
	folder, err := temporaryFolder(scrubFolder)
	if err != nil {
		return report, fmt.Errorf("make a private folder: %w", err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "scrubbed.db")
	if report, err = s.scrubTo(ctx, ref, path); err != nil {
		return report, err
	}
	file, err := os.Open(path)
	if err != nil {
		return report, err
	}
	defer file.Close()
	_, err = io.Copy(out, &cancelled{ctx, file})
	return report, err
}

func (s *Source) scrubTo(ctx context.Context, from sources.Ref, to string) (report sources.ScrubReport, err error) {
	d, err := s.connect(ctx, from, false)
	if err != nil {
		return report, err
	}
	defer d.close()
	c := &scrubCopy{from: d}
	if c.schema, err = d.schema(ctx); err == nil {
		err = c.choose()
	}
	if err != nil {
		return report, sourceError(ctx, err)
	}
	query := url.Values{"_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}}
	driver, err := ourDriver()
	if err != nil {
		return report, err
	}
	db := sql.OpenDB(connector{driver, "file:" + uriPath(to) + "?" + query.Encode()})
	db.SetMaxOpenConns(1)
	defer db.Close()
	if err := c.run(ctx, db); err != nil {
		return report, sourceError(ctx, err)
	}
	if d.unchanged != nil {
		if err := d.unchanged(); err != nil {
			return report, fmt.Errorf("%w: %w", sources.ErrBusy, err)
		}
	}
	c.report.Texts = c.words.Texts
	return c.report, db.Close()
}

// scrubCopy copies one database.
type scrubCopy struct {
	from    *database
	schema  *schema
	words   *scrub.Scrubber
	profile *profile.Profile
	// known: the profile knows the schema to the letter.
	known  bool
	report sources.ScrubReport
}

// choose finds the profile that says which column holds which message.
func (c *scrubCopy) choose() (err error) {
	if c.profile, _, c.known, err = profile.Choose(profile.Evidence{SchemaFingerprint: c.schema.fingerprint}); err != nil {
		return err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(c.profile.Schema(), &set); err != nil {
		return fmt.Errorf("read the schema of profile %s: %w", c.profile.Info().Name, err)
	}
	c.words, err = scrub.New(&set)
	return err
}

func (c *scrubCopy) run(ctx context.Context, db *sql.DB) error {
	statements, err := c.declarations(ctx)
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
	for _, name := range c.tables() {
		if err := c.table(ctx, tx, name); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
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

// tables are those of the profile that the database has.
func (c *scrubCopy) tables() []string {
	return slices.DeleteFunc(c.profile.Tables(), func(name string) bool { return len(c.columns(name)) == 0 })
}

// columns are those of the profile that the table has, in the profile's order.
func (c *scrubCopy) columns(name string) []string {
	have := c.schema.has(name)
	return slices.DeleteFunc(c.profile.Columns(name), func(column string) bool { return !have[column] })
}

// table copies the rows of one table, as far as they can be read.
func (c *scrubCopy) table(ctx context.Context, tx *sql.Tx, name string) error {
	columns := c.columns(name)
	have := c.schema.has(name)
	key := slices.Index(columns, "idx")
	insert := "INSERT OR REPLACE INTO " + quoted(name) + "(" + quotedList(columns) + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	fn := func(number int64, row []driver.Value) error {
		values := make([]any, len(row))
		for i, column := range columns {
			values[i] = c.value(name, column, row[i])
		}
		if key >= 0 && values[key] == nil && number >= minKey {
			values[key] = number // of a row whose content is lost
		}
		if _, err := tx.ExecContext(ctx, insert, values...); err != nil {
			return fmt.Errorf("write a row: %w", err)
		}
		c.report.Rows++
		return nil
	}
	t := table{name: name, key: "idx", columns: stored(columns...)}
	var err error
	switch {
	case key >= 0 && c.schema.ordered[name]:
		small := map[string]bool{}
		for _, column := range smallColumns {
			small[column] = have[column]
		}
		err = c.from.salvage(ctx, t, have, small, fn, func(damage) error {
			c.damage(name)
			return nil
		})
	case key >= 0:
		err = c.from.readSorted(ctx, t, have, fn)
	default:
		t.key = columns[0]
		query := "SELECT 1 FROM " + quoted(name) + " WHERE " + rowFunction + "(?1, " + t.sqlColumns(have) + ")"
		err = c.from.run(ctx, query, &scan{fn: fn})
	}
	if damaged(err) {
		c.damage(name)
		return nil
	}
	return err
}

func (c *scrubCopy) damage(name string) {
	if !slices.Contains(c.report.Damaged, name) {
		c.report.Damaged = append(c.report.Damaged, name)
	}
}

// numbers are the columns that hold numbers of the product's own; their names mean the same in every table.
var numbers = map[string]bool{
	"idx": true, "step_type": true, "status": true, "has_subtrajectory": true, "step_format": true, "size": true,
	"trajectory_type": true, "source": true,
}

// value replaces the words of one stored value. It keeps nothing of what it is given.
func (c *scrubCopy) value(table, column string, value driver.Value) any {
	message := c.profile.ColumnMessage(table, column)
	switch v := value.(type) {
	case []byte:
		v = slices.Clone(v)
		c.words.Message(message, v)
		return v
	case string:
		if table == "trajectory_metadata_blob" && column == "id" && v == "main" {
			return v // a constant of the product
		}
		text := []byte(v)
		if message == "" {
			c.words.Text(text)
		} else {
			c.words.Message(message, text)
		}
		return string(text)
	case int64, float64:
		if !numbers[column] {
			return int64(0)
		}
	}
	return value
}
