package httpapi

import (
	"context"
	"path/filepath"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Clients registers profiles with the MCP clients of this computer.
type Clients interface {
	List(ctx context.Context) ([]api.MCPClient, error)
	Add(ctx context.Context, name string, in api.MCPRequest) (api.MCPChanges, error)
	Remove(ctx context.Context, name string, in api.MCPRequest) (api.MCPChanges, error)
	// CheckEntry runs what the client's entry runs.
	CheckEntry(ctx context.Context, name string, in api.MCPRequest) (api.MCPCheck, error)
	Snippet(ctx context.Context, name string, in api.MCPRequest) (api.MCPSnippet, error)
}

func (s *Server) clients(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	list, err := s.Clients.List(c.Context())
	return api.MCPClients{Data: list}, err
}

// clientRequest reads what is asked of a client; its profile has to be there when it is to be added.
func (c *call) clientRequest(exists bool) (in api.MCPRequest, err error) {
	if err := c.decode(&in); err != nil {
		return in, err
	}
	switch {
	case in.Profile < 1:
		return in, fault.Invalidf("The field \"profile\" has to be the id of a profile.")
	case in.Scope != "" && !slices.Contains([]string{"local", "project", "user"}, in.Scope):
		return in, fault.Invalidf("%q is not a scope.", in.Scope).WithHint("Use local, project or user.")
	case in.Folder != "" && !filepath.IsAbs(in.Folder):
		return in, fault.Invalidf("The field \"folder\" has to be an absolute path.")
	case in.Scope != "" && in.Scope != "user" && in.Folder == "":
		return in, fault.Invalidf("The scope %q needs the field \"folder\", an absolute path.", in.Scope)
	}
	if err := c.requireOwner(); err != nil {
		return in, err
	}
	if exists {
		_, err = c.server.Profiles.Get(c.Context(), profile.ID(in.Profile))
	}
	return in, err
}

func (s *Server) addToClient(c *call) (any, error) {
	in, err := c.clientRequest(true)
	if err != nil {
		return nil, err
	}
	return s.Clients.Add(c.Context(), c.name, in)
}

func (s *Server) removeFromClient(c *call) (any, error) {
	in, err := c.clientRequest(false)
	if err != nil {
		return nil, err
	}
	return s.Clients.Remove(c.Context(), c.name, in)
}

// checkClient runs what a client's entry runs; that opens the profile, as the client does.
func (s *Server) checkClient(c *call) (any, error) {
	in, err := c.clientRequest(true)
	if err != nil {
		return nil, err
	}
	c.patient()
	return s.Clients.CheckEntry(c.Context(), c.name, in)
}

func (s *Server) clientSnippet(c *call) (any, error) {
	in, err := c.clientRequest(true)
	if err != nil {
		return nil, err
	}
	return s.Clients.Snippet(c.Context(), c.name, in)
}
