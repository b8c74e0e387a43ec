package snapshot

import "strings"

const maxURL = 120

// base is the address of a document, taken apart once.
type base struct{ origin, page string }

func baseOf(u string) base {
	page, _, _ := strings.Cut(u, "#")
	scheme := strings.Index(page, "://")
	if scheme <= 0 {
		return base{}
	}
	origin := page
	if path := strings.IndexAny(page[scheme+3:], "/?"); path >= 0 {
		origin = page[:scheme+3+path]
	}
	return base{origin: origin, page: page}
}

// short writes an address as the page's author would: #part on the same page, /path on the same site.
func (b base) short(u string) string {
	if b.origin != "" && strings.HasPrefix(u, b.origin) {
		if rest, ok := strings.CutPrefix(u, b.page); ok && strings.HasPrefix(rest, "#") {
			u = rest
		} else if rest := u[len(b.origin):]; strings.HasPrefix(rest, "/") {
			u = rest
		}
	}
	u = Clean(squeeze(u))
	return u
}

// leadsNowhere reports whether an address is only there to make a link of an element.
func leadsNowhere(u string) bool {
	return u == "#" || strings.HasPrefix(u, "javascript:")
}

// squeeze takes out the middle of an address that nobody reads.
func squeeze(u string) string {
	switch {
	case strings.HasPrefix(u, "data:") && len(u) > 60:
		return strings.ToValidUTF8(u[:40], "") + "…"
	case len(u) > maxURL:
		return strings.ToValidUTF8(u[:80], "") + "…" + strings.ToValidUTF8(u[len(u)-30:], "")
	}
	return u
}

// bare reports whether an address can stand without quotes in a row and still be taken for nothing else.
func bare(u string) bool {
	for i := range len(u) {
		if c := u[i]; c <= ' ' || c == '"' || c == '|' || c == '\\' || c == 0x7f {
			return false
		}
	}
	return u != ""
}
