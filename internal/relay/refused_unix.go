//go:build !windows

package relay

import (
	"errors"
	"syscall"
)

func refusedConnection(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
