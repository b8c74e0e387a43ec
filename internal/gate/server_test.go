package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/racetest"
)

func serveGate(t *testing.T, b *browser) *Server {
	t.Helper()
	s, err := Listen(b.mux, Version{Product: "Chrome/1", Protocol: "1.3", Revision: "@r", UserAgent: "UA", JS: "1"},
		Config{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dial(t testing.TB, s *Server) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), fmt.Sprintf("ws://127.0.0.1:%d%s", s.Port(), s.Path()), nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return ws
}

func request(t testing.TB, ws *websocket.Conn, raw []byte) map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := ws.Write(ctx, websocket.MessageText, raw); err != nil {
		t.Fatal(err)
	}
	_, got, err := ws.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(got, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestHTTP(t *testing.T) {
	b := newBrowser(t)
	s := serveGate(t, b)
	base := fmt.Sprintf("http://127.0.0.1:%d", s.Port())
	for _, c := range []struct {
		name, method, path string
		header             http.Header
		status             int
		want               string
	}{
		{"tells its version", "GET", "/json/version", nil, 200, `"WebKit-Version": "537.36 (@r)"`},
		{"takes Playwright's slash", "GET", "/json/version/", nil, 200, s.Path()},
		{"refuses a page", "GET", "/json/version", http.Header{"Origin": {"http://evil.example"}}, 403, "Web pages"},
		{"refuses a typed address", "GET", "/json/version",
			http.Header{"Sec-Fetch-Site": {"none"}, "Sec-Fetch-Mode": {"navigate"}}, 403, ""},
		{"makes no page for a GET", "GET", "/json/new?about:blank", nil, 405, "PUT"},
		{"has no protocol file", "GET", "/json/protocol", nil, 404, "Unknown command"},
		{"refuses a WebSocket with an Origin", "GET", s.Path(), http.Header{"Origin": {"http://127.0.0.1"}}, 403, ""},
		{"knows no other uuid", "GET", "/devtools/browser/00000000-0000-4000-8000-000000000000", nil, 404,
			"No such target"},
		{"knows no other path", "GET", "/devtools/other", nil, 404, "No such target"},
		{"knows nothing else", "GET", "/", nil, 404, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, _ := http.NewRequestWithContext(t.Context(), c.method, base+c.path, nil)
			for k, v := range c.header {
				req.Header[k] = v
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != c.status || !strings.Contains(string(body), c.want) {
				t.Fatalf("got %d %s", res.StatusCode, body)
			}
		})
	}
}

func TestLargeMessages(t *testing.T) {
	b := newFastBrowser(t)
	ws := dial(t, serveGate(t, b))
	const large = 90 << 20 / racetest.Slower
	padding := strings.Repeat("x", large)

	t.Run("a large one passes towards the browser", func(t *testing.T) {
		got := request(t, ws, []byte(`{"method":"Some.thing","params":{"data":"`+padding+`"},"id":1}`))
		result, _ := got["result"].(map[string]any)
		if got["id"] != 1.0 || result["bytes"].(float64) < large {
			t.Fatalf("got %v", got)
		}
	})
	t.Run("a large one passes from the browser", func(t *testing.T) {
		got := request(t, ws, fmt.Appendf(nil, `{"id":2,"method":"Big.please","params":{"Bytes":%d}}`, large))
		result, _ := got["result"].(map[string]any)
		if data, _ := result["data"].(string); got["id"] != 2.0 || len(data) != large {
			t.Fatalf("got id %v and %d bytes", got["id"], len(data))
		}
	})
	if racetest.Slower > 1 {
		return // the rest is a matter of size
	}
	over := strings.Repeat("x", cdp.MaxMessage)
	for name, raw := range map[string]string{
		"the id at the beginning": `{"id":3,"method":"Too.large","params":{"data":"` + over + `"}}`,
		"the id at the end":       `{"method":"Too.large","params":{"data":"` + over + `"},"id":3}`,
	} {
		t.Run("more than 96 MiB is refused with an error that can be read, "+name, func(t *testing.T) {
			got := request(t, ws, []byte(raw))
			e, _ := got["error"].(map[string]any)
			if text, _ := e["message"].(string); got["id"] != 3.0 || !strings.Contains(text, "96 MiB") {
				t.Fatalf("got %v", got)
			}
			if got := request(t, ws, []byte(`{"id":4,"method":"Still.works"}`)); got["id"] != 4.0 {
				t.Fatalf("afterwards: %v", got)
			}
			if len(b.Got("Too.large")) > 0 {
				t.Fatal("it reached the browser")
			}
		})
	}
}

func TestAClientThatStopsReadingIsDroppedAndStallsNobody(t *testing.T) {
	b := newFastBrowser(t)
	s := serveGate(t, b)
	s.maxUnread = 32 << 20
	slow, good := dial(t, s), dial(t, s)
	for _, ws := range []*websocket.Conn{slow, good} { // now both are in
		request(t, ws, []byte(`{"id":1,"method":"Say.hello"}`))
	}
	if n := b.mux.Clients(); n != 2 {
		t.Fatalf("%d clients", n)
	}
	// The client asks for 100 MB and reads none of it.
	for i := range 100 {
		if err := slow.Write(t.Context(), websocket.MessageText,
			fmt.Appendf(nil, `{"id":%d,"method":"Big.please","params":{"Bytes":1000000}}`, i)); err != nil {
			break // dropped already
		}
	}
	for i := range 50 {
		if got := request(t, good, fmt.Appendf(nil, `{"id":%d,"method":"Go.on"}`, i)); got["id"] != float64(i) {
			t.Fatalf("the other client got %v", got)
		}
	}
	for deadline := time.Now().Add(time.Minute); b.mux.Clients() != 1; <-time.After(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the slow client is still there")
		}
	}
	if got := request(t, good, []byte(`{"id":99,"method":"Go.on"}`)); got["id"] != 99.0 {
		t.Fatalf("the other client got %v", got)
	}
}

func TestAClientThatGoesIsDetached(t *testing.T) {
	b := newFastBrowser(t)
	s := serveGate(t, b)
	ws := dial(t, s)
	request(t, ws, []byte(`{"id":1,"method":"Say.hello"}`))
	_ = ws.CloseNow()
	for deadline := time.Now().Add(time.Minute); len(b.Got("Target.detachFromTarget")) == 0; <-time.After(
		5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("its session was not detached")
		}
	}
}
