package keeper

import (
	"context"
	"encoding/json"
	"net/netip"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/chromium"
	"cove/internal/gate"
	"cove/internal/keeper/credential"
	"cove/internal/process"
)

// ready waits until the browser can be used.
func (k *keeper) ready(ctx context.Context, launched *chromium.Process) error {
	switch {
	case k.shares():
		return k.readyToShare(ctx)
	case launched == nil:
		return nil
	case k.maintains():
		return k.readyToMaintain(ctx)
	case k.mux != nil:
		return k.readyToDrive(ctx)
	default:
		return k.readyToUse(ctx)
	}
}

// showLimit is how long the keeper waits for the first page of a person's browser that has its data folder. A slow
// browser counts as open after that.
const showLimit = 3 * time.Second

// readyToUse waits until the browser has its data folder and has begun to show a page; ordinary mode reveals no more.
// The folder alone is too early: a browser that finds no display takes the folder first, and ends.
func (k *keeper) readyToUse(ctx context.Context) error {
	dataDir := k.spec.Options.DataDir
	var locked time.Time
	for {
		if locked.IsZero() && chromium.LockedBy(dataDir, k.browser.ID) {
			locked = time.Now()
		}
		if !locked.IsZero() && (chromium.HasShownPage(dataDir, k.browser.launched) || time.Since(locked) > showLimit) {
			return nil
		}
		select {
		case <-k.browser.exited:
			return errExited
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// driver is the keeper's own connection to its browser.
type driver struct {
	*cdp.Conn
	pages chan string // ids of pages, as the browser reports them
}

func newDriver(m *mux.Mux) *driver {
	d := &driver{pages: make(chan string, 64)}
	var root *mux.Client
	d.Conn = cdp.NewConn(func(raw []byte) error { return root.Send(raw) }, d.event)
	root = m.Root(d)
	return d
}

// Deliver and End make the driver a mux.Sink.
func (d *driver) Deliver(out mux.Outgoing) { d.Receive(out.Bytes()) }
func (d *driver) End(string)               { d.Close() }

func (d *driver) event(e cdp.Event) {
	if e.Method != "Target.targetCreated" {
		return
	}
	var p struct {
		TargetInfo struct {
			TargetID string `json:"targetId"`
			Type     string `json:"type"`
		} `json:"targetInfo"`
	}
	if json.Unmarshal(e.Params, &p) != nil || p.TargetInfo.Type != "page" {
		return
	}
	select {
	case d.pages <- p.TargetInfo.TargetID:
	default: // there are more pages than it takes to find one that answers
	}
}

// readyToDrive waits until one page accepts commands, and opens the gate.
func (k *keeper) readyToDrive(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		if k.browser.gone(ctx) {
			cancel()
		}
	}()
	d := newDriver(k.mux)
	go func() {
		_ = k.mux.Run()
		k.browserClosing()
	}()

	attached := make(chan error, 1)
	go func() { attached <- k.agents.attach(ctx, k.mux) }()
	answered := make(chan error, 1)
	go func() { answered <- d.findPage(ctx) }()
	var version gate.Version
	if err := d.Call(ctx, "", "Browser.getVersion", nil, &version); err != nil {
		return k.browser.orExited(err)
	}
	k.version = version
	listening := make(chan error, 1)
	go func() { listening <- k.openGate() }() // nobody knows its port yet
	for _, waited := range []chan error{listening, answered, attached} {
		if err := <-waited; err != nil {
			return k.browser.orExited(err)
		}
	}
	k.agents.gate.Store(k.gate)
	k.openRest(ctx, d)
	return nil
}

// readyToShare waits until the person has allowed the connection to their browser, and opens the gate for the tabs that
// they share.
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
	b, err := k.shared.connect(ctx, k.server.setStep)
	if err != nil {
		return err
	}
	k.mux = mux.New(b, k.log, func(answer func()) { answer() })
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

// openGate opens the port for programs that speak the browser's protocol.
func (k *keeper) openGate() (err error) {
	a, tabs := k.agents, k.enforcer.Tabs()
	k.mux.OnTargetCreated(func(t mux.Target) {
		if t.Type == "page" {
			tabs.Created(t.ID, t.Opener)
		}
	})
	k.mux.OnTargetDestroyed(tabs.Closed)
	k.gate, err = gate.Listen(k.mux, k.version, gate.Config{
		Home: k.spec.Dir.Home(), Enforcer: k.enforcer, Journal: k.events.journal, Files: k.files,
		Token: k.isCredential, Who: programAt, Secrets: a.server.RedactFunc, Handled: a.scavenger.Handled,
		Posted: a.posted, Disconnected: a.programGone, Thumbnail: a.thumbnail,
		PageTools: pageTools{a}, Shared: k.shares(),
	}, k.log)
	if err == nil {
		k.ports.gate.Store(int32(k.gate.Port()))
	}
	return err
}

// isCredential reports whether a token opens the port where the policy binds programs.
func (k *keeper) isCredential(ctx context.Context, token string) bool {
	return credential.Valid(ctx, k.spec.Dir.Home(), token)
}

// programAt names the process that has connected to the gate.
func programAt(remote, local netip.AddrPort) (name string, pid int) {
	info, ok := process.Peer(remote, local)
	if !ok {
		return "", 0
	}
	return info.Name(), info.PID
}

// findPage returns when one page has answered. Pages are tried separately: one of a restored session may hang.
func (d *driver) findPage(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := d.Call(ctx, "", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return err
	}
	defer func() { _ = d.Post("", "Target.setDiscoverTargets", map[string]any{"discover": false}) }()
	found := make(chan struct{}, 1)
	for {
		select {
		case id := <-d.pages:
			go func() {
				if d.answers(ctx, id) {
					select {
					case found <- struct{}{}:
					default:
					}
				}
			}()
		case <-found:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// answers runs a script in a page until the page answers: the first document of a page may be replaced under the
// script.
func (d *driver) answers(ctx context.Context, id string) bool {
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if d.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached) != nil {
		return false
	}
	detach := map[string]any{"sessionId": attached.SessionID}
	defer func() { _ = d.Post("", "Target.detachFromTarget", detach) }()
	for ctx.Err() == nil {
		if d.Call(ctx, attached.SessionID, "Runtime.evaluate", map[string]any{"expression": "1"}, nil) == nil {
			return true
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

// openRest opens the start pages that a headless browser does not accept on its command line.
func (k *keeper) openRest(ctx context.Context, d *driver) {
	o := k.spec.Options
	if o.Restored || !o.Headless || len(o.Pages) < 2 {
		return
	}
	for _, page := range o.Pages[1:] {
		params := map[string]any{"url": page, "background": true}
		if err := d.Call(ctx, "", "Target.createTarget", params, nil); err != nil {
			k.log.Warn("a start page did not open", "err", err)
		}
	}
}
