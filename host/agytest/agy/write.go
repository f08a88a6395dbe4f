package main

import (
	"database/sql"
	"os"
	"path/filepath"

	"agy-reader/host/agytest/answers"
)

// write changes a session's database as agy does while it works, or moves its log into it. The database stays open.
func (d *daemon) write(file, what string) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	db, err := d.writer(file)
	if err != nil {
		return err
	}
	return answers.Write(db, what)
}

// hold keeps a session's database open. An encrypted file needs no holding.
func (d *daemon) hold(file string) error {
	if _, err := os.Stat(filepath.Join(d.config.Root, answers.Folder, file+".db")); err != nil {
		return nil //nolint:nilerr // there is none
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	db, err := d.writer(file)
	if err != nil {
		return err
	}
	return answers.Touch(db)
}

// writer returns the open database of a session. Its caller holds d.writing.
func (d *daemon) writer(file string) (*sql.DB, error) {
	db := d.writers[file]
	if db == nil {
		var err error
		if db, err = answers.Writer(filepath.Join(d.config.Root, answers.Folder, file+".db")); err != nil {
			return nil, err
		}
		if d.writers == nil {
			d.writers = map[string]*sql.DB{}
		}
		d.writers[file] = db
	}
	return db, nil
}
