//go:build linux

package process

import (
	"net"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// A child has its parent's sockets until it runs its program, and then another name.
func TestPeerIsNotAChildThatIsAboutToRunAProgram(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	out, err := new(net.Dialer).DialContext(t.Context(), "tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	in, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	remote, local := netip.MustParseAddrPort(in.RemoteAddr().String()), netip.MustParseAddrPort(in.LocalAddr().String())

	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = exec.CommandContext(t.Context(), "true").Run()
				}
			}
		})
	}
	defer all.Wait()
	defer close(stop)
	for range 200 {
		if info, ok := Peer(remote, local); !ok || info.PID != os.Getpid() {
			t.Fatalf("got %v %v", info, ok)
		}
	}
}
