package sqlite

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources/sqlite/walfs"
)

// image reads a database file and its log as package walfs shows them.
func image(t testing.TB, base, wal []byte) (*walfs.Image, *walfs.Log) {
	t.Helper()
	log, err := walfs.Parse(bytes.NewReader(wal), int64(len(wal)))
	if err != nil {
		t.Fatal(err)
	}
	return walfs.NewImage(bytes.NewReader(base), int64(len(base)), bytes.NewReader(wal), log), log
}

// recovered reads what SQLite itself recovers from a file and its log.
func recovered(t testing.TB, base, wal []byte) (rows []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	write(t, path, base)
	write(t, path+"-wal", wal)
	return query(t, "file:"+path)
}

func throughImage(t testing.TB, m *walfs.Image) (rows []string, err error) {
	t.Helper()
	s, err := serve(m)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	return query(t, "file:"+s.name+"?immutable=1&vfs="+s.vfs)
}

func query(t testing.TB, dsn string) (out []string, err error) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT k, v FROM a ORDER BY k")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k int
		var v string
		if err := rows.Scan(&k, &v); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%d %s", k, v))
	}
	return out, rows.Err()
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// history runs random transactions and copies the files after each step, also in the middle of a transaction that has
// already spilled into the log.
func history(t testing.TB, rng *rand.Rand, pageSize int, each func(base, wal []byte)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	exec(fmt.Sprintf("PRAGMA page_size = %d", pageSize))
	exec("PRAGMA auto_vacuum = FULL")
	exec("PRAGMA journal_mode = WAL")
	exec("PRAGMA wal_autocheckpoint = 0")
	exec("PRAGMA cache_size = 4")
	exec("CREATE TABLE a(k INTEGER PRIMARY KEY, v TEXT)")
	for range 9 {
		exec("BEGIN")
		for range 1 + rng.IntN(6) {
			if rng.IntN(4) == 0 {
				exec("DELETE FROM a WHERE k % 3 = ?", rng.IntN(3))
			} else {
				exec("INSERT OR REPLACE INTO a VALUES (?, ?)", rng.IntN(40), strings.Repeat("v", rng.IntN(min(20*pageSize, 90_000))))
			}
		}
		if rng.IntN(3) == 0 {
			each(read(t, path), read(t, path+"-wal"))
		}
		if rng.IntN(5) == 0 {
			exec("ROLLBACK")
		} else {
			exec("COMMIT")
		}
		each(read(t, path), read(t, path+"-wal"))
		if n := rng.IntN(8); n < 4 {
			exec("PRAGMA wal_checkpoint(" + []string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}[n] + ")")
			each(read(t, path), read(t, path+"-wal"))
		}
	}
}

// Whatever SQLite recovers from file and log, the image shows.
func TestImageEqualsSQLitesRecovery(t *testing.T) {
	t.Parallel()
	for _, pageSize := range []int{512, 4096, 65536} {
		t.Run(fmt.Sprint(pageSize), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(pageSize), 7))
			history(t, rng, pageSize, func(base, wal []byte) {
				m, log := image(t, base, wal)
				if log.Damage != "" {
					t.Errorf("damage in a sound log: %s", log.Damage)
				}
				compare(t, base, wal, m)
			})
		})
	}
}

// A log that was cut, torn or altered is read up to the last commit SQLite trusts.
func TestImageOfTornLogEqualsSQLitesRecovery(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 9))
	damaged := 0
	history(t, rng, 1024, func(base, wal []byte) {
		if len(wal) == 0 {
			return
		}
		for range 3 {
			torn := bytes.Clone(wal)
			switch rng.IntN(3) {
			case 0:
				torn = torn[:rng.IntN(len(torn))]
			case 1:
				torn[rng.IntN(len(torn))] ^= byte(1 << rng.IntN(8))
			case 2:
				at := rng.IntN(len(torn))
				clear(torn[at:min(len(torn), at+512)])
			}
			m, log := image(t, base, torn)
			if log.Damage != "" {
				damaged++
			}
			compare(t, base, torn, m)
		}
	})
	if damaged == 0 {
		t.Error("no damage was ever noticed")
	}
}

func compare(t *testing.T, base, wal []byte, m *walfs.Image) {
	t.Helper()
	want, wantErr := recovered(t, base, wal)
	got, err := throughImage(t, m)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("error %v, SQLite says %v", err, wantErr)
	}
	if err == nil && !cmp.Equal(want, got) {
		t.Fatalf("%d rows, SQLite recovers %d", len(got), len(want))
	}
}

func TestCatalogIsAFileSystem(t *testing.T) {
	t.Parallel()
	m, _ := image(t, []byte("content"), nil)
	s, err := serve(m)
	if err != nil {
		t.Fatal(err)
	}
	f, err := images.Open(s.name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "content" {
		t.Errorf("read %q, %v", got, err)
	}
	s.close()
	for _, name := range []string{s.name, s.name + "-wal", s.name + "-journal"} {
		if _, err := images.Open(name); err == nil {
			t.Errorf("%s exists", name)
		}
	}
}
