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

// apiPort is the API's port, open on both loopback addresses.
type apiPort struct {
	listeners []net.Listener
	port      int
	reason    string // why it is not the usual port
	occupied  bool   // another program has the usual port
}

// listen opens the API's port.
func (a *app) listen(ctx context.Context) (apiPort, error) {
	if wanted := a.config.Port; wanted != 0 {
		listeners, err := listenLoopback(ctx, wanted)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fault.New(fault.CodePortTaken,
				fmt.Sprintf("Port %d is in use by %s.", wanted, portUser(wanted)),
				"Choose another port with --port, or omit the option.").Because(err)
		}
		return apiPort{listeners: listeners, port: wanted, reason: "set with --port"}, err
	}
	usual, err := a.machine.APIPort(ctx)
	if err != nil {
		return apiPort{}, err
	}
	var at apiPort
	if usual != api.DefaultPort {
		at.reason = "set with: cove config set api_port"
	}
	for next := usual; next < usual+20 && next < 65536; next++ {
		if at.listeners, err = listenLoopback(ctx, next); err == nil {
			at.port = next
			return at, nil
		}
		if next == usual {
			at.reason, at.occupied = fmt.Sprintf("port %d is in use by %s", usual, portUser(usual)), true
		}
	}
	at.listeners, err = listenLoopback(ctx, 0)
	if err != nil {
		return apiPort{}, fmt.Errorf("open a port for the local API: %w", err)
	}
	at.port = at.listeners[0].Addr().(*net.TCPAddr).Port
	return at, nil
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
