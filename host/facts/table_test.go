package facts

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/host/store"
)

// tableDDL has the columns of the newest form; older ones lack the last.
var tableDDL = []string{
	"`conversation_id` text", "`title` text NOT NULL DEFAULT \"\"", "`preview` text NOT NULL DEFAULT \"\"", "`step_count` integer NOT NULL DEFAULT 0",
	"`last_modified_time` datetime NOT NULL", "`workspace_uris` text NOT NULL", "`status` text NOT NULL DEFAULT \"\"", "`source` text NOT NULL DEFAULT \"\"",
	"`project_id` text NOT NULL DEFAULT \"\"", "`agent_name` text NOT NULL DEFAULT \"\"", "`parent_conversation_id` text NOT NULL DEFAULT \"\"",
	"`nesting_depth` integer NOT NULL DEFAULT 0", "`battle_id` text NOT NULL DEFAULT \"\"", "`winning_conversation_id` text NOT NULL DEFAULT \"\"",
	"`not_fully_idle` numeric NOT NULL DEFAULT false", "`killed` numeric NOT NULL DEFAULT false", "`last_user_input_time` datetime NOT NULL DEFAULT ''",
	"`last_user_input_step_index` integer NOT NULL DEFAULT -1", "`app_data_dir` text NOT NULL DEFAULT \"\"", "`raw_summary` blob", "`group_id` text NOT NULL DEFAULT \"\"",
}

// makeTable writes an index database with the first columns of tableDDL.
func makeTable(t *testing.T, root string, columns int, statements ...string) {
	t.Helper()
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(root, tableFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	create := "CREATE TABLE `conversation_summaries` (" + strings.Join(tableDDL[:columns], ",") + ",PRIMARY KEY (`conversation_id`))"
	for _, statement := range append([]string{"PRAGMA journal_mode=WAL", "PRAGMA user_version=3", create}, statements...) {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestTableOfAnyAge(t *testing.T) {
	t.Parallel()
	raw := build.MustEncode(t, summaryMessage, `{"summary": "in the blob", "createdTime": "2026-01-01T00:00:00Z", "annotations": {"title": "named by a person"},
		"workspaces": [{"workspaceFolderAbsoluteUri": "file:///blob"}]}`)
	for _, columns := range []int{8, 13, 19, 21} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			more, values := "", ""
			if columns >= 13 {
				more, values = ", project_id, parent_conversation_id", ", 'p', '"+two+"'"
			}
			if columns == 21 {
				more, values = more+", raw_summary", values+fmt.Sprintf(", x'%x'", raw)
			}
			makeTable(t, root, columns, fmt.Sprintf(`INSERT INTO conversation_summaries (conversation_id, title, preview, last_modified_time, workspace_uris%s)
				VALUES ('%s', 'Its Title', 'its preview', '2026-01-02 03:04:05.678901234+00:00', '["file:///w/x%%20y"]'%s), ('zero', '', '', '0001-01-01 00:00:00+00:00', ''%s)`,
				more, one, values, values))
			x := Load(t.Context(), store.Root{Path: root, Surface: "cli"})
			if notes := x.Notes(); len(notes) > 0 {
				t.Errorf("notes %q", notes)
			}
			h := header(one)
			x.Describe(h)
			title := "Its Title"
			if columns == 21 {
				title = "named by a person"
				if h.GetCreatedNs() != time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() || h.GetCreatedOrigin() != tableFile {
					t.Errorf("created %v", h)
				}
			}
			if h.GetTitle().GetValue() != title || h.GetUpdatedNs() != time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.UTC).UnixNano() ||
				h.GetProject().GetValue() != "/w/x y" || h.GetProject().GetOrigin() != tableFile {
				t.Errorf("%v", h)
			}
			if x.Lists(one) != (columns >= 13) || x.Lists(two) {
				t.Errorf("%d columns: listed %v", columns, x.Lists(one))
			}
			parent, origin := x.Parent(one)
			if columns >= 13 && (parent != two || origin != tableFile || h.GetParentConversationId() != two) {
				t.Errorf("parent %s from %s", parent, origin)
			}
			zero := header("zero")
			if x.Describe(zero); zero.UpdatedNs != nil {
				t.Errorf("zero time: %v", zero)
			}
			names, err := os.ReadDir(root)
			if err != nil || len(names) != 1 {
				t.Errorf("the store was touched: %v, %v", names, err)
			}
		})
	}
}

func TestParents(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	makeTable(t, root, 21, `INSERT INTO conversation_summaries (conversation_id, parent_conversation_id, last_modified_time, workspace_uris)
		VALUES ('b', 'a', '', ''), ('c', 'b', '', ''), ('a', '', '', '')`)
	var got []string
	x := Load(t.Context(), store.Root{Path: root})
	if !x.Lists("a") || !x.Lists("b") || x.Lists("d") {
		t.Error("a row with an empty parent says that there is none")
	}
	for child, parent := range edges(x) {
		got = append(got, parent+">"+child)
	}
	if diff := cmp.Diff([]string{"a>b", "b>c"}, got); diff != "" {
		t.Error(diff)
	}
}

