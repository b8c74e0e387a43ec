package keeperclient

import (
	"errors"
	"strings"
	"syscall"

	"cove/internal/chromium"
	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
)

// Spec tells a new keeper what to open. It goes to the keeper's standard input, because it may contain a proxy's
// password.
type Spec struct {
	ID        profile.ID       `json:"id"`
	Name      string           `json:"name"`
	Dir       paths.ProfileDir `json:"dir"`
	Log       string           `json:"log"`
	Version   string           `json:"version"`
	Requested session.Options  `json:"want"`
	Browser   string           `json:"browser"`
	Options   chromium.Options `json:"options"`
	Proxy     proxy.Proxy      `json:"proxy"`
	Policy    policy.Policy    `json:"policy"`
	// External is the browser that the person shares, for a profile that stands for one.
	External profile.External `json:"external,omitzero"`
	// Extensions are those of the profile.
	Extensions []extension.Install `json:"extensions,omitempty"`
	// Panic is a file that exists while every agent is suspended.
	Panic   string           `json:"panic"`
	Journal journal.Location `json:"journal"`
	Bounds  journal.Bounds   `json:"bounds"`
	// RequestMinutes is how long a request of an agent stays open; 0 for the usual.
	RequestMinutes int `json:"ask_minutes,omitempty"`
	// App is the process that starts the keeper.
	App process.ID `json:"app"`
}

// Hello is the one line that a new keeper writes to its standard output: its record, or why there is none.
type Hello struct {
	Record *Record      `json:"record,omitempty"`
	Fault  *fault.Error `json:"fault,omitempty"`
}

// Status is the state of a keeper's session, as /v1/watch streams it.
type Status struct {
	State    session.State    `json:"state"`
	Endpoint session.Endpoint `json:"facts"`
	// Step is what a start waits for that a person has to do.
	Step string `json:"step,omitempty"`
	// End and Fault are set when the state is closed. End says why; Fault explains a start that failed.
	End   session.EndReason `json:"end,omitempty"`
	Fault *fault.Error      `json:"fault,omitempty"`
}

// ErrKeeperRunning says that another keeper holds the profile's lock.
var ErrKeeperRunning = fault.New(fault.CodeBrowserRunDuplicate, "Another keeper has the profile open.",
	"Close it first, or wait a moment and try again.")

// LaunchFault explains why a browser did not start.
func LaunchFault(text string, err error) *fault.Error {
	if errors.Is(err, syscall.ENOSPC) {
		return fault.DiskFull("The disk is full, so the profile was not opened.").Because(err)
	}
	text = strings.TrimSuffix(text, ".") + ": " + err.Error() + "."
	return fault.New(fault.CodeBrowserLaunch, text, "The log tells more: cove logs").Because(err)
}
