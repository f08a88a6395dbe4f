package sqlite

import (
	"context"
	"database/sql/driver"
	"path/filepath"
	"testing"
	"time"

	"agy-reader/host/corpus"
)

func TestQuick(t *testing.T) {
	for _, p := range corpus.Databases(t, corpus.Home(t)) {
		f, err := locate(p)
		if err != nil {
			t.Fatal(err)
		}
		d, err := opener{files: f, busy: time.Second}.open(context.Background())
		if err != nil {
			t.Fatal(p, err)
		}
		s, err := d.schema(context.Background())
		if err != nil {
			t.Fatal(p, err)
		}
		n := 0
		tb := table{name: "steps", key: "idx", columns: stored("step_payload")}
		o, err := d.ordered(context.Background(), tb)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.read(context.Background(), tb, s.has("steps"), 0, func(k int64, v []driver.Value) error { n++; return nil })
		t.Log(filepath.Base(p), d.mode, o, n, err, s.fingerprint, d.notes)
		d.close()
	}
}
