package scope

import (
	"net/url"
	"slices"
	"strings"
)

// Sites says which addresses are open to agents.
type Sites struct {
	// Permits reports whether an address is. It must not wait.
	Permits func(address string) bool
	// Expressions returns the same as regular expressions of scripts, for origins such as https://example.com:443. An
	// empty allow stands for every origin, an empty block for none. It must not wait.
	Expressions func() (allow, block string)
}

// everywhere is open before there are rules.
var everywhere = Sites{
	Permits:     func(string) bool { return true },
	Expressions: func() (allow, block string) { return "", "" },
}

// opens reports whether agents may see what is at an address.
func (s Sites) opens(address string) bool {
	if !isWeb(address) {
		return false
	}
	if u, err := parse(address); err == nil && u.Host != "" {
		address = u.String()
	}
	return s.Permits(address)
}

// opensText is opens for a text that may be no address. A WebSocket is as open as a page of its host.
func (s Sites) opensText(address string) bool {
	if strings.HasPrefix(address, "ws:") || strings.HasPrefix(address, "wss:") {
		address = "http" + strings.TrimPrefix(address, "ws")
	}
	return !strings.Contains(address, ":") || isInline(address) || s.opens(address)
}

// opensAll reports whether all addresses in a value are open.
func (s Sites) opensAll(value any) bool {
	switch v := value.(type) {
	case string:
		return !strings.Contains(v, "://") || s.opens(v)
	case []any:
		return !slices.ContainsFunc(v, func(one any) bool { return !s.opensAll(one) })
	case object:
		for _, one := range v {
			if !s.opensAll(one) {
				return false
			}
		}
	}
	return true
}

// parse parses an address. Some addresses of the browser have a path that net/url refuses: parse leaves out their path.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err == nil {
		return u, nil
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return nil, err
	}
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		rest = rest[:end]
	}
	return url.Parse(scheme + "://" + rest + "/")
}

// isWeb reports whether an address is one that agents may see and open in a person's browser. Settings, extensions and
// files are never among them.
func isWeb(address string) bool {
	address = strings.TrimSpace(address)
	if address == "" || address == "about:blank" || strings.HasPrefix(address, "about:blank#") {
		return true
	}
	if scheme, rest, _ := strings.Cut(address, ":"); strings.EqualFold(scheme, "data") {
		return true
	} else if strings.EqualFold(scheme, "blob") && strings.HasPrefix(rest, "null/") { // of a frame without an origin
		return true
	}
	u, err := parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return true
	case "blob":
		inner, err := url.Parse(u.Opaque)
		return err == nil && (inner.Scheme == "http" || inner.Scheme == "https")
	}
	return false
}

// isInline reports whether the page around a frame contains all that the frame shows.
func isInline(address string) bool {
	return address == "about:srcdoc" || strings.HasPrefix(address, "about:srcdoc#")
}

// hostOf returns the host of an address, in lower case.
func hostOf(address string) string {
	u, err := parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
