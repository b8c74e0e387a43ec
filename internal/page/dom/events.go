package dom

import (
	"strings"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// frameParams are the members that we read of any event of the Page domain.
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

func (f *Frames) frameEvent(e cdp.Event) {
	p, ok := target.Decode[frameParams](e)
	if !ok {
		return
	}

	var came *Frame
	missed := false
	f.mu.Lock()
	switch e.Method {
	case "Page.frameAttached":
		if f.byID[p.FrameID] == nil {
			f.byID[p.FrameID] = &frame{id: p.FrameID, parent: p.ParentFrameID, session: e.Session}
		}
	case "Page.frameNavigated":
		now := f.navigated(p, e.Session)
		came = &now
	case "Page.frameDetached":
		if p.Reason != "swap" {
			f.remove(p.FrameID)
		}
	case "Page.navigatedWithinDocument":
		if one := f.byID[p.FrameID]; one != nil {
			one.url = p.URL
			if one.id == f.main {
				f.load.Within++
			}
		}
	default:
		if p.FrameID == f.main {
			missed = f.loadEvent(e.Method, p)
		}
	}
	f.mu.Unlock()

	if missed {
		f.ReadTree(e.Session)
	}
	if came != nil && IsWeb(came.URL) { // of an empty page, its scripts' context says whose it is
		f.config.Arrived(*came)
	}
	f.target.Changed.Broadcast()
}

// navigated records that a document has come to a frame. The caller has locked mu.
func (f *Frames) navigated(p frameParams, session string) Frame {
	if p.Frame.ID == f.main {
		f.revive() // somebody else has reloaded it
	}
	one := f.byID[p.Frame.ID]
	if one == nil {
		one = &frame{id: p.Frame.ID}
		f.byID[one.id] = one
	}

	one.crashed = false
	one.parent, one.session, one.url = p.Frame.ParentID, session, p.Frame.URL+p.Frame.Fragment
	if one.loader != p.Frame.LoaderID {
		f.commit(one, p.Frame.LoaderID)
	}
	if one.id == f.main && p.Type == "BackForwardCacheRestore" {
		// The document was loaded when it was left, and has no load event again.
		f.load.Pending, f.load.DOM, f.load.Done = "", true, true
	}
	return one.copy()
}

func (f *Frames) contextEvent(e cdp.Event) {
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
	f.mu.Lock()
	switch e.Method {
	case "Runtime.executionContextCreated":
		one := f.byID[p.Context.Aux.FrameID]
		if one == nil || !p.Context.Aux.IsDefault {
			break
		}
		// A new document, also where a change of the process has swallowed the end of the old one.
		if one.id == f.main {
			f.target.MarkLived()
			f.revive() // the browser has loaded it by itself
		}
		one.forgetDocument()
		one.session, one.script, one.origin = e.Session, p.Context.ID, p.Context.Origin
		if now := one.copy(); !IsWeb(now.URL) {
			came = &now
		}
	case "Runtime.executionContextDestroyed":
		f.contextDestroyed(e.Session, p.ID)
	case "Runtime.executionContextsCleared":
		for _, one := range f.byID {
			if one.session == e.Session {
				one.forgetDocument()
			}
		}
	}
	f.mu.Unlock()

	if came != nil {
		f.config.Arrived(*came)
	}
}

// contextDestroyed forgets an execution context. The caller has locked mu.
func (f *Frames) contextDestroyed(session string, id int) {
	for _, one := range f.byID {
		if one.session == session && one.world == id {
			one.world, one.document = 0, nil
		}
		if one.session == session && one.script == id {
			one.script = 0
		}
	}
}

// IsWeb reports whether an address belongs to a site. Other addresses have rules for agents only.
func IsWeb(address string) bool {
	for _, prefix := range []string{"http:", "https:", "blob:http", "filesystem:http"} {
		if strings.HasPrefix(address, prefix) {
			return true
		}
	}
	return false
}
