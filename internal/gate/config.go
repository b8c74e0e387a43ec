package gate

import (
	"context"
	"net/netip"

	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/protect"
)

// Version is what the browser says about itself.
type Version struct {
	Product   string `json:"product"`
	Protocol  string `json:"protocolVersion"`
	Revision  string `json:"revision"`
	UserAgent string `json:"userAgent"`
	JS        string `json:"jsVersion"`
}

// Config says what a gate lets its clients do, and whom it asks and tells about that. Functions that are nil are not
// called.
type Config struct {
	// Home is the data folder, for the commands that a refusal names.
	Home paths.Home
	// Enforcer admits every client and authorizes every command. If it is nil, everything is allowed.
	Enforcer *policy.Enforcer
	// Private is for a program of the keeper's own: whoever knows the path comes in, and nothing else is answered.
	Private bool
	// Journal records what programs did; nil records nothing.
	Journal journal.Recorder
	// Token reports whether a bearer token opens the port where the policy binds programs.
	Token func(ctx context.Context, bearer string) bool
	// Who names the process at the other end of a connection. remote is its address, local is ours. It may take a
	// while.
	Who func(remote, local netip.AddrPort) (name string, pid int)
	// Posted reports whether a target shows the answer to a form.
	Posted func(target string) bool
	// Disconnected is called when a program is gone that may have told the browser what to do with downloads. It must
	// not wait.
	Disconnected func()
	// Secrets returns a function that takes the person's secrets out of a text, or nil if there are none.
	Secrets func() func(text string) string
	// Handled is called when a large message of so many bytes was handled, so that its memory can be given back.
	Handled func(bytes int)
	// Files are the files that no program is given and no page writes to.
	Files *protect.Files
	// Thumbnail returns an image of a page for the person who is asked about it, or nil.
	Thumbnail func(ctx context.Context, target string) []byte
}
