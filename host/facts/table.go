package facts

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/sqlite"
)

// tableFile is the product's index of a store, with one table of the same name.
const tableFile = "conversation_summaries.db"

// tableColumns are those that are read; databases have 13 columns, 19 or 21.
var tableColumns = []string{
	"conversation_id", "title", "preview", "last_modified_time", "workspace_uris", "project_id", "parent_conversation_id", "raw_summary",
	"nesting_depth",
}

// tableTimeout bounds reading the table; a hostile one may be slow in ways nobody foresaw.
const tableTimeout = 10 * time.Second

func (x *Index) loadTable(ctx context.Context) {
	if x.files.path == "" {
		return
	}
	file, _, err := x.files.open(tableFile) // the file must lie inside the store
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		x.note(tableFile, err)
		return
	}
	file.Close()
	ctx, cancel := context.WithTimeout(ctx, tableTimeout)
	defer cancel()
	path := filepath.Join(x.files.path, tableFile)
	source := sqlite.New(sqlite.WithBusyTimeout(time.Second))
	err = source.ReadTable(ctx, path, "conversation_summaries", tableColumns, func(row [][]byte) error {
		x.tableRow(row)
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, sources.ErrNotFound) && !errors.Is(err, os.ErrNotExist) {
		x.note(tableFile, err)
	}
}

func (x *Index) tableRow(row [][]byte) {
	c := x.of(string(row[0]))
	if c == nil {
		return
	}
	c.title.set(text(string(row[1])), tableFile)
	c.preview.set(text(interpret.PromptText(string(row[2]))), tableFile)
	c.updated.set(tableTime(string(row[3])), tableFile)
	var uris []string
	if json.Unmarshal(row[4], &uris) == nil { // it may be empty
		for _, uri := range uris {
			c.place(uri, tableFile)
		}
	}
	c.projectID.set(string(row[5]), tableFile)
	c.parent.set(string(row[6]), tableFile)
	// Depth and parent are set on exactly the same rows; old tables have neither column.
	c.listed = c.listed || len(row[6]) > 0 || string(row[8]) == "0"
	if len(row[7]) > 0 {
		x.summary(c, row[7], tableFile)
	}
}

var timeLayouts = []string{
	"2006-01-02 15:04:05.999999999-07:00", time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999 -0700 MST",
}

// tableTime reads a time as the product stores it; 0 when it is none.
func tableTime(text string) int64 {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return plausible(t)
		}
	}
	return 0
}

// plausible is a time in nanoseconds, or 0 for one that cannot be when a conversation was.
func plausible(t time.Time) int64 {
	if year := t.UTC().Year(); year < 2000 || year > 2200 {
		return 0
	}
	return t.UnixNano()
}

func plausibleNS(ns int64) int64 { return plausible(time.Unix(0, ns)) }
