//go:build !unix

package mirror_test

import "errors"

func fifo(string) error { return errors.ErrUnsupported }
