// Package httpapi is the local HTTP API: routes, guard, errors.
package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/guard"
	"cove/internal/profile"
	"cove/internal/session"
)

// Profiles is the profiles with their folders.
type Profiles interface {
	Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error)
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	List(ctx context.Context, q profile.Query) (profile.Page, error)
	Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error)
	Trash(ctx context.Context, ids ...profile.ID) error
	Restore(ctx context.Context, id profile.ID) (profile.Profile, error)
	Delete(ctx context.Context, ids ...profile.ID) error
	Clone(ctx context.Context, id profile.ID, name string, data bool) (profile.Profile, error)
}

// Machine is what the app knows of itself and of this computer.
type Machine interface {
	Browsers(ctx context.Context) ([]api.Browser, error)
	Examine(ctx context.Context) []api.Finding
	Log(lines int) (api.LogLines, error)
	Settings(ctx context.Context) ([]api.Setting, error)
	// CheckSetting says whether a value fits a setting; of one that it does not know it says nothing.
	CheckSetting(key, value string) error
	SetSetting(ctx context.Context, key, value string) (api.Setting, error)
	// FoundBrowser reports whether a path is a browser that Cove found by itself or that the person has named in the settings. It runs nothing of
	// the caller's choice; CheckBrowser does, and says what is wrong with a program that is no browser.
	FoundBrowser(ctx context.Context, path string) bool
	CheckBrowser(ctx context.Context, path string) error
	// RequireToken says that start and stop need a credential too.
	RequireToken(ctx context.Context) (bool, error)
	// Stop ends the app after the answer has gone out.
	Stop()
}

// Config is what the API serves.
type Config struct {
	Profiles Profiles
	Sessions *session.Supervisor
	Accounts account.Authority
	Machine  Machine
	Agents   Agents
	Access   Access
	Secrets  Secrets
	PIN      PIN
	Journals Journals
	Window   Window
	Memory   Memory // of pages that are signed in; nil for none
	Clients  Clients
	Changes  *event.Feed[api.ProfileEvent]
	// About is the part of the status that does not change.
	About api.Status
	Log   *slog.Logger
}

// Server answers the API.
type Server struct {
	Config
	guard   guard.Guard
	routes  []route
	unlocks unlocks
	signIns *signIns
	closing atomic.Bool
	ended   chan struct{}
}

// maxBody bounds a request's body.
const maxBody = 1 << 20

// New makes the API for the port of About.
func New(c Config) *Server {
	s := &Server{Config: c, guard: guard.Guard{Port: c.About.APIPort, Open: []string{"/", "/docs", "/docs/"}, OwnPages: true}, signIns: newSignIns(c.Memory), ended: make(chan struct{})}
	s.routes = s.table()
	return s
}

// Close refuses what comes from now on and ends the event streams.
func (s *Server) Close() {
	if s.closing.CompareAndSwap(false, true) {
		close(s.ended)
	}
}

// handler answers one call: a value for JSON, or an error. Handlers check in the order of the error table: what was sent,
// then who sent it, then what it is about.
type handler func(*call) (any, error)

type route struct {
	method, path string
	handle       handler
	// acts: a GET that does something, or never ends; asking for its headers alone is refused.
	acts     bool
	segments []string
	// takes are the names that its query may hold; nil for a call that looks at none, or checks them itself.
	takes []string
}

// call is one request on its way.
type call struct {
	*http.Request
	server *Server
	w      http.ResponseWriter
	raw    io.ReadCloser // the body without the limit of ordinary calls
	takes  []string      // of the route
	id     profile.ID    // of {id}
	name   string        // of {name}
}

// page is a handler's answer that is not JSON; streamed means that the handler has written everything itself.
type page struct {
	kind string
	body []byte
}

type streamed struct{}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	started := time.Now()
	answer, err := s.serve(w, r)
	if _, done := answer.(streamed); done {
		return
	}
	status := http.StatusOK
	if err != nil {
		status = s.fail(w, err, answer)
	} else if p, ok := answer.(page); ok {
		w.Header().Set("Content-Type", p.kind)
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_, _ = w.Write(p.body)
	} else {
		writeJSON(w, status, answer)
	}
	s.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", status, "took", time.Since(started))
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
		return nil, fault.New(fault.Unavailable, "E_SHUTTING_DOWN", "Cove is shutting down.", "Start it again with: cove up")
	}
	c := &call{Request: r, server: s, w: w, raw: r.Body}
	handle, err := s.find(c)
	if r.ContentLength > maxBody && (err != nil || !strings.HasPrefix(r.URL.Path, "/mcp/")) {
		// A client that is still sending would see a broken connection instead of the answer.
		_, _ = io.CopyN(io.Discard, r.Body, 16*maxBody)
		return nil, errTooLarge()
	}
	if err != nil {
		return nil, err
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := c.pageMay(); err != nil {
		return nil, err
	}
	if err := c.mustKnowNames(); err != nil {
		return nil, err
	}
	return handle(c)
}

// find picks the route of a request. It never redirects: clients do not follow.
func (s *Server) find(c *call) (handler, error) {
	escaped := c.URL.EscapedPath()
	path, versioned := strings.CutPrefix(escaped, "/v1.0")
	if versioned && path != "" && path[0] != '/' {
		path = escaped // a name that only begins so
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range parts {
		var err error
		if parts[i], err = url.PathUnescape(parts[i]); err != nil {
			return nil, fault.Invalidf("The path is not a valid address.")
		}
	}
	var allowed []string
	var pattern string
	for _, r := range s.routes {
		if pattern != "" && r.path != pattern || !r.matches(parts) {
			continue
		}
		pattern = r.path
		allowed = append(allowed, r.method)
		if r.method == c.Method || c.Method == http.MethodHead && r.method == http.MethodGet && !r.acts {
			c.takes = r.takes
			return r.handle, r.take(c, parts)
		}
	}
	if pattern == "" {
		return nil, fault.New(fault.NotFound, "E_NO_ROUTE", "There is no such call.", "The calls are described at /docs.")
	}
	slices.Sort(allowed)
	c.w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nil, fault.New(methodKind, "E_METHOD", "This call does not take "+c.Method+".", "Use "+strings.Join(allowed, " or ")+".")
}

func (r route) matches(parts []string) bool {
	if len(parts) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		if want != parts[i] && !strings.HasPrefix(want, "{") {
			return false
		}
	}
	return true
}

// take reads the parameters of the path.
func (r route) take(c *call, parts []string) (err error) {
	for i, want := range r.segments {
		switch want {
		case "{id}":
			if c.id, err = profile.ParseID(parts[i]); err != nil {
				return err
			}
		case "{name}":
			c.name = parts[i]
		}
	}
	return nil
}
