// Package session is the life of a profile while it is open: its states, the legal moves between them, and the
// supervisor that makes the moves.
package session

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// State is a state of a profile's session.
type State string

const (
	// Closed means that no browser runs.
	Closed State = "closed"
	// Starting lasts until the browser accepts commands.
	Starting State = "starting"
	// Open means that the browser accepts commands.
	Open State = "open"
	// Stopping lasts until the browser is gone.
	Stopping State = "stopping"
)

// moves lists the legal moves from each state.
var moves = map[State][]State{
	Closed:   {Starting},
	Starting: {Open, Stopping, Closed},
	Open:     {Stopping, Closed},
	Stopping: {Closed},
}

// Mode says who uses the browser.
type Mode string

const (
	// Automation means that scripts and agents drive the browser through the gate.
	Automation Mode = "automation"
	// Ordinary means that a person uses the browser; nothing can debug it.
	Ordinary Mode = "ordinary"
	// Maintenance means that Cove itself reads or writes the data of a closed profile: hidden, without a network, and
	// only for a moment. To everybody else the profile is closed; a start waits until it is.
	Maintenance Mode = "maintenance"
)

// Options says how a profile is opened.
type Options struct {
	Mode     Mode `json:"mode"`
	Headless bool `json:"headless,omitempty"`
	NoTabs   bool `json:"no_tabs,omitempty"`
	// Shared says that the person shares the browser that the profile stands for. Nobody else may ask that browser.
	Shared bool `json:"-"`
	// Launch is what only this start gives the browser; nil for nothing.
	Launch *Launch `json:"launch,omitempty"`
}

// Launch replaces arguments of a profile for one start. The caller has checked both lists.
type Launch struct {
	// Args takes the place of the profile's arguments.
	Args []string `json:"args,omitempty"`
	// Pages open whatever other tabs open.
	Pages []string `json:"pages,omitempty"`
}

// Endpoint describes an open browser, and where programs reach it.
type Endpoint struct {
	RunID    string    `json:"run_id"`
	Mode     Mode      `json:"mode"`
	PID      int       `json:"pid"`
	Headless bool      `json:"headless"`
	Opened   time.Time `json:"opened"`
	// Port and Path are those of the gate, in automation mode.
	Port int    `json:"port,omitempty"`
	Path string `json:"path,omitempty"`
}

// EndReason says why a session closed.
type EndReason string

const (
	// Stopped means that somebody asked for it.
	Stopped EndReason = "stopped"
	// Exited means that the browser ended in order on its own: the person closed the last window.
	Exited EndReason = "left"
	// Crashed means that the browser or its keeper died.
	Crashed EndReason = "crashed"
	// LetGo means that somebody ended the sharing of a person's browser, which stays open.
	LetGo EndReason = "let-go"
	// Refused means that a person did not allow the connection to their browser.
	Refused EndReason = "refused"
	// SwitchedOff means that a person's browser lets no program connect any more.
	SwitchedOff EndReason = "switched-off"
	// BrowserQuit means that a person has quit the browser that they shared.
	BrowserQuit EndReason = "browser-quit"
	// KeeperEnded means that the keeper that had the connection to a person's browser died.
	KeeperEnded EndReason = "keeper-ended"
)

// Status describes the session of one profile at one moment.
type Status struct {
	ID       profile.ID
	State    State
	Mode     Mode
	Endpoint Endpoint // zero unless open or stopping
	// Step says what the start of a shared browser waits for; "" otherwise.
	Step string
	// End says why the last session closed; "" when there was none.
	End EndReason
	// Failed says why the last start failed. It is nil after a start that worked, and while the profile is not closed.
	Failed *StartFailure
}

// StartFailure is a start that failed.
type StartFailure struct {
	Err *fault.Error
	// Mode is the mode that the start was for.
	Mode Mode
	At   time.Time
}

// Shown returns the status as others see it: a profile that Cove maintains is closed to them.
func (s Status) Shown() Status {
	if s.Mode != Maintenance {
		return s
	}
	return Status{ID: s.ID, State: Closed, End: s.End, Failed: s.Failed}
}

// Runner runs browsers. runner.Runner runs them as processes of this computer.
type Runner interface {
	// Start begins to open a profile and returns before the browser is ready.
	Start(ctx context.Context, p profile.Profile, o Options) (Browser, error)
	// Find returns the browsers that are open or opening already.
	Find(ctx context.Context) (map[profile.ID]Browser, error)
}

// Browser is one running browser.
type Browser interface {
	Mode() Mode
	// Ready waits until the browser accepts commands. It calls at with each step that a person has to take.
	Ready(ctx context.Context, at func(step string)) (Endpoint, error)
	// Stop closes the browser without loss and returns when it is gone.
	Stop(ctx context.Context) error
	// IsClosing asks the browser itself whether it has begun to close, whoever asked for it.
	IsClosing(ctx context.Context) bool
	// Closing returns a channel that is closed when the browser has begun to close. Done follows.
	Closing() <-chan struct{}
	// Done returns a channel that is closed when the browser is gone.
	Done() <-chan struct{}
	// EndReason says why, after Done is closed.
	EndReason() EndReason
}

// Access says whether somebody may open profiles in a mode: logged in, a plan that includes it, and a profile that
// lets agents in.
type Access interface {
	LoggedIn(ctx context.Context) error
	Automation(ctx context.Context) error
	Agents(ctx context.Context, p profile.Profile) error
}

func errOpen(id profile.ID, external bool) *fault.Error {
	if external {
		return fault.New(fault.CodeBrowserRunDuplicate,
			"Profile "+id.String()+" is a person's own browser, and shared already.", nextShared(id))
	}
	return fault.New(fault.CodeBrowserRunDuplicate, "Profile "+id.String()+" is already running.",
		"Use the running one, or close it first with: cove stop "+id.String())
}

func errOrdinary(id profile.ID) *fault.Error {
	return fault.New(fault.CodeBrowserOpenOrdinary,
		"Profile "+id.String()+" is open in ordinary mode, which does not support automation.",
		"Close it first with: cove stop "+id.String())
}

func errStopped(id profile.ID) *fault.Error {
	return fault.New(fault.CodeStopped, "Profile "+id.String()+" was stopped while it was starting.",
		"Start it again.")
}

// nextShared says what can be done with a browser that is shared.
func nextShared(id profile.ID) string {
	return "List the tabs that agents see with: cove page tabs -p " + id.String() +
		". Choose them with: cove adopt share " + id.String()
}

const stillAsks = "If the browser still asks, press Cancel there. Share it again with: cove adopt "

// ErrShareStopped says that a start of a person's own browser was stopped.
func ErrShareStopped(id profile.ID) *fault.Error {
	return fault.New(fault.CodeStopped, "Sharing your browser was cancelled before it was allowed.",
		stillAsks+id.String())
}

// ErrShareLate says that the person has not done their part of sharing their browser in time.
func ErrShareLate(id profile.ID) *fault.Error {
	return fault.New(fault.CodeTimeout, "Nobody allowed the connection to your browser within 30 minutes.",
		stillAsks+id.String())
}

// ErrShareKeeperEnded says that the keeper died which asked a person's browser.
func ErrShareKeeperEnded(id profile.ID) *fault.Error {
	return fault.New(fault.CodeAdoptLost, "Cove's connection to your browser was lost before it was allowed.",
		stillAsks+id.String())
}

func errBusy(text string) *fault.Error {
	return fault.New(fault.CodeTooManyLaunches, text, "Try again in a few seconds.")
}
