// Package gate is the guarded debugging port of a browser: programs connect to it as they would to Chrome, and the
// profile's policy judges each of their commands.
package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/fault"
	"cove/internal/gate/formguard"
	"cove/internal/gate/socket"
	"cove/internal/guard"
	"cove/internal/policy"
	"cove/internal/random"
)

// Server is the port of one gate on loopback. Listen opens it and Close closes it. It owns the connections of its
// clients, but not the browser: several gates can share one mux. Its methods may be called from any goroutine.
type Server struct {
	config    Config
	mux       *mux.Mux
	endpoints *endpoints
	forms     *formguard.Guard
	inflight  *socket.Budget // bytes of large messages that all clients together may have in flight
	maxUnread int            // how many bytes a client may leave unread
	guard     guard.Guard
	path      string
	http      *http.Server
	log       *slog.Logger

	mu      sync.Mutex
	closed  bool // no more clients are accepted
	sockets sync.WaitGroup

	connected atomic.Int32
}

// watchLimit bounds how long the browser may take to report its targets.
const watchLimit = 15 * time.Second

// Listen opens a gate on a free port of loopback. It serves requests until Close.
func Listen(m *mux.Mux, version Version, config Config, log *slog.Logger) (*Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), watchLimit)
	defer cancel()
	var listener net.ListenConfig
	l, err := listener.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the gate: %w", err)
	}
	if config.Enforcer == nil {
		config.Enforcer = policy.NewEnforcer(policy.Policy{})
	}
	if err := m.WatchTargets(ctx); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("open the gate: %w", err)
	}

	port := l.Addr().(*net.TCPAddr).Port
	s := &Server{config: config, mux: m, forms: formguard.New(m), inflight: socket.NewBudget(socket.MaxInflight),
		maxUnread: socket.MaxUnread,
		path:      "/devtools/browser/" + random.UUID(), log: log}
	s.guard = guard.Guard{Port: port, Driver: []string{"/json/version", "/json/list", "/json"}, BareHost: true}
	s.endpoints = &endpoints{config: &s.config, mux: m, version: version, path: s.path}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = s.http.Serve(l) }()
	// Some clients resolve localhost to IPv6 only. The port is ours on IPv4; on IPv6 it may be somebody else's.
	if l6, err := listener.Listen(ctx, "tcp6", net.JoinHostPort("::1", strconv.Itoa(port))); err == nil {
		go func() { _ = s.http.Serve(l6) }()
	}

	return s, nil
}

// Port returns the port that the gate listens on.
func (s *Server) Port() int { return s.guard.Port }

// Connected returns the number of clients.
func (s *Server) Connected() int { return int(s.connected.Load()) }

// Path returns the WebSocket path of the browser. It is new for each gate.
func (s *Server) Path() string { return s.path }

// Close closes the port. It does not disconnect clients: they end with the browser. Close waits up to a second for them
// to read their last message.
func (s *Server) Close() {
	_ = s.http.Close()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.forms.Stop()

	ended := make(chan struct{})
	go func() {
		s.sockets.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
}

// browserGone is the answer to a request for a browser that has ended.
const browserGone = "The browser has closed. Start the profile again to get its new address."

// ServeHTTP answers one request: Chrome's endpoints below /json, and WebSockets below /devtools.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.guard.Check(r); err != nil {
		f := fault.From(err)
		http.Error(w, f.Text+" "+f.Hint, http.StatusForbidden)
		return
	}
	path := r.URL.Path
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/") // Playwright requests /json/version/
	}
	if s.mux.Closed() {
		http.Error(w, browserGone, http.StatusServiceUnavailable)
		return
	}
	if s.config.Private && path != s.path {
		http.NotFound(w, r)
		return
	}
	if err := s.config.admit(r, path == s.path); err != nil {
		s.config.deny(w, err)
		return
	}

	s.route(w, r, path)
}

func (s *Server) route(w http.ResponseWriter, r *http.Request, path string) {
	command, id, _ := strings.Cut(strings.TrimPrefix(path, "/json/"), "/")
	switch {
	case strings.HasPrefix(path, "/devtools/"):
		s.serveSocket(w, r, path)
	case path == "/json" || path == "/json/list":
		s.endpoints.serveList(w, r)
	case path == "/json/version":
		writeJSON(w, s.endpoints.describeVersion(r.Host))
	case path == "/json/new":
		s.endpoints.serveNew(w, r)
	case strings.HasPrefix(path, "/json/") && command == "activate" && id != "":
		s.endpoints.serveAction(w, r, "Target.activateTarget", id, "Target activated")
	case strings.HasPrefix(path, "/json/") && command == "close" && id != "":
		s.endpoints.serveAction(w, r, "Target.closeTarget", id, "Target is closing")
	default:
		http.Error(w, "Unknown command: "+path, http.StatusNotFound)
	}
}

// serveSocket serves the WebSocket of one client, which controls the browser or one page.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request, path string) {
	id, page := strings.CutPrefix(path, "/devtools/page/")
	if path != s.path && (!page || id == "") {
		http.Error(w, "No such target id: "+path[strings.LastIndexByte(path, '/')+1:], http.StatusNotFound)
		return
	}
	if page && !s.endpoints.has(r.Context(), id) {
		http.Error(w, "No such target id: "+id, http.StatusNotFound)
		return
	}
	if !page {
		id = ""
	}
	admission, err := s.config.admitProgram()
	if err != nil {
		s.config.deny(w, err)
		return
	}
	defer admission.Close()
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = ws.CloseNow() }()
	if !s.addSocket() {
		return
	}
	defer s.sockets.Done()
	s.connected.Add(1)
	defer s.connected.Add(-1)

	s.log.Info("client connected", "from", r.RemoteAddr, "page", page)
	s.serve(r, ws, admission, id)
	s.log.Info("client disconnected", "from", r.RemoteAddr)
}

// serve runs the connection of one client until it ends.
func (s *Server) serve(r *http.Request, ws *websocket.Conn, admission *policy.Admission, targetID string) {
	c := &conn{config: &s.config, mux: s.mux, forms: s.forms, inflight: s.inflight, socket: socket.New(ws, s.maxUnread),
		admission: admission}
	ctx := context.WithoutCancel(r.Context()) // the request's context ends with the hijack
	err := c.run(ctx, targetID, s.config.identify(r, admission))
	if err == nil {
		return
	}

	code, why := websocket.StatusInternalError, "the browser does not answer"
	if errors.Is(err, cdp.ErrClosed) { // the browser has closed just now
		code, why = websocket.StatusGoingAway, mux.BrowserClosed
	}
	_ = ws.Close(code, why)
}

// addSocket counts a client. It returns false if the gate is closing.
func (s *Server) addSocket() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.sockets.Add(1)
	}

	return !s.closed
}
