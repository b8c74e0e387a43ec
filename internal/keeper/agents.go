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
	"cove/internal/cdp/mux"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/keeper/control"
	"cove/internal/keeper/pageconn"
	"cove/internal/keeper/siterules"
	"cove/internal/keeperclient"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/redact"
	"cove/internal/secret"
	"cove/internal/session"
)

// agents serves the MCP clients of an automation profile. Clients may connect before the browser is ready; their first
// call waits.
type agents struct {
	keeper    *keeper
	server    *mcpserver.Server
	control   *control.Controller
	gate      atomic.Pointer[gate.Server]
	scavenger process.Scavenger

	opened  chan struct{} // closed when the browser can be used, or never will be
	browser *page.Browser // valid after opened is closed
	failed  *fault.Error  // valid after opened is closed

	closed chan struct{} // closed when every bridge has been told of the end

	mu    sync.Mutex
	conns map[*agentConn]struct{}
	ended bool
}

func newAgents(k *keeper) *agents {
	a := &agents{
		keeper: k, opened: make(chan struct{}), closed: make(chan struct{}), conns: map[*agentConn]struct{}{},
	}
	a.control = control.New(control.Config{
		Enforcer: k.enforcer, Log: k.log, Forget: func(tab string) { a.server.ForgetPictures(tab) },
		Address: func(address string) string { return a.server.RedactText(redact.URL(address)) },
	})
	a.server = mcpserver.NewServer(mcpserver.Config{
		Tools: tools.All(),
		Home:  k.spec.Dir.Home(), Name: k.spec.Name, Version: k.spec.Version, Log: k.log,
		Browser: a.awaitBrowser, Why: a.explain, Endpoint: a.openEndpoint, AskURL: k.ports.requestURL,
		Enforcer: k.enforcer, Journal: k.events.journal, Secrets: secret.OpenHome(k.spec.Dir), Files: k.files,
		Shells: &shells{dir: k.spec.Dir, id: k.spec.ID, log: k.log},
	})
	return a
}

// openEndpoint opens a port for one program of Cove's own, which the policy does not bind. Only the port's path opens
// it, and nobody but that program knows the path.
func (a *agents) openEndpoint() (address string, end func(), err error) {
	g, err := gate.Listen(a.keeper.mux, a.keeper.version, gate.Config{Private: true}, a.keeper.log)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("ws://127.0.0.1:%d%s", g.Port(), g.Path()), g.Close, nil
}

