package daemon

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
	"agy-reader/sources/trajectory"
)

// asMessage puts a real database's rows together to the message they were cut from.
func asMessage(t *testing.T, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var id, cascade string
	var kind, source uint64
	if err := db.QueryRow("SELECT trajectory_id, cascade_id, trajectory_type, source FROM trajectory_meta").Scan(&id, &cascade, &kind, &source); err != nil {
		t.Fatal(err)
	}
	raw := item(item(nil, trajectory.IDField, id), trajectory.CascadeIDField, cascade)
	raw = appendNumber(appendNumber(raw, trajectory.TypeField, kind), trajectory.SourceField, source)
	for _, part := range []struct {
		number protowire.Number
		query  string
	}{
		{trajectory.StepsField, "SELECT step_payload FROM steps ORDER BY idx"},
		{trajectory.GenerationsField, "SELECT data FROM gen_metadata ORDER BY idx"},
		{trajectory.MetadataField, "SELECT data FROM trajectory_metadata_blob"},
	} {
		rows, err := db.Query(part.query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var value string
			if err := rows.Scan(&value); err != nil {
				t.Fatal(err)
			}
			raw = item(raw, part.number, value)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return raw
}

// Real conversations, answered in either encoding, are step by step what their databases say.
func TestCorpusThroughDaemon(t *testing.T) {
	t.Parallel()
	files := corpus.Databases(t, corpus.Copy(t))
	for _, path := range files {
		id := strings.TrimSuffix(filepath.Base(path), ".db")
		ref, want := sources.Ref{Path: path, ID: id}, sources.Want{Blocks: true, Native: true}
		stored, err := read(t, sqlite.New(), ref, want)
		if err != nil {
			t.Fatal(err)
		}
		inFile, wire := stepsIn(stored), asMessage(t, path)
		for form, full := range map[string]Full{"protobuf": {Proto: wire}, "JSON": {JSON: []byte(asJSON(t, wire))}} {
			r, err := newReader(full, ref, id, want)
			if err != nil {
				t.Fatal(err)
			}
			answered, err := drain(t, r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(inFile, stepsIn(answered), protocmp.Transform()); diff != "" {
				t.Errorf("%s in %s (-database +daemon):\n%.3000s", id, form, diff)
			}
			if answered[0].(*transcriptv1.Header).GetConversationId() == "" {
				t.Errorf("%s in %s: no conversation id", id, form)
			}
			if notes := strings.Join(noteTexts(answered), "\n"); strings.Contains(notes, "no decoder profile") {
				t.Errorf("%s in %s: %s", id, form, notes)
			}
		}
	}
	if len(files) == 0 {
		t.Error("no database")
	}
}

// stepsIn are the steps of a document without the order of members in their JSON, which the JSON form does not keep.
func stepsIn(all []proto.Message) []*transcriptv1.Event {
	var list []*transcriptv1.Event
	for _, m := range all {
		if ev, ok := m.(*transcriptv1.Event); ok && ev.GetStep() != nil {
			ev.GetStep().NativeJson = fmt.Append(nil, len(ev.GetStep().GetNativeJson()))
			list = append(list, ev)
		}
	}
	return list
}
