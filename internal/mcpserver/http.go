package mcpserver

import (
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
		c := s.statelessClient(r.Header.Get("Cove-Caller"))
		c.admissions.closeWhenIdle()
		return s.protocolServer(c, groupsOf(r))
	}, &stateless)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= statelessVersion {
			requests.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
}

// statelessClient returns the client of a caller without a session: what a caller has selected depends on who it is.
func (s *Server) statelessClient(caller string) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stateless[caller] == nil {
		s.stateless[caller] = s.makeClient(Hello{})
	}
	return s.stateless[caller]
}

// groupsOf returns the groups of tools that a client over HTTP asks for.
func groupsOf(r *http.Request) []string {
	return strings.FieldsFunc(r.URL.Query().Get("tools"), func(r rune) bool { return r == ',' || r == ' ' })
}
