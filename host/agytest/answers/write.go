package answers

import (
	"database/sql"
	"errors"
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"agy-reader/host/agytest/control"
)

// Writer opens a session's database as a running agy holds it: what is committed stays in the log until somebody moves it.
// Closing the last one moves it, too.
func Writer(path string) (*sql.DB, error) {
	db, err := Database(path, "mode=rw&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// Touch makes an opened database really open: its log and its index lie beside it from now on.
func Touch(db *sql.DB) error {
	var n int
	return db.QueryRowContext(background, "SELECT COUNT(*) FROM trajectory_meta").Scan(&n)
}

// Write commits one change to a database, or moves its log into it; what is one of control's words.
func Write(db *sql.DB, what string) (err error) {
	switch what {
	case control.WriteCheckpoint:
		_, err = db.ExecContext(background, "PRAGMA wal_checkpoint(TRUNCATE)")
	case control.WriteSame:
		_, err = db.ExecContext(background, "REPLACE INTO steps SELECT * FROM steps ORDER BY idx DESC LIMIT 1")
	case control.WriteStep:
		_, err = db.ExecContext(background, "INSERT INTO steps SELECT (SELECT MAX(idx) + 1 FROM steps), step_type, status, has_subtrajectory, metadata,"+
			" error_details, permissions, task_details, render_info, step_payload, step_format FROM steps ORDER BY idx DESC LIMIT 1")
	case control.WriteEdit:
		err = edit(db)
	default:
		err = fmt.Errorf("unknown change %q", what)
	}
	return err
}

// edit changes a letter of the first text.
func edit(db *sql.DB) error {
	s, err := current()
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(background, "SELECT idx, step_payload FROM steps ORDER BY idx")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var index int64
		var payload []byte
		if err := rows.Scan(&index, &payload); err != nil {
			return err
		}
		var step protoreflect.Message
		if step, err = s.decode(s.step, payload); err != nil || !change(step, otherLetter) {
			continue
		}
		raw, err := s.Wire(step)
		if err != nil {
			return err
		}
		rows.Close()
		_, err = db.ExecContext(background, "UPDATE steps SET step_payload = ? WHERE idx = ?", raw, index)
		return err
	}
	return errors.Join(rows.Err(), errors.New("no step has a text to change"))
}
