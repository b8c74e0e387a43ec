package scope

import (
	"encoding/json"
	"errors"
	"time"

	"cove/internal/cdp"
)

// Each tab that agents open has a window of its own: a tab behind another one draws no frames, and to bring it to the
// front would take the keyboard from the person.

// readyLimit is how long a new tab waits for clients that want to see it from the beginning.
const readyLimit = 2 * time.Second

// createTarget opens a tab of the chosen profile, whichever window is in front.
func (b *Browser) createTarget(c command) verdict {
	address := c.text("url")
	if address != "" {
		if v := checkNavigate(b, nil, nil, c); !v.pass {
			return v
		}
	}
	if context := c.text("browserContextId"); context != "" && context != b.tabs.profile {
		return refuseAs(&cdp.Error{Code: -32602, Message: "Failed to find browser context with id " + context})
	}
	if c.flag("hidden") || c.flag("forTab") {
		return refuse("There are no hidden tabs in a browser that a person shares. Leave hidden and forTab out.")
	}
	params := object{"url": "about:blank", "newWindow": true, "background": true, "browserContextId": b.tabs.profile}
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
	id, err := b.calls.createTab(params)
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
		t := b.tabs.byID[id]
		if t == nil { // the browser tells of it later
			raw, _ := json.Marshal(object{"targetId": id, "type": "page", "title": "", "url": "about:blank",
				"attached": false, "canAccessOpener": false, "browserContextId": b.tabs.profile})
			b.observe(info{ID: id, Type: "page", URL: "about:blank", Context: b.tabs.profile}, raw)()
			t = b.tabs.byID[id]
		}
		t.own, t.settled, t.fresh, t.ready = true, true, address != "" && address != "about:blank", ready
		act := b.refresh(t)
		return func() {
			act()
			b.mu.Lock()
			b.sessions.progressed(t)
			b.mu.Unlock()
		}
	})
	select { // a client may look for the session of the tab when it has the answer
	case <-ready:
	case <-time.After(readyLimit):
	}
	if address == "" || address == "about:blank" {
		return result(object{"targetId": id})
	}
	b.mu.Lock()
	if t := b.tabs.byID[id]; t != nil {
		t.fresh = false
	}
	b.mu.Unlock()
	b.calls.load(id, address)
	return result(object{"targetId": id})
}
