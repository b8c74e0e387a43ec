package keeper

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"cove/internal/cdp/mux"
	"cove/internal/chromium"
	"cove/internal/external"
	"cove/internal/external/scope"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/keeperclient"
	"cove/internal/process"
	"cove/internal/redact"
	"cove/internal/session"
)

// shared is the connection to a browser that its person has opened outside Cove. The keeper has nothing else of that
// browser: it never closes it, signals it or starts it anew.
type shared struct {
	mu    sync.Mutex
	conn  *external.Conn // nil before the person has allowed it
	scope *scope.Browser // nil before that
	over  bool

	ended chan struct{} // closed when there is no connection any more, or never will be

	once   sync.Once
	reason session.EndReason // set by once, after the end
}

// shares reports whether the profile stands for a person's browser.
func (k *keeper) shares() bool { return k.spec.External.Set() }

// shareLimit bounds a start that waits for the person.
const shareLimit = 30 * time.Minute

// otherProfile is the step at which a window of the right profile has to come to the front.
const otherProfile external.Step = "other-profile"

func (k *keeper) setStep(step external.Step) {
	k.server.set(keeperclient.Status{State: session.Starting, Step: string(step)})
}

// readyToShare waits until the person has allowed the connection, and opens the gate for the tabs that they share.
func (k *keeper) readyToShare(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-k.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	conn, err := external.Dial(ctx, k.spec.External.DataDir, k.setStep)
	if err != nil {
		return err
	}
	if !k.shared.connected(conn) {
		return context.Canceled
	}
	browserContext, err := external.FindProfile(ctx, conn, k.spec.External.Path(), func() { k.setStep(otherProfile) })
	if err != nil {
		return err
	}
	b := scope.New(conn, k.log)
	sites := scope.Sites{
		Permits: func(address string) bool {
			rules := k.enforcer.Rules()
			return !k.ports.serves(address) && rules.Permits(rules.URL(address))
		},
		Expressions: func() (allow, block string) {
			allow, block = k.enforcer.Rules().Expressions()
			return allow, strings.TrimPrefix(block+k.ports.expression(), "|")
		},
	}
	k.enforcer.OnRulesChange(func() { b.Permit(sites) })
	if err := b.Start(ctx, browserContext); err != nil {
		return err
	}
	k.mux = mux.New(b, k.log, func(answer func()) { answer() })
	k.shared.mu.Lock()
	k.shared.scope = b
	k.shared.mu.Unlock()
	newDriver(k.mux) // it receives what belongs to nobody else
	go func() {
		_ = k.mux.Run()
		k.browserClosing()
		k.shared.end()
	}()
	var version gate.Version
	if err := k.mux.Call(ctx, "Browser.getVersion", nil, &version); err != nil {
		return err
	}
	k.version = version
	if err := k.agents.attach(ctx, k.mux); err != nil {
		return err
	}
	if err := k.openGate(); err != nil {
		return err
	}
	k.agents.gate.Store(k.gate)
	return nil
}

// connected keeps the connection. It reports false, and closes the connection, if the sharing is over already.
func (s *shared) connected(conn *external.Conn) bool {
	s.mu.Lock()
	over := s.over
	if !over {
		s.conn = conn
	}
	s.mu.Unlock()
	if over {
		conn.Close()
	}
	return !over
}

// letGo ends the connection. The browser and its tabs stay as they are.
func (s *shared) letGo() {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
	s.end()
}

func (s *shared) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.ended)
	}
}

// quitLimit is how long a browser that quits may take to exit after its connections.
const quitLimit = 3 * time.Second

// shareEnd says why the sharing is over. It may take a moment to see whether the browser quits.
func (k *keeper) shareEnd() session.EndReason {
	k.shared.once.Do(func() { k.shared.reason = k.whyShareEnds() })
	return k.shared.reason
}

func (k *keeper) whyShareEnds() session.EndReason {
	select {
	case <-k.stopping:
		return session.LetGo
	default:
	}
	k.shared.mu.Lock()
	conn := k.shared.conn
	k.shared.mu.Unlock()
	var owner process.ID
	if conn != nil {
		owner = conn.Owner
	} else if holder, open := chromium.Holder(k.spec.External.DataDir); open { // the browser had not answered yet
		owner = holder
	} else {
		return session.BrowserQuit
	}
	ctx, cancel := context.WithTimeout(context.Background(), quitLimit)
	defer cancel()
	if owner.Wait(ctx) != nil {
		return session.SwitchedOff
	}
	return session.BrowserQuit
}

// titlesLimit bounds the reading of titles: without them the list is as good as it was.
const titlesLimit = 2 * time.Second

// sharedTabs changes which tabs agents see, and returns those that can be shared.
func (k *keeper) sharedTabs(ctx context.Context, in keeperclient.TabChoice) (any, error) {
	var b *scope.Browser
	if k.shares() {
		k.shared.mu.Lock()
		b = k.shared.scope
		k.shared.mu.Unlock()
	}
	if b == nil || k.server.get().State != session.Open {
		return nil, fault.New(fault.CodeNotOpen, "The browser is not shared now.",
			"Share it with: cove adopt "+k.spec.ID.String())
	}
	if err := k.changeTabs(b, in); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, titlesLimit)
	defer cancel()
	if err := b.ReadTitles(limited); err != nil {
		k.log.Warn("the titles of tabs are old", "err", err)
	}
	list := []keeperclient.SharedTab{}
	for _, t := range b.Tabs() {
		list = append(list, keeperclient.SharedTab(t))
	}
	return list, nil
}

// sharable is a browser whose tabs can be shared: scope.Browser.
type sharable interface {
	Tabs() []scope.Tab
	Share(id string, on bool) bool
	AddressOf(id string) string
}

// changeTabs shares all tabs that are named, or none. Hiding one that has gone changes nothing.
func (k *keeper) changeTabs(b sharable, in keeperclient.TabChoice) error {
	there := b.Tabs()
	for _, id := range in.Share {
		if !slices.ContainsFunc(there, func(t scope.Tab) bool { return t.ID == id }) {
			return fault.New(fault.CodeNoTab, "That tab is not there any more.",
				"List the tabs with: cove adopt share "+k.spec.ID.String())
		}
	}
	for _, id := range in.Share {
		k.changeTab(b, id, true)
	}
	for _, id := range in.Unshare {
		k.changeTab(b, id, false)
	}
	return nil
}

func (k *keeper) changeTab(b sharable, id string, on bool) {
	if !b.Share(id, on) {
		return
	}
	word := "unshared"
	if on {
		word = "shared"
	}
	k.events.pageEvent(word, k.agents.server.RedactText(redact.URL(b.AddressOf(id))))
}
