// Package session is the life of a profile while it is open: its states, the legal moves between them, and the supervisor
// that makes them.
package session

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// State is where a profile is in its life.
type State string

const (
	Closed   State = "closed"
	Starting State = "starting"
	Open     State = "open"
	Stopping State = "stopping"
)

// moves are the legal ones.
var moves = map[State][]State{
	Closed:   {Starting},
	Starting: {Open, Stopping, Closed},
	Open:     {Stopping, Closed},
	Stopping: {Closed},
}

// Mode is what the browser is open for.
type Mode string

const (
	// Automation: scripts and agents drive it through the gate.
	Automation Mode = "automation"
	// Ordinary: a person uses it; no debugging of any kind.
	Ordinary Mode = "ordinary"
)

// Want is how a profile is to be opened.
type Options struct {
	Mode     Mode `json:"mode"`
	Headless bool `json:"headless,omitempty"`
	NoTabs   bool `json:"no_tabs,omitempty"`
}

// Facts are what is known of an open browser.
type Endpoint struct {
	RunID    string    `json:"run_id"`
	Mode     Mode      `json:"mode"`
	PID      int       `json:"pid"`
	Headless bool      `json:"headless"`
	Opened   time.Time `json:"opened"`
	// Port and Path are the gate's, in automation mode.
	Port int    `json:"port,omitempty"`
	Path string `json:"path,omitempty"`
}

// End is why a session closed.
type EndReason string

const (
	// Stopped: somebody asked for it.
	Stopped EndReason = "stopped"
	// Left: the person closed the last window.
	Left EndReason = "left"
	// Crashed: the browser or its keeper died.
	Crashed EndReason = "crashed"
)

// Picture is what others see of one profile's session; it never changes.
type Status struct {
	ID       profile.ID
	State    State
	Mode     Mode
	Endpoint Endpoint // zero unless open or stopping
	// End tells why the last session closed, "" when there was none.
	End EndReason
}

// Runner runs browsers: here as processes, elsewhere as something else.
type Runner interface {
	// Start begins to open a profile and returns before it is ready.
	Start(ctx context.Context, p profile.Profile, w Options) (Browser, error)
	// Find returns the browsers that are open or opening already.
	Find(ctx context.Context) (map[profile.ID]Browser, error)
}

// Browser is one running browser.
type Browser interface {
	Mode() Mode
	// Ready waits until the browser takes commands.
	Ready(ctx context.Context) (Endpoint, error)
	// Stop closes the browser without loss and returns when it is gone.
	Stop(ctx context.Context) error
	// Closing asks the browser itself whether it has begun to close, whoever asked for it.
	Closing(ctx context.Context) bool
	// Leaving is closed when it has; Ended follows.
	Leaving() <-chan struct{}
	// Ended is closed when the browser is gone; then End tells why.
	Ended() <-chan struct{}
	End() EndReason
}

// Access says whether somebody may open profiles in a mode: logged in, a plan that includes it, and a profile that lets agents in.
type Access interface {
	LoggedIn(ctx context.Context) error
	Automation(ctx context.Context) error
	Agents(ctx context.Context, p profile.Profile) error
}

// Faults of the state table.
func errOpen(id profile.ID) *fault.Error {
	return fault.New(fault.Conflict, "E_BROWSER_RUN_DUPLICATE", "Profile "+id.String()+" is open already.",
		"Use the running one, or close it first with: cove stop "+id.String())
}

func errOrdinary(id profile.ID) *fault.Error {
	return fault.New(fault.Conflict, "E_BROWSER_OPEN_ORDINARY", "Profile "+id.String()+" is open in ordinary mode, where nothing can be automated.",
		"Close it first with: cove stop "+id.String())
}

func errStopped(id profile.ID) *fault.Error {
	return fault.New(fault.Conflict, "E_STOPPED", "Profile "+id.String()+" was stopped while it was starting.", "Start it again.")
}

func errBusy(text string) *fault.Error {
	return fault.New(fault.Busy, "E_TOO_MANY_LAUNCHES", text, "Try again in a few seconds.")
}
