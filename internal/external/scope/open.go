package scope

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cove/internal/cdp"
)

// Each tab that agents open has a window of its own: a tab behind another one draws no frames, and to bring it to the
// front would take the keyboard from the person.

// readyLimit is how long a new tab waits for the clients that want to see its beginning.
const readyLimit = 2 * time.Second

// createTarget opens a tab of the chosen profile, whichever window is in front.
func (b *Browser) createTarget(c command) verdict {
	address := c.text("url")
	if address != "" {
		if v := checkNavigate(b, nil, nil, c); !v.pass {
			return v
		}
	}
	if context := c.text("browserContextId"); context != "" && context != b.profile {
		return refuseAs(&cdp.Error{Code: -32602, Message: "Failed to find browser context with id " + context})
	}
	if c.flag("hidden") || c.flag("forTab") {
		return refuse("There are no hidden tabs in a browser that a person shares. Leave hidden and forTab out.")
	}
	params := object{"url": "about:blank", "newWindow": true, "background": true, "browserContextId": b.profile}
	for _, name := range []string{"left", "top", "width", "height"} {
		if c.has(name) {
			params[name] = c.params[name]
		}
	}
	return verdict{later: func() verdict { return b.open(params, address) }}
}

// open opens an empty tab, waits until clients are ready for it, and loads the address.
func (b *Browser) open(params object, address string) verdict {
	b.opening.Lock()
	defer b.opening.Unlock()
	made, err := b.create(params)
	var failed *cdp.Error
	switch {
	case errors.As(err, &failed): // the context is not that of the window in front
		return refuse("A window of another profile of this browser is in front, so no tab was opened. " +
			"Ask the user to click a window of the shared profile, and try again.")
	case err != nil:
		return refuse("The browser does not answer.")
	}
	ready := make(chan struct{})
	b.locked(func() func() {
		t := b.tabs[made.ID]
		if t == nil { // the browser tells of it later
			raw, _ := json.Marshal(object{"targetId": made.ID, "type": "page", "title": "", "url": "about:blank",
				"attached": false, "canAccessOpener": false, "browserContextId": b.profile})
			b.observe(info{ID: made.ID, Type: "page", URL: "about:blank", Context: b.profile}, raw)()
			t = b.tabs[made.ID]
		}
		t.own, t.settled, t.fresh, t.ready = true, true, address != "" && address != "about:blank", ready
		act := b.refresh(t)
		return func() {
			act()
			b.mu.Lock()
			b.progressed(t)
			b.mu.Unlock()
		}
	})
	select { // a client may look for the session of the tab when it has the answer
	case <-ready:
	case <-time.After(readyLimit):
	}
	if address == "" || address == "about:blank" {
		return result(object{"targetId": made.ID})
	}
	b.mu.Lock()
	if t := b.tabs[made.ID]; t != nil {
		t.fresh = false
	}
	b.mu.Unlock()
	b.load(made.ID, address)
	return result(object{"targetId": made.ID})
}

type newTab struct {
	ID string `json:"targetId"`
}

// create opens an empty tab. One that comes too late is closed: nobody knows whose it is.
func (b *Browser) create(params object) (made newTab, err error) {
	got := make(chan answer, 1)
	if err := b.start("", "Target.createTarget", params, func(a answer) { got <- a }); err != nil {
		return made, err
	}
	select {
	case a := <-got:
		if a.err != nil {
			return made, a.err
		}
		return made, json.Unmarshal(a.result, &made)
	case <-time.After(queryLimit):
	}
	go func() {
		var late newTab
		if a := <-got; a.err == nil && json.Unmarshal(a.result, &late) == nil {
			b.post("", "Target.closeTarget", object{"targetId": late.ID})
		}
	}()
	return newTab{}, context.DeadlineExceeded
}

// load loads an address in a tab, on a session of ours.
func (b *Browser) load(id, address string) {
	var at struct {
		SessionID string `json:"sessionId"`
	}
	if b.query(b.watching, "Target.attachToTarget", object{"targetId": id, "flatten": true}, &at) != nil {
		return
	}
	// The browser answers when it knows whether there is a page, which may take long.
	_ = b.start(at.SessionID, "Page.navigate", object{"url": address}, func(answer) {
		go b.post(b.watching, "Target.detachFromTarget", object{"sessionId": at.SessionID})
	})
}

// progressed looks whether every client is attached to a new tab, and those that want to see its beginning are ready.
// The caller holds mu.
func (b *Browser) progressed(t *tab) {
	if t.ready == nil {
		return
	}
	for at, s := range b.sessions {
		if len(b.asks[at+" "+t.ID]) > 0 {
			return
		}
		if s.tab == t.ID && s.waiting {
			return
		}
	}
	close(t.ready)
	t.ready = nil
}
