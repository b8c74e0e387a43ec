package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/session"
)

// Agents reaches the programs that work in open profiles.
type Agents interface {
	// ServeMCP speaks MCP over HTTP. When it returns an error, it has written nothing.
	ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// ServeLive streams the live view. When it returns an error, it has written nothing.
	ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// Connected lists who works in an open profile.
	Connected(ctx context.Context, id profile.ID) []api.Agent
}

// maxMCP bounds a message of an MCP client.
const maxMCP = 64 << 20

// mcp serves the streamable HTTP transport. A new client opens the profile. A client with an older session opens it
// again only after a crash, never after a person closed it.
func (s *Server) mcp(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.raw, maxMCP))
	if err != nil {
		return nil, errTooLarge()
	}
	c.Body = io.NopCloser(bytes.NewReader(body))
	if err := c.open(body); err != nil {
		return nil, err
	}
	limits := http.NewResponseController(c.w)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Time{})
	if err := s.config.Agents.ServeMCP(c.w, c.Request, c.id); err != nil {
		return nil, err
	}
	return streamed{}, nil
}

// open opens the profile for an MCP client that is allowed to.
func (c *call) open(body []byte) error {
	s := c.server
	status := s.config.Sessions.Get(c.id)
	if status.State == session.Open && status.Mode == session.Automation {
		if c.Header.Get("Mcp-Session-Id") != "" {
			return nil // its keeper decides what becomes of the session
		}
		p, err := s.config.Profiles.Get(c.Context(), c.id)
		if err != nil {
			return err
		}
		return s.config.Sessions.AdmitsAgents(c.Context(), p)
	}
	var m struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(body, &m)
	begins := m.Method == "initialize" || m.Method == "server/discover"
	if c.Header.Get("Mcp-Session-Id") != "" ||
		(!begins && status.State == session.Closed && status.End != session.Crashed && status.End != "") {
		return fault.New(fault.CodeNotOpen, "Profile "+c.id.String()+" was closed.",
			"Start a new session, or open it with: cove start "+c.id.String()+" --automation")
	}
	c.allowTime()
	status, err := s.config.Sessions.Start(c.Context(), c.id, session.Options{Mode: session.Automation})
	if fault.KindOf(err) == fault.Conflict && status.State == session.Open && status.Mode == session.Automation {
		return nil
	}
	return err
}
