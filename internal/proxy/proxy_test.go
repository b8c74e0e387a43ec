package proxy

import (
	"fmt"
	"strings"
	"testing"

	"cove/internal/fault"
)

func TestParseReadsWhatPeoplePaste(t *testing.T) {
	const link = "https://change.example/?key=1"
	for line, want := range map[string]Record{
		"1.2.3.4:80":                           {Proxy: Proxy{"http", "1.2.3.4", 80, "", ""}},
		"localhost:8080":                       {Proxy: Proxy{"http", "localhost", 8080, "", ""}},
		"p.example:80:me:a:b@c":                {Proxy: Proxy{"http", "p.example", 80, "me", "a:b@c"}},
		"me:a@b:c@p.example:80":                {Proxy: Proxy{"http", "p.example", 80, "me", "a@b:c"}},
		"p.example:80@me:a@b:c":                {Proxy: Proxy{"http", "p.example", 80, "me", "a@b:c"}},
		"me:secret:p.example:80":               {Proxy: Proxy{"http", "p.example", 80, "me", "secret"}},
		"[::1]:80:me:secret":                   {Proxy: Proxy{"http", "::1", 80, "me", "secret"}},
		"me:secret:[::1]:80":                   {Proxy: Proxy{"http", "::1", 80, "me", "secret"}},
		"SOCKS://me:p%40s%3as@[::1]:80":        {Proxy: Proxy{"socks5", "::1", 80, "me", "p@s:s"}},
		"socks5h:me:p%40ss@p.example:80":       {Proxy: Proxy{"socks5", "p.example", 80, "me", "p%40ss"}},
		"socks4a://me@p.example:80/":           {Proxy: Proxy{"socks4", "p.example", 80, "me", ""}},
		"https://p.example:80:me:p%40ss":       {Proxy: Proxy{"https", "p.example", 80, "me", "p%40ss"}},
		"https:p.example:80@me:p%40ss":         {Proxy: Proxy{"https", "p.example", 80, "me", "p%40ss"}},
		"http://proxy:3128":                    {Proxy: Proxy{"http", "proxy", 3128, "", ""}},
		"http://me:secret@proxy:3128/":         {Proxy: Proxy{"http", "proxy", 3128, "me", "secret"}},
		"http://:secret@p.example:80":          {Proxy: Proxy{"http", "p.example", 80, "", "secret"}},
		"p.example:80:me:secret[" + link + "]": {Proxy: Proxy{"http", "p.example", 80, "me", "secret"}, ChangeIPURL: link},
		"socks5://[::1]:80 [" + link + "]":     {Proxy: Proxy{"socks5", "::1", 80, "", ""}, ChangeIPURL: link},
		"1.2.3.4:80:me:secret]":                {Proxy: Proxy{"http", "1.2.3.4", 80, "me", "secret]"}},
		"1.2.3.4:80:me:secret/":                {Proxy: Proxy{"http", "1.2.3.4", 80, "me", "secret/"}},
		"http://me:secret/@1.2.3.4:80/":        {Proxy: Proxy{"http", "1.2.3.4", 80, "me", "secret/"}},
		"http://me:secret:1.2.3.4:80/":         {Proxy: Proxy{"http", "1.2.3.4", 80, "me", "secret"}},
		"me@mail.example:secret@p.example:80":  {Proxy: Proxy{"http", "p.example", 80, "me@mail.example", "secret"}},
		"p.example:80:me@mail.example:secret":  {Proxy: Proxy{"http", "p.example", 80, "me@mail.example", "secret"}},
		"p.example:80:me:s\u00fcß":             {Proxy: Proxy{"http", "p.example", 80, "me", "süß"}},
	} {
		got, err := Parse(line)
		if err != nil || got != want {
			t.Errorf("%q is read as %+v, %v", line, got, err)
		}
	}
}

