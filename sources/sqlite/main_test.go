package sqlite

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		os.Exit(childMain(path))
	}
	if path := os.Getenv(holdEnv); path != "" {
		os.Exit(holdMain(path))
	}
	if path := os.Getenv(writerEnv); path != "" {
		os.Exit(writerMain(path))
	}
	// Before any other connection of this process, as the program does: from the first lock on the kind of locks is fixed.
	if _, err := ourDriver(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
