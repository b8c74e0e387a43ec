package dial_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/internal/proxy"
	"cove/internal/proxy/dial"
	"cove/internal/proxy/proxytest"
)

// start runs a proxy that asks for a login and maps every name to a site.
func start(t *testing.T, kind, site string) (*proxytest.Server, dial.Dialer) {
	t.Helper()
	c := proxytest.Config{Type: kind, Login: "me", Password: "secret", Resolve: func(string) string { return site }}
	if kind == "socks4" {
		c.Password = ""
	}
	s := proxytest.Start(t, c)
	d := dial.Dialer{}
	if kind == "https" {
		d.TLS = s.ClientTLS()
	}
	return s, d
}

func TestThrough(t *testing.T) {
	hello := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello "+r.Host)
	}))
	defer hello.Close()
	site := hello.Listener.Addr().String()
	for _, kind := range proxy.Types {
		for _, address := range []string{"site.invalid:8443", "192.0.2.1:80", "[2001:db8::1]:80"} {
			t.Run(kind+" connects to "+address, func(t *testing.T) {
				s, d := start(t, kind, site)
				c, err := d.Through(t.Context(), s.Proxy(), address)
				if kind == "socks4" && address[0] == '[' {
					wantReason(t, err, dial.SiteRefused)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = c.Close() }()
				_, _ = io.WriteString(c, "GET / HTTP/1.0\r\nHost: x\r\n\r\n")
				body, _ := io.ReadAll(c)
				if !strings.HasSuffix(string(body), "hello x") || !slices.Equal(s.Requested(), []string{address}) {
					t.Errorf("got %q; the proxy was asked for %v", body, s.Requested())
				}
			})
		}
		t.Run(kind+" with a wrong login", func(t *testing.T) {
			s, d := start(t, kind, site)
			p := s.Proxy()
			p.Login = "other"
			_, err := d.Through(t.Context(), p, "site.invalid:80")
			e := wantReason(t, err, dial.LoginRefused)
			if strings.Contains(e.Sentence(p)+e.Error(), "secret") {
				t.Errorf("the error shows the password: %v", e)
			}
		})
		t.Run(kind+" that cannot reach the site", func(t *testing.T) {
			s, d := start(t, kind, "127.0.0.1:1")
			_, err := d.Through(t.Context(), s.Proxy(), "site.invalid:80")
			wantReason(t, err, dial.SiteRefused)
		})
		t.Run(kind+" that says nothing", func(t *testing.T) {
			l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			p := proxy.Proxy{Type: kind, Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port}
			_, err = dial.Dialer{}.Through(ctx, p, "site.invalid:80")
			wantReason(t, err, dial.TimedOut)
		})
	}
}

// A proxy is a stranger's computer. It must not fill the memory of this one.
func TestTheAnswerOfAProxyIsBoundedAndTheTunnelIsNot(t *testing.T) {
	const size = 32 << 20
	answers := func(parts ...string) proxy.Proxy {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer func() { _ = c.Close() }()
			if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
				return
			}
			for _, part := range parts {
				_, _ = io.WriteString(c, part)
			}
		}()
		return proxy.Proxy{Type: "http", Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port}
	}
	const ok, end = "HTTP/1.1 200 OK\r\n", "\r\n"
	for name, p := range map[string]proxy.Proxy{
		"many headers": answers(ok, strings.Repeat("A: b\r\n", size/6), end),
		"one header":   answers(ok, "A: "+strings.Repeat("b", size), end, end),
		"the status":   answers("HTTP/1.1 200 "+strings.Repeat("b", size), end, end),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := dial.Dialer{}.Through(t.Context(), p, "site.invalid:80")
			wantReason(t, err, dial.NotAProxy)
		})
	}

	c, err := dial.Dialer{}.Through(t.Context(), answers(ok+end+strings.Repeat("t", size)), "site.invalid:80")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if n, err := io.Copy(io.Discard, c); n != size || err != nil {
		t.Errorf("%d bytes came through the tunnel, %v", n, err)
	}
}

func wantReason(t *testing.T, err error, want dial.Reason) *dial.Error {
	t.Helper()
	var e *dial.Error
	if !errors.As(err, &e) || e.Reason != want {
		t.Fatalf("got %v, want %s", err, want)
	}
	return e
}

// talker returns the port of a server that is no proxy: it speaks first.
func talker(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "220 mail.example ready\r\n")
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

func TestGreetTellsWhatIsWrong(t *testing.T) {
	for _, kind := range proxy.Types {
		s, d := start(t, kind, "127.0.0.1:1")
		if err := d.Greet(t.Context(), s.Proxy()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if len(s.Requested()) != 0 {
			t.Errorf("%s: a greeting asked for %v", kind, s.Requested())
		}
	}

	s5, d := start(t, "socks5", "")
	p := s5.Proxy()
	p.Password = "wrong"
	wantReason(t, d.Greet(t.Context(), p), dial.LoginRefused)
	p.Login, p.Password = "", ""
	wantReason(t, d.Greet(t.Context(), p), dial.LoginRefused)
	p.Type = "https"
	wantReason(t, d.Greet(t.Context(), p), dial.NoTLS)
	secure, _ := start(t, "https", "")
	wantReason(t, dial.Dialer{}.Greet(t.Context(), secure.Proxy()), dial.NoTLS) // a certificate that nobody knows
	p.Type, p.Port = "socks5", talker(t)
	wantReason(t, d.Greet(t.Context(), p), dial.NotAProxy)
	s5.Close()
	p = s5.Proxy()
	e := wantReason(t, d.Greet(t.Context(), p), dial.Refused)
	if want := "Nothing listens at 127.0.0.1:" + strconv.Itoa(p.Port) + "."; e.Sentence(p) != want {
		t.Errorf("got %q", e.Sentence(p))
	}
	p.Host = "no-such-name.invalid"
	wantReason(t, d.Greet(t.Context(), p), dial.NameNotFound)
}
