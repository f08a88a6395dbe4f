package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
)

func notifyInterrupt() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return c
}

func openWriter(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+uriPath(path)+"?_pragma=busy_timeout(20000)&_pragma=journal_mode(wal)&_pragma=synchronous(0)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// rewrite commits one state and sometimes moves the log into the file, in every way SQLite has.
func rewrite(db *sql.DB, generation int, rng *rand.Rand) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	_, err = tx.Exec("DELETE FROM steps")
	for i := 0; err == nil && i < writerSteps(generation); i++ {
		text := strings.Repeat("filler ", rng.IntN(3000)) + fmt.Sprintf("state %d", generation)
		_, err = tx.Exec("INSERT INTO steps(idx, step_type, status, step_payload) VALUES (?, 14, 3, ?)", i, userStep(text))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	modes := []string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}
	if n := rng.IntN(2 * len(modes)); n < len(modes) {
		_, err = db.Exec("PRAGMA wal_checkpoint(" + modes[n] + ")")
	}
	return err
}
