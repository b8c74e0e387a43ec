package gate

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/guard"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/protect"
)

// Version is what the browser says of itself.
type Version struct {
	Product   string `json:"product"`
	Protocol  string `json:"protocolVersion"`
	Revision  string `json:"revision"`
	UserAgent string `json:"userAgent"`
	JS        string `json:"jsVersion"`
}

// Rules is what the gate holds its clients to.
type Rules struct {
	// Home is the data folder, for the commands that a refusal names.
	Home paths.Home
	// Desk is where every client and every command asks whether it may go on.
	Enforcer *policy.Enforcer
	// Private is for a program of the keeper's own: whoever knows the path comes in, and nothing else is answered.
	Private bool
	// Journal keeps what was done; nil for nothing.
	Journal journal.Recorder
	// Token opens the port where the policy binds programs.
	Token func(ctx context.Context, bearer string) bool
	// Who names the process at the other end of a connection: remote is its address, local is ours. It may take a while.
	Who func(remote, local netip.AddrPort) (name string, pid int)
	// Posted tells whether what a target shows is the answer to a form; nil knows of none.
	Posted func(target string) bool
	// Left is told when a program has gone that may have said what the browser does with downloads, after the browser; it must not wait.
	Left func()
	// Secrets answers what takes the person's secrets out of a text; nil, and an answer of nil, is none.
	Secrets func() func(text string) string
	// Passed is told that a message of so many bytes was handled, whose memory can be given back; nil tells nobody.
	Passed func(bytes int)
	// Files are what no program is given, and no page writes to.
	Files *protect.Files
	// Picture shows the person a page that they are asked about; nil, and an empty picture, is none.
	Picture func(ctx context.Context, target string) []byte
}

// Server is the gate's port.
type Server struct {
	mux     *Mux
	version Version
	rules   Rules
	guard   guard.Guard
	path    string
	http    *http.Server
	log     *slog.Logger

	// unfinished is what all clients together may have under way.
	unfinished *budget

	mu      sync.Mutex
	closed  bool
	sockets sync.WaitGroup

	connected atomic.Int32
}

// Listen opens the gate on a free port of loopback. It answers at once and until Close.
func Listen(m *Mux, version Version, rules Rules, log *slog.Logger) (*Server, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the gate: %w", err)
	}
	if rules.Enforcer == nil {
		rules.Enforcer = policy.NewEnforcer(policy.Policy{})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	if err := m.watch(ctx); err != nil {
		return nil, fmt.Errorf("open the gate: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	s := &Server{mux: m, version: version, rules: rules, guard: guard.Guard{Port: port, Driver: []string{"/json/version", "/json/list", "/json"}, BareHost: true}, path: "/devtools/browser/" + uuid(), unfinished: &budget{most: maxUnfinished}, log: log}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = s.http.Serve(l) }()
	// Some clients look localhost up as IPv6 only. The port is ours on IPv4; on IPv6 it is a courtesy.
	if l6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port))); err == nil {
		go func() { _ = s.http.Serve(l6) }()
	}
	return s, nil
}

// Port is where the gate listens.
func (s *Server) Port() int { return s.guard.Port }

// Connected is the number of clients.
func (s *Server) Connected() int { return int(s.connected.Load()) }

// Path is the WebSocket path of the browser; new each time.
func (s *Server) Path() string { return s.path }

// Close ends the port. Clients that are connected end with the browser; they get a moment to hear the last word.
func (s *Server) Close() {
	_ = s.http.Close()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	heard := make(chan struct{})
	go func() {
		s.sockets.Wait()
		close(heard)
	}()
	select {
	case <-heard:
	case <-time.After(time.Second):
	}
}

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// What clients hear of a browser that is gone.
const (
	gone    = "the browser has closed"
	errGone = "The browser has closed. Start the profile again to get its new address."
)

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.guard.Check(r); err != nil {
		f := fault.From(err)
		http.Error(w, f.Text+" "+f.Hint, http.StatusForbidden)
		return
	}
	path := r.URL.Path
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/") // Playwright asks for /json/version/
	}
	if s.mux.over() {
		http.Error(w, errGone, http.StatusServiceUnavailable)
		return
	}
	if s.rules.Private && path != s.path {
		http.NotFound(w, r)
		return
	}
	if err := s.admit(r, path); err != nil {
		s.deny(w, err)
		return
	}
	command, id, _ := strings.Cut(strings.TrimPrefix(path, "/json/"), "/")
	switch {
	case strings.HasPrefix(path, "/devtools/"):
		s.socket(w, r, path)
	case path == "/json" || path == "/json/list":
		s.list(w, r)
	case path == "/json/version":
		s.answer(w, s.describe(r.Host))
	case path == "/json/new":
		s.newPage(w, r)
	case strings.HasPrefix(path, "/json/") && command == "activate" && id != "":
		s.actOn(w, r, "Target.activateTarget", id, "Target activated")
	case strings.HasPrefix(path, "/json/") && command == "close" && id != "":
		s.actOn(w, r, "Target.closeTarget", id, "Target is closing")
	default:
		http.Error(w, "Unknown command: "+path, http.StatusNotFound)
	}
}

func (s *Server) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "   ")
	_ = e.Encode(v)
}

