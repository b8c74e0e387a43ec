// Package site has the patterns by which rules name sites, and the origins that they match.
package site

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/wording"
)

// Pattern is a pattern for origins: https://example.com, https://*.example.com (the name itself and all below it),
// example.com (http and https), http://localhost:3000, http://localhost:*, or * for every site.
type Pattern struct {
	scheme string // http or https; empty for both
	host   string // without the wildcard; empty for every host
	below  bool   // also every name below host
	port   int    // 0 for the scheme's own, anyPort for every one
}

const anyPort = -1

// Parse reads a pattern.
func Parse(text string) (Pattern, error) {
	s, wrong := parse(strings.ToLower(strings.TrimSpace(text)))
	if wrong != "" {
		return Pattern{}, fault.Invalidf("%s is not a site: %s.", strconv.Quote(wording.Shorten(text, 100)), wrong).
			WithHint("Write a site such as https://example.com, https://*.example.com, example.com or " +
				"http://localhost:3000.")
	}
	return s, nil
}

// parse reads a pattern in lower case, or says what is wrong with it.
func parse(rest string) (s Pattern, wrong string) {
	if rest == "*" {
		return Pattern{port: anyPort}, ""
	}
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		switch scheme {
		case "http", "https":
			s.scheme = scheme
		case "ws", "wss":
			s.scheme = webScheme(scheme)
		case "*":
		default:
			return s, "rules exist only for http and https URLs"
		}
		rest = after
	}

	rest = strings.TrimSuffix(rest, "/")
	if strings.ContainsAny(rest, " \t,;") {
		return s, "it contains a space or a comma; give each site separately"
	}
	if strings.ContainsAny(rest, "/?#@\\") {
		return s, "it has a path, a query or a user name; rules apply to whole origins"
	}
	host, port, err := splitPort(rest)
	if err != nil {
		return s, err.Error()
	}
	s.port = port
	if host == "*" {
		return s, ""
	}
	if after, ok := strings.CutPrefix(host, "*."); ok {
		s.below, host = true, after
	}
	s.host = cleanHost(host)
	return s, s.checkHost()
}

// checkHost says why the pattern's host is none, and returns "" for a good one.
func (s Pattern) checkHost() string {
	if s.host == "" {
		return "it has no host"
	}
	if strings.Contains(s.host, "*") {
		return "a wildcard stands for the whole host or before its first dot"
	}
	_, notIP := netip.ParseAddr(s.host)
	if s.below && notIP == nil {
		return "an IP address has no subdomains"
	}
	if notIP != nil && isNumber(s.host[strings.LastIndexByte(s.host, '.')+1:]) {
		return "browsers read a host that ends in a number as an IP address; write it in full, such as 127.0.0.1"
	}

	for _, r := range s.host {
		if r > 127 {
			return "write international domain names in their ASCII form (xn--…)"
		}
		if notIP != nil && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_' {
			return "the host has a character that is not allowed in a domain name"
		}
	}
	return ""
}

