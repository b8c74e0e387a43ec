package proxy

import (
	"net/netip"
	"net/url"
	"strings"

	"cove/internal/fault"
)

// maxLink limits the link that changes the exit address.
const maxLink = 2000

// cutLink cuts the link that changes the exit address off the end of a line: [https://…]. It refuses a line that ends
// with something that only looks like such a link, because the rest would be taken for a part of the password.
func cutLink(line string) (rest, link string, err error) {
	if !strings.HasSuffix(line, "]") {
		return line, "", nil
	}
	starts := linkStarts(line)
	switch len(starts) {
	case 0:
		return line, "", nil
	case 1:
	default:
		return "", "", unreadable("The proxy has more than one link in brackets.").
			WithHint("Write one link that changes the IP address, at the end: host:port[https://…].")
	}

	link = line[starts[0]+1 : len(line)-1]
	if err := checkLink(link); err != nil {
		return "", "", err
	}
	return strings.TrimSpace(line[:starts[0]]), link, nil
}

// linkStarts returns where "[word://" begins in line.
func linkStarts(line string) []int {
	var starts []int
	for i := range len(line) {
		if line[i] != '[' {
			continue
		}
		word, _, ok := strings.Cut(line[i+1:], "://")
		if ok && isWord(word) {
			starts = append(starts, i)
		}
	}
	return starts
}

// isWord reports whether s can be the type in type://.
func isWord(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// checkLink says what is wrong with a link that changes the exit address. It does not quote the link: many hold a key.
func checkLink(link string) error {
	u, err := url.Parse(link)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"),
		strings.ContainsFunc(link, isInvisible):
		return fault.Unprocessablef("changeIpUrl", "The link that changes the IP address is not a web address.").
			WithHint("Write a full URL that begins with http:// or https://.")
	case len(link) > maxLink:
		return fault.Unprocessablef("changeIpUrl", "The link that changes the IP address is longer than %d characters.",
			maxLink)
	case leadsHere(u.Hostname()):
		return LocalLink()
	}
	return nil
}

// leadsHere reports whether a host shows by itself that it is this computer. What a name leads to is known only when it
// is looked up, so a call of the link judges each address again.
func leadsHere(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ClosedToLinks(ip)
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// ClosedToLinks reports whether no link that changes the exit address may lead to an address. The local network is
// open, because many modems are there.
func ClosedToLinks(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	return ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || isDisguised(ip)
}

// isDisguised reports whether an IPv6 address is an IPv4 address in a form that Unmap does not know.
func isDisguised(ip netip.Addr) bool {
	b := ip.As16()
	compatible := ip.Is6() && [12]byte(b[:12]) == [12]byte{}
	translated := ip.Is6() && [12]byte(b[:12]) == [12]byte{0: 0x00, 1: 0x64, 2: 0xff, 3: 0x9b}
	return compatible || translated
}

// LocalLink is the error of a link that leads to this computer.
func LocalLink() error {
	return fault.Unprocessablef("changeIpUrl",
		"The link that changes the IP address leads to this computer, which Cove does not allow.").
		WithHint("Use the link that the provider of the proxy gives you. Addresses of the local network are allowed.")
}
