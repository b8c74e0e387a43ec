package relay

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	socks "golang.org/x/net/proxy"

	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/proxy"
	"cove/internal/proxy/proxytest"
)

// filtered returns a relay with rules, its enforcer, and a client that uses the relay and leaves names to it.
func filtered(t *testing.T, p policy.Policy, up proxy.Proxy, own func(int) bool) (*Relay, *policy.Enforcer,
	*http.Client) {
	t.Helper()
	enforcer := policy.NewEnforcer(p)
	r, err := Listen(Config{Upstream: up, Enforcer: enforcer, Own: own, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	if r.Scheme() != "socks5" {
		t.Fatalf("it speaks %s", r.Scheme())
	}
	d, err := socks.SOCKS5("tcp", "127.0.0.1:"+strconv.Itoa(r.port), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, enforcer, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, n, a string) (net.Conn, error) {
			return d.(socks.ContextDialer).DialContext(ctx, n, a)
		}}}
}

func get(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

func TestFilter(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = io.WriteString(w, "hello "+r.Host)
	})
	plain, secure := httptest.NewServer(hello), httptest.NewTLSServer(hello)
	defer plain.Close()
	defer secure.Close()
	port, tlsPort := plain.Listener.Addr().(*net.TCPAddr).Port, secure.Listener.Addr().(*net.TCPAddr).Port
	own := 0
	r, enforcer, client := filtered(t, policy.Policy{}, proxy.Proxy{}, func(p int) bool { return p == own })

	at := func(scheme, host string, port int) string { return fmt.Sprintf("%s://%s:%d/", scheme, host, port) }
	for name, c := range map[string]struct {
		allow, block []string
		address      string
		says         string // of the refusal; empty when it is let through
	}{
		"everything without a rule": {address: at("http", "a.localhost", port)},
		"an allowed site": {allow: []string{at("http", "a.localhost", port)},
			address: at("http", "a.localhost", port)},
		"another site": {allow: []string{at("http", "a.localhost", port)},
			address: at("http", "b.localhost", port), says: "allows only"},
		"a blocked site": {block: []string{at("http", "b.localhost", port)},
			address: at("http", "b.localhost", port), says: "blocks"},
		"a name for a blocked address": {block: []string{at("http", "127.0.0.1", port)},
			address: at("http", "b.localhost", port), says: "blocks"},
		"an address of a blocked name": {block: []string{at("http", "localhost", port)},
			address: at("http", "127.0.0.1", port), says: "blocks"},
		"https where https is allowed": {allow: []string{at("https", "a.localhost", tlsPort)},
			address: at("https", "a.localhost", tlsPort)},
		"http where only https is allowed": {allow: []string{at("https", "a.localhost", port)},
			address: at("http", "a.localhost", port), says: "allows only"},
		"http where https of that port is blocked": {block: []string{at("https", "a.localhost", port)},
			address: at("http", "a.localhost", port)},
	} {
		t.Run(name, func(t *testing.T) {
			p := policy.Policy{Sites: policy.Sites{Allow: c.allow, Block: c.block}}
			if err := p.Clean(); err != nil {
				t.Fatal(err)
			}
			enforcer.Set(p)
			client.CloseIdleConnections()
			status, body := get(t, client, c.address)
			rule, _ := r.LastFailure(c.address)
			switch {
			case c.says == "" && (status != http.StatusOK || !strings.HasPrefix(body, "hello ") || rule != ""):
				t.Errorf("got %d %q, %q", status, body, rule)
			case c.says != "" && (status == http.StatusOK || !strings.Contains(rule, c.says)):
				t.Errorf("got %d %q, %q", status, body, rule)
			}
		})
	}
	t.Run("a grant opens one origin until the policy changes", func(t *testing.T) {
		p := policy.Policy{Sites: policy.Sites{Allow: []string{"https://a.test"},
			Block: []string{at("http", "c.localhost", port)}}}
		enforcer.Set(p)
		for _, host := range []string{"b.localhost", "c.localhost"} {
			enforcer.Grant(site.Origin{Scheme: "http", Host: host, Port: port})
		}
		client.CloseIdleConnections()
		if status, _ := get(t, client, at("http", "b.localhost", port)); status != http.StatusOK {
			t.Errorf("granted: %d", status)
		}
		if status, _ := get(t, client, at("http", "c.localhost", port)); status != http.StatusForbidden {
			t.Errorf("granted and blocked: %d", status)
		}
		enforcer.Set(p)
		client.CloseIdleConnections()
		if status, _ := get(t, client, at("http", "b.localhost", port)); status != http.StatusForbidden {
			t.Errorf("after a change: %d", status)
		}
	})
	t.Run("our own ports", func(t *testing.T) {
		enforcer.Set(policy.Policy{})
		client.CloseIdleConnections()
		own = port
		defer func() { own = 0 }()
		for _, p := range []int{port, r.port} {
			if status, body := get(t, client, at("http", "localhost", p)); status != http.StatusForbidden ||
				!strings.Contains(body, "own ports") {
				t.Errorf("got %d %q", status, body)
			}
		}
	})
	t.Run("tells how a connection failed", func(t *testing.T) {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		closed := at("http", "127.0.0.1", l.Addr().(*net.TCPAddr).Port)
		_ = l.Close()
		_, _ = get(t, client, closed)
		if _, failure := r.LastFailure(closed); failure != "net::ERR_CONNECTION_REFUSED" {
			t.Errorf("got %q", failure)
		}
	})
}

