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

// listen opens the API's port on both loopback addresses. reason says why it is not the usual port.
func (a *app) listen(ctx context.Context) (listeners []net.Listener, port int, reason string, err error) {
	if wanted := a.config.Port; wanted != 0 {
		listeners, err = listenLoopback(ctx, wanted)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fault.New(fault.CodePortTaken,
				fmt.Sprintf("Port %d is in use by %s.", wanted, portUser(wanted)),
				"Choose another port with --port, or omit the option.").Because(err)
		}
		return listeners, wanted, "set with --port", err
	}
	usual, err := a.machine.APIPort(ctx)
	if err != nil {
		return nil, 0, "", err
	}
	if usual != api.DefaultPort {
		reason = "set with: cove config set api_port"
	}
	for next := usual; next < usual+20 && next < 65536; next++ {
		if listeners, err = listenLoopback(ctx, next); err == nil {
			return listeners, next, reason, nil
		}
		if next == usual {
			reason = fmt.Sprintf("port %d is in use by %s", usual, portUser(usual))
		}
	}
	listeners, err = listenLoopback(ctx, 0)
	if err != nil {
		return nil, 0, "", fmt.Errorf("open a port for the local API: %w", err)
	}
	return listeners, listeners[0].Addr().(*net.TCPAddr).Port, reason, nil
}

// portUser names the program that listens on a port, where the system shows it.
func portUser(port int) string {
	if name, pid, ok := process.Listener(port); ok {
		return fmt.Sprintf("“%s” (process %d)", name, pid)
	}
	return "another program"
}

// listenLoopback listens on 127.0.0.1 and, where there is IPv6, on ::1. A port is in use if another program has it on
// either address.
func listenLoopback(ctx context.Context, port int) ([]net.Listener, error) {
	var config net.ListenConfig
	v4, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	port = v4.Addr().(*net.TCPAddr).Port
	v6, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	switch {
	case err == nil:
		return []net.Listener{v4, v6}, nil
	case errors.Is(err, syscall.EADDRINUSE):
		_ = v4.Close()
		return nil, err
	}
	return []net.Listener{v4}, nil
}
