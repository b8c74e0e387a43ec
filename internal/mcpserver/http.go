package mcpserver

import (
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/answer"
	"cove/internal/mcpserver/peer"
)

// sessionTimeout ends sessions over HTTP whose client has gone without a word.
const sessionTimeout = 30 * time.Minute

// Handler speaks the streamable HTTP transport. Whoever lets requests through to it has checked the caller.
func (s *Server) Handler() http.Handler {
	options := mcp.StreamableHTTPOptions{
		SessionTimeout:               sessionTimeout,
		DisableLocalhostProtection:   true,
		PropagateRequestCancellation: true,
		MaxRequestBodyBytes:          maxMessage,
	}
	sessions := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		c := s.makeClient(Hello{})
		c.hasSession = true
		return s.protocolServer(c, groupsOf(r))
	}, &options)

	stateless := options
	stateless.Stateless = true
	requests := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		c := s.caller(r.Header.Get("Cove-Caller"))
		c.admissions.CloseWhenIdle()
		return s.protocolServer(c, groupsOf(r))
	}, &stateless)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= peer.StatelessVersion {
			requests.ServeHTTP(w, r)
			return
		}
		defer s.countConnection(r)()
		sessions.ServeHTTP(w, r)
	})
}

// addSession adds a client over HTTP under the id of its session. end removes it.
func (s *Server) addSession(id string, c *client) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[id] = c
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, id)
	}
}

// countConnection counts a request of a client with a session until end. A client that hangs up its last stream of
// events is away until its next word. Nothing else tells that a client has gone: one without a stream may think for as
// long as it likes, and one that hangs up on a call has often only given up on it.
func (s *Server) countConnection(r *http.Request) (end func()) {
	s.mu.Lock()
	c := s.sessions[r.Header.Get("Mcp-Session-Id")]
	s.mu.Unlock()
	if c == nil {
		return func() {}
	}

	c.owner.Back()
	if r.Method == http.MethodGet {
		c.streams.Add(1)
	}
	return func() {
		hungUp := r.Context().Err() != nil
		switch last := r.Method == http.MethodGet && c.streams.Add(-1) == 0; {
		case !hungUp:
			c.owner.Back()
		case last:
			c.owner.Away()
		}
	}
}

// callerLimit is how long a caller without a connection is remembered after its last call.
const callerLimit = 12 * time.Hour

// caller is a client that is known by its name, because it has no connection that ends.
type caller struct {
	*client
	forget *time.Timer
}

// caller returns the client of a caller: what it has selected and seen depends on who it is.
func (s *Server) caller(name string) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.callers[name]; ok {
		known.forget.Reset(callerLimit)
		return known.client
	}
	var hello Hello
	if s.config.Shells != nil && answer.IsShell(name) {
		hello = s.config.Shells.Recall(name)
	}
	c := s.makeClient(hello)
	s.callers[name] = caller{c, time.AfterFunc(callerLimit, func() {
		s.mu.Lock()
		delete(s.callers, name)
		s.mu.Unlock()
		s.forget(c)
		c.admissions.CloseAll()
	})}
	return c
}

// groupsOf returns the groups of tools that a client over HTTP asks for.
func groupsOf(r *http.Request) []string {
	return strings.FieldsFunc(r.URL.Query().Get("tools"), func(r rune) bool { return r == ',' || r == ' ' })
}
