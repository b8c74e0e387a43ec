package keeper

import (
	"context"
	"encoding/json"
	"time"

	"cove/internal/cdp"
	"cove/internal/gate"
)

// driver is the keeper's own connection to its browser.
type driver struct {
	*cdp.Conn
	pages chan string // ids of pages, as the browser tells them
}

func newDriver(m *gate.Mux) *driver {
	d := &driver{pages: make(chan string, 64)}
	var root *gate.Client
	d.Conn = cdp.NewConn(func(raw []byte) error { return root.Send(raw) }, d.event)
	root = m.Root(d)
	return d
}

// Deliver and End make the driver a gate.Sink.
func (d *driver) Deliver(raw []byte) { d.Receive(raw) }
func (d *driver) End(string)         { d.Close() }

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
	default: // more pages than anybody needs to find one that answers
	}
}

// readyToDrive waits until one page takes commands, then opens the gate.
func (k *keeper) readyToDrive(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-k.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	d := newDriver(k.mux)
	go func() {
		_ = k.mux.Run()
		k.leaving()
	}()

	attached := make(chan error, 1)
	go func() { attached <- k.agents.attach(ctx, k.mux) }()
	answered := make(chan error, 1)
	go func() { answered <- d.findPage(ctx) }()
	var version gate.Version
	if err := d.Call(ctx, "", "Browser.getVersion", nil, &version); err != nil {
		return k.orExited(err)
	}
	k.version = version
	listening := make(chan error, 1)
	go func() { // beside the rest; nobody is told its port yet
		var err error
		k.gate, err = gate.Listen(k.mux, version, gate.Rules{Home: k.Dir.Home(), Enforcer: k.enforcer, Journal: k.journal, Token: k.credential, Who: who, Posted: k.agents.posted, Left: k.agents.left, Secrets: k.agents.server.Hides, Files: k.files, Passed: k.agents.tidy.Passed, Picture: k.agents.picture}, k.log)
		if err == nil {
			k.gatePort.Store(int32(k.gate.Port()))
		}
		listening <- err
	}()
	for _, waited := range []chan error{listening, answered, attached} {
		if err := <-waited; err != nil {
			return k.orExited(err)
		}
	}
	k.agents.gate.Store(k.gate)
	k.openRest(ctx, d)
	return nil
}

// orExited tells a browser that ended from one that does not answer: its pipe ends a moment before its process.
func (k *keeper) orExited(err error) error {
	select {
	case <-k.exited:
		return errExited
	case <-time.After(time.Second):
		return err
	}
}

// findPage returns when one page has answered. Each page is asked by itself: one of a restored session may hang.
func (d *driver) findPage(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := d.Call(ctx, "", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return err
	}
	defer func() {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = d.Call(ctx, "", "Target.setDiscoverTargets", map[string]any{"discover": false}, nil)
		}()
	}()
	found := make(chan struct{}, 1)
	for {
		select {
		case id := <-d.pages:
			go func() {
				if d.ask(ctx, id) {
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

// ask runs a script in a page until it answers: the first document of a page may be replaced under the script.
func (d *driver) ask(ctx context.Context, id string) bool {
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if d.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached) != nil {
		return false
	}
	detach := map[string]any{"sessionId": attached.SessionID}
	defer func() {
		go func() { // nobody waits for it
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = d.Call(ctx, "", "Target.detachFromTarget", detach, nil)
		}()
	}()
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

// openRest opens the start pages that a headless browser does not take on its command line.
func (k *keeper) openRest(ctx context.Context, d *driver) {
	if k.Options.Restored || !k.Options.Headless || len(k.Options.Pages) < 2 {
		return
	}
	for _, page := range k.Options.Pages[1:] {
		if err := d.Call(ctx, "", "Target.createTarget", map[string]any{"url": page, "background": true}, nil); err != nil {
			k.log.Warn("a start page did not open", "err", err)
		}
	}
}
