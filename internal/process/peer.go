package process

import (
	"net/netip"
	"path/filepath"
	"strings"
)

// Peer finds the process at the other end of a connection over loopback: remote is its address, local is ours. Peer may
// take some milliseconds, and it cannot see processes of other users.
func Peer(remote, local netip.AddrPort) (Info, bool) {
	remote, local = unmap(remote), unmap(local)
	if !remote.Addr().IsLoopback() || !local.Addr().IsLoopback() {
		return Info{}, false
	}
	pid := peer(remote, local)
	if pid == 0 {
		return Info{}, false
	}
	return Lookup(pid)
}

func unmap(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// Name returns the name of the process's program.
func (i Info) Name() string {
	if len(i.Args) == 0 {
		return ""
	}
	// A program that rewrites its title has the whole title in one argument.
	first, _, _ := strings.Cut(i.Args[0], " ")
	return strings.TrimSuffix(filepath.Base(first), ".exe")
}
