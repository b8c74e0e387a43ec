package relay

import (
	"bufio"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"cove/internal/proxy"
	"cove/internal/proxy/proxytest"
)

// upstream is a proxy that asks for a login and knows every name as target.
func upstream(t *testing.T, kind, target string) proxy.Proxy {
	t.Helper()
	c := proxytest.Config{Type: kind, Login: "me", Password: "secret", Resolve: func(string) string { return target }}
	if kind == "socks4" {
		c.Password = ""
	}
	return proxytest.Start(t, c).Proxy()
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

	for _, kind := range []string{"http", "socks4", "socks5"} {
		for scheme, site := range map[string]*httptest.Server{"http": plain, "https": secure} {
			t.Run("passes "+scheme+" to an upstream of type "+kind+" with its password", func(t *testing.T) {
				up := upstream(t, kind, site.Listener.Addr().String())
				body, status := fetch(t, up, scheme+"://site.invalid/")
				if status != http.StatusOK || body != "hello site.invalid" {
					t.Fatalf("got %d %q", status, body)
				}
			})
		}
		t.Run("says that a wrong password of type "+kind+" does not work", func(t *testing.T) {
			up := upstream(t, kind, plain.Listener.Addr().String())
			up.Login = "wrong"
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
		r := listen(t, proxy.Proxy{Type: "http", Host: "127.0.0.1", Port: 1})
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

func listen(t *testing.T, up proxy.Proxy) *Relay {
	t.Helper()
	r, err := Listen(Config{Upstream: up, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func fetch(t *testing.T, up proxy.Proxy, address string) (string, int) {
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
