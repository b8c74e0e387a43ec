package proxy

import (
	"net/url"
	"slices"
	"strings"

	"cove/internal/wording"
)

// otherTypes are types of proxies, and words for no proxy, that begin a string and that Cove cannot use. None of them
// is taken for a login.
var otherTypes = []string{"ssh", "direct", "none", "noproxy", "no_proxy", "system", "pac", "quic", "ftp", "ss", "ssr",
	"shadowsocks", "vmess", "vless", "trojan", "wireguard", "hysteria", "hysteria2", "tuic", "tor", "socks6"}

// cutType cuts the type off a line. isURL says that :// follows it.
func cutType(line string) (kind, rest string, isURL bool, err error) {
	word, rest, found := strings.Cut(line, "://")
	if found && isWord(word) {
		isURL = true
	} else if word, rest, found = strings.Cut(line, ":"); !found {
		word, rest = line, ""
	}

	kind = TypeNamed(word)
	switch {
	case found && slices.Contains(Types, kind):
		return kind, rest, isURL, nil
	case isURL || slices.Contains(otherTypes, kind):
		return "", "", false, unreadable("Cove cannot use proxies of type “" + wording.Shorten(kind, 20) + "”.").
			WithHint("Use http, https, socks4 or socks5.")
	}
	return "http", line, false, nil
}

// reading is one way to read a string.
type reading struct {
	Proxy
	bare      bool // an IPv6 address without brackets: it counts as a reading, and is refused
	badEscape bool
}

// onlyReading returns the proxy that a string without its type means, if there is exactly one.
func onlyReading(s string, isURL bool) (Proxy, error) {
	found := readings(s, isURL)
	switch {
	case len(found) > 1:
		return Proxy{}, unreadable("The proxy can be read in two ways.").
			WithHint("Write it as type://login:password@host:port, with %3A for a colon and %40 for an @ " +
				"in the login and the password.")
	case len(found) == 0:
		return Proxy{}, unreadable("The proxy is not understood.")
	case found[0].bare:
		return Proxy{}, unreadable("The IPv6 address of the proxy has no brackets.").WithHint("Write [address]:port.")
	case found[0].badEscape:
		return Proxy{}, unreadable("The login or the password has a % that does not begin an escape.").
			WithHint("After type:// write % as %25, or use the form host:port:login:password.")
	}
	return found[0].Proxy, nil
}

// readings returns every way to read a string without its type. A host is known by its form (isPlainHost). After
// type:// it can also be a name without a dot, as in a local network, if only an @ or nothing separates it from the
// rest.
func readings(s string, isURL bool) []reading {
	parted, found := slices.Concat(alone(s, isURL), beforeAt(s), afterAt(s, isURL)), betweenColons(s)
	if cut, ended := strings.CutSuffix(s, "/"); isURL && ended { // the slash ends the URL, or a password
		parted, found = append(parted, beforeAt(cut)...), append(found, betweenColons(cut)...)
	}
	found = append(found, parted...)
	plain := slices.DeleteFunc(found, func(r reading) bool { return !isPlainHost(r.Host) })
	if len(plain) > 0 || !isURL {
		return plain
	}
	return parted
}

// alone reads host:port.
func alone(s string, isURL bool) []reading {
	if isURL {
		s = strings.TrimSuffix(s, "/")
	}
	return read(s, "", false)
}

// beforeAt reads host:port@login:password.
func beforeAt(s string) []reading {
	address, credentials, ok := strings.Cut(s, "@")
	if !ok {
		return nil
	}
	return read(address, credentials, true)
}

// afterAt reads login:password@host:port. In a URL the credentials are percent-decoded, and one of them may be missing.
func afterAt(s string, isURL bool) []reading {
	if isURL {
		s = strings.TrimSuffix(s, "/")
	}
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return nil
	}
	if !isURL {
		return read(s[at+1:], s[:at], true)
	}

	login, password, _ := strings.Cut(s[:at], ":")
	found := read(s[at+1:], "", false)
	if len(found) == 0 || login+password == "" {
		return nil
	}
	var err1, err2 error
	found[0].Login, err1 = url.PathUnescape(login)
	found[0].Password, err2 = url.PathUnescape(password)
	found[0].badEscape = err1 != nil || err2 != nil
	return found
}

// betweenColons reads host:port:login:password and login:password:host:port.
func betweenColons(s string) []reading {
	var found []reading
	for i := range len(s) {
		if s[i] == ':' {
			found = slices.Concat(found, read(s[:i], s[i+1:], true), read(s[i+1:], s[:i], true))
		}
	}
	return found
}

// read reads the two sides of a string. It returns nothing if they are not what they should be.
func read(address, credentials string, needsLogin bool) []reading {
	host, port, ok := splitHostPort(address)
	login, password, both := strings.Cut(credentials, ":")
	if !ok || needsLogin && (login == "" || !both) {
		return nil
	}
	p := Proxy{Host: strings.Trim(host, "[]"), Port: port, Login: login, Password: password}
	return []reading{{Proxy: p, bare: isIPv6(host)}}
}
