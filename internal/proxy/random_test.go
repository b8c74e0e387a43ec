package proxy

import (
	"math/rand/v2"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/internal/racetest"
)

// oracle reads a line in another way than Parse does: it looks at every part of the line that could be host:port, and
// takes the rest for login and password.
type oracle struct{ typed, scheme, address, label, digits *regexp.Regexp }

func newOracle() oracle {
	return oracle{
		typed:   regexp.MustCompile(`^(?i)(https?|socks|socks4a?|socks5h?)(://|:)`),
		scheme:  regexp.MustCompile(`^[a-zA-Z0-9+.-]+://`),
		address: regexp.MustCompile(`^(.*):([0-9]{1,5})$`),
		label:   regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_-]*$`),
		digits:  regexp.MustCompile(`^([0-9]+|0[xX][0-9a-fA-F]*)$`),
	}
}

// host returns what kind of host s is: "", name, dotted or bare.
func (o oracle) host(s string) string {
	if ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")); err == nil && ip.Is6() {
		switch {
		case ip.Zone() != "":
		case s[0] != '[' && s[len(s)-1] != ']':
			return "bare"
		case s[0] == '[' && s[len(s)-1] == ']':
			return "dotted"
		}
		return ""
	}
	labels := strings.Split(s, ".")
	if len(labels) > 1 && labels[len(labels)-1] == "" {
		labels = labels[:len(labels)-1]
	}
	for _, l := range labels {
		if !o.label.MatchString(l) {
			return ""
		}
	}
	if _, err := netip.ParseAddr(s); err != nil && o.digits.MatchString(labels[len(labels)-1]) {
		return ""
	}
	if strings.Contains(s, ".") || strings.ToLower(s) == "localhost" {
		return "dotted"
	}
	return "name"
}

// read returns all meanings of a line. The host of one that must be refused is "?".
func (o oracle) read(line string) []Proxy {
	kind, isURL := "http", false
	if m := o.typed.FindStringSubmatch(line); m != nil {
		kind, isURL, line = strings.ToLower(m[1]), m[2] == "://", line[len(m[0]):]
		if strings.HasPrefix(kind, "socks") {
			kind = (strings.TrimRight(kind, "ah") + "5")[:6]
		}
	}
	if strings.Contains(line, "://") {
		return nil
	}
	var dotted, named []Proxy
	for i := range len(line) {
		for j := i + 1; j <= len(line); j++ {
			if i > 0 && line[i-1] != '@' && line[i-1] != ':' || line[j-1] < '0' || line[j-1] > '9' {
				continue
			}
			m := o.address.FindStringSubmatch(line[i:j])
			if m == nil {
				continue
			}
			what := o.host(m[1])
			port, _ := strconv.Atoi(m[2])
			if what == "" || port < 1 || port > 65535 {
				continue
			}
			p := Proxy{Type: kind, Host: strings.ToLower(strings.Trim(m[1], "[]")), Port: port}
			between, ok := o.credentials(&p, line[:i], line[j:], isURL)
			switch {
			case !ok:
			case what == "name" && isURL && between != ":":
				named = append(named, p)
			case what == "bare":
				dotted = append(dotted, Proxy{Host: "?", Port: i*1000 + j})
			case what == "dotted":
				dotted = append(dotted, p)
			}
			if cut, ended := strings.CutSuffix(p.Password, "/"); ok && isURL && ended && len(line) > j+1 {
				p.Password = cut // the slash ends the URL, or the password
				if what != "name" {
					dotted = append(dotted, p)
				} else if between != ":" {
					named = append(named, p)
				}
			}
		}
	}
	if len(dotted) > 0 {
		return dotted
	}
	return named
}

// credentials reads what stands before or after host:port. It returns what parts them.
func (o oracle) credentials(p *Proxy, before, after string, isURL bool) (between string, ok bool) {
	var text string
	if isURL && after == "/" {
		after = ""
	}
	switch {
	case before == "" && after == "":
		return "", true
	case before == "":
		between, text = after[:1], after[1:]
	case after == "":
		between, text = before[len(before)-1:], before[:len(before)-1]
	}
	if between != "@" && between != ":" {
		return "", false
	}
	login, password, both := strings.Cut(text, ":")
	decoded := isURL && between == "@" && after == ""
	switch {
	case decoded && (text == "" || text == ":"):
		return "", false
	case decoded:
		var err1, err2 error
		p.Login, err1 = url.PathUnescape(login)
		p.Password, err2 = url.PathUnescape(password)
		if err1 != nil || err2 != nil {
			p.Host = "?"
		}
		return between, true
	case !both || login == "":
		return "", false
	}
	p.Login, p.Password = login, password
	return between, true
}

// forms writes a proxy in every form that Parse knows.
func forms(p Proxy, prefix string) []string {
	address := p.HostPort()
	if p.Login == "" {
		return []string{prefix + address}
	}
	credentials := p.Login + ":" + p.Password
	return []string{prefix + address + ":" + credentials, prefix + credentials + "@" + address,
		prefix + address + "@" + credentials, prefix + credentials + ":" + address}
}

func TestNoProxyIsReadAsAnother(t *testing.T) {
	const proxies = 10_000 / racetest.Slower
	o, random := newOracle(), rand.New(rand.NewPCG(14, 6))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	hosts := []string{"p.example", "1.2.3.4", "localhost", "fd00::1", "::ffff:1.2.3.4", "a-b.c_d.example.", "proxy", "x1"}
	pieces := []string{"a", "b.c", "80", ":", "@", "c.d:90", "1.2.3.4", "localhost:1", "::1", "%40", "%", "/", "[", "]",
		"http", "://", "ü", "#", "-", "Z9", ".", "[::1]:7", "none", "socks5"}
	text := func(most int, without string) string {
		var b strings.Builder
		for range random.IntN(most + 1) {
			if piece := pick(pieces); !strings.ContainsAny(piece, without) {
				b.WriteString(piece)
			}
		}
		return b.String()
	}

	var read, refused int
	for range proxies {
		p := Proxy{Host: pick(hosts), Port: 1 + random.IntN(65535), Login: text(3, ":"), Password: text(5, "")}
		if p.Login == "" || random.IntN(8) == 0 {
			p.Login, p.Password = "", ""
		}
		word := pick([]string{"", "http", "HTTPS", "socks", "socks4", "socks4a", "socks5", "Socks5h"})
		p.Type = pick(Types)
		if p.Type == "socks4" {
			p.Password = ""
		}
		checkWrittenBack(t, Record{Proxy: p})
		prefix, kind := "", "http"
		if word != "" {
			prefix = word + pick([]string{":", "://"})
			kind = strings.ToLower(word)
			if other, ok := otherNames[kind]; ok {
				kind = other
			}
		}
		p.Type = kind
		for i, line := range forms(p, prefix) {
			got, err := Parse(line)
			if err == nil {
				read++
			} else {
				refused++
			}
			o.check(t, line, got.Proxy, err)
			written := p
			if strings.HasSuffix(prefix, "://") && i == 1 { // the only form that is decoded
				written.Login, _ = url.PathUnescape(p.Login)
				written.Password, _ = url.PathUnescape(p.Password)
			}
			// These forms have no hosts without a dot. A login that is the name of a type is the type.
			taken := !isPlainHost(p.Host) || len(o.typed.FindString(line)) != len(prefix)
			if err == nil && got.Proxy != written && !taken {
				t.Fatalf("%q was written for %+v and is read as %+v", line, written, got.Proxy)
			}
		}
	}
	t.Logf("%d strings read, %d refused", read, refused)
	if read < proxies || refused < proxies/10 {
		t.Errorf("the test tries too little: %d strings read, %d refused", read, refused)
	}
}

// check compares what Parse says with all meanings of the line.
func (o oracle) check(t *testing.T, line string, got Proxy, err error) {
	t.Helper()
	meanings := o.read(line)
	word, _, _ := strings.Cut(line, ":")
	unusable := slices.Contains(otherTypes, strings.ToLower(word)) ||
		o.scheme.MatchString(line) && !o.typed.MatchString(line)
	switch {
	case err == nil && (len(meanings) != 1 || meanings[0] != got):
		t.Fatalf("%q is read as %+v; it can mean %+v", line, got, meanings)
	case err == nil && !got.Set():
		t.Fatalf("%q is read as no proxy", line)
	case err != nil && len(meanings) == 1 && meanings[0].Host != "?" && !unusable && meanings[0].Clean() == nil &&
		!strings.HasSuffix(line, "]"):
		t.Fatalf("%q is refused (%v); it means %+v", line, err, meanings[0])
	}
}

// checkWrittenBack fails unless Parse reads what Line writes, as the same proxy.
func checkWrittenBack(t *testing.T, r Record) {
	t.Helper()
	if r.Clean() != nil {
		return
	}
	if got, err := Parse(r.Encode()); err != nil || got != r {
		t.Fatalf("%+v is written as %q and read as %+v, %v", r, r.Encode(), got, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"1.2.3.4:80", "p.example:80:me:a:b", "me:a@b@p.example:80", "p.example:80@me:pw",
		"me:pw:p.example:80", "socks5h://me:p%40ss@[::1]:80", "https:p.example:80:me:pw[https://c.example/?k=1]",
		"a.b:80:c.d:81", "none", "direct://", "http://proxy:80", "fd00::1:80", "socks4://me@p.example:1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := Parse(line)
		if err != nil {
			if r.Set() && r.Clean() == nil {
				t.Fatalf("%q is refused (%v) and read as %+v", line, err, r)
			}
			return
		}
		if !r.Set() {
			t.Fatalf("%q is read as no proxy", line)
		}
		checkWrittenBack(t, r)
	})
}
