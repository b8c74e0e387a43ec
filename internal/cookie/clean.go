package cookie

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// The browser's own limits.
const (
	maxPair      = 4096 // name and value together
	maxAttribute = 1024 // domain, path
)

// clean checks a cookie and gives it its one form. It returns "" or what is wrong, as the end of the sentence
// "Cookie 3 …". The reason holds nothing of the cookie.
func (c *Cookie) clean() string {
	if why := c.cleanDomain(); why != "" {
		return why
	}
	if c.Path == "" {
		c.Path = "/"
	}
	c.Path = escapePath(c.Path)
	if why := c.cleanPartition(); why != "" {
		return why
	}
	for _, check := range []func() string{c.checkPath, c.checkPair, c.checkPrefix} {
		if why := check(); why != "" {
			return why
		}
	}
	if c.SameSite == None && !c.Secure {
		return "has sameSite none and is not secure, which browsers refuse"
	}
	return ""
}

// cleanDomain removes a leading dot, which makes the cookie one of a domain.
func (c *Cookie) cleanDomain() string {
	domain := strings.ToLower(c.Domain)
	if rest, dotted := strings.CutPrefix(domain, "."); dotted {
		domain, c.HostOnly = rest, false
	}
	c.Domain = domain
	switch {
	case domain == "":
		return "has no domain"
	case len(domain) > maxAttribute:
		return "has a domain that is too long"
	}
	if isAddress(domain) {
		c.HostOnly = true
		return ""
	}
	if !strings.Contains(domain, ".") { // such as localhost: browsers keep its cookies as host-only
		c.HostOnly = true
	}
	for _, label := range strings.Split(strings.TrimSuffix(domain, "."), ".") {
		if label == "" {
			return "has a domain with an empty part"
		}
		if strings.IndexFunc(label, notOfHost) >= 0 {
			return "has a domain that is not a host name"
		}
	}
	return ""
}

// notOfHost reports whether a character cannot be part of a host name. International names are written in their
// ASCII form.
func notOfHost(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	return !letter && r != '-' && r != '_'
}

func (c *Cookie) checkPath() string {
	switch {
	case c.Path[0] != '/':
		return "has a path that does not begin with /"
	case len(c.Path) > maxAttribute:
		return "has a path that is too long"
	case !wellFormed(c.Path, ";\\\t") || slices.ContainsFunc(strings.Split(c.Path, "/"), isDots):
		return "has a path with a character that no browser accepts"
	}
	return ""
}

func (c *Cookie) checkPair() string {
	switch {
	case c.Name == "" && c.Value == "":
		return "has neither a name nor a value"
	case c.Name == "" && strings.Contains(c.Value, "="):
		return "has no name, and a value that would be read as one"
	case len(c.Name)+len(c.Value) > maxPair:
		return "is longer than the 4,096 bytes that browsers accept"
	case !wellFormed(c.Name, "=;\t"):
		return "has a name with a character that no browser accepts"
	case !wellFormed(c.Value, ";\t"):
		return "has a value with a character that no browser accepts"
	case strings.Trim(c.Name, " ") != c.Name || strings.Trim(c.Value, " ") != c.Value:
		return "has a name or a value that begins or ends with a blank"
	}
	return ""
}

// isDots reports whether a browser would remove a part of a path.
func isDots(part string) bool {
	part = strings.ReplaceAll(strings.ToLower(part), "%2e", ".")
	return part == "." || part == ".."
}

// escapePath writes a path as browsers do in addresses: so they keep the path of a cookie that a program sets.
func escapePath(path string) string {
	var out strings.Builder
	for _, b := range []byte(path) {
		if b > ' ' && b < 0x7f && !strings.ContainsRune("\"#<>?`{}^", rune(b)) || b < ' ' || b == 0x7f {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}

// wellFormed reports whether a text is UTF-8 without control characters, tabs excepted, and without those of not.
func wellFormed(s, not string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' || r == 0x7f || strings.ContainsRune(not, r)
	}) < 0
}

// checkPrefix holds names to what their prefixes promise.
func (c *Cookie) checkPrefix() string {
	name := strings.ToLower(c.Name)
	switch {
	case strings.HasPrefix(name, "__secure-") && !c.Secure:
		return "has a name that begins with __Secure- and is not secure"
	case strings.HasPrefix(name, "__host-") && (!c.Secure || !c.HostOnly || c.Path != "/"):
		return "has a name that begins with __Host-, and must be secure, host-only and have the path /"
	case c.Name == "" && (strings.HasPrefix(strings.ToLower(c.Value), "__secure-") ||
		strings.HasPrefix(strings.ToLower(c.Value), "__host-")):
		return "has no name, and a value that begins like a protected name"
	}
	return ""
}

// cleanPartition gives the site of a partition the form scheme://host.
func (c *Cookie) cleanPartition() string {
	if c.Partition == "" {
		c.CrossSiteAncestor = false
		return ""
	}
	u, err := url.Parse(c.Partition)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "has a partition key that is not a site such as https://example.com"
	}
	c.Partition = u.Scheme + "://" + strings.ToLower(u.Host)
	if !c.Secure {
		return "has a partition key and is not secure, which browsers refuse"
	}
	return ""
}
