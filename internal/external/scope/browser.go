// Package scope is the part of a person's browser that exists for agents: the tabs that the person shares, the tabs
// that agents open, and what these open. Everything else of the browser is hidden from whoever talks through it.
package scope

import (
	"context"
	"log/slog"
	"sync"

	"cove/internal/cdp"
)

// Browser shows a part of a person's browser as if it were all of it. It stands between the connection to that browser
// and the mux that shares the connection, so that it bounds everybody: agents, scripts, and Cove's own tools.
//
// A Browser knows every session and every tab. It drops what the browser says of other tabs, answers a command that
// would reach beyond the visible ones with an error, and does itself what a browser does on its own for new tabs
// (Target.setAutoAttach), because the real browser would do that to the person's tabs as well. It never closes the
// browser and never moves the focus.
//
// What it knows is in one part for each subject: tabs, frames, sessions, downloads and windows. Whether a command or an
// event may pass depends on several of them at the same moment, so that one lock, mu, guards them all: a tab cannot
// disappear between the look at the tab and the look at its session. Methods of these parts expect that the caller
// holds mu. They never write to the browser: what is to be done without mu, they return as a function. The caller of
// Cove's own commands and the queue for the mux have locks of their own, which are taken after mu if both are.
//
// New starts a goroutine that reads the connection until that ends. Read and Write make a Browser a cdp.Transport; all
// exported methods may be called from any goroutine, Read from one at a time. No lock is held while something is
// written to the browser.
type Browser struct {
	conn  cdp.Transport
	log   *slog.Logger
	out   *queue
	calls *caller

	opening sync.Mutex // held while a tab is opened

	mu        sync.Mutex
	tabs      *tabs
	frames    *frames
	sessions  *sessions
	downloads downloads
	windows   windows
}

// New returns the part of a browser that exists for agents: nothing, until Start. It owns the connection's reading end.
func New(conn cdp.Transport, log *slog.Logger) *Browser {
	b := &Browser{conn: conn, log: log, out: newQueue(), calls: newCaller(conn), tabs: newTabs(),
		downloads: downloads{}, windows: newWindows()}
	b.sessions = newSessions(b.out)
	b.frames = newFrames(b.tabs, b.sessions, b.out)
	go b.receive()
	return b
}

// Permit sets which addresses are open to agents: a tab is hidden while it shows another one, and so is a frame. It
// waits for a moment until that is so.
func (b *Browser) Permit(sites Sites) {
	b.mu.Lock()
	b.tabs.sites = sites
	var acts []func()
	for _, t := range b.tabs.byID {
		t.open = sites.opens(t.URL)
		t.settled = t.settled && t.open
		acts = append(acts, b.refresh(t))
		if t.shown {
			acts = append(acts, b.look(t)) // it may still show the page before, which may be closed now
		}
	}
	for id := range b.frames.byID {
		acts = append(acts, b.frames.refresh(id)...)
	}
	var looking []chan struct{}
	for _, t := range b.tabs.byID {
		looking = append(looking, t.lookAgain())
	}
	b.mu.Unlock()
	all(acts)()
	awaitLooks(looking...)
}

// Start makes the tabs of one profile sharable: that of the browser context.
func (b *Browser) Start(ctx context.Context, browserContext string) error {
	if err := b.calls.open(ctx); err != nil {
		return err
	}
	b.mu.Lock()
	b.tabs.profile = browserContext
	b.mu.Unlock()
	own := b.calls.own()
	watch := object{"discover": true, "filter": []object{{"type": "page"}, {"type": "iframe"}, {"exclude": true}}}
	if err := b.calls.call(ctx, own, "Target.setDiscoverTargets", watch, nil); err != nil {
		return err
	}
	// The person's downloads stay as they are. Without this, nobody would hear of those of shared tabs.
	downloads := object{"behavior": "default", "eventsEnabled": true, "browserContextId": browserContext}
	return b.calls.call(ctx, own, "Browser.setDownloadBehavior", downloads, nil)
}

type object = map[string]any

// Read returns the next message for the mux.
func (b *Browser) Read() ([]byte, error) { return b.out.pop() }

// receive reads what the browser says until the connection ends.
func (b *Browser) receive() {
	for {
		raw, err := b.conn.Read()
		if err != nil {
			b.calls.end()
			b.out.close(err)
			return
		}
		msg, err := cdp.ParseBrowser(raw)
		if err != nil {
			b.log.Error("message from the browser not understood", "bytes", len(raw), "err", err)
			continue
		}
		if id, ok := msg.ID(); !ok {
			b.event(msg)
		} else if !b.calls.answered(id, msg) {
			b.answered(id, msg)
		}
	}
}

// answered passes on an answer of the browser to a command of a client.
func (b *Browser) answered(id int32, msg cdp.Message) {
	b.mu.Lock()
	at, edit, waits := b.sessions.unanswered.of(id)
	s := b.sessions.byID[at]
	// The page may be another one than that for which the command was allowed.
	hidden := waits && s.kind == ofPage && !b.tabs.isVisible(s.tab)
	closed := waits && s.kind == ofPage && b.frames.closes(s)
	if !hidden {
		b.sessions.unanswered.remove(id)
	}
	b.mu.Unlock()
	switch {
	case id < 0 || !waits || hidden: // the end of the session answers it, or has done so
		return
	case closed:
		b.out.push(reply(id, at, nil, errHidden))
		return
	}
	raw := msg.Raw()
	if edit != nil && !msg.Failed() {
		raw = edited(msg, id, edit)
	}
	b.out.push(raw)
}

// locked calls f with mu held, and then what it returns.
func (b *Browser) locked(f func() func()) {
	b.mu.Lock()
	act := f()
	b.mu.Unlock()
	act()
}

// all returns a function that calls each of acts.
func all(acts []func()) func() {
	return func() {
		for _, act := range acts {
			act()
		}
	}
}
