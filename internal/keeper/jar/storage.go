package jar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/cookie"
	"cove/internal/fault"
)

// visitLimit bounds the reading or writing of one origin.
const visitLimit = 15 * time.Second

// page is a hidden page that shows an empty document of any origin, without the network.
type page struct {
	conn   *cdp.Conn
	client *mux.Client
	target string
	m      *mux.Mux
}

// Deliver and End make a page a mux.Sink.
func (p *page) Deliver(out mux.Outgoing) { p.conn.Receive(out.Bytes()) }
func (p *page) End(string)               { p.conn.Close() }

// openPage opens a hidden page. Nobody sees it, and tools and programs do not count it as a page.
func openPage(ctx context.Context, m *mux.Mux) (*page, error) {
	var made struct {
		TargetID string `json:"targetId"`
	}
	err := m.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank", "hidden": true}, &made)
	if err != nil {
		return nil, err
	}
	p := &page{target: made.TargetID, m: m}
	p.conn = cdp.NewConn(func(raw []byte) error { return p.client.Send(raw) }, p.event)
	if p.client, err = m.Attach(ctx, made.TargetID, p, nil); err != nil {
		p.close()
		return nil, err
	}
	for _, c := range []struct {
		method string
		params any
	}{
		{"Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*"}}}},
		{"Network.enable", nil},
		{"Network.setBypassServiceWorker", map[string]any{"bypass": true}},
	} {
		if err := p.conn.Call(ctx, "", c.method, c.params, nil); err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

// event answers every request of the page with an empty document.
func (p *page) event(e cdp.Event) {
	if e.Method != "Fetch.requestPaused" {
		return
	}
	var paused struct {
		RequestID string `json:"requestId"`
	}
	if json.Unmarshal(e.Params, &paused) != nil {
		return
	}
	_ = p.conn.Post("", "Fetch.fulfillRequest", map[string]any{
		"requestId": paused.RequestID, "responseCode": 200,
		"responseHeaders": []any{map[string]string{"name": "Content-Type", "value": "text/html"}},
	})
}

func (p *page) close() {
	if p.client != nil {
		p.client.Close()
	}
	_ = p.m.Post("", "Target.closeTarget", map[string]any{"targetId": p.target})
}

// readScript returns the local storage of an origin.
const readScript = `JSON.stringify({origin: location.origin, items: Object.entries(localStorage)
	.map(([Name, Value]) => ({Name, Value}))})`

// writeScript adds entries to the local storage of an origin, or replaces all of it.
const writeScript = `(function (items, clear) {
	if (clear) localStorage.clear();
	for (const e of items) localStorage.setItem(e.Name, e.Value);
	return JSON.stringify({origin: location.origin});
})(%s, %t)`

// errOrigin says that the browser showed no page of the origin.
var errOrigin = errors.New("the browser shows no page of this origin")

// visit shows an origin and runs a script there.
func (p *page) visit(ctx context.Context, origin, script string) (items []cookie.Entry, err error) {
	ctx, cancel := context.WithTimeout(ctx, visitLimit)
	defer cancel()
	var shown struct {
		ErrorText string `json:"errorText"`
	}
	if err := p.conn.Call(ctx, "", "Page.navigate", map[string]any{"url": origin + "/"}, &shown); err != nil {
		return nil, err
	}
	if shown.ErrorText != "" {
		return nil, errOrigin
	}
	var r struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Exception any `json:"exceptionDetails"`
	}
	err = p.conn.Call(ctx, "", "Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &r)
	if err != nil {
		return nil, err
	}
	var said struct {
		Origin string         `json:"origin"`
		Items  []cookie.Entry `json:"items"`
	}
	if r.Exception != nil || json.Unmarshal([]byte(r.Result.Value), &said) != nil || said.Origin != origin {
		return nil, errOrigin
	}
	return said.Items, nil
}

// Storage returns the local storage of origins, without those that have none.
func Storage(ctx context.Context, m *mux.Mux, origins []string) ([]cookie.Origin, error) {
	if len(origins) == 0 {
		return []cookie.Origin{}, nil
	}
	p, err := openPage(ctx, m)
	if err != nil {
		return nil, err
	}
	defer p.close()
	out := []cookie.Origin{}
	for _, origin := range origins {
		items, err := p.visit(ctx, origin, readScript)
		if err != nil && !errors.Is(err, errOrigin) { // a site that is only ever shown over https keeps older data
			return nil, fmt.Errorf("read the local storage of %s: %w", origin, err)
		}
		if len(items) > 0 {
			out = append(out, cookie.Origin{Origin: origin, Items: items})
		}
	}
	return out, nil
}

// SetStorage adds entries to the local storage of origins: all of them, or none.
func SetStorage(ctx context.Context, m *mux.Mux, origins []cookie.Origin) error {
	if len(origins) == 0 {
		return nil
	}
	p, err := openPage(ctx, m)
	if err != nil {
		return err
	}
	defer p.close()
	var before []cookie.Origin
	for i, o := range origins {
		items, err := p.visit(ctx, o.Origin, readScript)
		if err == nil {
			before = append(before, cookie.Origin{Origin: o.Origin, Items: items})
			err = p.write(ctx, o, false)
		}
		if err != nil {
			p.restore(ctx, before)
			return errStorage(i+1, err)
		}
	}
	return nil
}

func (p *page) write(ctx context.Context, o cookie.Origin, replace bool) error {
	items, err := json.Marshal(append([]cookie.Entry{}, o.Items...))
	if err != nil {
		return err
	}
	_, err = p.visit(ctx, o.Origin, fmt.Sprintf(writeScript, items, replace))
	return err
}

// restore undoes a change.
func (p *page) restore(ctx context.Context, before []cookie.Origin) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoLimit)
	defer cancel()
	for _, o := range before {
		_ = p.write(ctx, o, true)
	}
}

func errStorage(position int, err error) error {
	if !errors.Is(err, errOrigin) {
		return err
	}
	return fault.Unprocessablef(cookie.StorageField,
		"The browser did not accept the local storage of origin %d.", position).
		WithHint("Nothing was imported. A browser keeps at most 5 MB of one origin.")
}
