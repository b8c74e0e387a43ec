// Package webmcp has the tools that the documents of one tab offer to agents (WebMCP): what they are, and their
// invocations. All that a page says of its tools is the page's claim.
package webmcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"cove/internal/wording"
)

type object = map[string]any

// Tool is one tool of a document, as the page describes it.
type Tool struct {
	Name string
	// Description is cut: a page can write any length.
	Description string
	// Schema describes the input; nil if the page gives none, or one that is too long to be kept.
	Schema json.RawMessage
	Hints  Hints
	// Frame is the frame of the document, and Document tells the documents of a tab apart.
	Frame    string
	Document int
	// Form is the browser's number for the form whose fields are the input; 0 for a tool of a script.
	Form int
	// Hash stands for the whole definition.
	Hash string

	session string
	order   int
}

// Hints are what a page claims about a tool. Nothing is decided by them.
type Hints struct {
	ReadOnly         bool `json:"readOnly"`
	UntrustedContent bool `json:"untrustedContent"`
	Consequential    bool `json:"consequential"`
	Debugging        bool `json:"debugging"`
	// Autosubmit says that the form is sent as soon as it is filled in.
	Autosubmit bool `json:"autosubmit"`
}

// IsForm reports whether the tool is a form of the page.
func (t Tool) IsForm() bool { return t.Form != 0 }

// Same reports whether both are the same tool of the same document, with the same definition.
func (t Tool) Same(other Tool) bool {
	return t.Name == other.Name && t.Frame == other.Frame && t.Document == other.Document && t.Hash == other.Hash
}

// Bounds of what is kept of a definition. The browser has none.
const (
	maxDescription = 2000
	maxSchema      = 64 << 10
	// maxTools is how many tools of a tab are kept, and maxKept how many bytes of their texts.
	maxTools = 5000
	maxKept  = 8 << 20
)

// definition is a tool as the browser reports it.
type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
	Annotations json.RawMessage `json:"annotations"`
	Frame       string          `json:"frameId"`
	Form        int             `json:"backendNodeId"`
}

// tool returns what is kept of a definition.
func (d definition) tool() Tool {
	t := Tool{Name: d.Name, Description: wording.Shorten(d.Description, maxDescription), Frame: d.Frame, Form: d.Form}
	_ = json.Unmarshal(d.Annotations, &t.Hints) // what cannot be read is no hint
	if len(d.Schema) <= maxSchema {
		t.Schema = d.Schema
	}

	whole, _ := json.Marshal([]any{d.Name, d.Description, d.Schema, d.Annotations, d.Form})
	sum := sha256.Sum256(whole)
	t.Hash = hex.EncodeToString(sum[:])
	return t
}

// size is how many bytes of text the tool holds.
func (t Tool) size() int { return len(t.Description) + len(t.Schema) }
