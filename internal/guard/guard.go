// Package guard refuses requests that a web page could have sent, before any handler sees them.
package guard

import (
	"net"
	"net/http"
	"strconv"

	"cove/internal/fault"
)

// Guard knows where it listens and what of it a person may open in a browser.
type Guard struct {
	// Port is the port that Host must name.
	Port int
	// Open lists the paths that may be opened by typing their address; nil means none.
	Open []string
	// OwnPages says that pages which we serve ourselves may call us.
	OwnPages bool
}

// Check answers nil for programs of this computer and for our own pages.
func (g Guard) Check(r *http.Request) error {
	if !g.ownHost(r.Host) {
		return fault.New(fault.Denied, "E_FORBIDDEN_HOST", "This address answers only to localhost, 127.0.0.1 and [::1].",
			"Use http://127.0.0.1:"+strconv.Itoa(g.Port)+".")
	}
	if origins, ok := r.Header["Origin"]; ok {
		if !g.OwnPages || len(origins) != 1 || origins[0] != "http://"+r.Host {
			return foreign()
		}
	}
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if !g.allowedSite(site, r.URL.Path) {
			return foreign()
		}
	}
	return nil
}

func foreign() error {
	return fault.New(fault.Denied, "E_FORBIDDEN_ORIGIN", "Web pages may not use this address.",
		"Call it from a program, without the headers Origin and Sec-Fetch-Site.")
}

// allowedSite judges Sec-Fetch-Site. "none" is a typed address, and also an agent's Page.navigate.
func (g Guard) allowedSite(site, path string) bool {
	switch site {
	case "same-origin":
		return g.OwnPages
	case "none":
		for _, open := range g.Open {
			if path == open {
				return true
			}
		}
	}
	return false
}

// ownHost stops DNS rebinding: the name must be one that only this computer answers to, with our port.
func (g Guard) ownHost(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil || port != strconv.Itoa(g.Port) {
		return false
	}
	switch host {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}
