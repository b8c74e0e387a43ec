package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/process"
)

// listen opens the API's port on both loopback addresses. reason tells why it is not the usual one.
func (a *app) listen(ctx context.Context) (listeners []net.Listener, port int, reason string, err error) {
	if a.Port != 0 {
		listeners, err = both(a.Port)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fault.New(fault.CodePortTaken, fmt.Sprintf("Port %d is used by %s.", a.Port, holder(a.Port)), "Name another with --port, or leave it out.").Because(err)
		}
		return listeners, a.Port, "asked for with --port", err
	}
	usual, err := a.machine.apiPort(ctx)
	if err != nil {
		return nil, 0, "", err
	}
	if usual != api.DefaultPort {
		reason = "set with: cove config set api_port"
	}
	for next := usual; next < usual+20 && next < 65536; next++ {
		if listeners, err = both(next); err == nil {
			return listeners, next, reason, nil
		}
		if next == usual {
			reason = fmt.Sprintf("port %d is used by %s", usual, holder(usual))
		}
	}
	listeners, err = both(0)
	if err != nil {
		return nil, 0, "", fmt.Errorf("open a port for the local API: %w", err)
	}
	return listeners, listeners[0].Addr().(*net.TCPAddr).Port, reason, nil
}

// holder names the program that has a port, as far as it can be seen.
func holder(port int) string {
	if name, pid, ok := process.Listener(port); ok {
		return fmt.Sprintf("“%s” (process %d)", name, pid)
	}
	return "another program"
}

// both listens on 127.0.0.1 and, where there is IPv6, on ::1; a port that another program has on either is taken.
func both(port int) ([]net.Listener, error) {
	v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	port = v4.Addr().(*net.TCPAddr).Port
	v6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	switch {
	case err == nil:
		return []net.Listener{v4, v6}, nil
	case errors.Is(err, syscall.EADDRINUSE):
		_ = v4.Close()
		return nil, err
	}
	return []net.Listener{v4}, nil
}
