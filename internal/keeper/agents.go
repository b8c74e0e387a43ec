package keeper

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/secret"
	"cove/internal/session"
)

// agents serves the MCP clients of an automation profile. Clients may come before the browser is ready; their first call waits.
type agents struct {
	keeper *keeper
	server *mcpserver.Server
	gate   atomic.Pointer[gate.Server]

	opened  chan struct{} // closed when the browser can be used, or never will
	browser *page.Browser
	failed  *fault.Error

	closed chan struct{} // closed when every bridge has been told of the end
	life   context.Context
	die    context.CancelFunc
	tidy   Tidy

	mu      sync.Mutex
	streams map[*stream]struct{}
	ended   bool
}

func newAgents(k *keeper) *agents {
	a := &agents{keeper: k, opened: make(chan struct{}), closed: make(chan struct{}), streams: map[*stream]struct{}{}}
	a.life, a.die = context.WithCancel(context.Background())
	a.server = mcpserver.New(mcpserver.Config{Home: k.Dir.Home(), Name: k.Name, Version: k.Version, Log: k.log, Browser: a.await, Why: a.why, Enforcer: k.enforcer, Journal: k.journal, Secrets: secret.OpenHome(k.Dir), Files: k.files,
		Endpoint: a.endpoint})
	return a
}

// endpoint opens a port for one program of our own, which the policy does not bind: what it does is ours, and not the agent's. Only
// its path opens it, and nobody but that program is told.
func (a *agents) endpoint() (address string, end func(), err error) {
	g, err := gate.Listen(a.keeper.mux, a.keeper.version, gate.Rules{Private: true}, a.keeper.log)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("ws://127.0.0.1:%d%s", g.Port(), g.Path()), g.Close, nil
}

// await waits until the browser can be used.
func (a *agents) await(ctx context.Context) (*page.Browser, error) {
	select {
	case <-a.opened:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if a.failed != nil {
		return nil, a.failed
	}
	return a.browser, nil
}

// pictureLimit bounds a picture for a question to the person: a page that does not answer has none.
const pictureLimit = 2 * time.Second

// picture shows a tab to the person; nil when it is none, or does not answer.
func (a *agents) picture(ctx context.Context, target string) []byte {
	ctx, cancel := context.WithTimeout(ctx, pictureLimit)
	defer cancel()
	b, err := a.await(ctx)
	if err != nil {
		return nil
	}
	for _, t := range b.Tabs() {
		if t.ID() == target {
			return t.Camera.Thumbnail(ctx, "")
		}
	}
	return nil
}

// Closed is what agents hear of a profile that has closed.
func Closed(id string, end session.EndReason) *fault.Error {
	if end == session.Crashed {
		return fault.New(fault.Unavailable, "E_CRASHED", "The browser of profile "+id+" crashed during this call. The next call opens the profile again; take a new snapshot then.", "")
	}
	return fault.New(fault.Unavailable, "E_CLOSED", "Profile "+id+" was closed by a person. It stays closed until somebody opens it again (cove start "+id+" --automation) or a new session of this client begins.", "")
}

// why: a call that fails because the profile closes says so, not what it has noticed of it first.
func (a *agents) why(ctx context.Context, err error) error {
	k := a.keeper
	id := strconv.Itoa(int(k.ID))
	select {
	case <-k.asked:
		return Closed(id, session.Stopped)
	default:
	}
	if a.failed != nil || (!errors.Is(err, cdp.ErrClosed) && (a.browser == nil || len(a.browser.Tabs()) > 0)) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, leaveLimit)
	defer cancel()
	if !k.gone(ctx) {
		return err
	}
	// The bridge hears of the end first: else it would send us the next call too.
	select {
	case <-a.closed:
	case <-ctx.Done():
	}
	return Closed(id, k.end())
}

// leaveLimit is how long a browser takes to go after its last page, or after its pipe.
const leaveLimit = 3 * time.Second

