// Package httpapi serves the local HTTP API: guard, routing, errors. The packages below it answer the calls.
package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/guard"
	"cove/internal/httpapi/accounts"
	"cove/internal/httpapi/adopt"
	"cove/internal/httpapi/agents"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/cookies"
	"cove/internal/httpapi/extensions"
	"cove/internal/httpapi/fingerprints"
	"cove/internal/httpapi/folders"
	"cove/internal/httpapi/imports"
	"cove/internal/httpapi/jobs"
	loginapi "cove/internal/httpapi/logins"
	"cove/internal/httpapi/machine"
	"cove/internal/httpapi/pages"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/profiles"
	"cove/internal/httpapi/proxies"
	"cove/internal/httpapi/reference"
	"cove/internal/httpapi/sessions"
	"cove/internal/httpapi/signin"
	"cove/internal/httpapi/statuses"
	"cove/internal/httpapi/stream"
	"cove/internal/httpapi/views"
	"cove/internal/job"
	"cove/internal/logins"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/proxy/changeip"
	"cove/internal/session"
)

// Machine is what the app knows of itself and of this computer.
type Machine interface {
	machine.Machine
	fingerprints.Browser
	permit.Browsers
	// RequireToken reports whether start and stop need a credential, too.
	RequireToken(ctx context.Context) (bool, error)
}

// Access reaches the agents of open profiles, and tells what they do.
type Access interface {
	adopt.Tabs
	agents.Access
	stream.Access
}

// Agents reaches the programs that work in open profiles.
type Agents interface {
	agents.Connected
	stream.Agents
}

// PIN stores and checks the owner's PIN, which the owner knows and programs do not.
type PIN interface {
	accounts.PIN
	call.PIN
}

// Profiles stores profiles, one or many at a time.
type Profiles interface {
	profiles.Store
	jobs.Profiles
}

// Config is what the API serves and where it gets it from.
type Config struct {
	Profiles   Profiles
	Batches    profile.Batches
	Proxies    proxy.Store
	Folders    profile.Folders
	Statuses   profile.Statuses
	Views      profile.Views
	Sessions   *session.Supervisor
	Jobs       *job.Jobs
	Logins     *logins.Imports
	Accounts   account.Authority
	Machine    Machine
	Agents     Agents
	Access     Access
	Secrets    agents.Secrets
	Storage    cookies.Storage
	PIN        PIN
	Journals   agents.Journals
	Extensions extensions.Library
	Window     pages.Window
	Memory     signin.Memory // holds the pages that are signed in; nil for none
	Clients    machine.Clients
	// ProxyCheck returns the setting proxy.check; nil means that it is empty.
	ProxyCheck func(context.Context) (string, error)
	Changes    *event.Feed[api.ProfileEvent]
	// About is the constant part of the status.
	About api.Status
	Log   *slog.Logger
}

// Server answers the API. It is an http.Handler and safe for concurrent use. New makes it; Close refuses later calls
// and ends the event streams, and lets calls that have begun finish.
type Server struct {
	config      Config
	guard       guard.Guard
	credentials call.Credentials
	routes      []route
	closing     atomic.Bool
	ended       chan struct{}
}

// The limits of a request's body.
const (
	maxBody      = 1 << 20  // of most calls
	maxExtension = 64 << 20 // of those that take an extension
	maxImport    = 16 << 20 // of the one that takes profiles over from other products
)

// New makes the API for the port in About.
func New(c Config) *Server {
	port := c.About.APIPort
	s := &Server{
		config: c,
		guard: guard.Guard{
			Port: port, Open: []string{"/", "/docs", "/docs/"}, OpenBelow: []string{"/ask/"}, OwnPages: true,
		},
		credentials: call.Credentials{
			Accounts: c.Accounts, PIN: c.PIN, RequireToken: c.Machine.RequireToken,
			Pages: signin.New(c.Memory), Unlocks: &signin.Unlocks{}, Port: port,
		},
		ended: make(chan struct{}),
	}
	s.routes = s.handlers().table()
	return s
}

// Close refuses later calls and ends the event streams.
func (s *Server) Close() {
	if s.closing.CompareAndSwap(false, true) {
		close(s.ended)
	}
}

