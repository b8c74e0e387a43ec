package proxy

import (
	"net/netip"
	"strconv"
	"strings"
)

// isHost reports whether s can be the host of a proxy: an IP address, without brackets, or a name.
func isHost(s string) bool {
	if strings.Contains(s, ":") {
		return isIPv6(s)
	}
	return isName(s)
}

// isIPv6 reports whether s is an IPv6 address without brackets. One with a zone is none: browsers do not know zones.
func isIPv6(s string) bool {
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Is6() && ip.Zone() == ""
}

// isName reports whether s is a host name or an IPv4 address. A name whose last label is a number, also a hexadecimal
// one, is neither, and names are ASCII: what others mean differs from program to program.
func isName(s string) bool {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	for _, label := range labels {
		if label == "" || strings.HasPrefix(label, "-") || strings.ContainsFunc(label, notInName) {
			return false
		}
	}
	if isNumber(strings.ToLower(labels[len(labels)-1])) {
		ip, err := netip.ParseAddr(s)
		return err == nil && ip.Is4()
	}
	return true
}

// isNumber reports whether a browser reads the last label of a host, in lower case, as a number.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func notInName(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// splitHostPort parts a host, with its brackets, from its port. It reports false for anything else.
func splitHostPort(s string) (host string, port int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	host = s[:i]
	if port, ok = parsePort(s[i+1:]); !ok {
		return "", 0, false
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		return host, port, closed && isIPv6(inner)
	}
	return host, port, isHost(host)
}

func parsePort(s string) (int, bool) {
	if s == "" || len(s) > 5 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	port, err := strconv.Atoi(s)
	return port, err == nil && port >= 1 && port <= 65535
}

// isPlainHost reports whether a host shows by itself that it is one: it is localhost, or has a dot or a colon. Logins
// and passwords seldom look like that, so it tells the sides of a string apart.
func isPlainHost(host string) bool {
	return strings.EqualFold(host, "localhost") || strings.ContainsAny(host, ".:")
}