// attach connects the tools to the browser, before anything is loaded in it.
func (a *agents) attach(ctx context.Context, m *gate.Mux) error {
	b := page.New(a.keeper.log)
	b.SetRules(sites{a.keeper})
	b.SetRedaction(a.server.Scrub, mcpserver.RedactURL)
	tap := newTap()
	conn := cdp.NewConn(tap.send, b.Event)
	client, err := m.Join(ctx, "", tap)
	if err != nil {
		return err
	}
	tap.open(client, conn)
	if err := b.Start(ctx, conn); err != nil {
		return err
	}
	a.browser = b
	a.keeper.holdSites(b)
	return nil
}

// posted tells whether a target shows the answer to a form; before anybody can know, it may.
func (a *agents) posted(target string) bool {
	select {
	case <-a.opened:
		return a.browser == nil || a.browser.Posted(target)
	default:
		return true
	}
}

// left is told when a program has gone.
func (a *agents) left() {
	select {
	case <-a.opened:
		if a.browser != nil {
			a.browser.RefuseDownloadsAgain()
		}
	default: // nothing is held yet
	}
}

// open lets the clients' calls go on; with a fault they fail.
func (a *agents) open(failed *fault.Error) {
	a.failed = failed
	close(a.opened)
	if failed == nil {
		go a.server.Prepare()
		go a.server.Follow(a.life, a.browser)
	}
}

// farewell is how long a client may take to hear that the profile closes.
const farewell = time.Second

// close tells every client why the profile closes, and lets them go.
func (a *agents) close(end session.EndReason) {
	a.mu.Lock()
	a.ended = true
	all := a.streams
	a.streams = map[*stream]struct{}{}
	a.mu.Unlock()
	for s := range all {
		_ = s.SetWriteDeadline(time.Now().Add(farewell)) // it may have stopped reading long ago
		s.notify("closed", map[string]any{"end": end})
		_ = s.Close()
	}
	close(a.closed)
	a.die()
	a.flush(farewell)
}

// flush has everything written down that is still to be written of the agents' steps.
func (a *agents) flush(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	a.server.Flush(ctx)
}

// Headers by which a bridge says what its client is.
const (
	headerDir   = "Cove-Dir"
	headerTools = "Cove-Tools"
	headerPage  = "Cove-Last-Page"
	headerDocs  = "Cove-Documents"
	headerNote  = "Cove-Note"
	// Upgrade is what a connection becomes: lines of MCP in both directions.
	Upgrade = "cove-mcp"
)

// NoticePrefix begins the methods of what the keeper says to the bridge itself, between the messages for its client.
const NoticePrefix = "notifications/cove/"

// serve takes a bridge's connection over.
func (a *agents) serve(w http.ResponseWriter, r *http.Request) {
	if a.keeper.record.Mode != session.Automation {
		http.Error(w, "the profile is open in ordinary mode", http.StatusConflict)
		return
	}
	if r.Header.Get("Upgrade") != Upgrade {
		http.Error(w, "expected Upgrade: "+Upgrade, http.StatusUpgradeRequired)
		return
	}
	if err := a.keeper.enforcer.Admits(); err != nil {
		if errors.Is(err, policy.AgentsOffError()) {
			err = policy.AgentsOffIn(a.keeper.ID.String())
		}
		refuse(w, err)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s := &stream{Conn: conn, r: buffered.Reader, tidy: &a.tidy}
	if !a.enter(s) {
		_ = conn.Close()
		return
	}
	defer a.leave(s)
	if _, err := conn.Write([]byte("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + Upgrade + "\r\n\r\n")); err != nil {
		return
	}
	last, _ := strconv.Atoi(r.Header.Get(headerPage))
	documents, _ := strconv.Atoi(r.Header.Get(headerDocs))
	h := mcpserver.Hello{Dir: r.Header.Get(headerDir), LastPage: last, Documents: documents, Note: r.Header.Get(headerNote),
		Tools: strings.FieldsFunc(r.Header.Get(headerTools), func(r rune) bool { return r == ',' || r == ' ' })}
	a.keeper.log.Info("agent connected")
	if err := a.server.Serve(context.Background(), s, h, s.numbers); err != nil {
		a.keeper.log.Info("agent's connection broke", "err", err)
	}
	a.keeper.log.Info("agent disconnected")
}

func (a *agents) enter(s *stream) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		a.streams[s] = struct{}{}
	}
	return !a.ended
}

func (a *agents) leave(s *stream) {
	_ = s.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.streams, s)
}