func edges(x *Index) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		x.Parents(func(child, parent, _ string) bool { return yield(child, parent) })
	}
}

// Whatever lies where an index should, the rest is read.
func TestHostileIndexes(t *testing.T) {
	t.Parallel()
	good := map[string]string{metadataFile: `{"` + one + `": {"Title": "still there"}}`}
	for name, lay := range map[string]func(t *testing.T, root string){
		"no database": func(t *testing.T, root string) {
			writeFiles(t, root, map[string]string{tableFile: "SQLite format 3\x00 not really"})
		},
		"an empty file": func(t *testing.T, root string) { writeFiles(t, root, map[string]string{tableFile: ""}) },
		"a folder":      func(t *testing.T, root string) { writeFiles(t, root, map[string]string{tableFile + "/x": ""}) },
		"another table": func(t *testing.T, root string) {
			makeTable(t, root, 3, "ALTER TABLE conversation_summaries RENAME TO other")
		},
		"wrong types": func(t *testing.T, root string) {
			makeTable(t, root, 6, "INSERT INTO conversation_summaries VALUES (x'ff00', 7, 1.5, 'x', 12, x'00')")
		},
		"a giant value": func(t *testing.T, root string) {
			makeTable(t, root, 6, "INSERT INTO conversation_summaries VALUES ('"+one+"', hex(zeroblob(3000000)), '', 0, '', '')")
		},
		"broken protobuf": func(t *testing.T, root string) {
			writeFiles(t, root, map[string]string{"agyhub_summaries_proto.pb": "\x0a\xff\xff\xff\xff\x7f", "jetbox_summaries_proto.pb": "\x0a\x02\x0a\x7f"})
		},
		"broken JSON": func(t *testing.T, root string) {
			writeFiles(t, root, map[string]string{lastFile: "[1]", projectsFile: "\x00", historyFile: "\xff\xfe\n{}"})
		},
		"a link out of the store": func(t *testing.T, root string) {
			outside := filepath.Join(t.TempDir(), "outside")
			writeFiles(t, outside, map[string]string{"last.json": `{"/etc": "` + one + `"}`})
			if err := os.MkdirAll(filepath.Join(root, "cache"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(outside, "last.json"), filepath.Join(root, filepath.FromSlash(lastFile))); err != nil {
				t.Skip(err)
			}
		},
		"a view that never ends": func(t *testing.T, root string) {
			makeTable(t, root, 3, "DROP TABLE conversation_summaries", `CREATE VIEW conversation_summaries AS WITH RECURSIVE n(conversation_id) AS (SELECT 1 UNION ALL SELECT conversation_id+1 FROM n)
				SELECT conversation_id, 'x' AS title FROM n`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "s")
			writeFiles(t, root, good)
			lay(t, root)
			started := time.Now()
			x := Load(t.Context(), store.Root{Path: root, Surface: "cli"})
			h := header(one)
			x.Describe(h)
			if h.GetTitle().GetValue() != "still there" || h.GetProject().GetValue() != "" {
				t.Errorf("%v", h)
			}
			quiet := map[string]bool{"an empty file": true, "wrong types": true, "a giant value": true, "another table": true, "a view that never ends": true}
			if len(x.Notes()) == 0 != quiet[name] {
				t.Errorf("notes %q", x.Notes())
			}
			if time.Since(started) > 5*time.Second {
				t.Errorf("took %v", time.Since(started))
			}
		})
	}
}

func TestSummariesFile(t *testing.T) {
	t.Parallel()
	good := build.MustEncode(t, "exa.jetski_cortex_pb.CascadeTrajectorySummaries", `{"summaries": {"`+one+`": {"summary": "From The Hub", "createdTime": "2026-01-01T00:00:00Z",
		"lastModifiedTime": "2026-01-02T00:00:00Z", "workspaces": [{"workspaceFolderAbsoluteUri": "file:///w%20s"}],
		"trajectoryMetadata": {"parentConversationId": "`+two+`", "projectId": "p"}}}}`)
	broken := "\x0a\x0c\x0a\x03bad\x12\x05\x0a\x7fabc"
	for _, file := range []string{"agyhub_summaries_proto.pb", "jetbox_summaries_proto.pb"} {
		x := storeOf(t, map[string]string{file: broken + string(good)})
		h := header(one)
		x.Describe(h)
		if h.GetTitle().GetValue() != "From The Hub" || h.GetTitle().GetOrigin() != file || h.GetProject().GetValue() != "/w s" || h.GetParentConversationId() != two ||
			h.GetCreatedOrigin() != file || h.GetUpdatedOrigin() != file {
			t.Errorf("%s: %v", file, h)
		}
		if diff := cmp.Diff([]string{file + ": the conversation is not whole: 1 entries cannot be read"}, x.Notes()); diff != "" {
			t.Error(diff)
		}
	}
}
