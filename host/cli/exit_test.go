package cli_test

import (
	"errors"
	"os/exec"
	"strconv"
)

// exitCode is the exit code behind an error of a finished command.
func exitCode(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &exit):
		return strconv.Itoa(exit.ExitCode())
	default:
		return err.Error()
	}
}
