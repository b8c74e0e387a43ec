package machine

import (
	"context"
	"path/filepath"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
)

// Clients registers profiles with the MCP clients of this computer.
type Clients interface {
	List(ctx context.Context) ([]api.MCPClient, error)
	Add(ctx context.Context, name string, in api.MCPRequest) (api.MCPChanges, error)
	Remove(ctx context.Context, name string, in api.MCPRequest) (api.MCPChanges, error)
	// CheckEntry runs what the client's entry runs.
	CheckEntry(ctx context.Context, name string, in api.MCPRequest) (api.MCPCheck, error)
	Snippet(ctx context.Context, name string, in api.MCPRequest) (api.MCPSnippet, error)
	InstallSkill(ctx context.Context, name string, in api.SkillRequest) (api.SkillChanges, error)
	RemoveSkill(ctx context.Context, name string, in api.SkillRequest) (api.SkillChanges, error)
}

// ListClients answers GET /clients.
func (h *Handlers) ListClients(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	list, err := h.Clients.List(c.Context())
	return api.MCPClients{Data: list}, err
}

// clientRequest reads a request about a client. With exists, its profile has to exist.
func (h *Handlers) clientRequest(c *call.Call, exists bool) (in api.MCPRequest, err error) {
	if err := c.Decode(&in); err != nil {
		return in, err
	}
	switch {
	case in.Profile < 1:
		return in, fault.Fieldf("profile", "The field \"profile\" must be the ID of a profile.")
	case in.Scope != "" && !slices.Contains([]string{"local", "project", "user"}, in.Scope):
		return in, fault.Fieldf("scope", "%q is not a scope.", in.Scope).WithHint("Use local, project or user.")
	case in.Folder != "" && !filepath.IsAbs(in.Folder):
		return in, fault.Fieldf("folder", "The field \"folder\" must be an absolute path.")
	case in.Scope != "" && in.Scope != "user" && in.Folder == "":
		return in, fault.Fieldf("folder", "The scope %q needs the field \"folder\", an absolute path.", in.Scope)
	}
	if err := c.RequireOwner(); err != nil {
		return in, err
	}
	if exists {
		_, err = h.Profiles.Get(c.Context(), in.Profile)
	}
	return in, err
}

// AddToClient answers POST /clients/{name}/add.
func (h *Handlers) AddToClient(c *call.Call) (any, error) {
	in, err := h.clientRequest(c, true)
	if err != nil {
		return nil, err
	}
	return h.Clients.Add(c.Context(), c.Name, in)
}

// RemoveFromClient answers POST /clients/{name}/remove.
func (h *Handlers) RemoveFromClient(c *call.Call) (any, error) {
	in, err := h.clientRequest(c, false)
	if err != nil {
		return nil, err
	}
	return h.Clients.Remove(c.Context(), c.Name, in)
}

// CheckClient answers POST /clients/{name}/check. It runs what a client's entry runs. That opens the profile, as the
// client does.
func (h *Handlers) CheckClient(c *call.Call) (any, error) {
	in, err := h.clientRequest(c, true)
	if err != nil {
		return nil, err
	}
	c.AllowTime()
	return h.Clients.CheckEntry(c.Context(), c.Name, in)
}

// ClientSnippet answers POST /clients/{name}/snippet.
func (h *Handlers) ClientSnippet(c *call.Call) (any, error) {
	in, err := h.clientRequest(c, true)
	if err != nil {
		return nil, err
	}
	return h.Clients.Snippet(c.Context(), c.Name, in)
}

// skillRequest reads a request about the skill of a client.
func skillRequest(c *call.Call) (in api.SkillRequest, err error) {
	if err := c.Decode(&in); err != nil {
		return in, err
	}
	switch {
	case in.Scope != "" && !slices.Contains([]string{"project", "user"}, in.Scope):
		return in, fault.Fieldf("scope", "%q is not a scope of skills.", in.Scope).WithHint("Use user or project.")
	case in.Folder != "" && !filepath.IsAbs(in.Folder):
		return in, fault.Fieldf("folder", "The field \"folder\" must be an absolute path.")
	case in.Scope == "project" && in.Folder == "":
		return in, fault.Fieldf("folder", "The scope %q needs the field \"folder\", an absolute path.", in.Scope)
	}

	return in, c.RequireOwner()
}

// InstallSkill answers POST /clients/{name}/skill/add.
func (h *Handlers) InstallSkill(c *call.Call) (any, error) {
	in, err := skillRequest(c)
	if err != nil {
		return nil, err
	}
	return h.Clients.InstallSkill(c.Context(), c.Name, in)
}

// RemoveSkill answers POST /clients/{name}/skill/remove.
func (h *Handlers) RemoveSkill(c *call.Call) (any, error) {
	in, err := skillRequest(c)
	if err != nil {
		return nil, err
	}
	return h.Clients.RemoveSkill(c.Context(), c.Name, in)
}
