package relay

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/internal/guard"
)

// ownNames caches the names and addresses that this computer has on its networks. They change when the computer moves
// to another network.
var ownNames struct {
	mu   sync.Mutex
	read time.Time
	all  map[string]bool
}

// ownNamesLife is how long ownNames are used before they are read again.
const ownNamesLife = 2 * time.Second

// isThisComputer reports whether a host is a name or an address of this computer.
func isThisComputer(host string) bool {
	ownNames.mu.Lock()
	defer ownNames.mu.Unlock()
	if ownNames.all == nil || time.Since(ownNames.read) > ownNamesLife {
		ownNames.read, ownNames.all = time.Now(), map[string]bool{}
		if name, err := os.Hostname(); err == nil {
			ownNames.all[strings.ToLower(name)] = true
		}
		addresses, _ := net.InterfaceAddrs()
		for _, a := range addresses {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				ownNames.all[prefix.Addr().Unmap().WithZone("").String()] = true
			}
		}
	}

	return ownNames.all[host]
}

// isLocalAddress reports whether a host is one that a browser reaches without its proxy by default. Cove's browsers are
// told to use the relay for all hosts.
func isLocalAddress(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}

	return isLocalName(host)
}

// MeansThisComputer reports whether the host of an origin is a spelling of loopback, or a name by which programs call
// Cove's ports. Programs do not agree on which address a host such as 127.1 is, so every host that ends in a number
// counts as loopback.
func MeansThisComputer(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return isLoopback(ip)
	}
	if _, err := strconv.ParseUint(host[strings.LastIndexByte(host, '.')+1:], 0, 64); err == nil {
		return true
	}

	return isLocalName(host) || slices.Contains(guard.AdsPowerNames, host)
}

// isLoopback reports whether a connection to an address stays on this computer's loopback.
func isLoopback(ip netip.Addr) bool { return ip.Unmap().IsLoopback() || ip.Unmap().IsUnspecified() }

// isLocalName reports whether a name always means this computer, whatever a name server answers.
func isLocalName(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// addresses remembers which address each host was resolved to. It may be used from any goroutine.
type addresses struct {
	mu     sync.Mutex
	byHost map[string]netip.Addr
}

// maxAddresses bounds how many addresses are remembered. When there are more, all are forgotten.
const maxAddresses = 5000

func (a *addresses) put(host string, ip netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byHost == nil || len(a.byHost) >= maxAddresses {
		a.byHost = map[string]netip.Addr{}
	}
	a.byHost[host] = ip
}

func (a *addresses) get(host string) netip.Addr {
	a.mu.Lock()
	defer a.mu.Unlock()

	return a.byHost[host]
}
