package watch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"agy-reader/host/agytest/answers"
)

// writerVariable makes the test binary a process that writes databases. It must be another one than the reader's: locks on
// a file are a process's, and end when any part of it closes the file.
const writerVariable = "WATCH_TEST_WRITER"

// serveWriter does what it reads, one line a database: its path and what to do, with tabs between.
func serveWriter() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Split(lines.Text(), "\t")
		err := writeAll(words[0], words[1:])
		fmt.Fprintf(os.Stdout, "%q\n", fmt.Sprint(err))
	}
}

func writeAll(path string, what []string) error {
	db, err := answers.Writer(path)
	if err != nil {
		return err
	}
	for _, w := range what {
		err = errors.Join(err, answers.Write(db, w))
	}
	return errors.Join(err, db.Close()) // which moves the log into the database and truncates it
}

// startWriter returns what writes a database in another process.
func startWriter(t *testing.T) func(path string, what ...string) error {
	t.Helper()
	cmd := exec.Command(os.Args[0]) //nolint:gosec // this program
	cmd.Env = append(os.Environ(), writerVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(out)
	return func(path string, what ...string) error {
		if _, err := io.WriteString(in, path+"\t"+strings.Join(what, "\t")+"\n"); err != nil {
			return err
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if line != "\"<nil>\"\n" {
			return errors.New(line)
		}
		return nil
	}
}
