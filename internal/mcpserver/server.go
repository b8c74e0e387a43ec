// Package mcpserver serves the tools of one open profile to agents, over the Model Context Protocol. It admits clients,
// asks the policy, records what was done and removes secrets from what it answers. The tools themselves are values of
// type Tool; they see a Call and nothing else of the server.
package mcpserver

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cove/internal/journal"
	"cove/internal/mcpserver/activity"
	"cove/internal/mcpserver/download"
	"cove/internal/mcpserver/picture"
	"cove/internal/mcpserver/progress"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/protect"
)

// Config is what a server works with.
type Config struct {
	// Home is the data folder, for the commands that an error names.
	Home paths.Home
	// Name is the profile's name, Version the program's.
	Name, Version string
	// Tools are all tools; a client gets those without a group and those of the groups that it asks for.
	Tools []Tool
	// Browser waits until the profile is open.
	Browser func(ctx context.Context) (*page.Browser, error)
	// Why returns the reason for a call's error when the profile is closing, and the error itself otherwise.
	Why func(ctx context.Context, err error) error
	// Endpoint opens the browser to one program of our own that speaks the protocol itself, until end.
	Endpoint func() (address string, end func(), err error)
	// AskURL returns the address of the page where a person answers a request; "" where there is none. Nil for none.
	AskURL func(name, key string) string
	// Enforcer enforces the profile's policy on every call.
	Enforcer *policy.Enforcer
	// Journal records what was done; nil for nothing.
	Journal journal.Recorder
	// Secrets are what agents may type and never see; nil for none.
	Secrets redaction.Store
	// Shells remembers what agents in shells have seen, for the browser after this one; nil for nothing.
	Shells ShellMemory
	// Files are the files that no tool reads or writes.
	Files *protect.Files
	// ProgressInterval is how often clients hear that a call goes on; 0 for the usual.
	ProgressInterval time.Duration
	Log              *slog.Logger
}

// ShellMemory remembers what agents in shells have seen of a profile. It outlives the browser, so that no number of a
// page and no uid means something else afterwards.
type ShellMemory interface {
	// Recall returns what a caller has seen in browsers before this one, with a notice if that was anything.
	Recall(caller string) Hello
	// Remember keeps the highest page number of a caller, and how many documents there have been.
	Remember(caller string, pages, documents int)
}

// Server serves any number of clients. Its methods may be called from any goroutine.
type Server struct {
	config   Config
	shared   *shared
	activity *activity.Log

	mu       sync.Mutex
	callers  map[string]caller  // clients without a connection: in shells, and over HTTP without a session
	sessions map[string]*client // clients over HTTP, by the ids of their sessions
}

// NewServer makes a server.
func NewServer(c Config) *Server {
	if c.Enforcer == nil {
		c.Enforcer = policy.NewEnforcer(policy.Policy{})
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.ProgressInterval == 0 {
		c.ProgressInterval = progress.Interval
	}

	return &Server{
		config: c,
		shared: &shared{
			home:        c.Home,
			version:     c.Version,
			endpoint:    c.Endpoint,
			askURL:      c.AskURL,
			redact:      redaction.New(c.Secrets, c.Log),
			journal:     c.Journal,
			downloads:   download.NewGuard(c.Enforcer),
			screenshots: picture.NewQueue(),
			last:        &picture.Last{},
		},
		activity: activity.New(),
		callers:  map[string]caller{},
		sessions: map[string]*client{},
	}
}

// Agents returns the clients that are connected now.
func (s *Server) Agents() []activity.Agent { return s.activity.Agents() }

// Actions returns the calls after number n, the oldest first, those under way included.
func (s *Server) Actions(n int) []activity.Action { return s.activity.Actions(n) }

// Changed returns a channel that is closed at the next change of agents or actions.
func (s *Server) Changed() <-chan struct{} { return s.activity.Changed() }

// RedactText removes the secrets of the profile from a text.
func (s *Server) RedactText(text string) string { return s.shared.redact.Text(text) }

// RedactFunc returns the function that removes the secrets of the profile from a text; nil when there are none.
func (s *Server) RedactFunc() func(text string) string {
	if r := s.shared.redact.Current(); r != nil {
		return r.Text
	}
	return nil
}

// GuardDownloads applies the policy to the downloads of a browser until ctx ends.
func (s *Server) GuardDownloads(ctx context.Context, b *page.Browser) {
	s.shared.downloads.Watch(ctx, b)
}

// Flush waits until the journal has everything, at most until ctx ends.
func (s *Server) Flush(ctx context.Context) { s.shared.screenshots.Flush(ctx) }
