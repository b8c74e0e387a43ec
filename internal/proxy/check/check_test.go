package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"cove/internal/proxy"
	"cove/internal/proxy/proxytest"
)

// page serves the check page, and names that it has, on loopback.
func page(t *testing.T, secure bool, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// through runs a proxy that leads every name to the page.
func through(t *testing.T, kind string, to *httptest.Server) *proxytest.Server {
	t.Helper()
	c := proxytest.Config{Type: kind, Login: "me", Password: "secret",
		Resolve: func(string) string { return to.Listener.Addr().String() }}
	if kind == "socks4" {
		c.Password = ""
	}
	return proxytest.Start(t, c)
}

// trusting trusts the certificates of these servers. Those of httptest are all the same.
func trusting(t *testing.T) *tls.Config {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(page(t, true, nil).Certificate())
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

func TestCheckAsksThePageThroughTheProxy(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header["Cookie"])+len(r.Header["Proxy-Authorization"]) > 0 {
			t.Errorf("the page is sent %v", r.Header)
		}
		if r.URL.Path == "/moved" {
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			http.Redirect(w, r, "/json", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, `{"query":"203.0.113.7","countryCode":"DE","country":"Germany","regionName":"Hesse",`+
			`"city":"Frank\u001bfurt","timezone":"Europe/Berlin","extra":[1]}`)
	}
	want := proxy.Check{OK: true, IP: "203.0.113.7", Country: "DE", Region: "Hesse", City: "Frankfurt",
		Timezone: "Europe/Berlin"}
	for _, kind := range proxy.Types {
		for _, scheme := range []string{"http", "https"} {
			s := through(t, kind, page(t, scheme == "https", answer))
			c := Checker{URL: scheme + "://example.com/moved", TLS: trusting(t)}
			got := c.Check(t.Context(), s.Proxy())
			if got.At.IsZero() || got.Latency < 1 {
				t.Errorf("%s, %s: %+v", kind, scheme, got)
			}
			got.At, got.Latency = want.At, 0
			if got != want {
				t.Errorf("%s, %s: got %+v", kind, scheme, got)
			}
			if asked := s.Requested(); len(asked) != 2 || !strings.HasPrefix(asked[0], "example.com:") {
				t.Errorf("%s, %s: the proxy was asked for %v", kind, scheme, asked)
			}
			p := s.Proxy()
			p.Login = "other"
			if got := c.Check(t.Context(), p); got.OK || !strings.Contains(got.Error, "refused the login") {
				t.Errorf("%s, %s with a wrong login: %+v", kind, scheme, got)
			}
		}
	}
}

func TestCheckSaysWhatIsWrongWithThePage(t *testing.T) {
	large := strings.Repeat(" ", maxAnswer) + "1.2.3.4"
	var outside atomic.Int32
	other := page(t, false, func(http.ResponseWriter, *http.Request) { outside.Add(1) })
	s := through(t, "http", page(t, false, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			_, _ = io.WriteString(w, large)
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/none":
			_, _ = io.WriteString(w, `{"city":"1.2.3.4"}`)
		case "/text":
			_, _ = io.WriteString(w, "Your address at 12:30 is 198.51.100.4. Bye 1.1.1.1")
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	for path, want := range map[string]string{"/large": "larger than 64 KiB", "/away": "another host",
		"/loop": "too often", "/none": "no IP address", "/gone": "status 404", "/empty": "no IP address", "/text": ""} {
		got := Checker{URL: "http://check.example" + path}.Check(t.Context(), s.Proxy())
		if got.OK != (want == "") || !strings.Contains(got.Error, want) || got.OK && got.IP != "198.51.100.4" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if outside.Load() != 0 {
		t.Error("a redirect to another host was followed")
	}
}

func TestCheckCallsNobodyButTheProxyByDefault(t *testing.T) {
	for _, kind := range proxy.Types {
		s := through(t, kind, page(t, false, nil))
		c := Checker{TLS: trusting(t)}
		got := c.Check(t.Context(), s.Proxy())
		if !got.OK || got.Latency < 1 || got.IP != "" || len(s.Requested()) != 0 {
			t.Errorf("%s: %+v; the proxy was asked for %v", kind, got, s.Requested())
		}
		hint := c.Hint(s.Proxy())
		untested := strings.Contains(hint, "login was not checked") || strings.Contains(hint, "Only the connection")
		if !strings.Contains(hint, "proxy.check") || untested != (kind != "socks5") {
			t.Errorf("%s: the hint is %q", kind, hint)
		}
		s.Close()
		if got := c.Check(t.Context(), s.Proxy()); got.OK || !strings.HasPrefix(got.Error, "Nothing listens") {
			t.Errorf("%s without a server: %+v", kind, got)
		}
	}
}

func TestAllReportsEachProxyAndStops(t *testing.T) {
	s := through(t, "socks5", page(t, false, nil))
	records := make([]proxy.Record, 40)
	for i := range records {
		records[i] = proxy.Record{ID: proxy.ID(i + 1), Proxy: s.Proxy()}
		if i%2 == 1 {
			records[i].Password = "wrong"
		}
	}
	seen := map[proxy.ID]bool{}
	Checker{}.All(t.Context(), records, func(r proxy.Record, c proxy.Check) {
		if seen[r.ID] || c.OK != (r.ID%2 == 1) {
			t.Errorf("proxy %d: %+v", r.ID, c)
		}
		seen[r.ID] = true
	})
	if len(seen) != len(records) {
		t.Errorf("%d of %d were reported", len(seen), len(records))
	}

	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	Checker{}.All(ctx, records, func(proxy.Record, proxy.Check) {
		if n++; n == 3 {
			cancel()
		}
	})
	if n != 3 {
		t.Errorf("%d results came after the end", n-3)
	}
}

func TestTheHeadersOfTheCheckPageAreBounded(t *testing.T) {
	p := page(t, false, func(w http.ResponseWriter, _ *http.Request) {
		for i := range 2 << 10 {
			w.Header().Set("X-"+strconv.Itoa(i), strings.Repeat("b", 1<<10))
		}
		_, _ = io.WriteString(w, "203.0.113.7")
	})
	for _, kind := range proxy.Types {
		c := Checker{URL: "http://example.com/", TLS: trusting(t)}
		got := c.Check(t.Context(), through(t, kind, p).Proxy())
		if got.OK || !strings.Contains(got.Error, "ended before the check page answered") {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
