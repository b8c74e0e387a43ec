package relay

import (
	"errors"
	"syscall"
)

// wsaRefused is what Windows says when nobody listens.
const wsaRefused = syscall.Errno(10061)

func refusedConnection(err error) bool { return errors.Is(err, wsaRefused) }
