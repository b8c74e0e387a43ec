package scope

import (
	"encoding/json"

	"cove/internal/cdp"
)

// downloads are the pages of the downloads under way that visible tabs have begun, by the names that the browser gives
// downloads. Clients hear of a download, and cancel it, only while its page is visible. The lock of the Browser guards
// the map.
type downloads map[string]string

// downloadEvent is what we read of an event of a download.
type downloadEvent struct {
	GUID  string `json:"guid"`
	Frame string `json:"frameId"`
	State string `json:"state"`
}

// tellDownload passes on an event of a download that a visible tab has begun, to all who asked for such events.
func (b *Browser) tellDownload(msg cdp.Message) {
	var e struct {
		Params json.RawMessage `json:"params"`
	}
	var p downloadEvent
	if json.Unmarshal(msg.Raw(), &e) != nil || json.Unmarshal(e.Params, &p) != nil {
		return
	}

	b.mu.Lock()
	if msg.Method() == "Browser.downloadWillBegin" {
		for _, page := range []string{p.Frame, b.frames.byID[p.Frame].tab} {
			if b.tabs.isVisible(page) {
				b.downloads[p.GUID] = page
			}
		}
	}
	var told []string
	for at, s := range b.sessions.byID {
		if s.downloads && b.tabs.isVisible(b.downloads[p.GUID]) {
			told = append(told, at)
		}
	}
	if p.State == "completed" || p.State == "canceled" {
		delete(b.downloads, p.GUID)
	}
	b.mu.Unlock()

	for _, at := range told {
		b.out.event(at, msg.Method(), e.Params)
	}
}

// setDownloadBehavior changes nothing in the browser: what it does with downloads holds for the person's as well.
func (s *session) setDownloadBehavior(c command) verdict {
	s.downloads = c.flag("eventsEnabled")
	return done()
}
