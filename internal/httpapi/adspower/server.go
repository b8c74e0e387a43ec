// Package adspower serves AdsPower's local API, in both of its generations, to scripts that were written for AdsPower.
package adspower

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/guard"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/signin"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
)

// Profiles stores profiles together with their folders on disk.
type Profiles interface {
	Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error)
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	List(ctx context.Context, q profile.Query) (profile.Page, error)
	Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error)
	ReplaceTags(ctx context.Context, names map[string]string) ([]profile.ID, error)
	Trash(ctx context.Context, ids ...profile.ID) error
	Delete(ctx context.Context, ids ...profile.ID) error
}

// Machine is what the app knows of its settings and of this computer.
type Machine interface {
	permit.Browsers
	// RequireToken reports whether start and stop need a credential on every port.
	RequireToken(ctx context.Context) (bool, error)
	// KeyRequired reports whether scripts need a key for more than the status.
	KeyRequired(ctx context.Context) (bool, error)
	// Driver returns the path of a chromedriver that fits the browser of a profile, or "".
	Driver(ctx context.Context, p profile.Profile) string
}

// Config is what the API serves and where it gets it from.
type Config struct {
	Port     int
	Home     paths.Home
	Profiles Profiles
	Folders  profile.Folders
	Proxies  proxy.Store
	Sessions *session.Supervisor
	Accounts account.Authority
	PIN      call.PIN
	Machine  Machine
	Storage  Storage
	Changes  *event.Feed[api.ProfileEvent]
	Log      *slog.Logger
}

// Server answers the API on one port. It is an http.Handler and safe for concurrent use. New makes it; Close refuses
// later calls and lets those that have begun finish.
type Server struct {
	Config
	guard       guard.Guard
	credentials call.Credentials
	routes      map[string]route
	closing     atomic.Bool
}

// New makes the API for a port.
func New(c Config) *Server {
	s := &Server{
		Config: c,
		// Scripts name these hosts, which a person points at this computer.
		guard: guard.Guard{Port: c.Port, Names: guard.AdsPowerNames},
		credentials: call.Credentials{
			Accounts: c.Accounts, PIN: c.PIN, RequireToken: c.Machine.RequireToken,
			// Nobody signs in here: no page reaches this port.
			Pages: signin.New(nil), Unlocks: &signin.Unlocks{}, Port: c.Port,
		},
	}
	s.routes = s.table()
	return s
}

// Close refuses later calls.
func (s *Server) Close() { s.closing.Store(true) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	started := time.Now()
	status := http.StatusOK
	found, answer, err := s.serve(w, r)
	if err != nil {
		status = s.fail(w, err)
	} else {
		write(w, status, found.envelope(answer))
	}
	s.Log.Debug("request", "api", "adspower", "method", r.Method, "path", r.URL.Path, "status", status,
		"took", time.Since(started))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) (found route, answer answer, err error) {
	if err := s.guard.Check(r); err != nil {
		return found, answer, err
	}
	if s.closing.Load() {
		return found, answer, fault.New(fault.CodeShuttingDown, "This port is being closed.",
			"`cove config get adspower.port` shows the port.")
	}
	if found, err = s.find(r); err != nil {
		return found, answer, err
	}
	c, err := s.read(w, r, found.limit)
	if err != nil {
		return found, answer, err
	}
	if err := s.authorize(c, found.right); err != nil {
		return found, answer, err
	}
	answer, err = found.handle(c)
	return found, answer, err
}
