package scope

import (
	"encoding/json"
)

// judgeBrowser judges the commands about the whole browser.
func (b *Browser) judgeBrowser(s *session, c command) verdict {
	window, named := c.number("windowId")
	switch c.method {
	case "Browser.getVersion":
		return pass()
	case "Browser.close": // it would quit the person's browser
		return refuse("Agents do not close a browser that a person shares.")
	case "Browser.setDownloadBehavior", "Page.setDownloadBehavior":
		return b.setDownloadBehavior(s, c)
	case "Browser.cancelDownload":
		if b.isVisible(b.saving[c.text("guid")]) {
			return pass()
		}
	case "Browser.getWindowForTarget":
		return b.windowOf(s, c)
	case "Browser.getWindowBounds":
		if named && (b.windows[window] || b.seen[window]) {
			return pass()
		}
	case "Browser.setWindowBounds", "Browser.setContentsSize":
		if named && b.windows[window] {
			return b.changeWindow(window)
		}
		return refuseAs(errWindow)
	}
	return refuse(c.method + " is not available in a browser that a person shares: it reaches beyond the shared tabs.")
}

var errWindow = refused("This window is the person's, so agents do not change it.")

// changeWindow allows a change of a window that agents have opened, unless the person has put a tab of theirs there.
func (b *Browser) changeWindow(window int) verdict {
	var persons []string
	for id, t := range b.tabs {
		if t.Context == b.profile && !t.own && !t.popup {
			persons = append(persons, id)
		}
	}
	return verdict{later: func() verdict {
		for _, id := range persons {
			var at struct {
				Window int `json:"windowId"`
			}
			err := b.query(b.watching, "Browser.getWindowForTarget", object{"targetId": id}, &at)
			if err == nil && at.Window == window {
				return refuseAs(errWindow)
			}
		}
		return pass()
	}}
}

// setDownloadBehavior changes nothing: what the browser does with downloads holds for the person's as well.
func (b *Browser) setDownloadBehavior(s *session, c command) verdict {
	s.downloads = c.flag("eventsEnabled")
	return done()
}

func (b *Browser) windowOf(s *session, c command) verdict {
	id := c.text("targetId")
	if id == "" {
		id = s.tab
	}
	if t := b.byStrip(id); t != nil {
		id = t.ID
	}
	if !b.isVisible(id) {
		return refuseAs(errTarget)
	}
	target, err := json.Marshal(id)
	if err != nil {
		return refuseAs(errTarget)
	}
	own := b.tabs[id].own
	return verdict{pass: true, params: map[string]json.RawMessage{"targetId": target}, edit: func(result any) any {
		if r, ok := result.(object); ok {
			if window, ok := r["windowId"].(float64); ok {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.seen[int(window)] = true
				b.windows[int(window)] = b.windows[int(window)] || own && b.tabs[id] != nil
			}
		}
		return result
	}}
}
