package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	msqlite "modernc.org/sqlite"

	"agy-reader/sources"
)

// errOrder: SQLite handed out rows whose keys do not increase. The tree is damaged.
var errOrder = errors.New("keys are out of order")

// table is an ordinary table with an integer key.
type table struct {
	name, key string
	// columns are read in this order; a column the table lacks reads as nil.
	columns []column
}

// column is a stored column, or an expression over it.
type column struct {
	name string
	// expr replaces the column itself.
	expr string
}

func stored(names ...string) []column {
	columns := make([]column, len(names))
	for i, n := range names {
		columns[i] = column{name: n}
	}
	return columns
}

// rowFunc receives one row: its key and the table's columns. Byte and string values are views of SQLite's memory and die
// with the call. No query may run on the connection meanwhile.
type rowFunc func(key int64, values []driver.Value) error

// scan is one running call of rowFunction's SQL.
type scan struct {
	fn      rowFunc
	ordered bool
	last    int64
	err     error
}

var scans struct {
	next  atomic.Int64
	byKey sync.Map // int64 → *scan
}

// deliver is rowFunction.
func deliver(_ *msqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	id, _ := args[0].(int64)
	found, ok := scans.byKey.Load(id)
	if !ok {
		return nil, fmt.Errorf("%s is not for use in a schema", rowFunction)
	}
	s := found.(*scan)
	s.err = s.row(args[1:])
	return nil, s.err
}

func (s *scan) row(values []driver.Value) error {
	key, ok := values[0].(int64)
	if !ok {
		return s.fn(math.MinInt64, values[1:])
	}
	if s.ordered && key <= s.last {
		return errOrder
	}
	s.last = key
	return s.fn(key, values[1:])
}

// sqlColumns lists the arguments of rowFunction for t. have are the columns that exist.
func (t table) sqlColumns(have map[string]bool) string {
	var b strings.Builder
	b.WriteString(quoted(t.key))
	for _, c := range t.columns {
		switch {
		case !have[c.name]:
			b.WriteString(", NULL")
		case c.expr != "":
			b.WriteString(", " + c.expr)
		default:
			b.WriteString(", " + quoted(c.name))
		}
	}
	return b.String()
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// run executes query, whose first parameter is the scan's number.
func (d *database) run(ctx context.Context, query string, s *scan, args ...any) error {
	id := scans.next.Add(1)
	scans.byKey.Store(id, s)
	defer scans.byKey.Delete(id)
	rows, err := d.conn.QueryContext(ctx, query, append([]any{id}, args...)...)
	if err == nil {
		for rows.Next() {
		}
		err = errors.Join(rows.Err(), rows.Close())
	}
	switch {
	case s.err != nil:
		return s.err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// ordered tells whether SQLite reads t in key order without sorting, where rows reach the function in that order.
func (d *database) ordered(ctx context.Context, t table) (bool, error) {
	plan, err := d.plan(ctx, "SELECT * FROM "+quoted(t.name)+" WHERE "+quoted(t.key)+" >= 0 ORDER BY "+quoted(t.key))
	return !strings.Contains(plan, "TEMP B-TREE"), err
}

// plan returns SQLite's own words on how it will run a query.
func (d *database) plan(ctx context.Context, query string) (string, error) {
	rows, err := d.conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int64
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return "", err
		}
		plan = append(plan, detail)
	}
	return strings.Join(plan, "\n"), rows.Err()
}

// read hands all rows of t whose key is at least from to fn, in key order, and returns the last key that reached it.
func (d *database) read(ctx context.Context, t table, have map[string]bool, from int64, fn rowFunc) (int64, error) {
	s := &scan{fn: fn, ordered: true, last: from - 1}
	query := "SELECT 1 FROM " + quoted(t.name) + " WHERE " + quoted(t.key) + " >= ?2 AND " +
		rowFunction + "(?1, " + t.sqlColumns(have) + ") ORDER BY " + quoted(t.key)
	err := d.run(ctx, query, s, from)
	return s.last, err
}

// readSorted is read for a table whose key has no index: it sorts what identifies the rows, never the rows. The key of a row
// may be math.MinInt64, which stands for one that is not a number.
func (d *database) readSorted(ctx context.Context, t table, have map[string]bool, fn rowFunc) error {
	identity, err := d.identity(ctx, t.name)
	if err != nil {
		return err
	}
	rows, err := d.identities(ctx, t, identity)
	if err != nil {
		return err
	}
	query := "SELECT 1 FROM " + quoted(t.name) + " WHERE "
	for i, column := range identity {
		query += fmt.Sprintf("%s IS ?%d AND ", quoted(column), i+2)
	}
	query += rowFunction + "(?1, " + t.sqlColumns(have) + ")"
	for _, row := range rows {
		if err := d.run(ctx, query, &scan{fn: fn}, row...); err != nil {
			return err
		}
	}
	return nil
}

// identity names the columns that identify a row: the row number, or the primary key of a table that has none.
func (d *database) identity(ctx context.Context, name string) ([]string, error) {
	var columns, key []string
	rows, err := d.conn.QueryContext(ctx, "SELECT lower(name), pk FROM pragma_table_info(?) ORDER BY pk", name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var column string
		var place int64
		if err := rows.Scan(&column, &place); err != nil {
			return nil, err
		}
		columns = append(columns, column)
		if place > 0 {
			key = append(key, column)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var without bool
	err = d.conn.QueryRowContext(ctx, "SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'", name).Scan(&without)
	if err != nil || without {
		return key, err
	}
	for _, number := range []string{"rowid", "oid", "_rowid_"} {
		if !slices.Contains(columns, number) {
			return []string{number}, nil
		}
	}
	return nil, fmt.Errorf("%w: columns of table %s hide its row numbers", sources.ErrUnreadable, name)
}

// identities returns the identity of all rows in the order of t's key.
func (d *database) identities(ctx context.Context, t table, identity []string) ([][]any, error) {
	list := make([]string, len(identity))
	for i, column := range identity {
		list[i] = "+" + quoted(column) // an expression has no declared type for the driver to convert to
	}
	columns := strings.Join(list, ", ")
	rows, err := d.conn.QueryContext(ctx, "SELECT "+columns+" FROM "+quoted(t.name)+" ORDER BY "+quoted(t.key)+", "+columns)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found [][]any
	for rows.Next() {
		row, targets := make([]any, len(identity)), make([]any, len(identity))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

// next returns the lowest key of t that is at least from, without reading the row's contents.
func (d *database) next(ctx context.Context, t table, from int64) (key int64, found bool, err error) {
	query := "SELECT " + quoted(t.key) + " FROM " + quoted(t.name) + " WHERE " + quoted(t.key) + " >= ? ORDER BY " +
		quoted(t.key) + " LIMIT 1"
	err = d.conn.QueryRowContext(ctx, query, from).Scan(&key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err == nil && key < from:
		return 0, false, errOrder
	}
	return key, err == nil, err
}
