package api

import (
	"context"
	"net/http"
	"net/url"
)

// MCPClient is a program on this computer that agents run in, such as Claude Code.
type MCPClient struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Installed reports whether the client has a folder here, or a program on the PATH.
	Installed bool `json:"installed"`
	// Files are the files that hold, or would hold, the user's entries.
	Files []string `json:"files"`
	// Scopes are the scopes that the client has, the usual one first: local, project, user.
	Scopes  []string   `json:"scopes"`
	Entries []MCPEntry `json:"entries"`
	// Skill is the skill for agents in a shell, in the user's scope. It is absent for a client of which Cove knows no
	// folder for skills.
	Skill *SkillFile `json:"skill,omitempty"`
	// Error says why one of its files could not be read.
	Error string `json:"error,omitempty"`
}

// MCPEntry is a profile's server in the file of a client.
type MCPEntry struct {
	Name    string    `json:"name"`
	Profile ProfileID `json:"profile"`
	Scope   string    `json:"scope"`
	// Folder is the folder of a local or project scope.
	Folder  string   `json:"folder,omitempty"`
	File    string   `json:"file"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// Check is the result of a live check, if one was requested.
	Check *MCPCheck `json:"check,omitempty"`
}

// MCPCheck is the result of running an entry's own command.
type MCPCheck struct {
	Connected bool    `json:"connected"`
	Tools     int     `json:"tools"`
	Millis    float64 `json:"ms"`
	Error     string  `json:"error,omitempty"`
	// Own is what the client's own list says of the entry.
	Own string `json:"own,omitempty"`
}

// MCPClients is a list of clients.
type MCPClients struct {
	Data []MCPClient `json:"data"`
}

// MCPRequest asks to add an entry to a client, or to remove one.
type MCPRequest struct {
	Profile ProfileID `json:"profile"`
	// Scope is local, project or user. Empty means user.
	Scope string `json:"scope,omitempty"`
	// Folder is the absolute path of the folder of a local or project scope.
	Folder string `json:"folder,omitempty"`
	// Name is the name of the server. Empty means cove-ID.
	Name string `json:"name,omitempty"`
	// Wrapper runs the devtools MCP server through Node instead of the native bridge.
	Wrapper bool `json:"wrapper,omitempty"`
	// DryRun only reports what would change.
	DryRun bool `json:"dryRun,omitempty"`
}

// MCPChange is a change to one file of a client.
type MCPChange struct {
	Client string   `json:"client"`
	Action string   `json:"action"`
	Entry  MCPEntry `json:"entry"`
	// Diff shows the change line by line.
	Diff string `json:"diff,omitempty"`
	// Next says what has to be restarted.
	Next string `json:"next,omitempty"`
}

// MCPChanges is the answer to adding or removing an entry.
type MCPChanges struct {
	Data []MCPChange `json:"data"`
	// Warning says what an agent can do with a profile.
	Warning string `json:"warning,omitempty"`
}

// MCPSnippet is an entry for a person to paste.
type MCPSnippet struct {
	Client string   `json:"client"`
	Files  []string `json:"files"`
	Text   string   `json:"text"`
	// Link installs the entry with a click, if the client supports that.
	Link string `json:"link,omitempty"`
}

// MCPClientCalls are the calls about MCP clients, their entries for profiles and their skills.
type MCPClientCalls struct{ client *Client }

// MCPClients returns the calls about the MCP clients of this computer.
func (c *Client) MCPClients() MCPClientCalls { return MCPClientCalls{c} }

// List lists the MCP clients of this computer and their entries for profiles.
func (c MCPClientCalls) List(ctx context.Context) ([]MCPClient, error) {
	var l MCPClients
	err := c.client.Do(ctx, http.MethodGet, "/clients", nil, &l)
	return l.Data, err
}

// Add registers a profile with a client.
func (c MCPClientCalls) Add(ctx context.Context, name string, in MCPRequest) (m MCPChanges, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/clients/"+url.PathEscape(name)+"/add", in, &m)
	return m, err
}

// Remove removes a profile from a client.
func (c MCPClientCalls) Remove(ctx context.Context, name string, in MCPRequest) (m MCPChanges, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/clients/"+url.PathEscape(name)+"/remove", in, &m)
	return m, err
}

// InstallSkill installs the skill for agents in a shell for a client.
func (c MCPClientCalls) InstallSkill(ctx context.Context, name string, in SkillRequest) (s SkillChanges, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/clients/"+url.PathEscape(name)+"/skill/add", in, &s)
	return s, err
}

// RemoveSkill removes the skill from a client.
func (c MCPClientCalls) RemoveSkill(ctx context.Context, name string, in SkillRequest) (s SkillChanges, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/clients/"+url.PathEscape(name)+"/skill/remove", in, &s)
	return s, err
}

// Snippet returns an entry that a person can paste into a client's file.
func (c MCPClientCalls) Snippet(ctx context.Context, name string, in MCPRequest) (s MCPSnippet, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/clients/"+url.PathEscape(name)+"/snippet", in, &s)
	return s, err
}
