package api

// MCPClient is a program that agents run in, such as Claude Code, on this computer.
type MCPClient struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Installed says that it has a folder here, or a program on the PATH.
	Installed bool `json:"installed"`
	// Files is where its entries for this person are or would be.
	Files []string `json:"files"`
	// Scopes is what it has, the usual one first: local, project, user.
	Scopes  []string   `json:"scopes"`
	Entries []MCPEntry `json:"entries"`
	// Error says why one of its files could not be read.
	Error string `json:"error,omitempty"`
}

// MCPEntry is a profile's server in the file of a client.
type MCPEntry struct {
	Name    string `json:"name"`
	Profile int32  `json:"profile"`
	Scope   string `json:"scope"`
	// Folder is the one that a local or project scope belongs to.
	Folder  string   `json:"folder,omitempty"`
	File    string   `json:"file"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// Check is the outcome of a live check, where one was asked for.
	Check *MCPCheck `json:"check,omitempty"`
}

// MCPCheck is what an entry's very command did when it was run.
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

// MCPRequest asks for an entry to be added to a client, or removed.
type MCPRequest struct {
	Profile int32 `json:"profile"`
	// Scope is local, project or user; user when it is empty.
	Scope string `json:"scope,omitempty"`
	// Folder is the one that a local or project scope belongs to, an absolute path.
	Folder string `json:"folder,omitempty"`
	// Name is the server's; cove-ID when it is empty.
	Name string `json:"name,omitempty"`
	// Wrapper runs the devtools MCP server through Node instead of the native bridge.
	Wrapper bool `json:"wrapper,omitempty"`
	// DryRun only tells what would change.
	DryRun bool `json:"dryRun,omitempty"`
}

// MCPChange is what was done to one file of a client.
type MCPChange struct {
	Client string   `json:"client"`
	Action string   `json:"action"`
	Entry  MCPEntry `json:"entry"`
	// Diff shows the change line by line.
	Diff string `json:"diff,omitempty"`
	// Next says what has to be restarted.
	Next string `json:"next,omitempty"`
}

// MCPChanges is the answer to an addition or a removal.
type MCPChanges struct {
	Data []MCPChange `json:"data"`
	// Warning says what an agent may do with a profile.
	Warning string `json:"warning,omitempty"`
}

// MCPSnippet is an entry for a person to paste.
type MCPSnippet struct {
	Client string   `json:"client"`
	Files  []string `json:"files"`
	Text   string   `json:"text"`
	// Link installs the entry with a click, where the client has such an address.
	Link string `json:"link,omitempty"`
}