// awaitBrowser waits until the browser can be used.
func (a *agents) awaitBrowser(ctx context.Context) (*page.Browser, error) {
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

// thumbnailLimit bounds the screenshot for a person who is asked for approval. A page that does not answer has none.
const thumbnailLimit = 2 * time.Second

// thumbnail returns a small screenshot of a tab; nil when there is no such tab, or it does not answer.
func (a *agents) thumbnail(ctx context.Context, target string) []byte {
	ctx, cancel := context.WithTimeout(ctx, thumbnailLimit)
	defer cancel()
	b, err := a.awaitBrowser(ctx)
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

// exitLimit is how long a browser takes to exit after its last page is closed, or after its pipe.
const exitLimit = 3 * time.Second

// explain replaces the error of a call that failed because the profile closes: the call says so, and not what it
// noticed of it first.
func (a *agents) explain(ctx context.Context, err error) error {
	k := a.keeper
	id := strconv.Itoa(int(k.spec.ID))
	select {
	case <-k.stopping:
		return keeperclient.ClosedFault(id, k.endReason())
	default:
	}
	if a.failed != nil || (!errors.Is(err, cdp.ErrClosed) && (a.browser == nil || len(a.browser.Tabs()) > 0)) {
		return err
	}

	limit := exitLimit
	if k.shares() {
		limit += quitLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if !k.browser.gone(ctx) {
		return err
	}
	// The bridge hears of the end first. Otherwise it would send the next call to this keeper, too.
	select {
	case <-a.closed:
	case <-ctx.Done():
	}
	return keeperclient.ClosedFault(id, k.endReason())
}

// attach connects the tools to the browser, before anything is loaded in it.
func (a *agents) attach(ctx context.Context, m *mux.Mux) error {
	rules := siterules.New(a.keeper.enforcer, a.keeper.files, a.keeper.relay)
	b := page.New(a.keeper.log)
	b.SetRules(rules)
	b.SetRedaction(a.server.RedactText, redact.URL)
	b.OnInvoked(a.server.RecordInvocation)
	pages := pageconn.New()
	conn := cdp.NewConn(pages.Send, b.Event)
	client, err := m.Attach(ctx, "", pages, nil)
	if err != nil {
		return err
	}
	pages.Open(client, conn)
	if err := b.Start(ctx, conn); err != nil {
		return err
	}
	a.browser = b
	rules.EnforceOn(b)
	return nil
}

// posted reports whether a target shows the answer to a form. Before the browser is ready nobody knows, so it may.
func (a *agents) posted(target string) bool {
	select {
	case <-a.opened:
		return a.browser == nil || a.browser.Posted(target)
	default:
		return true
	}
}

// programGone is called when a program has disconnected from the gate.
func (a *agents) programGone() {
	select {
	case <-a.opened:
		if a.browser != nil {
			a.browser.RefuseDownloadsAgain()
		}
	default: // no download is held yet
	}
}

// open lets the calls of the clients proceed. With a fault they fail.
func (a *agents) open(failed *fault.Error) {
	a.failed = failed
	close(a.opened)
	if failed == nil {
		keeperclient.ForgetClosed(a.keeper.spec.Dir)
		go a.server.GuardDownloads(a.keeper.life, a.browser)
	}
}

// goodbyeLimit is how long a client may take to read that the profile closes.
const goodbyeLimit = time.Second

// close tells every bridge why the profile closes, and disconnects it.
func (a *agents) close(end session.EndReason) {
	if end != session.Crashed {
		if err := keeperclient.MarkClosed(a.keeper.spec.Dir, a.server.Shells(), a.keeper.shares()); err != nil {
			a.keeper.log.Warn("not remembered for whom the profile was closed", "err", err)
		}
	}
	a.keeper.enforcer.CutRequests()
	a.control.Close()
	a.mu.Lock()
	a.ended = true
	all := a.conns
	a.conns = map[*agentConn]struct{}{}
	a.mu.Unlock()
	for c := range all {
		_ = c.SetWriteDeadline(time.Now().Add(goodbyeLimit)) // it may have stopped reading long ago
		c.notify("closed", map[string]any{"end": end})
		_ = c.Close()
	}
	close(a.closed)
	a.flush(goodbyeLimit)
}

// flush waits until the journal has every step of the agents.
func (a *agents) flush(limit time.Duration) {
	ctx, cancel := context.WithTimeout(a.keeper.life, limit)
	defer cancel()
	a.server.Flush(ctx)
}

// serve turns the request of a bridge into a connection of MCP messages.
func (a *agents) serve(w http.ResponseWriter, r *http.Request) {
	if err := a.admit(w, r); err != nil {
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	c := &agentConn{Conn: conn, r: buffered.Reader, scavenger: &a.scavenger}
	if !a.add(c) {
		_ = conn.Close()
		return
	}
	defer a.remove(c)
	const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n" +
		"Upgrade: " + keeperclient.Upgrade + "\r\n\r\n"
	if _, err := conn.Write([]byte(switching)); err != nil {
		return
	}

	a.keeper.log.Info("agent connected")
	h := hello(r.Header)
	h.Disconnected = func() { c.notify("disconnected", nil) }
	if err := a.server.Serve(a.keeper.life, c, h, c.notifyNumbers); err != nil {
		a.keeper.log.Info("agent's connection broke", "err", err)
	}
	a.keeper.log.Info("agent disconnected")
}

// admit refuses a bridge that cannot be served, and writes the reason.
func (a *agents) admit(w http.ResponseWriter, r *http.Request) error {
	refuseText := func(text string, status int) error {
		http.Error(w, text, status)
		return errors.New(text)
	}
	if a.keeper.record.Mode != session.Automation {
		return refuseText("the profile is open in ordinary mode", http.StatusConflict)
	}
	if r.Header.Get("Upgrade") != keeperclient.Upgrade {
		return refuseText("expected Upgrade: "+keeperclient.Upgrade, http.StatusUpgradeRequired)
	}
	err := a.admits()
	if err != nil {
		refuse(w, err)
	}
	return err
}

// admits returns why the policy lets no agent in; nil when it does.
func (a *agents) admits() error {
	err := a.keeper.enforcer.Admits()
	if errors.Is(err, policy.AgentsOffError()) {
		return policy.AgentsOffIn(a.keeper.spec.ID.String())
	}
	if k := a.keeper; err == nil && k.shares() {
		select {
		case <-k.shared.ended: // tools that ask the browser nothing would answer
			return a.explain(k.life, cdp.ErrClosed)
		default:
		}
	}
	return err
}

// hello reads what a bridge says of its client.
func hello(h http.Header) mcpserver.Hello {
	last, _ := strconv.Atoi(h.Get(keeperclient.HeaderPage))
	documents, _ := strconv.Atoi(h.Get(keeperclient.HeaderDocuments))
	tools := strings.FieldsFunc(h.Get(keeperclient.HeaderTools), func(r rune) bool { return r == ',' || r == ' ' })
	return mcpserver.Hello{
		Dir: h.Get(keeperclient.HeaderDir), Tools: tools, LastPage: last, Documents: documents,
		Notice: h.Get(keeperclient.HeaderNotice),
	}
}

// add registers a connection. It reports false when the profile has closed.
func (a *agents) add(c *agentConn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		a.conns[c] = struct{}{}
	}
	return !a.ended
}

func (a *agents) remove(c *agentConn) {
	_ = c.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.conns, c)
}
