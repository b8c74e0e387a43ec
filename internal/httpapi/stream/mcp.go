package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/session"
)

// Agents reaches the programs that work in open profiles.
type Agents interface {
	// ServeMCP speaks MCP over HTTP. When it returns an error, it has written nothing.
	ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// ServeLive streams the live view. When it returns an error, it has written nothing.
	ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error
	// Glance calls each with every message of a small live view, until ctx or the profile's session ends.
	Glance(ctx context.Context, id profile.ID, each func(json.RawMessage)) error
}

// maxMCP bounds a message of an MCP client.
const maxMCP = 64 << 20

// MCP answers /mcp/{id}. It serves the streamable HTTP transport. A new client opens the profile. A client with an
// older session opens it again only after a crash, never after a person closed it.
func (h *Handlers) MCP(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.W, c.Raw, maxMCP))
	if err != nil {
		return nil, call.ErrTooLarge(maxMCP)
	}
	c.Body = io.NopCloser(bytes.NewReader(body))
	if err := h.open(c, body); err != nil {
		return nil, err
	}
	c.LiftLimits()
	if token, err := c.Token(); err == nil && token != "" { // the keeper tells callers apart by this header
		c.Header.Set("Authorization", "Bearer "+token)
	}
	if err := h.Agents.ServeMCP(c.W, c.Request, c.ID); err != nil {
		return nil, err
	}
	return call.Streamed{}, nil
}

// open opens the profile for an MCP client that is allowed to.
func (h *Handlers) open(c *call.Call, body []byte) error {
	status := h.Sessions.Get(c.ID)
	if status.State == session.Open && status.Mode == session.Automation {
		if c.Header.Get("Mcp-Session-Id") != "" {
			return nil // its keeper decides what becomes of the session
		}
		p, err := h.Profiles.Get(c.Context(), c.ID)
		if err != nil {
			return err
		}
		return h.Sessions.AdmitsAgents(c.Context(), p)
	}
	var m struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(body, &m)
	begins := m.Method == "initialize" || m.Method == "server/discover"
	if c.Header.Get("Mcp-Session-Id") != "" ||
		(!begins && status.State == session.Closed && status.End != session.Crashed && status.End != "") {
		p, err := h.Profiles.Get(c.Context(), c.ID)
		if err != nil {
			return err
		}
		hint := p.OpenHint()
		if !p.External.Set() {
			hint = "Start a new session, or open it with: cove start " + c.ID.String() + " --automation"
		}
		return fault.New(fault.CodeNotOpen, "Profile "+c.ID.String()+" was closed.", hint)
	}
	c.LiftLimits() // the person may have to allow it first
	status, err := h.Sessions.Start(c.Context(), c.ID, session.Options{Mode: session.Automation})
	if fault.KindOf(err) == fault.Conflict && status.State == session.Open && status.Mode == session.Automation {
		return nil
	}
	return err
}
