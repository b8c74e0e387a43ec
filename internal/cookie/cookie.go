// Package cookie holds cookies and local storage outside a browser: one reader of every format that people have them
// in, the writers of these formats, and what an import would change. It does no I/O, and its errors never show a value.
package cookie

import (
	"cmp"
	"math"
	"net/netip"
	"strings"
)

// SameSite says on which requests of other sites a cookie is sent.
type SameSite string

// The values of SameSite. Unset leaves the choice to the browser.
const (
	Unset  SameSite = ""
	Lax    SameSite = "Lax"
	Strict SameSite = "Strict"
	None   SameSite = "None"
)

// Cookie is one cookie. Two cookies are equal if they are equal with ==.
type Cookie struct {
	// Domain is in lower case and has no leading dot.
	Domain string
	// HostOnly says that subdomains do not get the cookie.
	HostOnly bool
	Path     string
	Name     string
	Value    string
	Secure   bool
	HTTPOnly bool
	SameSite SameSite
	// Expires is in seconds since 1970, with at most microseconds. It is 0 for a cookie that ends with its session.
	Expires float64
	// Partition is the site in whose pages alone the cookie is visible, such as https://example.com; "" for all.
	Partition string
	// CrossSiteAncestor belongs to Partition: a frame of another site is above the frame that set the cookie.
	CrossSiteAncestor bool
	// Source is known of a cookie that a browser had, and empty for one from a file.
	Source Source
}

// Source is what a browser remembers of the answer that set a cookie, in the words of its protocol.
type Source struct {
	Priority string
	Scheme   string
	Port     int // -1 if it was none
}

// Key names a cookie in a browser: setting a second cookie with the same key replaces the first.
type Key struct {
	Domain, Path, Name, Partition string
	HostOnly, CrossSiteAncestor   bool
}

// Key returns the cookie's name in a browser.
func (c Cookie) Key() Key {
	return Key{
		Domain: c.Domain, Path: c.Path, Name: c.Name, Partition: c.Partition, HostOnly: c.HostOnly,
		CrossSiteAncestor: c.CrossSiteAncestor,
	}
}

// DottedDomain returns the domain with a leading dot, unless the cookie is host-only.
func (c Cookie) DottedDomain() string {
	if c.HostOnly {
		return c.Domain
	}
	return "." + c.Domain
}

// URL returns an address on the cookie's host, which sets a host-only cookie.
func (c Cookie) URL() string {
	scheme := "http"
	if c.Secure {
		scheme = "https"
	}
	return scheme + "://" + c.Domain + "/"
}

// Session reports whether the cookie ends with its session.
func (c Cookie) Session() bool { return c.Expires == 0 }

// Compare orders cookies by domain, path, name and partition.
func Compare(a, b Cookie) int {
	return cmp.Or(strings.Compare(a.Domain, b.Domain), strings.Compare(a.Path, b.Path),
		strings.Compare(a.Name, b.Name), strings.Compare(a.DottedDomain(), b.DottedDomain()),
		strings.Compare(a.Partition, b.Partition))
}

// microseconds rounds a time to the precision that browsers keep.
func microseconds(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }

// isAddress reports whether a domain is an IP address. Such a cookie is always host-only.
func isAddress(domain string) bool {
	_, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(domain, "["), "]"))
	return err == nil
}
