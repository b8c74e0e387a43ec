package importer

import (
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/proxy"
	"cove/internal/wording"
)

// proxyTitles are titles that often stand for a part of a proxy, and proxyTypes words for its type.
var (
	proxyTitles = []string{"port", "host", "hostname", "server", "address", "hostport", "ipport", "serverport", "socks",
		"socks4", "socks5", "socks5h", "http", "https", "ssh"}
	proxyTypes = []string{"http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h", "ssh"}
)

// refuseProxyIn refuses a value of a column that Cove does not know, if it may be a proxy or a part of one.
func refuseProxyIn(title, value string) error {
	scheme, _, isURL := strings.Cut(strings.ToLower(value), "://")
	switch {
	case isProxyName(title):
		return unknownColumn(title, "is about a proxy, and Cove does not know it.")
	case slices.Contains(proxyTitles, normal(title)), slices.Contains(proxyTypes, strings.ToLower(value)),
		len(value) <= mostOfProxy && proxy.IsLike(value),
		isURL && (strings.HasPrefix(scheme, "socks") || scheme == "ssh"):
		return unknownColumn(title, "may be about a proxy.")
	}
	return nil
}

// mostOfProxy is how long a proxy is at most. A longer cell is none, and would take long to read.
const mostOfProxy = 2000

// isLogin reports whether a start page is rather a proxy with a login.
func isLogin(page string) bool {
	if len(page) > mostOfProxy {
		return false
	}
	p, err := proxy.Parse(page)
	return err == nil && p.Login != ""
}

func unknownColumn(title, is string) error {
	return fault.Unprocessablef("proxy", "The column %q %s", wording.Shorten(title, 40), is).
		WithHint("Use the columns proxy type, proxy host, proxy port, proxy login and proxy password, " +
			"or remove the column.")
}

// rowProxy reads the proxy of a row: one text, perhaps with its type in another column, or one column for each part.
func (r *reader) rowProxy(in row, p *Profile) error {
	kind, text, id := in[proxyType], in[proxyText], in[proxyID]
	parts := map[string]string{"type": kind, "host": in[proxyHost], "port": in[proxyPort], "login": in[proxyLogin],
		"password": in[proxyPassword]}
	if id == "0" {
		id = ""
	}
	if isNone(kind) || isNone(text) {
		return r.rowWithout(in, describes(parts) || id != "")
	}
	if text == "" && !describes(parts) {
		if id == "" && kind+in[proxyLink]+in[proxyName] != "" {
			return errNoHost
		}
		if err := r.proxyByID(id, p); err != nil {
			return err
		}
		if kind != "" && !isType(kind, p.Proxy.Type) {
			return twoProxies()
		}
		return nil
	}

	var stored proxy.Record
	var err error
	switch {
	case text != "":
		stored, err = parseTyped(kind, text)
	case parts["host"] == "":
		err = errNoHost
	default:
		if kind == "" {
			parts["type"] = "http"
		}
		stored, err = recordOf(parts)
	}
	if err != nil {
		return err
	}
	if text != "" && disagrees(parts, stored.Proxy) {
		return twoProxies()
	}
	if in[proxyLink] != "" {
		stored.ChangeIPURL = in[proxyLink]
		if err := stored.Clean(); err != nil {
			return err
		}
	}
	if err := r.asListed(id, stored); err != nil {
		return err
	}
	return r.use(stored, p)
}

var errNoHost = fault.Unprocessablef("proxy", "The proxy has no host.").
	WithHint("Complete it, or empty all columns of the proxy if the profile has none.")

// rowWithout reads a row that says that it has no proxy. Only AdsPower keeps one there that is switched off.
func (r *reader) rowWithout(in row, named bool) error {
	kind, text := in[proxyType], in[proxyText]
	if isNone(kind) && r.product == AdsPower {
		return nil
	}
	if named || kind != "" && !isNone(kind) || text != "" && !isNone(text) {
		return fault.Unprocessablef("proxy", "The row says that it has no proxy, and names one.").
			WithHint("Empty the columns of the proxy, or write its type.")
	}
	return nil
}

// parseTyped reads a proxy whose type may stand in another column. A type in the text must be the same.
func parseTyped(kind, text string) (proxy.Record, error) {
	if kind == "" || strings.Contains(text, "://") {
		stored, err := proxy.Parse(text)
		if err == nil && kind != "" && !isType(kind, stored.Type) {
			return stored, fault.Unprocessablef("proxy", "The proxy's type is another one in its own column.").
				WithHint("Correct one of them.")
		}
		return stored, err
	}
	return proxy.Parse(kind + ":" + text)
}

// isType reports whether a word, which may be another name of it, means this type.
func isType(word, kind string) bool {
	typed := proxy.Proxy{Type: word, Host: "h.example", Port: 1}
	return typed.Clean() == nil && typed.Type == kind
}

// disagrees reports whether the columns of a proxy's parts say something else than its text.
func disagrees(parts map[string]string, p proxy.Proxy) bool {
	for part, value := range map[string]string{"login": p.Login, "password": p.Password} {
		if parts[part] != "" && parts[part] != value {
			return true
		}
	}
	if parts["host"] != "" && !strings.EqualFold(parts["host"], p.Host) {
		return true
	}
	return parts["port"] != "" && !strings.HasSuffix(p.HostPort(), ":"+parts["port"])
}

// isNone reports whether a word means that there is no proxy.
func isNone(word string) bool { return normal(word) == "none" || normal(word) == "noproxy" }
