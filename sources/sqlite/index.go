package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"agy-reader/sources"
)

// Bounds of ReadTable: no index of the product comes near them.
const (
	maxTableRows = 200_000
	maxCell      = 1 << 20
)

// ReadTable reads columns of an ordinary table in any database of a store, which it leaves as untouched as a conversation.
// Values are the stored text or bytes. A column the table lacks, NULL, and a value above 1 MiB are nil. The values belong
// to ReadTable and are overwritten by the next row. A database without the table is sources.ErrNotFound; of one with more
// than 200,000 rows that many are read, and the error is sources.ErrLimit.
func (s *Source) ReadTable(ctx context.Context, path, table string, columns []string, row func(values [][]byte) error) error {
	d, err := s.connect(ctx, sources.Ref{Path: path}, true)
	if err != nil {
		return err
	}
	defer d.close()
	if err = d.readTable(ctx, table, columns, row); d.unchanged != nil && d.unchanged() != nil {
		return fmt.Errorf("%w: %w", sources.ErrBusy, errChanged)
	}
	return err
}

func (d *database) readTable(ctx context.Context, table string, columns []string, row func(values [][]byte) error) error {
	schema, err := d.schema(ctx)
	if err != nil {
		return sourceError(ctx, err)
	}
	have := schema.has(table) // of ordinary tables only: a view could compute for ever
	if len(have) == 0 {
		return fmt.Errorf("%w: no table %s", sources.ErrNotFound, table)
	}
	selected := make([]string, len(columns))
	for i, column := range columns {
		selected[i] = "NULL"
		if have[column] {
			selected[i] = fmt.Sprintf(`CASE WHEN octet_length("%[1]s") <= %[2]d THEN CAST("%[1]s" AS BLOB) END`, column, maxCell)
		}
	}
	query := fmt.Sprintf(`SELECT %s FROM "%s" LIMIT %d`, strings.Join(selected, ", "), table, maxTableRows+1)
	rows, err := d.conn.QueryContext(ctx, query)
	if err != nil {
		return sourceError(ctx, err)
	}
	defer rows.Close()
	values, targets := make([][]byte, len(columns)), make([]any, len(columns))
	raw := make([]sql.RawBytes, len(columns))
	for i := range raw {
		targets[i] = &raw[i]
	}
	for n := 0; rows.Next(); n++ {
		if n == maxTableRows {
			return fmt.Errorf("%w: more than %d rows in %s", sources.ErrLimit, maxTableRows, table)
		}
		if err := rows.Scan(targets...); err != nil {
			return sourceError(ctx, err)
		}
		for i := range raw {
			values[i] = raw[i]
		}
		if err := row(values); err != nil {
			return err
		}
	}
	return sourceError(ctx, rows.Err())
}
