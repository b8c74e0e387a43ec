package text

import "strings"

const maxURL = 120

// Base is the address of a document, split into its origin and its page, so that Short need not split it each time.
type Base struct{ origin, page string }

// BaseOf splits the address of a document.
func BaseOf(u string) Base {
	page, _, _ := strings.Cut(u, "#")
	scheme := strings.Index(page, "://")
	if scheme <= 0 {
		return Base{}
	}
	origin := page
	if path := strings.IndexAny(page[scheme+3:], "/?"); path >= 0 {
		origin = page[:scheme+3+path]
	}
	return Base{origin: origin, page: page}
}

// Short writes an address as the page's author would: #part on the same page, /path on the same site.
func (b Base) Short(u string) string {
	if b.origin != "" && strings.HasPrefix(u, b.origin) {
		if rest, ok := strings.CutPrefix(u, b.page); ok && strings.HasPrefix(rest, "#") {
			u = rest
		} else if rest := u[len(b.origin):]; strings.HasPrefix(rest, "/") {
			u = rest
		}
	}
	u = Clean(Squeeze(u))
	return u
}

// LeadsNowhere reports whether an address only makes an element a link, and leads to no page.
func LeadsNowhere(u string) bool {
	return u == "#" || strings.HasPrefix(u, "javascript:")
}

// Squeeze shortens a long address: nobody reads its middle, or the data of a data: address.
func Squeeze(u string) string {
	switch {
	case strings.HasPrefix(u, "data:") && len(u) > 60:
		return strings.ToValidUTF8(u[:40], "") + "…"
	case len(u) > maxURL:
		return strings.ToValidUTF8(u[:80], "") + "…" + strings.ToValidUTF8(u[len(u)-30:], "")
	}
	return u
}

// IsBare reports whether an address can stand in a row without quotes and cannot be mistaken for anything else.
func IsBare(u string) bool {
	for i := range len(u) {
		if c := u[i]; c <= ' ' || c == '"' || c == '|' || c == '\\' || c == 0x7f {
			return false
		}
	}
	return u != ""
}
