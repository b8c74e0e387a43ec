package mcpserver

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/policy"
)

// httpClient is a client over HTTP with a session.
type httpClient struct {
	t       *testing.T
	handler http.Handler
	session string
}

// send sends a request and returns the headers of its answer.
func (c *httpClient) send(ctx context.Context, method, body string) http.Header {
	r := httptest.NewRequestWithContext(ctx, method, "/v1/mcp/http", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if w.Code >= http.StatusBadRequest {
		c.t.Errorf("%s: %d %s", method, w.Code, w.Body)
	}
	return w.Header()
}

// listen opens a stream of events.
func (c *httpClient) listen() (hangUp func()) {
	ctx, cancel := context.WithCancel(c.t.Context())
	go c.send(ctx, http.MethodGet, "")
	synctest.Wait()
	return func() {
		cancel()
		synctest.Wait()
	}
}

func (c *httpClient) ping() {
	c.send(c.t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
}

func TestAClientThatHangsUpItsStreamLosesItsTabs(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(c *httpClient)
		kept bool
	}{
		"it has never listened":        {func(*httpClient) {}, true},
		"it listens":                   {func(c *httpClient) { c.listen() }, true},
		"it has hung up":               {func(c *httpClient) { c.listen()() }, false},
		"it listens again":             {func(c *httpClient) { c.listen()(); c.listen() }, true},
		"it has hung up, and calls on": {func(c *httpClient) { c.listen()(); c.ping() }, true},
		"it has given up on a call": {func(c *httpClient) {
			ctx, cancel := context.WithCancel(c.t.Context())
			cancel()
			c.send(ctx, http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := policy.NewEnforcer(policy.Policy{})
				s := NewServer(Config{Enforcer: e})
				one := &httpClient{t: t, handler: s.Handler()}
				one.session = one.send(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize",`+
					`"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex","version":"1"}}}`,
				).Get("Mcp-Session-Id")
				s.sessions[one.session].owner.Opened("1")

				c.act(one)
				<-time.After(time.Minute)
				if kept := e.Tabs().Of("1") == "codex"; kept != c.kept {
					t.Errorf("the tab is %q", e.Tabs().Of("1"))
				}
				one.ping()
				if e.Tabs().Of("1") != "codex" {
					t.Errorf("when it is back, the tab is %q", e.Tabs().Of("1"))
				}

				one.send(t.Context(), http.MethodDelete, "")
				synctest.Wait()
				if len(s.sessions) > 0 || e.Tabs().Of("1") != "" {
					t.Errorf("after its end, the tab is %q", e.Tabs().Of("1"))
				}
			})
		})
	}
}
