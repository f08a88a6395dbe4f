package build

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// DDL is the text of every schema object of a conversation database, as stored by the product.
var DDL = []string{
	"CREATE TABLE `trajectory_meta` (`trajectory_id` text,`cascade_id` text,`trajectory_type` integer,`source` integer,PRIMARY KEY (`trajectory_id`))",
	"CREATE TABLE `steps` (`idx` integer,`step_type` integer NOT NULL DEFAULT 0,`status` integer NOT NULL DEFAULT 0,`has_subtrajectory` numeric NOT NULL DEFAULT false,`metadata` blob,`error_details` blob,`permissions` blob,`task_details` blob,`render_info` blob,`step_payload` blob,`step_format` integer NOT NULL DEFAULT 0,PRIMARY KEY (`idx`))",
	"CREATE TABLE `gen_metadata` (`idx` integer,`data` blob,`size` integer NOT NULL DEFAULT 0,PRIMARY KEY (`idx`))",
	"CREATE TABLE `executor_metadata` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
	"CREATE TABLE `parent_references` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
	"CREATE TABLE `trajectory_metadata_blob` (`id` text DEFAULT \"main\",`data` blob,PRIMARY KEY (`id`))",
	"CREATE TABLE `battle_mode_infos` (`idx` integer,`data` blob,PRIMARY KEY (`idx`))",
	"CREATE INDEX `idx_steps_status` ON `steps`(`status`)",
	"CREATE INDEX `idx_steps_step_type` ON `steps`(`step_type`)",
}

// Conversation is the content of one database. Blobs are wire bytes of the messages the profile names for their table.
type Conversation struct {
	CascadeID    string
	TrajectoryID string
	// TrajectoryType and Source are numbers of exa.cortex_pb enums; 4 and 17 are an ordinary conversation of the CLI.
	TrajectoryType, Source int64
	Steps                  []Row
	Generations            [][]byte
	Executors              [][]byte
	References             [][]byte
	// Metadata is the row `main` of trajectory_metadata_blob; nil leaves the table empty.
	Metadata []byte
}

// NewConversation returns an ordinary conversation of the CLI with these step payloads.
func NewConversation(cascadeID, trajectoryID string, payloads ...[]byte) (Conversation, error) {
	c := Conversation{CascadeID: cascadeID, TrajectoryID: trajectoryID, TrajectoryType: 4, Source: 17}
	for i, payload := range payloads {
		row, err := NewRow(int64(i), payload)
		if err != nil {
			return Conversation{}, err
		}
		c.Steps = append(c.Steps, row)
	}
	return c, nil
}

// Database writes c to a new file, which must not exist: page size 4096, WAL, user_version 1, closed cleanly, so that
// neither -wal nor -shm is left.
func Database(path string, c Conversation) error {
	w, err := Create(path, c)
	if err != nil {
		return err
	}
	for _, row := range c.Steps {
		if err := w.Step(row); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

// background: a builder runs to its end.
var background = context.Background()

// Writer writes the steps of a new database one by one, for databases that do not fit into memory.
type Writer struct {
	db   *sql.DB
	tx   *sql.Tx
	step *sql.Stmt
}

// Create starts a new database with everything of c but its steps. The path must not exist. The Writer must be closed.
func Create(path string, c Conversation) (*Writer, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("create %s: %w", path, os.ErrExist)
	}
	const pragmas = "?_pragma=page_size(4096)&_pragma=journal_mode(WAL)&_pragma=user_version(1)"
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+pragmas)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	w := &Writer{db: db}
	if err := w.start(c); err != nil {
		return nil, errors.Join(fmt.Errorf("create %s: %w", path, err), db.Close())
	}
	return w, nil
}

func (w *Writer) start(c Conversation) error {
	var err error
	if w.tx, err = w.db.BeginTx(background, nil); err != nil {
		return err
	}
	for _, ddl := range DDL {
		if _, err := w.tx.ExecContext(background, ddl); err != nil {
			return err
		}
	}
	if _, err := w.tx.ExecContext(background, "INSERT INTO trajectory_meta VALUES (?,?,?,?)", c.TrajectoryID, c.CascadeID, c.TrajectoryType, c.Source); err != nil {
		return err
	}
	if c.Metadata != nil {
		if _, err := w.tx.ExecContext(background, "INSERT INTO trajectory_metadata_blob VALUES ('main',?)", c.Metadata); err != nil {
			return err
		}
	}
	for _, list := range []struct {
		insert string
		blobs  [][]byte
	}{
		{"INSERT INTO gen_metadata VALUES (?1,?2,length(?2))", c.Generations},
		{"INSERT INTO executor_metadata VALUES (?,?)", c.Executors},
		{"INSERT INTO parent_references VALUES (?,?)", c.References},
	} {
		for i, blob := range list.blobs {
			if _, err := w.tx.ExecContext(background, list.insert, i, blob); err != nil {
				return err
			}
		}
	}
	w.step, err = w.tx.PrepareContext(background, "INSERT INTO steps VALUES (?,?,?,?,?,?,?,?,?,?,?)")
	return err
}

// Step writes one row. A row's index must be new.
func (w *Writer) Step(row Row) error {
	_, err := w.step.ExecContext(background, row.Index, row.Type, row.Status, row.HasSubtrajectory, null(row.Metadata), null(row.ErrorDetails),
		null(row.Permissions), null(row.TaskDetails), null(row.RenderInfo), null(row.Payload), row.Format)
	if err != nil {
		return fmt.Errorf("write step %d: %w", row.Index, err)
	}
	return nil
}

// Close commits and closes.
func (w *Writer) Close() error {
	return errors.Join(w.step.Close(), w.tx.Commit(), w.db.Close())
}

func null(blob []byte) any {
	if blob == nil {
		return nil
	}
	return blob
}
