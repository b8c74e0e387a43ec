package relay

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"cove/internal/profile"
)

// httpProxy is an upstream that asks for me:secret and maps the name site.invalid, which only it knows.
func httpProxy(t *testing.T, target string) profile.Proxy {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("me:secret")) {
			w.Header().Set("Proxy-Authenticate", "Basic")
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		up, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", target)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = up.Close() }()
		down, rw, _ := http.NewResponseController(w).Hijack()
		defer func() { _ = down.Close() }()
		if r.Method == http.MethodConnect {
			_, _ = io.WriteString(down, "HTTP/1.1 200 OK\r\n\r\n")
		} else {
			r.Header.Del("Proxy-Authorization")
			r.Header.Set("Connection", "close")
			_ = r.Write(up)
		}
		go func() { _, _ = io.Copy(up, rw) }()
		_, _ = io.Copy(down, up)
	}))
	t.Cleanup(srv.Close)
	return upstreamAt(srv.Listener.Addr(), "http")
}

func upstreamAt(addr net.Addr, kind string) profile.Proxy {
	return profile.Proxy{Type: kind, Host: "127.0.0.1", Port: addr.(*net.TCPAddr).Port, Login: "me", Password: "secret"}
}

// socksProxy is the same as httpProxy, for SOCKS5.
func socksProxy(t *testing.T, target string) profile.Proxy {
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
			go serveSocks(c, target)
		}
	}()
	return upstreamAt(l.Addr(), "socks5")
}

func serveSocks(c net.Conn, target string) {
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	read := func(n int) []byte { b := make([]byte, n); _, _ = io.ReadFull(r, b); return b }
	read(int(read(2)[1])) // offered ways to log in
	_, _ = c.Write([]byte{5, 2})
	user := string(read(int(read(2)[1])))
	pass := string(read(int(read(1)[0])))
	if user != "me" || pass != "secret" {
		_, _ = c.Write([]byte{1, 1})
		return
	}
	_, _ = c.Write([]byte{1, 0})
	head := read(4)
	if head[3] != 3 { // a name, not an address: it is resolved here
		_, _ = c.Write([]byte{5, 8, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	read(int(read(1)[0]))
	_ = binary.BigEndian.Uint16(read(2))
	up, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = up.Close() }()
	_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	go func() { _, _ = io.Copy(up, r) }()
	_, _ = io.Copy(c, up)
}

func TestRelay(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the site sees the proxy's password")
		}
		_, _ = io.WriteString(w, "hello "+r.Host)
	})
	plain := httptest.NewServer(hello)
	defer plain.Close()
	secure := httptest.NewTLSServer(hello)
	defer secure.Close()

	for kind, start := range map[string]func(*testing.T, string) profile.Proxy{"http": httpProxy,
		"socks5": socksProxy} {
		for scheme, site := range map[string]*httptest.Server{"http": plain, "https": secure} {
			t.Run("passes "+scheme+" to an upstream of type "+kind+" with its password", func(t *testing.T) {
				up := start(t, site.Listener.Addr().String())
				body, status := fetch(t, up, scheme+"://site.invalid/")
				if status != http.StatusOK || body != "hello site.invalid" {
					t.Fatalf("got %d %q", status, body)
				}
			})
		}
		t.Run("says that a wrong password of type "+kind+" does not work", func(t *testing.T) {
			up := start(t, plain.Listener.Addr().String())
			up.Password = "wrong"
			r := listen(t, up)
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(r.port))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			_, _ = io.WriteString(c, "CONNECT site.invalid:443 HTTP/1.1\r\nHost: site.invalid:443\r\n\r\n")
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || res.StatusCode != http.StatusBadGateway {
				t.Fatalf("got %v, %v", res, err)
			}
			text, _ := io.ReadAll(res.Body)
			if !strings.Contains(string(text), "check its address, login and password") ||
				strings.Contains(string(text), "wrong") {
				t.Fatalf("got %q", text)
			}
		})
	}
	t.Run("refuses a request that is not for a proxy", func(t *testing.T) {
		r := listen(t, profile.Proxy{Type: "http", Host: "127.0.0.1", Port: 1})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.Address()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusBadRequest {
			t.Fatalf("got %v, %v", res, err)
		}
	})
}

func listen(t *testing.T, up profile.Proxy) *Relay {
	t.Helper()
	r, err := Listen(Config{Upstream: up, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func fetch(t *testing.T, up profile.Proxy, address string) (string, int) {
	t.Helper()
	via, _ := url.Parse(listen(t, up).Address())
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(via),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return string(body), res.StatusCode
}
