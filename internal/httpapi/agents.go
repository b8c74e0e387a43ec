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

// Agents are those who work in open profiles.
type Agents interface {
	// ServeMCP speaks MCP over HTTP; with an error nothing has been written.
	ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// ServeLive streams what a person sees of them; with an error nothing has been written.
	ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// Connected tells who works in an open profile.
	Connected(ctx context.Context, id profile.ID) []api.Agent
}

// maxMCP bounds a message of an MCP client.
const maxMCP = 64 << 20

// mcp is the streamable HTTP transport. A new client opens the profile; one that has gone on from before does so only after a
// crash, never against a person who has closed it.
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
	if err := s.Agents.ServeMCP(c.w, c.Request, c.id); err != nil {
		return nil, err
	}
	return streamed{}, nil
}

// open opens the profile for an MCP client that may.
func (c *call) open(body []byte) error {
	s := c.server
	picture := s.Sessions.Get(c.id)
	if picture.State == session.Open && picture.Mode == session.Automation {
		if c.Header.Get("Mcp-Session-Id") != "" {
			return nil // its keeper says what becomes of a session
		}
		p, err := s.Profiles.Get(c.Context(), c.id)
		if err != nil {
			return err
		}
		return s.Sessions.Access.Agents(c.Context(), p)
	}
	var m struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(body, &m)
	begins := m.Method == "initialize" || m.Method == "server/discover"
	if c.Header.Get("Mcp-Session-Id") != "" || (!begins && picture.State == session.Closed && picture.End != session.Crashed && picture.End != "") {
		return fault.New(fault.NotFound, "E_NOT_OPEN", "Profile "+c.id.String()+" was closed.", "Start a new session, or open it with: cove start "+c.id.String()+" --automation")
	}
	c.patient()
	picture, err := s.Sessions.Start(c.Context(), c.id, session.Options{Mode: session.Automation})
	if fault.KindOf(err) == fault.Conflict && picture.State == session.Open && picture.Mode == session.Automation {
		return nil
	}
	return err
}
