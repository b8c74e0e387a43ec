package dial

import (
	"errors"
	"syscall"
)

// wsaRefused is WSAECONNREFUSED, the error of Windows if nobody listens on a port.
const wsaRefused = syscall.Errno(10061)

// IsRefused reports whether nobody listened on the port.
func IsRefused(err error) bool { return errors.Is(err, wsaRefused) }
