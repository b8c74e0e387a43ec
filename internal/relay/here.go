package relay

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"cove/internal/policy"
)

// ours are the names and addresses that this computer has on its networks. They change when it moves to another network.
var ours struct {
	mu    sync.Mutex
	asked time.Time
	all   map[string]bool
}

const oursLife = 2 * time.Second

// here reports whether a host is one of them.
func here(host string) bool {
	ours.mu.Lock()
	defer ours.mu.Unlock()
	if ours.all == nil || time.Since(ours.asked) > oursLife {
		ours.asked, ours.all = time.Now(), map[string]bool{}
		if name, err := os.Hostname(); err == nil {
			ours.all[strings.ToLower(name)] = true
		}
		addresses, _ := net.InterfaceAddrs()
		for _, a := range addresses {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				ours.all[prefix.Addr().Unmap().WithZone("").String()] = true
			}
		}
	}
	return ours.all[host]
}

// led remembers which address a host's name has led to.
type led struct {
	mu sync.Mutex
	to map[string]netip.Addr
}

const maxLed = 5000

func (l *led) put(host string, ip netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.to == nil || len(l.to) >= maxLed {
		l.to = map[string]netip.Addr{}
	}
	l.to[host] = ip
}

func (l *led) get(host string) netip.Addr {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to[host]
}

// Blocks says which rule blocks the address that a site's name has led to; "" for none, and for a name that nothing was loaded from.
func (r *Relay) Blocks(book *policy.Rules, address string) (rule string) {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "blob" || u.Scheme == "filesystem") {
		u, err = url.Parse(u.Opaque)
	}
	if err != nil {
		return ""
	}
	o, ok := policy.OriginOf(u)
	if !ok {
		return ""
	}
	ip, err := netip.ParseAddr(o.Host)
	if err != nil {
		ip = r.led.get(o.Host)
	}
	if !ip.IsValid() {
		return ""
	}
	return book.Address(o, ip, here).Rule
}
