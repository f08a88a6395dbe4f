package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

// benchConversation is a closed database of about 50 MB in steps like real ones: most are small, some big.
func benchConversation(b *testing.B) (path string, bytes int64) {
	b.Helper()
	w := newWriter(b, filepath.Join(b.TempDir(), "bench.db"))
	w.exec(ddl...)
	tx, err := w.db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	for i := range 5000 {
		size := 1500
		if i%4 == 0 {
			size = 35_000
		}
		payload := userStep(strings.Repeat("text of a step. ", size/16))
		bytes += int64(len(payload))
		if _, err := tx.Exec("INSERT INTO steps(idx, step_type, status, metadata, step_payload) VALUES (?, 14, 3, zeroblob(200), ?)", i, payload); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	w.close()
	return w.path, bytes
}

// The function that SQLite calls with views of its memory, over our file image and over SQLite's own file access, and the
// ordinary way to read rows.
func BenchmarkScan(b *testing.B) {
	path, bytes := benchConversation(b)
	ctx := context.Background()
	have := map[string]bool{"idx": true}
	for _, c := range stepsTable.columns {
		have[c.name] = true
	}
	sink := make([]byte, 0, trajectory.BatchBytes)
	consume := func(_ int64, v []driver.Value) error {
		sink = append(sink[:0], asBytes(v[9])...)
		return nil
	}
	b.Run("image", func(b *testing.B) {
		b.SetBytes(bytes)
		b.ReportAllocs()
		for range b.N {
			d, err := openPath(b, path, time.Second)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := d.read(ctx, stepsTable, have, 0, consume); err != nil {
				b.Fatal(err)
			}
			d.close()
		}
	})
	b.Run("file", func(b *testing.B) {
		b.SetBytes(bytes)
		b.ReportAllocs()
		for range b.N {
			d := &database{}
			if err := d.begin(ctx, uriPath(path), url.Values{"immutable": {"1"}}, time.Second); err != nil {
				b.Fatal(err)
			}
			if _, err := d.read(ctx, stepsTable, have, 0, consume); err != nil {
				b.Fatal(err)
			}
			d.close()
		}
	})
	b.Run("rows", func(b *testing.B) {
		b.SetBytes(bytes)
		b.ReportAllocs()
		for range b.N {
			d := &database{}
			if err := d.begin(ctx, uriPath(path), url.Values{"immutable": {"1"}}, time.Second); err != nil {
				b.Fatal(err)
			}
			rows, err := d.conn.QueryContext(ctx, "SELECT idx, step_type, status, has_subtrajectory, step_format, metadata, error_details, permissions, task_details, render_info, step_payload FROM steps ORDER BY idx")
			if err != nil {
				b.Fatal(err)
			}
			for rows.Next() {
				var n [5]int64
				var raw [6]sql.RawBytes
				if err := rows.Scan(&n[0], &n[1], &n[2], &n[3], &n[4], &raw[0], &raw[1], &raw[2], &raw[3], &raw[4], &raw[5]); err != nil {
					b.Fatal(err)
				}
				sink = append(sink[:0], raw[5]...)
			}
			rows.Close()
			d.close()
		}
	})
}

// Opening and reading a small conversation whole.
func BenchmarkSmallConversation(b *testing.B) {
	w := newConversation(b)
	for i := range 30 {
		w.step(i, "text")
	}
	w.close()
	b.ReportAllocs()
	for b.Loop() {
		mustRead(b, w.path, sources.Want{})
	}
}

// Copying rows into batches, without decoding them: the serial part of a conversion.
func BenchmarkReader(b *testing.B) {
	w := newConversation(b)
	tx, err := w.db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	var bytes int64
	for i := range 20_000 {
		metadata := []byte(strings.Repeat("m", 300))
		payload := protowire.AppendBytes(protowire.AppendTag(userStep(strings.Repeat("text ", 60+i%400)), stepMetadataField, protowire.BytesType), metadata)
		bytes += int64(len(payload))
		if _, err := tx.Exec("INSERT INTO steps(idx, step_type, status, metadata, step_payload) VALUES (?, 14, 3, ?, ?)", i, metadata, payload); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	w.close()
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		r, err := New().Open(context.Background(), sources.Ref{Path: w.path}, sources.Want{})
		if err != nil {
			b.Fatal(err)
		}
		for {
			batch, err := r.Next(context.Background())
			if err != nil {
				break
			}
			batch.Release()
		}
		if _, err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
