// Package guard refuses requests that a web page could have sent, before any handler sees them.
package guard

import (
	"net"
	"net/http"
	"slices"
	"strconv"

	"cove/internal/fault"
)

// Guard knows where it listens and what of it a person may open in a browser.
type Guard struct {
	// Port is the port that Host must name.
	Port int
	// Open lists the paths that may be opened by typing their address; nil means none.
	Open []string
	// Driver lists the paths that ChromeDriver reads. It is a program, but its HTTP client is Chromium's and says "none" too.
	Driver []string
	// BareHost lets a Host without a port pass: ChromeDriver opens its WebSocket so, and no web page can.
	BareHost bool
	// OwnPages says that pages which we serve ourselves may call us.
	OwnPages bool
}

// Check answers nil for programs of this computer and for our own pages.
func (g Guard) Check(r *http.Request) error {
	if !g.ownHost(r.Host) {
		return fault.New(fault.CodeForbiddenHost, "This address answers only to localhost, 127.0.0.1 and [::1].",
			"Use http://127.0.0.1:"+strconv.Itoa(g.Port)+".")
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

func foreign() error {
	return fault.New(fault.CodeForbiddenOrigin, "Web pages may not use this address.",
		"Call it from a program, without the headers Origin and Sec-Fetch-Site.")
}

// allowedSite judges Sec-Fetch-Site. "none" is a typed address, and also an agent's Page.navigate; ChromeDriver's requests
// differ from both in their mode and destination.
func (g Guard) allowedSite(site string, r *http.Request) bool {
	switch site {
	case "same-origin":
		return g.OwnPages
	case "none":
		if slices.Contains(g.Open, r.URL.Path) {
			return true
		}
		driver := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "no-cors" && r.Header.Get("Sec-Fetch-Dest") == "empty"
		return driver && slices.Contains(g.Driver, r.URL.Path)
	}
	return false
}

// ownHost stops DNS rebinding: the name must be one that only this computer answers to, with our port.
func (g Guard) ownHost(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil && g.BareHost {
		return slices.Contains([]string{"localhost", "127.0.0.1", "[::1]"}, hostport)
	}
	return err == nil && port == strconv.Itoa(g.Port) && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, host)
}
