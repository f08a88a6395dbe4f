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
	"sync"

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
	// tables are the ordinary tables by name; views and virtual tables are not among them.
	tables map[string][]string
	// others are objects that hold or make up rows and are no ordinary tables.
	others []string
	// ordered are the tables that SQLite reads in key order without sorting.
	ordered map[string]bool
	// byType: steps of one type are found without reading the others.
	byType bool
}

// shape is what follows from the text of a schema alone.
type shape struct {
	columns  map[string][]string
	computed []string
	ordered  map[string]bool
	byType   bool
}

// shapes are kept by fingerprint, because nearly all conversations have the same schema. Their number is bounded, and
// nothing depends on one being there.
var shapes struct {
	sync.Mutex
	known map[string]*shape
}

const maxShapes = 16

// keyedTables are the tables read row by row; all have the key idx.
var keyedTables = []string{"steps", "gen_metadata", "executor_metadata", "parent_references", "battle_mode_infos"}

func (d *database) schema(ctx context.Context) (*schema, error) {
	s := &schema{tables: map[string][]string{}}
	sum := sha256.New()
	if err := d.objects(ctx, s, sum); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	var version int64
	if err := d.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, fmt.Errorf("read the schema version: %w", err)
	}
	sum.Write([]byte(strconv.FormatInt(version, 10) + "\n"))
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

// shape finds out the shape of a schema, unless it is known.
func (d *database) shape(ctx context.Context, s *schema) (*shape, error) {
	shapes.Lock()
	known := shapes.known[s.fingerprint]
	shapes.Unlock()
	if known != nil && sameKeys(known.columns, s.tables) {
		return known, nil
	}
	sh := &shape{columns: map[string][]string{}, ordered: map[string]bool{}}
	for name := range s.tables {
		stored, computed, err := d.columns(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("read the columns of %s: %w", name, err)
		}
		sh.columns[name] = stored
		for _, column := range computed {
			sh.computed = append(sh.computed, "computed column "+name+"."+column)
		}
	}
	for _, name := range keyedTables {
		if !slices.Contains(sh.columns[name], "idx") {
			continue
		}
		var err error
		if sh.ordered[name], err = d.ordered(ctx, table{name: name, key: "idx"}); err != nil {
			return nil, fmt.Errorf("read how %s is ordered: %w", name, err)
		}
	}
	if slices.Contains(sh.columns["steps"], "step_type") {
		plan, err := d.plan(ctx, `SELECT 1 FROM "steps" WHERE "step_type" = 1`)
		if err != nil {
			return nil, fmt.Errorf("read how steps are found: %w", err)
		}
		sh.byType = strings.Contains(plan, "USING")
	}
	shapes.Lock()
	defer shapes.Unlock()
	if len(shapes.known) >= maxShapes || shapes.known == nil {
		shapes.known = map[string]*shape{}
	}
	shapes.known[s.fingerprint] = sh
	return sh, nil
}

func sameKeys(a, b map[string][]string) bool {
	if len(a) != len(b) {
		return false
	}
	for key := range a {
		if _, ok := b[key]; !ok {
			return false
		}
	}
	return true
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

// columns returns the stored columns of a table, in order, and those that are computed.
func (d *database) columns(ctx context.Context, name string) (stored, computed []string, err error) {
	rows, err := d.conn.QueryContext(ctx, "SELECT name, hidden FROM pragma_table_xinfo(?)", name)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var column string
		var hidden int64
		if err := rows.Scan(&column, &hidden); err != nil {
			return nil, nil, err
		}
		if hidden == 0 {
			stored = append(stored, column)
		} else {
			computed = append(computed, column)
		}
	}
	return stored, computed, rows.Err()
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
	if len(s.tables) == 0 {
		return fmt.Errorf("%w: holds no conversation (no tables)", sources.ErrUnreadable)
	}
	steps := s.has("steps")
	switch {
	case steps == nil:
		return fmt.Errorf("%w: holds no conversation (no table steps)", sources.ErrUnreadable)
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
