//go:build unix

package launch_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/sdk"
)

// The test binary is also the plugins and hosts that the tests run: its first argument says which.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "good":
			report(os.Args[2:])
			sdk.ServeSink(trial.All(), sdk.Version("1.2.3"))
		case "copy":
			sdk.ServeSink(copySink())
		case "bad":
			report(os.Args[3:])
			misbehave(os.Args[2])
			os.Exit(0)
		case "host":
			if err := beHost(os.Args[2], os.Args[3]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	if err := os.Setenv("AGY_TEST_SECRET", "must not reach a plugin"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
