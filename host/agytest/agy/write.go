package main

import (
	"database/sql"
	"path/filepath"

	"agy-reader/host/agytest/answers"
)

// write changes a session's database as agy does while it works, or moves its log into it. The database stays open.
func (d *daemon) write(file, what string) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	db := d.writers[file]
	if db == nil {
		var err error
		if db, err = answers.Writer(filepath.Join(d.config.Root, answers.Folder, file+".db")); err != nil {
			return err
		}
		if d.writers == nil {
			d.writers = map[string]*sql.DB{}
		}
		d.writers[file] = db
	}
	return answers.Write(db, what)
}
