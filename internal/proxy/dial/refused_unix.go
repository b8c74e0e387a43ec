//go:build !windows

package dial

import (
	"errors"
	"syscall"
)

// IsRefused reports whether nobody listened on the port.
func IsRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
