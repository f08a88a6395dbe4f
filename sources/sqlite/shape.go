package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

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
