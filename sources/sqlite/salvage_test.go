package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// salvaged is the outcome of reading a damaged database.
type salvaged struct {
	rows map[int64]string
	lost []damage
	err  error
}

// salvageFile reads what can be read.
func salvageFile(t testing.TB, path string) salvaged {
	t.Helper()
	out := salvaged{rows: map[int64]string{}}
	d, err := openPath(t, path, time.Second)
	if err != nil {
		out.err = err
		return out
	}
	defer d.close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out.err = d.salvage(ctx, payloads, payloadColumns, map[string]bool{"idx": true}, func(key int64, v []driver.Value) error {
		if _, again := out.rows[key]; again {
			return fmt.Errorf("row %d comes twice", key)
		}
		out.rows[key] = string(asBytes(v[0]))
		return nil
	}, func(d damage) error {
		out.lost = append(out.lost, d)
		return nil
	})
	return out
}

// pagesOf returns the pages of one kind that the table steps occupies, by SQLite's own account.
func pagesOf(t testing.TB, path, kind string) []int64 {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+uriPath(path)+"?immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT pageno FROM dbstat WHERE name = 'steps' AND pagetype = ? ORDER BY path", kind)
	if err != nil {
		t.Skipf("this SQLite has no dbstat: %v", err)
	}
	defer rows.Close()
	var pages []int64
	for rows.Next() {
		var p int64
		if err := rows.Scan(&p); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

// damageablePath is a closed database of many leaf pages and a few rows with overflow pages.
func damageable(t testing.TB) (path string, want map[int64]string) {
	t.Helper()
	w := newConversation(t)
	want = map[int64]string{}
	for i := range 400 {
		text := strings.Repeat("x", 500)
		if i%40 == 7 {
			text = strings.Repeat("y", 30_000)
		}
		w.step(i, text)
		want[int64(i)] = string(userStep(text))
	}
	w.close()
	return w.path, want
}

func overwrite(t testing.TB, path string, page int64, with []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(with, (page-1)*4096); err != nil {
		t.Fatal(err)
	}
}

// checkSalvaged: every row that came is right, and every row that is missing or empty lies in a stated stretch.
func checkSalvaged(t *testing.T, want map[int64]string, got salvaged) (missing int) {
	t.Helper()
	if got.err != nil {
		t.Fatalf("salvage: %v", got.err)
	}
	for key, text := range want {
		stated := slices.ContainsFunc(got.lost, func(d damage) bool { return d.first <= key && key <= d.last })
		read, ok := got.rows[key]
		switch {
		case ok && read == text:
		case ok && read != "" && !stated:
			// The contents of an overflow page have no structure that SQLite could check.
			if len(text) < 4096 {
				t.Errorf("row %d is altered", key)
			}
		case !stated:
			t.Errorf("row %d is lost and nobody says so; stated: %v", key, got.lost)
		default:
			missing++
		}
	}
	return missing
}

func TestDamagedPagesCostOnlyTheirRows(t *testing.T) {
	t.Parallel()
	path, want := damageable(t)
	leaves, overflow, inner := pagesOf(t, path, "leaf"), pagesOf(t, path, "overflow"), pagesOf(t, path, "internal")
	if len(leaves) < 40 || len(overflow) < 40 || len(inner) == 0 {
		t.Fatalf("%d leaves, %d overflow, %d inner pages", len(leaves), len(overflow), len(inner))
	}
	junk := []byte(strings.Repeat("\xa5junk", 820))[:4096]
	for _, test := range []struct {
		name  string
		pages []int64
		most  int // rows that may be lost
	}{
		{"first leaf", leaves[:1], 10},
		{"leaf in the middle", leaves[20:21], 10},
		{"neighbours", leaves[20:23], 30},
		{"last leaf", leaves[len(leaves)-1:], 10},
		{"scattered", []int64{leaves[3], leaves[11], leaves[30], overflow[0], overflow[20]}, 40},
		{"overflow", overflow[3:4], 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for name, content := range map[string][]byte{"zeros": make([]byte, 4096), "junk": junk} {
				copied := copyFiles(t, path)
				for _, page := range test.pages {
					overwrite(t, copied, page, content)
				}
				got := salvageFile(t, copied)
				missing := checkSalvaged(t, want, got)
				if missing == 0 && test.name != "overflow" || missing > test.most {
					t.Errorf("%s: %d rows lost, want 1 to %d; stated %v", name, missing, test.most, got.lost)
				}
			}
		})
	}
}

// With the root of the table gone nothing can be read, and that is said at once.
func TestDamagedRoot(t *testing.T) {
	t.Parallel()
	path, _ := damageable(t)
	overwrite(t, path, pagesOf(t, path, "internal")[0], make([]byte, 4096))
	got := salvageFile(t, path)
	want := []damage{{first: 0, last: maxKey}}
	for i := range got.lost {
		got.lost[i].cause = nil
	}
	if got.err != nil || len(got.rows) > 0 || !cmp.Equal(want, got.lost, cmp.AllowUnexported(damage{})) {
		t.Errorf("%d rows, lost %v, error %v", len(got.rows), got.lost, got.err)
	}
}

// A cut file, and single flipped bits anywhere: no panic, no endless loop, no altered order.
func TestRandomDamage(t *testing.T) {
	t.Parallel()
	path, _ := damageable(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	rounds := 30
	if os.Getenv("AGY_SOAK") != "" {
		rounds = 3000
	}
	for i := range rounds {
		data := slices.Clone(whole)
		for range 1 + rng.IntN(30) {
			data[rng.IntN(len(data))] ^= byte(1 << rng.IntN(8))
		}
		if i%3 == 0 {
			data = data[:rng.IntN(len(data))]
		}
		damagedPath := path + fmt.Sprintf(".%d.db", i)
		if err := os.WriteFile(damagedPath, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := salvageFile(t, damagedPath); errors.Is(got.err, context.DeadlineExceeded) {
			t.Fatalf("round %d does not end", i)
		}
		os.Remove(damagedPath)
	}
}
