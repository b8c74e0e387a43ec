package page

import (
	"encoding/json"
	"log/slog"
	"sync"
	"testing"

	"cove/internal/cdp"
)

// fake is a browser that sends the events and answers that a test sets.
type fake struct {
	t    *testing.T
	b    *Browser
	conn *cdp.Conn

	mu sync.Mutex
	// answers has the answers to commands, by method. A command with a nil answer is never answered. Other commands get
	// an empty answer.
	answers map[string]any
	// heard is called with each command.
	heard func(method string)
}

const session = "S"

// newFake returns a browser with one tab, whose target and main frame are "T".
func newFake(t *testing.T) (*fake, *Tab) {
	t.Helper()
	f := &fake{t: t, b: New(slog.New(slog.DiscardHandler)), answers: map[string]any{}}
	f.conn = cdp.NewConn(f.send, f.b.Event)
	f.b.conn = f.conn
	f.answers["Page.getFrameTree"] = object{
		"frameTree": object{"frame": object{"id": "T", "loaderId": "L0", "url": "about:blank"}},
	}
	f.answers["Page.createIsolatedWorld"] = object{"executionContextId": 7}
	f.answers["Runtime.evaluate"] = object{"result": object{"type": "number", "value": 0}}
	f.answers["Runtime.callFunctionOn"] = object{"result": object{"type": "number", "value": 0}}
	f.report(
		"",
		"Target.attachedToTarget",
		object{"sessionId": session, "targetInfo": object{"targetId": "T", "type": "page", "url": "about:blank"}},
	)
	tabs := f.b.Tabs()
	if len(tabs) != 1 {
		t.Fatalf("%d tabs", len(tabs))
	}
	return f, tabs[0]
}

func (f *fake) send(raw []byte) error {
	var m struct {
		ID     int    `json:"id"`
		Method string `json:"method"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	f.mu.Lock()
	result, known := f.answers[m.Method]
	heard := f.heard
	f.mu.Unlock()
	if heard != nil {
		heard(m.Method)
	}
	if known && result == nil {
		return nil
	}
	if result == nil {
		result = object{}
	}
	answer, err := json.Marshal(object{"id": m.ID, "result": result})
	if err == nil {
		f.conn.Receive(answer)
	}
	return err
}

// report delivers an event of the browser.
func (f *fake) report(session, method string, params object) {
	f.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		f.t.Fatal(err)
	}
	f.b.Event(cdp.Event{Method: method, Session: session, Params: raw})
}

func (f *fake) answer(method string, result any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[method] = result
}

// hear sets the function that is called with each command from now on.
func (f *fake) hear(heard func(method string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = heard
}

// navigate reports the events of a whole navigation.
func (f *fake) navigate(loader, url string) {
	f.report(session, "Page.frameStartedNavigating", object{"frameId": "T", "url": url, "loaderId": loader})
	f.report(session, "Page.frameStartedLoading", object{"frameId": "T"})
	f.report(session, "Page.frameNavigated", object{"frame": object{"id": "T", "loaderId": loader, "url": url}})
	f.report(session, "Page.lifecycleEvent", object{"frameId": "T", "loaderId": loader, "name": "load"})
	f.report(session, "Page.frameStoppedLoading", object{"frameId": "T"})
}

// answered reports the events of a navigation whose response has this status and brings no document.
func (f *fake) answered(status int) {
	f.report(session, "Page.frameStartedNavigating", object{"frameId": "T", "url": "http://x/", "loaderId": "L1"})
	f.report(
		session,
		"Network.requestWillBeSent",
		object{"requestId": "L1", "type": "Document", "request": object{"url": "http://x/", "method": "GET"}},
	)
	f.report(session, "Network.responseReceived", object{"requestId": "L1", "response": object{"status": status}})
	f.report(session, "Network.loadingFailed",
		object{"requestId": "L1", "errorText": "net::ERR_ABORTED", "canceled": true})
	f.report(session, "Page.frameStoppedLoading", object{"frameId": "T"})
}
