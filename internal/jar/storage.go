package jar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/cookie"
	"cove/internal/fault"
)

// visitLimit bounds the reading or writing of one origin.
const visitLimit = 15 * time.Second

// Page is a hidden page that shows an empty document of any origin, without the network.
type Page struct {
	conn   *cdp.Conn
	client *mux.Client
	target string
	m      *mux.Mux
	origin atomic.Value // a string: the origin that the page is about to show
}

// Deliver makes a Page a mux.Sink, together with End.
func (p *Page) Deliver(out mux.Outgoing) { p.conn.Receive(out.Bytes()) }

// End is called when the browser has closed the page.
func (p *Page) End(string) { p.conn.Close() }

// OpenPage opens a hidden page in a browser context, or in the default one if it is empty. Nobody sees the page, and
// tools and programs do not count it as one.
func OpenPage(ctx context.Context, m *mux.Mux, browserContext string) (*Page, error) {
	var made struct {
		TargetID string `json:"targetId"`
	}
	params := map[string]any{"url": "about:blank", "hidden": true}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	err := m.Call(ctx, "Target.createTarget", params, &made)
	if err != nil {
		return nil, err
	}
	p := &Page{target: made.TargetID, m: m}
	p.conn = cdp.NewConn(func(raw []byte) error { return p.client.Send(raw) }, p.event)
	if p.client, err = m.Attach(ctx, made.TargetID, p, nil); err != nil {
		p.Close()
		return nil, err
	}
	err = p.calls(ctx,
		interceptAll,
		command{"Network.enable", nil},
		command{"Network.setBypassServiceWorker", map[string]any{"bypass": true}})
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

type command struct {
	method string
	params any
}

func (p *Page) calls(ctx context.Context, list ...command) error {
	for _, c := range list {
		if err := p.conn.Call(ctx, "", c.method, c.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// entrance leads to every origin. A browser connects to the site of an address while it still asks whether it may
// load it, so the address that a page is told to show is one of this computer, where nothing listens. The browser does
// not do so for where an answer leads.
const entrance = "http://127.0.0.1:9/"

// event answers every request of the page with an empty document, and leads from the entrance to the origin.
func (p *Page) event(e cdp.Event) {
	if e.Method != "Fetch.requestPaused" {
		return
	}
	var paused struct {
		RequestID string `json:"requestId"`
		Request   struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if json.Unmarshal(e.Params, &paused) != nil {
		return
	}
	status, header := http.StatusOK, map[string]string{"name": "Content-Type", "value": "text/html"}
	if origin, ok := p.origin.Load().(string); ok && paused.Request.URL == entrance {
		status, header = http.StatusFound, map[string]string{"name": "Location", "value": origin + "/"}
	}
	_ = p.conn.Post("", "Fetch.fulfillRequest", map[string]any{
		"requestId": paused.RequestID, "responseCode": status, "responseHeaders": []any{header},
	})
}

// Close closes the page.
func (p *Page) Close() {
	if p.client != nil {
		p.client.Close()
	}
	_ = p.m.Post("", "Target.closeTarget", map[string]any{"targetId": p.target})
}

// Cookies returns every cookie of the profile that the page belongs to, sorted, and how many have a partition without a
// name. In a browser with several open profiles Jar.Cookies would read those of the one in front.
func (p *Page) Cookies(ctx context.Context) (list []cookie.Cookie, opaque int, err error) {
	return readCookies(func(result any) error { return p.conn.Call(ctx, "", "Network.getAllCookies", nil, result) })
}

// ProfilePath returns the folder of the profile that the page belongs to.
func (p *Page) ProfilePath(ctx context.Context) (string, error) {
	if err := p.calls(ctx, command{"Fetch.disable", nil}); err != nil {
		return "", err
	}
	path, err := ProfilePath(ctx, "", p.conn.Call)
	if err != nil {
		return "", err
	}
	return path, p.calls(ctx, interceptAll)
}

// ProfilePath returns the folder of the profile that the page of a session belongs to. The browser tells it on a page
// of its own, which the page shows afterwards.
func ProfilePath(ctx context.Context, session string,
	call func(ctx context.Context, session, method string, params, result any) error,
) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, visitLimit)
	defer cancel()
	if err := call(ctx, session, "Page.navigate", map[string]any{"url": "chrome://version"}, nil); err != nil {
		return "", err
	}
	var r struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	err := call(ctx, session, "Runtime.evaluate", map[string]any{
		"expression": pathScript, "awaitPromise": true, "returnByValue": true}, &r)
	return r.Result.Value, err
}

// pathScript returns the folder of the profile, once the page has it.
const pathScript = `new Promise(done => {
	const look = () => {
		const path = document.querySelector("#profile_path")?.textContent.trim()
		path ? done(path) : setTimeout(look, 20)
	}
	look()
})`

// interceptAll pauses every request of the page.
var interceptAll = command{"Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*"}}}}

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