// handlers makes the handlers of every call.
func (s *Server) handlers() *handlers {
	c := s.config
	references := reference.Finder{Proxies: c.Proxies, Folders: c.Folders, Statuses: c.Statuses}
	opener := sessions.Handlers{
		Accounts: c.Accounts, Browsers: c.Machine, Profiles: c.Profiles, Sessions: c.Sessions,
		References: references, Meter: &process.Meter{},
	}
	return &handlers{
		pages: pages.Handlers{Window: c.Window},
		accounts: accounts.Handlers{
			Accounts: c.Accounts, PIN: c.PIN, Pages: s.credentials.Pages, Unlocks: s.credentials.Unlocks,
			Port: s.credentials.Port,
		},
		agents: agents.Handlers{
			Access: c.Access, Connected: c.Agents, Journals: c.Journals, Profiles: c.Profiles, Secrets: c.Secrets,
			Sessions: c.Sessions,
		},
		cookies:      cookies.Handlers{Storage: c.Storage, Profiles: c.Profiles, Sessions: c.Sessions},
		fingerprints: fingerprints.Handlers{Browser: c.Machine},
		extensions:   extensions.Handlers{Library: c.Extensions, Profiles: c.Profiles},
		jobs: jobs.Handlers{
			Jobs: c.Jobs, Profiles: c.Profiles, Sessions: c.Sessions, Browsers: c.Machine, References: references,
		},
		machine: machine.Handlers{
			Machine: c.Machine, Clients: c.Clients, Accounts: c.Accounts, Profiles: c.Profiles, Sessions: c.Sessions,
			Access: c.Access, About: c.About,
		},
		profiles: profiles.Handlers{
			Profiles: c.Profiles, Sessions: c.Sessions, Browsers: c.Machine, Secrets: c.Secrets, Proxies: c.Proxies,
			Storage:    c.Storage,
			References: references,
		},
		proxies: proxies.Handlers{
			Proxies: c.Proxies, Profiles: c.Profiles, CheckURL: c.ProxyCheck, Links: changeip.Caller{Own: s.ownPort},
			Changed: s.changed, Ended: s.ended,
		},
		folders:  folders.Handlers{Folders: c.Folders, Changed: s.changed},
		logins:   loginapi.Handlers{Imports: c.Logins, Profiles: c.Profiles, Sessions: c.Sessions},
		imports:  imports.Handlers{Batches: c.Batches, Browsers: c.Machine, Created: s.created},
		statuses: statuses.Handlers{Statuses: c.Statuses, Changed: s.changed},
		views:    views.Handlers{Views: c.Views},
		sessions: opener,
		adopt: adopt.Handlers{
			Profiles: c.Profiles, Sessions: c.Sessions, Questions: c.Logins, Tabs: c.Access, Started: opener.Started,
		},
		stream: stream.Handlers{
			Access: c.Access, Agents: c.Agents, Profiles: c.Profiles, Sessions: c.Sessions, Changes: c.Changes,
			Jobs: c.Jobs, Ended: s.ended,
		},
	}
}

// created announces new profiles.
func (s *Server) created(ids ...profile.ID) {
	if s.config.Changes != nil {
		s.config.Changes.Publish(api.ProfileEvent{IDs: ids, Change: "created"})
	}
}

// ownPort reports whether a port of this computer is the API's, or the gate of an open profile.
func (s *Server) ownPort(port int) bool {
	if port == s.credentials.Port {
		return true
	}
	return slices.ContainsFunc(s.config.Sessions.Running(), func(open session.Status) bool {
		return open.Endpoint.Port == port
	})
}

// changed announces profiles that look different now. Without ids these are all.
func (s *Server) changed(ids ...profile.ID) {
	if s.config.Changes != nil {
		s.config.Changes.Publish(api.ProfileEvent{IDs: append([]profile.ID{}, ids...), Change: "edited"})
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	started := time.Now()
	answer, err := s.serve(w, r)
	if _, done := answer.(call.Streamed); done {
		return
	}

	status := http.StatusOK
	if err != nil {
		status = s.fail(w, err, answer)
	} else if p, ok := answer.(call.Page); ok {
		writePage(w, p)
	} else {
		writeJSON(w, status, answer)
	}
	s.config.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", status, "took", time.Since(started))
}

func writePage(w http.ResponseWriter, p call.Page) {
	w.Header().Set("Content-Type", p.Kind)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri "+
			"'none'; form-action 'none'; frame-ancestors 'none'")
	_, _ = w.Write(p.Body)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"success":false}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n'))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.guard.Check(r); err != nil {
		return nil, err
	}
	if s.closing.Load() {
		return nil, fault.New(fault.CodeShuttingDown, "Cove is shutting down.", "Start it again with: cove up")
	}
	c := s.credentials.New(w, r)
	route, err := s.find(c)
	limit := max(route.limit, maxBody)
	if r.ContentLength > limit && (err != nil || !strings.HasPrefix(r.URL.Path, "/mcp/")) {
		// Read on: a client that is still sending would see a broken connection instead of the answer.
		_, _ = io.CopyN(io.Discard, r.Body, limit+16*maxBody)
		return nil, call.ErrTooLarge(limit)
	}
	if err != nil {
		return nil, err
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if err := c.CheckPage(); err != nil {
		return nil, err
	}
	if err := route.query.Check(r.URL.Query()); err != nil {
		return nil, err
	}
	return route.handle(c)
}
