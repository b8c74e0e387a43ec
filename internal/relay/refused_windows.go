package relay

import (
	"errors"
	"syscall"
)

// wsaRefused is WSAECONNREFUSED, the error of Windows if nobody listens on a port.
const wsaRefused = syscall.Errno(10061)

func refusedConnection(err error) bool { return errors.Is(err, wsaRefused) }