// describe is Chrome's answer to /json/version. ChromeDriver refuses one without WebKit-Version.
func (s *Server) describe(host string) map[string]string {
	return map[string]string{
		"Browser":              s.version.Product,
		"Protocol-Version":     s.version.Protocol,
		"User-Agent":           s.version.UserAgent,
		"V8-Version":           s.version.JS,
		"WebKit-Version":       "537.36 (" + s.version.Revision + ")",
		"webSocketDebuggerUrl": "ws://" + host + s.path,
	}
}

// target is one entry of Target.getTargets.
type target struct {
	ID     string `json:"targetId"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Parent string `json:"parentId,omitempty"`
}

func (t target) describe(host string) map[string]string {
	page := host + "/devtools/page/" + t.ID
	d := map[string]string{
		"description": "", "devtoolsFrontendUrl": "devtools://devtools/bundled/inspector.html?ws=" + page,
		"id": t.ID, "title": t.Title, "type": t.Type, "url": t.URL, "webSocketDebuggerUrl": "ws://" + page,
	}
	if t.Parent != "" {
		d["parentId"] = t.Parent
	}
	return d
}

func (s *Server) targets(ctx context.Context) ([]target, error) {
	var r struct {
		TargetInfos []target `json:"targetInfos"`
	}
	err := s.call(ctx, "Target.getTargets", nil, &r)
	if hide := s.secrets(); hide != nil {
		for i, t := range r.TargetInfos {
			r.TargetInfos[i].Title, r.TargetInfos[i].URL = hide(t.Title), hide(t.URL)
		}
	}
	return r.TargetInfos, err
}

// call bounds every command of ours: a browser that hangs must not hold a request for ever.
func (s *Server) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	return s.mux.Call(ctx, method, params, result)
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	targets, err := s.targets(r.Context())
	if err != nil {
		http.Error(w, "The browser does not answer: "+err.Error(), http.StatusInternalServerError)
		return
	}
	s.mux.sort(targets)
	list := make([]map[string]string, 0, len(targets))
	for _, t := range targets {
		list = append(list, t.describe(r.Host))
	}
	s.answer(w, list)
}

func (s *Server) newPage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPut {
		w.Header().Set("Allow", http.MethodPut)
		http.Error(w, "Using unsafe HTTP verb "+r.Method+" to invoke /json/new. This action supports only PUT verb.", http.StatusMethodNotAllowed)
		return
	}
	address, err := url.QueryUnescape(r.URL.RawQuery)
	if err != nil || address == "" {
		address = "about:blank"
	}
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := s.act(r, "Target.createTarget", map[string]string{"url": address}, &made); denied(err) {
		s.deny(w, err)
		return
	} else if err != nil {
		http.Error(w, "Could not create new page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	t := target{ID: made.TargetID, Type: "page", URL: address}
	if targets, err := s.targets(r.Context()); err == nil {
		for _, known := range targets {
			if known.ID == t.ID {
				t = known
			}
		}
	}
	s.answer(w, t.describe(r.Host))
}

func (s *Server) actOn(w http.ResponseWriter, r *http.Request, method, id, done string) {
	err := s.act(r, method, map[string]string{"targetId": id}, nil)
	var refused *cdp.Error
	switch {
	case denied(err):
		s.deny(w, err)
	case errors.As(err, &refused):
		http.Error(w, "No such target id: "+id, http.StatusNotFound)
	case err != nil:
		http.Error(w, "The browser does not answer: "+err.Error(), http.StatusInternalServerError)
	default:
		if method == "Target.activateTarget" {
			s.mux.front(id)
		}
		_, _ = w.Write([]byte(done))
	}
}

func (s *Server) socket(w http.ResponseWriter, r *http.Request, path string) {
	id, page := strings.CutPrefix(path, "/devtools/page/")
	if path != s.path && (!page || id == "") {
		http.Error(w, "No such target id: "+path[strings.LastIndexByte(path, '/')+1:], http.StatusNotFound)
		return
	}
	if page && !s.has(r.Context(), id) {
		http.Error(w, "No such target id: "+id, http.StatusNotFound)
		return
	}
	if !page {
		id = ""
	}
	seat, err := s.rules.Enforcer.Admit(policy.Agent{Kind: policy.Program, Name: unknown})
	if err != nil {
		s.deny(w, err)
		return
	}
	defer seat.Close()
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = ws.CloseNow() }()
	if !s.enter() {
		return
	}
	defer s.sockets.Done()
	s.connected.Add(1)
	defer s.connected.Add(-1)
	s.log.Info("client connected", "from", r.RemoteAddr, "page", page)
	if err := s.visit(r, ws, seat, id); err != nil {
		code, why := websocket.StatusInternalError, "the browser does not answer"
		if errors.Is(err, cdp.ErrClosed) { // in this moment
			code, why = websocket.StatusGoingAway, gone
		}
		_ = ws.Close(code, why)
	}
	s.log.Info("client disconnected", "from", r.RemoteAddr)
}

// finished gives back what a message had reserved.
func (s *Server) finished(size, held int) {
	s.unfinished.give(held)
	if s.rules.Passed != nil && size >= large {
		s.rules.Passed(size)
	}
}

// enter counts a client in, unless the gate is closing.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.sockets.Add(1)
	}
	return !s.closed
}

func (s *Server) has(ctx context.Context, id string) bool {
	targets, err := s.targets(ctx)
	if err != nil {
		return false
	}
	for _, t := range targets {
		if t.ID == id {
			return true
		}
	}
	return false
}