// isNumber reports whether a browser reads a part of a host as a number.
func isNumber(part string) bool {
	if hex, ok := strings.CutPrefix(part, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return part != "" && strings.Trim(part, "0123456789") == ""
}

// splitPort splits a port off a host: 0 for none, anyPort for *.
func splitPort(text string) (host string, port int, err error) {
	if strings.HasPrefix(text, "[") || strings.Count(text, ":") == 1 {
		if h, p, err := net.SplitHostPort(text); err == nil {
			if p == "*" {
				return h, anyPort, nil
			}
			n, err := strconv.Atoi(p)
			if err != nil || n < 1 || n > 65535 {
				return "", 0, fault.Invalidf("the port must be a number from 1 to 65535, or *")
			}
			return h, n, nil
		}
	}
	return text, 0, nil
}

// cleanHost is the one form of a host's name: lower case, no brackets, no dots at its end (a browser passes on as many
// as there are), addresses in their short form.
func cleanHost(host string) string {
	host = strings.TrimRight(strings.ToLower(strings.Trim(host, "[]")), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().WithZone("").String()
	}
	return host
}

// String writes the pattern as Parse reads it.
func (s Pattern) String() string {
	var b strings.Builder
	if s.scheme != "" {
		b.WriteString(s.scheme + "://")
	}
	switch {
	case s.host == "":
		b.WriteString("*")
	case s.below:
		b.WriteString("*." + s.host)
	case strings.Contains(s.host, ":"):
		b.WriteString("[" + s.host + "]")
	default:
		b.WriteString(s.host)
	}
	switch {
	case s.port == anyPort && (s.host != "" || s.scheme != ""):
		b.WriteString(":*")
	case s.port > 0:
		b.WriteString(":" + strconv.Itoa(s.port))
	}
	return b.String()
}

// Host returns the host that the pattern is for; "" for every host.
func (s Pattern) Host() string { return s.host }

// Origin is where a request goes. An empty Scheme is one that nobody can see: that of a tunnel.
type Origin struct {
	Scheme string // http or https
	Host   string
	Port   int
}

// String writes the origin as the beginning of an address. It guesses the scheme of a tunnel by the port.
func (o Origin) String() string {
	host := o.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	scheme := o.Scheme
	if scheme == "" {
		if scheme = "https"; o.Port == 80 {
			scheme = "http"
		}
	}
	if o.Port == ownPort(scheme) {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + strconv.Itoa(o.Port)
}

// Same reports whether both are one place; of a tunnel the scheme is not known.
func (o Origin) Same(other Origin) bool {
	return o.Host == other.Host && o.Port == other.Port &&
		(o.Scheme == other.Scheme || o.Scheme == "" || other.Scheme == "")
}

// Expression is that of the pattern for this origin alone.
func (o Origin) Expression() string {
	return Pattern{scheme: o.Scheme, host: o.Host, port: o.Port}.Expression()
}

func ownPort(scheme string) int {
	if scheme == "http" {
		return 80
	}
	return 443
}

func webScheme(scheme string) string {
	switch scheme {
	case "ws":
		return "http"
	case "wss":
		return "https"
	}
	return scheme
}

// OriginOf reads the origin of an http, https, ws or wss address.
func OriginOf(u *url.URL) (Origin, bool) {
	scheme := webScheme(strings.ToLower(u.Scheme))
	if scheme != "http" && scheme != "https" {
		return Origin{}, false
	}
	o := Origin{Scheme: scheme, Host: cleanHost(u.Hostname()), Port: ownPort(scheme)}
	if p := u.Port(); p != "" {
		n, err := strconv.Atoi(p)
		if err != nil {
			return Origin{}, false
		}
		o.Port = n
	}
	return o, o.Host != ""
}

// OriginOfHost is the origin of a tunnel to host:port.
func OriginOfHost(hostport string) (Origin, bool) {
	h, p, err := net.SplitHostPort(hostport)
	if err != nil {
		return Origin{}, false
	}
	n, err := strconv.Atoi(p)
	o := Origin{Host: cleanHost(h), Port: n}
	return o, err == nil && o.Host != "" // without a name it would be this computer
}

// Expression returns a regular expression, for Go and for scripts, that finds the pattern's origins where they are
// written with a port and without brackets: https://example.com:443.
func (s Pattern) Expression() string {
	host := `.+`
	if s.host != "" {
		host = regexp.QuoteMeta(s.host)
	}
	if s.below {
		host = `(?:.+\.)?` + host
	}
	var list []string
	for _, scheme := range []string{"http", "https"} {
		if s.scheme != "" && s.scheme != scheme {
			continue
		}
		port := strconv.Itoa(s.port)
		switch {
		case s.port == anyPort || s.host == "" && s.scheme == "" && s.port == 0:
			port = `\d+`
		case s.port == 0:
			port = strconv.Itoa(ownPort(scheme))
		}
		list = append(list, `^`+scheme+`:\/\/`+host+`:`+port+`$`)
	}
	return strings.Join(list, "|")
}

// Matches reports whether the pattern is for o. Of a tunnel the port decides.
func (s Pattern) Matches(o Origin) bool {
	if s.scheme != "" && o.Scheme != "" && s.scheme != o.Scheme {
		return false
	}
	switch s.port {
	case anyPort:
	case 0:
		switch {
		case s.host == "" && s.scheme == "": // "*" with a scheme's own ports makes no sense: every port
		case s.scheme != "":
			if o.Port != ownPort(s.scheme) {
				return false
			}
		case o.Scheme != "":
			if o.Port != ownPort(o.Scheme) {
				return false
			}
		case o.Port != 80 && o.Port != 443:
			return false
		}
	default:
		if o.Port != s.port {
			return false
		}
	}
	return s.host == "" || s.host == o.Host || (s.below && strings.HasSuffix(o.Host, "."+s.host))
}
