//go:build e2e

package harness

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Exec is a command that the end of the test does not kill: a test's context is over before its Cleanup functions run,
// and they stop processes gently.
func Exec(t *testing.T, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
}

// Get fetches an address, also from a Cleanup function.
func Get(t *testing.T, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req)
}

// Listen listens on an address until the test closes it.
func Listen(t *testing.T, network, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(t.Context(), network, address)
}

// PortOf is the port of a listener.
func PortOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// FreePort finds a port on loopback that nobody listens on. Tests that run at the same time find others: the port's
// twin of UDP is held until the test ends.
func FreePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20000 + rand.IntN(10000) // not one of those that the system gives to whoever comes next
		address := fmt.Sprintf("127.0.0.1:%d", port)
		twin, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp4", address)
		if err != nil {
			continue
		}
		if l, err := Listen(t, "tcp4", address); err == nil {
			_ = l.Close()
			t.Cleanup(func() { _ = twin.Close() })
			return port
		}
		_ = twin.Close()
	}
	t.Fatal("no port is free")
	return 0
}

// Answering reports whether somebody listens on a port of loopback.
func Answering(t *testing.T, port int) bool {
	c, err := new(net.Dialer).DialContext(context.WithoutCancel(t.Context()), "tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// Exists reports whether a file is there.
func Exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Zombie reports whether a folder of /proc is of a process that has ended.
func Zombie(dir string) bool {
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return true
	}
	rest := string(stat[bytes.LastIndexByte(stat, ')')+1:])
	return strings.HasPrefix(strings.TrimSpace(rest), "Z")
}
