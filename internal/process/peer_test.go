package process

import (
	"net"
	"net/netip"
	"os"
	"runtime"
	"testing"
)

func TestPeerIsWhoHasConnected(t *testing.T) {
	for _, network := range []string{"tcp4", "tcp6"} {
		t.Run(network, func(t *testing.T) {
			address := map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0"}[network]
			l, err := new(net.ListenConfig).Listen(t.Context(), network, address)
			if err != nil {
				t.Skip("no such loopback here:", err)
			}
			defer func() { _ = l.Close() }()
			out, err := new(net.Dialer).DialContext(t.Context(), network, l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = out.Close() }()
			in, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = in.Close() }()
			if runtime.GOOS == "darwin" {
				t.Skip("lsof's lines of this very process are left out: it is the one that listens")
			}
			remote, local := netip.MustParseAddrPort(in.RemoteAddr().String()),
				netip.MustParseAddrPort(in.LocalAddr().String())
			info, ok := Peer(remote, local)
			if !ok || info.PID != os.Getpid() || info.Name() != "process.test" {
				t.Fatalf("got %v %v", info, ok)
			}
			_ = out.Close()
			if info, ok := Peer(netip.AddrPortFrom(remote.Addr(), 1), local); ok {
				t.Fatalf("nobody there, got %v", info)
			}
		})
	}
	if _, ok := Peer(netip.MustParseAddrPort("192.0.2.1:5"), netip.MustParseAddrPort("127.0.0.1:6")); ok {
		t.Fatal("another computer has no process here")
	}
}