// A proxy that runs on this computer knows the names of this computer, and leads to its ports.
func TestNoProxyLeadsToCovesOwnPorts(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	cove, other := httptest.NewServer(hello), httptest.NewServer(hello)
	defer cove.Close()
	defer other.Close()
	own, free := cove.Listener.Addr().(*net.TCPAddr).Port, other.Listener.Addr().(*net.TCPAddr).Port
	here := []string{"localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "127.1", "2130706433", "0x7f.1",
		"[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "[::ffff:0:0]", "local.adspower.net", "Local.AdsPower.com."}

	for _, kind := range []string{"", "http", "socks4", "socks5"} {
		for _, enforcer := range []*policy.Enforcer{nil, policy.NewEnforcer(policy.Policy{})} {
			t.Run(fmt.Sprintf("%q, rules %v", kind, enforcer != nil), func(t *testing.T) {
				local := func(asked string) string {
					_, port, _ := net.SplitHostPort(asked)
					return net.JoinHostPort("127.0.0.1", port)
				}
				up := proxytest.Start(t, proxytest.Config{Type: cmp.Or(kind, "http"), Resolve: local})
				c := Config{Enforcer: enforcer, Own: func(p int) bool { return p == own },
					Log: slog.New(slog.DiscardHandler)}
				if kind != "" {
					c.Upstream = up.Proxy()
				}
				r, err := Listen(c)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				via, _ := url.Parse(r.Address())
				client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(via), DisableKeepAlives: true}}

				for _, host := range here {
					for _, port := range []int{own, r.Port()} {
						address := fmt.Sprintf("http://%s:%d/", host, port)
						if status, body := get(t, client, address); status != http.StatusForbidden ||
							!strings.Contains(body, "own ports") {
							t.Errorf("%s: %d %q", address, status, body)
						}
					}
				}
				if asked := up.Requested(); len(asked) != 0 {
					t.Errorf("the proxy was asked for %v", asked)
				}
				for _, host := range []string{"localhost", "127.0.0.1"} { // a server that somebody develops
					if status, body := get(t, client, fmt.Sprintf("http://%s:%d/", host, free)); status != http.StatusOK {
						t.Errorf("%s: %d %q", host, status, body)
					}
				}
				if asked := up.Requested(); len(asked) != 0 {
					t.Errorf("the proxy was asked for %v", asked)
				}
				if kind == "" {
					return
				}
				for host, port := range map[string]int{"site.invalid": own, "local.adspower.net": free} {
					address := fmt.Sprintf("http://%s:%d/", host, port)
					if status, body := get(t, client, address); status != http.StatusOK {
						t.Errorf("%s: %d %q", address, status, body)
					}
				}
				if asked := up.Requested(); len(asked) != 2 {
					t.Errorf("the proxy was asked for %v", asked)
				}
			})
		}
	}
}

