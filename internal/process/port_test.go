//go:build linux

package process

import (
	"net"
	"os"
	"testing"
)

func TestListenerFindsWhoHasAPort(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Log(err) // no IPv6 here
			continue
		}
		port := l.Addr().(*net.TCPAddr).Port
		if name, pid, ok := Listener(port); !ok || pid != os.Getpid() || name == "" {
			t.Errorf("%s: %q %d %v", address, name, pid, ok)
		}
		_ = l.Close()
		if name, pid, ok := Listener(port); ok {
			t.Errorf("a closed port belongs to %q %d", name, pid)
		}
	}
	if got := plain("a\x1b[31m b\n"); got != "a[31m b" {
		t.Errorf("%q", got)
	}
}
