package sqlite

import (
	"context"
	"slices"
	"strings"
)

// declarations are the statements that make the tables and indexes of a scrubbed copy: the original ones of a schema the
// profile knows to the letter, else new ones. Triggers and views are never taken over: they could do anything.
func (c *scrubCopy) declarations(ctx context.Context) ([]string, error) {
	var statements []string
	rows, err := c.from.conn.QueryContext(ctx, `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'index')
		AND sql IS NOT NULL AND rootpage > 0 AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type DESC, name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var kind, name, on, text string
		if err := rows.Scan(&kind, &name, &on, &text); err != nil {
			return nil, err
		}
		switch again := c.index(name, on); {
		case c.known:
			statements = append(statements, text)
		case kind == "index" && again != "":
			statements = append(statements, again)
		case kind == "index" && c.profile.Columns(on) != nil:
			c.leaveOut("index " + name)
		}
	}
	if err := rows.Err(); err != nil || c.known {
		return statements, err
	}
	for _, found := range c.schema.unknown(c.profile) {
		c.leaveOut(found)
	}
	slices.Sort(c.report.LeftOut)
	var tables []string
	for _, name := range c.tables() {
		statement, err := c.declare(ctx, name)
		if err != nil {
			return nil, err
		}
		tables = append(tables, statement)
	}
	return append(tables, statements...), nil
}

func (c *scrubCopy) leaveOut(what string) { c.report.LeftOut = append(c.report.LeftOut, what) }

// index declares one of the product's indexes anew; it is empty for any other name.
func (c *scrubCopy) index(name, on string) string {
	column, ok := strings.CutPrefix(name, "idx_steps_")
	if !ok || on != "steps" || (column != "status" && column != "step_type") || !c.schema.has(on)[column] {
		return ""
	}
	return "CREATE INDEX " + quoted(name) + " ON " + quoted(on) + "(" + quoted(column) + ")"
}

// declaredTypes are types of columns that say nothing about anybody.
var declaredTypes = []string{"", "integer", "text", "blob", "numeric", "real", "datetime", "boolean"}

// declare writes the declaration of a table anew: known columns, their types and their key.
func (c *scrubCopy) declare(ctx context.Context, name string) (string, error) {
	known := c.columns(name)
	rows, err := c.from.conn.QueryContext(ctx, "SELECT name, lower(type), pk FROM pragma_table_info(?) ORDER BY pk", name)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	types := map[string]string{}
	var key []string
	whole := true // the key has no column that is left out
	for rows.Next() {
		var column, kind string
		var place int64
		if err := rows.Scan(&column, &kind, &place); err != nil {
			return "", err
		}
		if slices.Contains(declaredTypes, kind) {
			types[column] = kind
		}
		if place > 0 {
			key = append(key, column)
			whole = whole && slices.Contains(known, column)
		}
	}
	lines := make([]string, len(known))
	for i, column := range known {
		lines[i] = strings.TrimSpace(quoted(column) + " " + types[column])
	}
	if len(key) > 0 && whole {
		lines = append(lines, "PRIMARY KEY ("+quotedList(key)+")")
	}
	return "CREATE TABLE " + quoted(name) + " (" + strings.Join(lines, ", ") + ")", rows.Err()
}

func quotedList(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = quoted(name)
	}
	return strings.Join(list, ", ")
}
