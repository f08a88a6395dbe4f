package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// maxObjects is more than any database of the product has by far.
const maxObjects = 10_000

// schema is what a database declares.
type schema struct {
	// fingerprint is the hex SHA-256 over the text of every object that has one, ordered by type, then name, each followed
	// by a line feed, then user_version in decimal and a line feed.
	fingerprint string
	// version is user_version.
	version int64
	// tables are the ordinary tables by name; views and virtual tables are not among them.
	tables map[string][]string
	// others are objects that hold or make up rows and are no ordinary tables.
	others []string
	// ordered are the tables that SQLite reads in key order without sorting.
	ordered map[string]bool
	// byType: steps of one type are found without reading the others.
	byType bool
}

func (d *database) schema(ctx context.Context) (*schema, error) {
	s := &schema{tables: map[string][]string{}}
	sum := sha256.New()
	if err := d.objects(ctx, s, sum); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	if err := d.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&s.version); err != nil {
		return nil, fmt.Errorf("read the schema version: %w", err)
	}
	sum.Write([]byte(strconv.FormatInt(s.version, 10) + "\n"))
	s.fingerprint = hex.EncodeToString(sum.Sum(nil))
	sh, err := d.shape(ctx, s)
	if err != nil {
		return nil, err
	}
	for name := range s.tables {
		s.tables[name] = sh.columns[name]
	}
	s.ordered, s.byType = sh.ordered, sh.byType
	s.others = append(s.others, sh.computed...)
	slices.Sort(s.others)
	return s, nil
}

func (d *database) objects(ctx context.Context, s *schema, sum hash.Hash) error {
	rows, err := d.conn.QueryContext(ctx, "SELECT type, name, rootpage, sql FROM sqlite_schema ORDER BY type, name")
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n >= maxObjects {
			return fmt.Errorf("%w: more than %d objects", sources.ErrLimit, maxObjects)
		}
		var kind, name string
		var root *int64
		var text *string
		if err := rows.Scan(&kind, &name, &root, &text); err != nil {
			return err
		}
		if text != nil {
			sum.Write([]byte(*text + "\n"))
		}
		switch {
		case strings.HasPrefix(name, "sqlite_"):
		case kind == "table" && root != nil && *root > 0:
			s.tables[name] = nil
		case kind == "table", kind == "view", kind == "trigger":
			s.others = append(s.others, kind+" "+name)
		}
	}
	return rows.Err()
}

// has returns the stored columns of a table as a set; nil when there is no such table.
func (s *schema) has(name string) map[string]bool {
	columns, ok := s.tables[name]
	if !ok {
		return nil
	}
	set := make(map[string]bool, len(columns))
	for _, c := range columns {
		set[c] = true
	}
	return set
}

// usable reports why the database holds no conversation at all.
func (s *schema) usable() error {
	steps := s.has("steps")
	switch {
	case slices.Contains(s.others, "view steps"):
		return fmt.Errorf("%w: steps is a view, and only a table is read", sources.ErrUnreadable)
	case slices.Contains(s.others, "table steps"):
		return fmt.Errorf("%w: steps is a virtual table, and only an ordinary one is read", sources.ErrUnreadable)
	case len(s.tables) == 0:
		return fmt.Errorf("%w (no tables)", sources.ErrEmpty)
	case steps == nil:
		return fmt.Errorf("%w (no table steps)", sources.ErrEmpty)
	case !steps["idx"] || !steps["step_payload"]:
		return fmt.Errorf("%w: table steps lacks idx or step_payload", sources.ErrUnreadable)
	}
	return nil
}

// unknown lists what the database declares and the profile does not know, in words. A table or column that is missing is
// no finding.
func (s *schema) unknown(p *profile.Profile) []string {
	found := slices.Clone(s.others)
	for name, columns := range s.tables {
		known := p.Columns(name)
		if known == nil {
			found = append(found, "table "+name)
			continue
		}
		for _, column := range columns {
			if !slices.Contains(known, column) {
				found = append(found, "column "+name+"."+column)
			}
		}
	}
	slices.Sort(found)
	return found
}
