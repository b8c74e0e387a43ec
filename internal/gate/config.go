package gate

import (
	"context"
	"encoding/json"
	"net/netip"

	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/protect"
	"cove/internal/sensitive"
)

// Version is what the browser says about itself.
type Version struct {
	Product   string `json:"product"`
	Protocol  string `json:"protocolVersion"`
	Revision  string `json:"revision"`
	UserAgent string `json:"userAgent"`
	JS        string `json:"jsVersion"`
}

// Config says what the clients of a gate may do, and holds the functions that the gate calls. A nil function is not
// called.
type Config struct {
	// Home is the data folder, for the commands that a refusal names.
	Home paths.Home
	// Enforcer admits every client and authorizes every command. If it is nil, everything is allowed.
	Enforcer *policy.Enforcer
	// Private is for a gate that serves one of the keeper's own programs. The gate answers only requests for the
	// browser's own path.
	Private bool
	// Shared says that the browser is one that its person has opened: no program closes it.
	Shared bool
	// Journal records what programs did; nil records nothing.
	Journal journal.Recorder
	// Token reports whether a bearer token opens the port where the policy binds programs.
	Token func(ctx context.Context, bearer string) bool
	// Who names the process at the other end of a connection. remote is its address, local is ours. Who may take a
	// while.
	Who func(remote, local netip.AddrPort) (name string, pid int)
	// Posted reports whether a target shows the answer to a form.
	Posted func(target string) bool
	// Disconnected is called after a program has disconnected that may have changed what the browser does with
	// downloads. It must not wait.
	Disconnected func()
	// Secrets returns a function that removes the person's secrets from a text, or nil if there are no secrets.
	Secrets func() func(text string) string
	// Handled is called after a large message of so many bytes was handled, so that its memory can be returned to the
	// system.
	Handled func(bytes int)
	// Files protects files: programs may not use them, and pages may not write to them.
	Files *protect.Files
	// Thumbnail returns an image of a page for the person who is asked about it, or nil.
	Thumbnail func(ctx context.Context, target string) []byte
	// PageTools knows the tools that pages offer; nil knows none.
	PageTools PageTools
}

// PageTool is a tool that a page offers, as a person is asked about it.
type PageTool struct {
	// What says in words what a call would do. An approval for a whole session is Bound to the tool's origin and
	// definition. Version is another one for another document or definition.
	What, Bound, Version string
}

// PageTools knows the tools that pages offer.
type PageTools interface {
	// Tool describes a call. ok is false if the page of the target offers no such tool.
	Tool(target, frame, name string, input json.RawMessage) (t PageTool, ok bool)
	// Risk returns the kind of form that the tool may send.
	Risk(ctx context.Context, target, frame, name string) sensitive.Kind
}