func TestARuleCutsWhatIsOpen(t *testing.T) {
	ended := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}))
	defer s.Close()
	_, enforcer, client := filtered(t, policy.Policy{}, proxy.Proxy{}, nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	enforcer.Set(policy.Policy{Sites: policy.Sites{Block: []string{"*"}}})
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the answer ended well")
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the site's side stays open")
	}
}

func TestRulesHoldBeforeAnUpstream(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = io.WriteString(w, "hello "+r.Host)
	}))
	defer site.Close()
	p := policy.Policy{Sites: policy.Sites{Allow: []string{"http://site.invalid"}}}
	t.Run("socks5", func(t *testing.T) {
		_, _, client := filtered(t, p, upstream(t, "socks5", site.Listener.Addr().String()), nil)
		if status, body := get(t, client, "http://site.invalid/"); status != http.StatusOK ||
			body != "hello site.invalid" {
			t.Errorf("got %d %q", status, body)
		}
		if status, body := get(t, client, "http://other.invalid/"); status != http.StatusForbidden ||
			!strings.Contains(body, "allows only") {
			t.Errorf("got %d %q", status, body)
		}
	})
	t.Run("http", func(t *testing.T) {
		r, err := Listen(Config{Upstream: upstream(t, "http", site.Listener.Addr().String()), Enforcer: policy.NewEnforcer(p),
			Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for request, want := range map[string]int{"GET http://site.invalid/": 200, "GET http://other.invalid/": 403,
			"CONNECT site.invalid:80": 200, "CONNECT other.invalid:443": 403} {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(r.port))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(c, request+" HTTP/1.1\r\nHost: x\r\n\r\n")
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || res.StatusCode != want {
				t.Errorf("%s: %v, %v", request, res, err)
			}
			_ = c.Close()
		}
	})
}

func TestThePortOfASchemeIsNoOtherScheme(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	plain, secure := httptest.NewServer(hello), httptest.NewTLSServer(hello)
	defer plain.Close()
	defer secure.Close()
	for _, c := range []struct {
		sites   policy.Sites
		target  *httptest.Server
		address string
		let     bool
	}{
		{policy.Sites{Allow: []string{"https://site.invalid"}}, plain, "http://site.invalid:443/", false},
		{policy.Sites{Allow: []string{"https://site.invalid"}}, secure, "https://site.invalid/", true},
		{policy.Sites{Allow: []string{"http://site.invalid"}}, secure, "https://site.invalid:80/", false},
		{policy.Sites{Allow: []string{"http://site.invalid"}}, plain, "http://site.invalid/", true},
		{policy.Sites{Block: []string{"http://site.invalid:443"}}, plain, "http://site.invalid:443/", false},
		{policy.Sites{Block: []string{"http://site.invalid:443"}}, secure, "https://site.invalid/", true},
		{policy.Sites{Block: []string{"https://site.invalid:80"}}, secure, "https://site.invalid:80/", false},
	} {
		up := upstream(t, "socks5", c.target.Listener.Addr().String())
		r, _, client := filtered(t, policy.Policy{Sites: c.sites}, up,
			nil)
		status, body := get(t, client, c.address)
		if (status == http.StatusOK) != c.let {
			t.Errorf("%v: %s: %d %s", c.sites, c.address, status, body)
		}
		if rule, _ := r.LastFailure(c.address); (rule == "") != c.let {
			t.Errorf("%v: %s: the rule is %q", c.sites, c.address, rule)
		}
	}
}
