// Command protojson writes the steps of a session as JSON lines the ordinary way: database/sql, proto.Unmarshal,
// protojson.Marshal. The messages are dynamicpb with the schema of the profile, because the repository has no generated
// code for it; with generated code the same takes 1.4 to 1.6 times less.
package main

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/demo/build"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	files, err := build.Schema()
	if err != nil {
		return err
	}
	step, err := build.NewMessage(build.StepMessage)
	if err != nil {
		return err
	}
	options := protojson.MarshalOptions{Resolver: dynamicpb.NewTypes(files)}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?immutable=1")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query("SELECT step_payload FROM steps ORDER BY idx")
	if err != nil {
		return err
	}
	defer rows.Close()
	out := bufio.NewWriterSize(os.Stdout, 256<<10)
	var payload sql.RawBytes
	var text []byte
	var line bytes.Buffer
	for rows.Next() {
		if err := rows.Scan(&payload); err != nil {
			return err
		}
		m := dynamicpb.NewMessage(step.Descriptor())
		if err := proto.Unmarshal(payload, m); err != nil {
			return err
		}
		if text, err = options.MarshalAppend(text[:0], m); err != nil {
			return err
		}
		// protojson varies its spaces on purpose.
		line.Reset()
		if err := json.Compact(&line, text); err != nil {
			return err
		}
		line.WriteByte('\n')
		if _, err := line.WriteTo(out); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), out.Flush())
}