func TestParseRefusesWhatItDoesNotUnderstand(t *testing.T) {
	for line, why := range map[string]string{
		"":                                     "empty",
		"none":                                 "type “none”",
		"direct":                               "type “direct”",
		"direct://":                            "type “direct”",
		"ssh://me:secret@p.example:22":         "type “ssh”",
		"ssh:me:secret@p.example:22":           "type “ssh”",
		"ftp://p.example:80":                   "type “ftp”",
		"p.example":                            "not understood",
		"p.example:0":                          "not understood",
		"p.example:65536":                      "not understood",
		"proxy:80":                             "not understood",
		"proxy:80:me:secret":                   "not understood",
		"http://proxy:80:me:secret":            "not understood",
		"http://p.example:80/secret":           "not understood",
		"p.example:80:me":                      "not understood",
		"me@p.example:80":                      "not understood",
		"http:secret@p.example:80":             "not understood",
		"1.2.3:80":                             "not understood",
		"a.b:80:c.d:81":                        "two ways",
		"a.b:80@c.d:81":                        "two ways",
		"http://a.b:80@c.d:81":                 "two ways",
		"http://proxy:80@corp:81":              "two ways",
		"a.b:80:me:secret@c.d:81":              "two ways",
		"a.b:80:me:c.d:81":                     "two ways",
		"2001:db8::ffff:1.2.3.4:80":            "two ways",
		"fd00::1:80":                           "no brackets",
		"http://me:100%secret@p.example:80":    "does not begin an escape",
		"p.example:80:me:secret # Berlin":      "a space",
		"p.example:80:me:sec\u200bret":         "a space or an invisible",
		"p.example:80:me:secret[ftp://x.y]":    "not a web address",
		"p.example:80[http://a.b][http://c.d]": "more than one link",
		// A link that is not at the end, or not in brackets, would be a part of the password.
		"p.example:80:me:secret[http://a.b":   "second address",
		"p.example:80:me:secret[http://a.b],": "second address",
		"p.example:80:me:secret:http://a.b/c": "second address",
		"p.example:80:me:secret|https://a.b":  "second address",
		"http:me:secret@socks5://p.example:1": "second address",
		// The slash at the end of a URL, or of a password.
		"http://p.example:80:me:secret/": "two ways",
		"http://p.example:80@me:secret/": "two ways",
		// Browsers know these as numbers, and as the same letters in ASCII. Other programs do not.
		"http://0x7f000001:80":   "not understood",
		"1.2.3.0x4:80":           "not understood",
		"1.2.3.0X:80":            "not understood",
		"1.2.3.\uff14:80":        "not understood",
		"\uff50.example:80":      "not understood",
		"b\u00fccher.example:80": "not understood",
		// These cannot be seen, either.
		"p.example:80:me:secret\ufe0f":    "a space or an invisible",
		"p.example:80:me:secret\u3164":    "a space or an invisible",
		"p.example:80:me:secret\u2800":    "a space or an invisible",
		"socks4://me:secret@p.example:80": "no password",
	} {
		got, err := Parse(line)
		if err == nil || !strings.Contains(err.Error(), why) || fault.KindOf(err) != fault.Unprocessable {
			t.Errorf("%q is read as %+v, %v; want an error with %q", line, got, err, why)
			continue
		}
		if f := fault.From(err); strings.Contains(f.Sentence(), "secret") || f.Hint == "" {
			t.Errorf("%q: %s", line, f.Sentence())
		}
	}
}

// manyRefused is the error of a list of 25 lines that are not understood.
var manyRefused = func() (text string) {
	for i := range maxRefused {
		text += fmt.Sprintf("Line %d: The proxy is not understood.\n", i+1)
	}
	return text + "… and 5 more."
}()

func TestParseListNamesTheLine(t *testing.T) {
	const good = "\ufeff# Berlin\r\n\r\n1.2.3.4:80\r\n socks5://me:secret@p.example:1080\n"
	got, err := ParseList(good)
	if err != nil || len(got) != 2 || got[1].Type != "socks5" {
		t.Fatalf("got %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		good + "a.b:80:secret":       "Line 5: The proxy is not understood.",
		good + "\nnone":              "Line 6: Cove cannot use proxies of type “none”.",
		"a.b:1\ra.b:80:c.d:81\ra.b:": "Line 2: The proxy can be read in two ways.\nLine 3: The proxy is not understood.",
		strings.Repeat("a.b:\n", 25): manyRefused,
		"# nothing\n\n":              "The list has no proxies.",
	} {
		got, err := ParseList(text)
		if err == nil || err.Error() != want || got != nil {
			t.Errorf("got %+v, %v; want %q", got, err, want)
		}
	}
}

func TestAShownProxyHasNoPassword(t *testing.T) {
	for want, p := range map[string]Proxy{
		"":                     {},
		"http://a.b:1":         {Type: "http", Host: "a.b", Port: 1, Password: "secret"},
		"socks5://me@[::1]:10": {Type: "socks5", Host: "::1", Port: 10, Login: "me", Password: "secret"},
	} {
		if got := p.Shown(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestAHostHasOneSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"PROXY7.Example.com:80":  "proxy7.example.com",
		"http://[2001:DB8::1]:1": "2001:db8::1",
	} {
		if r, err := Parse(text); err != nil || r.Host != want {
			t.Errorf("%s: %q, %v", text, r.Host, err)
		}
	}
}

func TestALinkToThisComputerIsRefused(t *testing.T) {
	for _, link := range []string{"http://127.0.0.1:39805/ip", "http://127.9.9.9/", "https://[::1]/",
		"http://localhost:1/", "http://LOCALHOST./", "http://a.localhost/", "http://0.0.0.0/", "http://[::ffff:127.0.0.1]/",
		"http://[fe80::1]/", "http://169.254.1.1/"} {
		r := Record{Proxy: Proxy{Type: "http", Host: "a.b", Port: 1}, ChangeIPURL: link}
		if err := r.Clean(); fault.KindOf(err) != fault.Unprocessable || fault.From(err).Field != "changeIpUrl" ||
			!strings.Contains(err.Error(), "leads to this computer") {
			t.Errorf("%s: %v", link, err)
		}
	}
	r := Record{Proxy: Proxy{Type: "http", Host: "127.0.0.1", Port: 1}, ChangeIPURL: "http://192.168.8.1/reboot?k=1"}
	if err := r.Clean(); err != nil {
		t.Error(err)
	}
}
