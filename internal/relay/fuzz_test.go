package relay

import (
	"bufio"
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/internal/policy"
	"cove/internal/policy/site"
)

// wire is a connection that only records what is written to it.
type wire struct {
	net.Conn
	said bytes.Buffer
}

func (w *wire) Write(p []byte) (int, error)      { return w.said.Write(p) }
func (w *wire) SetDeadline(time.Time) error      { return nil }
func (w *wire) SetReadDeadline(time.Time) error  { return nil }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }

// Any SOCKS request leads to one host and port, in the only form that rules are compared with.
func FuzzSocks(f *testing.F) {
	for _, s := range []string{"\x05\x01\x00\x05\x01\x00\x03\x0bexample.com\x01\xbb",
		"\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50", "\x05\x02\x02\x00\x05\x01\x00\x04" +
			strings.Repeat("\x00", 15) + "\x01\x1f\x90", "\x05\x00", "\x04\x01",
		"\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", "\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50",
		"\x05\x01\x00\x05\x01\x00\x03\x01.\x00\x50", "\x05\x01\x00\x05\x01\x00\x03\x04A]..\x00\x50",
		"\x05\x01\x00\x05\x01\x00\x03\x05[::1]\x00\x50", "\x05\x01\x00\x05\x01\x00\x03\x05::1%1\x00\x50"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := &wire{}
		o, err := readSocks(c, bufio.NewReaderSize(bytes.NewReader(raw), 4<<10))
		if c.said.Len() > 2 {
			t.Fatalf("%q was answered with %q", raw, c.said.Bytes())
		}
		if err != nil {
			return
		}
		if o.Host == "" || o.Host != strings.ToLower(o.Host) || strings.HasSuffix(o.Host, ".") || o.Port < 0 ||
			o.Port > 65535 {
			t.Fatalf("%q leads to %+v", raw, o)
		}
		again, ok := site.OriginOfHost(net.JoinHostPort(o.Host, strconv.Itoa(o.Port)))
		if !ok || again != o {
			t.Fatalf("%q leads to %+v, read again as %+v", raw, o, again)
		}
	})
}

// No HTTP request makes the relay connect to a site that is not on the list.
func FuzzHTTP(f *testing.F) {
	for _, s := range []string{"GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"GET https://example.com/ HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET http://allowed.test@evil.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
		"CONNECT [::1]:80 HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST http://EVIL.test.:080/ HTTP/1.0\r\nHost: allowed.test\r\nContent-Length: 1\r\n\r\nx",
		"CONNECT x HTTP/1.1\r\n\r\n"} {
		f.Add([]byte(s))
	}
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	f.Cleanup(site.Close)
	enforcer := policy.NewEnforcer(policy.Policy{Sites: policy.Sites{Allow: []string{"https://allowed.test:1"}}})
	r, err := Listen(Config{Enforcer: enforcer, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(r.Close)
	f.Fuzz(func(t *testing.T, raw []byte) {
		req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil || strings.Contains(strings.ToLower(string(raw)), "allowed.test:1") {
			return
		}
		req.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		if w.Code != http.StatusForbidden && w.Code != http.StatusBadRequest {
			t.Fatalf("%q was answered with %d %s", raw, w.Code, w.Body)
		}
	})
}
