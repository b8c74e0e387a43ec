// Package guard refuses HTTP requests that a web page could have sent, before any handler sees them.
package guard

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// AdsPowerNames are the names of this computer that AdsPower's scripts use, for Guard.Names.
var AdsPowerNames = []string{"local.adspower.net", "local.adspower.com"}

// Guard checks the requests to one port of this computer.
type Guard struct {
	// Port is the port that the header Host must name.
	Port int
	// Open lists the paths that a person may open by typing their address.
	Open []string
	// OpenBelow lists folders, each with its last slash. A person may open the pages in them the same way.
	OpenBelow []string
	// Driver lists the paths that ChromeDriver requests. It is a program, but its HTTP client is Chromium's, whose
	// Sec-Fetch-Site says "none" too.
	Driver []string
	// BareHost allows a Host without a port: ChromeDriver opens its WebSocket with one, and no web page can.
	BareHost bool
	// OwnPages allows requests of the pages that this port serves.
	OwnPages bool
	// Names lists further names of this computer that programs may use, in lower case. Browsers send no Sec-Fetch-Site
	// to such a name, so the guard refuses a browser there by its User-Agent.
	Names []string
}

// Check returns nil for a request of a program of this computer or of a page of our own. It refuses every other
// request.
func (g Guard) Check(r *http.Request) error {
	if !g.ownHost(r.Host) {
		return fault.New(fault.CodeForbiddenHost,
			"This server accepts only "+strings.Join(append([]string{"localhost", "127.0.0.1"}, g.Names...), ", ")+
				" and [::1] as host.",
			"Use http://127.0.0.1:"+strconv.Itoa(g.Port)+".")
	}
	if g.furtherName(r.Host) && slices.ContainsFunc(r.Header["User-Agent"], isBrowser) {
		return fault.New(fault.CodeForbiddenOrigin, "Browsers cannot use this server by this name.",
			"Use 127.0.0.1: http://127.0.0.1:"+strconv.Itoa(g.Port)+".")
	}
	if origins, ok := r.Header["Origin"]; ok {
		if !g.OwnPages || len(origins) != 1 || origins[0] != "http://"+r.Host {
			return foreign()
		}
	}
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if !g.allowedSite(site, r) {
			return foreign()
		}
	}
	return nil
}

// isBrowser reports whether a User-Agent is that of a browser. Pages cannot change theirs without a preflight request,
// which has an Origin.
func isBrowser(agent string) bool { return strings.HasPrefix(strings.TrimSpace(agent), "Mozilla/") }

// foreign returns the fault for a request of a web page.
func foreign() error {
	return fault.New(fault.CodeForbiddenOrigin, "Web pages cannot use this server.",
		"Call it from a program, without the headers Origin and Sec-Fetch-Site.")
}

// allowedSite judges a value of Sec-Fetch-Site. "none" is a typed address, and also an agent's Page.navigate.
// ChromeDriver's requests differ from both in their mode and destination.
func (g Guard) allowedSite(site string, r *http.Request) bool {
	switch site {
	case "same-origin":
		return g.OwnPages
	case "none":
		if g.open(r.URL.Path) {
			return true
		}
		driver := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "no-cors" &&
			r.Header.Get("Sec-Fetch-Dest") == "empty"
		return driver && slices.Contains(g.Driver, r.URL.Path)
	}
	return false
}

// open reports whether a person may open a path by typing its address.
func (g Guard) open(path string) bool {
	below := func(folder string) bool { return strings.HasPrefix(path, folder) }
	return slices.Contains(g.Open, path) || slices.ContainsFunc(g.OpenBelow, below)
}

// ownHost reports whether Host is a name that only this computer answers to, with our port. That stops DNS rebinding.
func (g Guard) ownHost(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil && g.BareHost {
		return slices.Contains([]string{"localhost", "127.0.0.1", "[::1]"}, hostport)
	}
	return err == nil && port == strconv.Itoa(g.Port) &&
		(slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, host) || g.furtherName(hostport))
}

// furtherName reports whether Host is one of Names.
func (g Guard) furtherName(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	return err == nil && slices.Contains(g.Names, strings.ToLower(host))
}
