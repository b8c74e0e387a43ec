package clients

import (
	"fmt"

	"cove/api"
	"cove/internal/clients/edit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Snippet returns the text that a person can paste into a client's file, with the keys that lead to its servers.
func Snippet(c Client, keys []string, x Entry) string {
	return edit.Fresh(c.Format, edit.Path{Keys: keys, Name: x.Name}, c.Shape(x))
}

// Paste returns everything that a person needs to set up a client by hand.
func (r *Registry) Paste(c Client, x Entry) api.MCPSnippet {
	s := api.MCPSnippet{Client: c.Name, Files: c.targets(r.Env, User), Text: Snippet(c, c.Key, x)}
	if c.Project != nil {
		s.Files = append(s.Files, c.targets(r.Env, Project)...)
	}
	if c.Link != nil {
		s.Link = c.Link(x)
	}

	return s
}

// Native returns the entry that runs Cove itself.
func Native(executable string, home paths.Home, id profile.ID) Entry {
	// The data folder is always named. Clients strip the environment, or pass on one that names another data folder, in
	// which this number belongs to another profile.
	args := []string{"mcp", fmt.Sprint(id), "--home", string(home)}

	return Entry{Name: ServerName(id), Profile: id, Command: executable, Args: args}
}

// Wrapped returns the entry that runs the wrapper with Node.
func Wrapped(node, wrapper string, id profile.ID) Entry {
	return Entry{Name: ServerName(id), Profile: id, Command: node, Args: []string{wrapper, fmt.Sprint(id)}}
}

// Node returns the full path of Node. Clients start programs with a PATH of their own, so a name alone is not enough.
func (e Env) Node() (string, error) {
	path, err := e.LookPath("node")
	if err != nil {
		return "", fault.New(fault.CodeNoRuntime, "Node was not found on the PATH, and the wrapper needs it.",
			"Name it by its full path with --node, or leave out --wrapper: the native bridge needs no Node.")
	}

	return path, nil
}

// Warning returns what a person has to know before an agent gets a profile.
func Warning(id profile.ID) string {
	return fmt.Sprintf("The agent will have full access to whatever profile %d is logged in to "+
		"(mail, ads, payments, wallets), so a separate profile without unneeded logins is better.", id)
}

// API returns the state as the API sends it.
func (s State) API() api.MCPClient {
	out := api.MCPClient{Name: s.Client.Name, Title: s.Client.Title, Installed: s.Installed, Files: s.Files,
		Entries: []api.MCPEntry{}}
	for _, scope := range s.Client.Scopes() {
		out.Scopes = append(out.Scopes, string(scope))
	}
	for _, f := range s.Found {
		out.Entries = append(out.Entries, wireEntry(f.Entry, f.Scope, f.Dir, f.File))
	}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}

	return out
}

// API returns the change as the API sends it, with the sentence that says what to do next.
func (c Change) API() api.MCPChange {
	out := api.MCPChange{Client: c.Client.Name, Action: c.Action, Diff: c.Diff,
		Entry: wireEntry(c.Entry, c.Scope, c.Dir, c.File)}
	if c.Action != Unchanged {
		out.Next = c.Client.Restart
	}
	if c.Action == Added && c.Scope == Project && c.Client.Approve != "" {
		out.Next += " " + c.Client.Approve
	}

	return out
}

func wireEntry(x Entry, scope Scope, dir, file string) api.MCPEntry {
	return api.MCPEntry{Name: x.Name, Profile: x.Profile, Scope: string(scope), Folder: dir, File: file,
		Command: x.Command, Args: x.Args}
}