// errSlow says that the browser took too long for one origin. Others may be quicker.
var errSlow = fmt.Errorf("the browser took too long for one origin: %w", context.DeadlineExceeded)

// isOfOrigin reports whether an error is about one origin only.
func isOfOrigin(err error) bool { return errors.Is(err, errOrigin) || errors.Is(err, errSlow) }

// visit shows an origin and runs a script there.
func (p *Page) visit(ctx context.Context, origin, script string) (items []cookie.Entry, err error) {
	all := ctx
	ctx, cancel := context.WithTimeout(all, visitLimit)
	defer cancel()
	defer func() {
		if errors.Is(err, context.DeadlineExceeded) && all.Err() == nil {
			err = errSlow
		}
	}()
	var shown struct {
		ErrorText string `json:"errorText"`
	}
	p.origin.Store(origin)
	if err := p.conn.Call(ctx, "", "Page.navigate", map[string]any{"url": entrance}, &shown); err != nil {
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
	p, err := OpenPage(ctx, m, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	found, _, err := p.read(ctx, origins, func(err error) bool {
		return errors.Is(err, errOrigin) // a site that is only ever shown over https keeps older data
	})
	return found, err
}

// Storage returns the local storage of origins, without those that have none, and the origins that cannot be read.
func (p *Page) Storage(ctx context.Context, origins []string) (found []cookie.Origin, unread []string, err error) {
	return p.read(ctx, origins, isOfOrigin)
}

// read is Storage. It fails with an error of one origin unless skip says that there are others.
func (p *Page) read(
	ctx context.Context, origins []string, skip func(error) bool,
) (found []cookie.Origin, unread []string, err error) {
	found = []cookie.Origin{}
	for _, origin := range origins {
		items, err := p.visit(ctx, origin, readScript)
		switch {
		case err != nil && skip(err):
			unread = append(unread, origin)
		case err != nil:
			return nil, nil, fmt.Errorf("read the local storage of %s: %w", origin, err)
		case len(items) > 0:
			found = append(found, cookie.Origin{Origin: origin, Items: items})
		}
	}
	return found, unread, nil
}

// SetStorage adds entries to the local storage of origins: all of them, or none.
func SetStorage(ctx context.Context, m *mux.Mux, origins []cookie.Origin) error {
	if len(origins) == 0 {
		return nil
	}
	p, err := OpenPage(ctx, m, "")
	if err != nil {
		return err
	}
	defer p.Close()
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

// ReplaceStorage makes the local storage of origins what is given, and returns the origins whose storage the browser
// did not accept. Those keep what they had.
func ReplaceStorage(ctx context.Context, m *mux.Mux, origins []cookie.Origin) (refused []string, err error) {
	if len(origins) == 0 {
		return nil, nil
	}
	p, err := OpenPage(ctx, m, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	for _, o := range origins {
		err := p.replace(ctx, o)
		switch {
		case err != nil && isOfOrigin(err):
			refused = append(refused, o.Origin)
		case err != nil:
			return nil, err
		}
	}
	return refused, nil
}

// replace makes the local storage of an origin what is given, or leaves it as it is.
func (p *Page) replace(ctx context.Context, o cookie.Origin) error {
	before, err := p.visit(ctx, o.Origin, readScript)
	if err != nil {
		return err
	}
	err = p.write(ctx, o, true)
	var got []cookie.Entry
	if err == nil {
		got, err = p.visit(ctx, o.Origin, readScript)
	}
	if err == nil && !sameEntries(got, o.Items) {
		err = errOrigin
	}
	if err != nil && isOfOrigin(err) {
		p.restore(ctx, []cookie.Origin{{Origin: o.Origin, Items: before}})
	}
	return err
}

func sameEntries(a, b []cookie.Entry) bool {
	values := map[cookie.Text]cookie.Text{}
	for _, e := range a {
		values[e.Name] = e.Value
	}
	for _, e := range b {
		if v, there := values[e.Name]; !there || v != e.Value {
			return false
		}
	}
	return len(a) == len(b)
}

func (p *Page) write(ctx context.Context, o cookie.Origin, replace bool) error {
	items, err := json.Marshal(append([]cookie.Entry{}, o.Items...))
	if err != nil {
		return err
	}
	_, err = p.visit(ctx, o.Origin, fmt.Sprintf(writeScript, items, replace))
	return err
}

// restore undoes a change.
func (p *Page) restore(ctx context.Context, before []cookie.Origin) {
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
