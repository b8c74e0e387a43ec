package scope

import (
	"encoding/json"
)

// windows are the windows that clients have a number of. They may read the bounds of all of these, and change those
// that agents have opened. The lock of the Browser guards it.
type windows struct {
	known  map[int]bool // the windows of visible tabs
	opened map[int]bool // those that agents have opened
}

func newWindows() windows { return windows{known: map[int]bool{}, opened: map[int]bool{}} }

// learn learns the window of a visible tab. own says that agents have opened the tab, and so its window.
func (w windows) learn(id int, own bool) {
	w.known[id] = true
	w.opened[id] = w.opened[id] || own
}

// judgeBrowser judges the commands about the whole browser.
func (b *Browser) judgeBrowser(s *session, c command) verdict {
	window, named := c.number("windowId")
	switch c.method {
	case "Browser.getVersion":
		return pass()
	case "Browser.close": // it would quit the person's browser
		return refuse("Agents do not close a browser that a person shares.")
	case "Browser.setDownloadBehavior", "Page.setDownloadBehavior":
		return s.setDownloadBehavior(c)
	case "Browser.cancelDownload":
		if b.tabs.isVisible(b.downloads[c.text("guid")]) {
			return pass()
		}
	case "Browser.getWindowForTarget":
		return b.windowOf(s, c)
	case "Browser.getWindowBounds":
		if named && (b.windows.opened[window] || b.windows.known[window]) {
			return pass()
		}
	case "Browser.setWindowBounds", "Browser.setContentsSize":
		if named && b.windows.opened[window] {
			return b.changeWindow(window)
		}
		return refuseAs(errWindow)
	}
	return refuse(c.method + " is not available in a browser that a person shares: it reaches beyond the shared tabs.")
}

var errWindow = refused("This window is the person's, so agents do not change it.")

// changeWindow allows a change of a window that agents have opened, unless the person has put a tab of theirs there.
func (b *Browser) changeWindow(window int) verdict {
	persons := b.tabs.persons()
	return verdict{later: func() verdict {
		for _, id := range persons {
			var at struct {
				Window int `json:"windowId"`
			}
			err := b.calls.query(b.calls.own(), "Browser.getWindowForTarget", object{"targetId": id}, &at)
			if err == nil && at.Window == window {
				return refuseAs(errWindow)
			}
		}
		return pass()
	}}
}

func (b *Browser) windowOf(s *session, c command) verdict {
	id := c.text("targetId")
	if id == "" {
		id = s.tab
	}
	if t := b.tabs.byStrip(id); t != nil {
		id = t.ID
	}
	if !b.tabs.isVisible(id) {
		return refuseAs(errTarget)
	}
	target, err := json.Marshal(id)
	if err != nil {
		return refuseAs(errTarget)
	}
	own := b.tabs.byID[id].own
	return verdict{pass: true, params: map[string]json.RawMessage{"targetId": target}, edit: func(result any) any {
		if r, ok := result.(object); ok {
			if window, ok := r["windowId"].(float64); ok {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.windows.learn(int(window), own && b.tabs.byID[id] != nil)
			}
		}
		return result
	}}
}
