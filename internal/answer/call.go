package answer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// Call is a call of a tool by a command in a shell, which ends with the answer. What the agent has selected and seen
// belongs to its session, and outlives the command.
type Call struct {
	// Name and Version are those of the agent, PID is its process; 0 for unknown. Session tells its sessions apart.
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
	Session string `json:"session,omitempty"`
	// Dir is the folder that the command runs in.
	Dir       string          `json:"dir,omitempty"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Patience is how long the call waits for a person, or for the next one-time code; 0 for the usual.
	Patience time.Duration `json:"patience,omitempty"`
	// Out is the file that the command writes its output to; "" for none. The call fails before it does anything where
	// agents may not write it.
	Out string `json:"out,omitempty"`
	// Text asks for the answer as MCP clients read it, and for its image.
	Text bool `json:"text,omitempty"`
}

// shells begins the names of callers in shells. Those of other callers are hashes and the names of tokens.
const shells = "shell/"

// Caller returns the name of the agent's session.
func (c Call) Caller() string { return shells + part(c.Name) + "/" + part(c.Session) }

// maxPart bounds the parts of a caller's name. What is longer is known by its hash.
const maxPart = 100

// part escapes a part of a caller's name, so that no two callers have the same.
func part(text string) string {
	if text = url.PathEscape(text); len(text) <= maxPart {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// IsShell reports whether a caller's name is that of an agent in a shell.
func IsShell(caller string) bool { return strings.HasPrefix(caller, shells) }
