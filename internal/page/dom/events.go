package dom

import (
	"strings"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// frameParams has the members that we read of all events of the Page domain.
type frameParams struct {
	FrameID       string `json:"frameId"`
	ParentFrameID string `json:"parentFrameId"`
	Reason        string `json:"reason"`
	Name          string `json:"name"`
	URL           string `json:"url"`
	LoaderID      string `json:"loaderId"`
	Type          string `json:"type"`
	Frame         struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
		Fragment string `json:"urlFragment"`
		LoaderID string `json:"loaderId"`
	} `json:"frame"`
}

func (t *tree) frameEvent(e cdp.Event) {
	p, ok := target.Decode[frameParams](e)
	if !ok {
		return
	}

	var came *Frame
	missed := false
	t.mu.Lock()
	switch e.Method {
	case "Page.frameAttached":
		if t.byID[p.FrameID] == nil {
			t.byID[p.FrameID] = &frame{id: p.FrameID, parent: p.ParentFrameID, session: e.Session}
		}
	case "Page.frameNavigated":
		now := t.navigated(p, e.Session)
		came = &now
		missed = p.Type == "BackForwardCacheRestore" // the frames inside it are not reported again
	case "Page.frameDetached":
		if p.Reason != "swap" {
			t.remove(p.FrameID)
		}
	case "Page.navigatedWithinDocument":
		if one := t.byID[p.FrameID]; one != nil {
			one.url = p.URL
			if one.id == t.main {
				t.load.Within++
			}
		}
	default:
		if p.FrameID == t.main {
			missed = t.loadEvent(e.Method, p)
		}
	}
	t.mu.Unlock()

	if missed {
		t.ReadTree(e.Session)
	}
	if came != nil && IsWeb(came.URL) { // for an empty page, contextEvent finds out whose it is
		t.config.Arrived(*came)
	}
	t.target.Changed.Broadcast()
}

// navigated records that a document has come to a frame. The caller has locked mu.
func (t *tree) navigated(p frameParams, session string) Frame {
	if p.Frame.ID == t.main {
		t.revive() // somebody else has reloaded the tab
	}
	one := t.byID[p.Frame.ID]
	if one == nil {
		one = &frame{id: p.Frame.ID}
		t.byID[one.id] = one
	}

	one.crashed = false
	one.parent, one.session, one.url = p.Frame.ParentID, session, p.Frame.URL+p.Frame.Fragment
	if one.loader != p.Frame.LoaderID {
		t.commit(one, p.Frame.LoaderID)
	}
	if one.id == t.main && p.Type == "BackForwardCacheRestore" {
		// The document was loaded before it was left, and gets no second load event.
		t.load.Pending, t.load.DOM, t.load.Done = "", true, true
	}
	return one.copy()
}

func (t *tree) contextEvent(e cdp.Event) {
	p, ok := target.Decode[struct {
		ID      int `json:"executionContextId"`
		Context struct {
			ID     int    `json:"id"`
			Name   string `json:"name"`
			Origin string `json:"origin"`
			Aux    struct {
				FrameID   string `json:"frameId"`
				IsDefault bool   `json:"isDefault"`
			} `json:"auxData"`
		} `json:"context"`
	}](e)
	if !ok {
		return
	}

	var came *Frame
	t.mu.Lock()
	switch e.Method {
	case "Runtime.executionContextCreated":
		one := t.byID[p.Context.Aux.FrameID]
		if one == nil || !p.Context.Aux.IsDefault {
			break
		}
		// There is a new document, even when the end of the old one was not reported because the process changed.
		if one.id == t.main {
			t.target.MarkLived()
			t.revive() // the browser has loaded the tab on its own
		}
		one.forgetDocument()
		one.session, one.script, one.origin = e.Session, p.Context.ID, p.Context.Origin
		if now := one.copy(); !IsWeb(now.URL) {
			came = &now
		}
	case "Runtime.executionContextDestroyed":
		t.contextDestroyed(e.Session, p.ID)
	case "Runtime.executionContextsCleared":
		for _, one := range t.byID {
			if one.session == e.Session {
				one.forgetDocument()
			}
		}
	}
	t.mu.Unlock()

	if came != nil {
		t.config.Arrived(*came)
	}
}

// contextDestroyed forgets a destroyed execution context. The caller has locked mu.
func (t *tree) contextDestroyed(session string, id int) {
	for _, one := range t.byID {
		if one.session == session && one.world == id {
			one.world, one.document = 0, nil
		}
		if one.session == session && one.script == id {
			one.script = 0
		}
	}
}

// IsWeb reports whether an address belongs to a site. The rules for other addresses apply to agents only.
func IsWeb(address string) bool {
	for _, prefix := range []string{"http:", "https:", "blob:http", "filesystem:http"} {
		if strings.HasPrefix(address, prefix) {
			return true
		}
	}
	return false
}
