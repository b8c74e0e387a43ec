package scope

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
)

// event passes on an event, if it is about what clients may see.
func (b *Browser) event(msg cdp.Message) {
	at := msg.Session()
	b.mu.Lock()
	s, watching := b.sessions.byID[at], b.calls.isOwn(at)
	b.mu.Unlock()
	method := msg.Method()
	switch {
	case strings.HasPrefix(method, "Target."):
		b.targetEvent(msg, at, s, watching)
	case strings.HasPrefix(method, "Browser.download"):
		if watching {
			b.tellDownload(msg)
		}
	case method == "Fetch.requestPaused" || method == "Fetch.authRequired":
		if b.requestPaused(method, at, s, msg.Raw()) {
			b.out.push(msg.Raw())
		}
	case !b.hears(s): // nothing of the whole browser is told
	case b.hidesContext(msg, s):
	default:
		if method == "Page.frameAttached" || method == "Page.frameNavigated" {
			b.locateFrames(msg, s)
		}
		if method == "Inspector.targetCrashed" {
			b.mu.Lock()
			b.sessions.forgetWorlds(s.target)
			b.mu.Unlock()
		}
		if raw := b.redact(msg, s); raw != nil {
			b.mu.Lock()
			b.frames.pass(raw, s)
			b.mu.Unlock()
		}
	}
}

// hears reports whether a session is of a visible page, or of a frame of one that is open to agents.
func (b *Browser) hears(s *session) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return s != nil && s.kind == ofPage && b.tabs.isVisible(s.tab) && !b.frames.closes(s)
}

// targetParams has the members that we read of all events of the Target domain.
type targetParams struct {
	Params struct {
		SessionID string          `json:"sessionId"`
		TargetID  string          `json:"targetId"`
		Info      json.RawMessage `json:"targetInfo"`
		Waiting   bool            `json:"waitingForDebugger"`
	} `json:"params"`
}

func (b *Browser) targetEvent(msg cdp.Message, at string, s *session, watching bool) {
	var e targetParams
	if json.Unmarshal(msg.Raw(), &e) != nil {
		return
	}
	var i info
	if len(e.Params.Info) > 0 && json.Unmarshal(e.Params.Info, &i) != nil {
		return
	}
	switch method := msg.Method(); method {
	case "Target.targetCreated", "Target.targetInfoChanged":
		b.described(msg, i, e.Params.Info, s, watching)
	case "Target.targetDestroyed":
		if watching { // clients learn it from hide
			b.locked(func() func() {
				return all(append(b.frames.remove(e.Params.TargetID), b.remove(e.Params.TargetID)))
			})
		}
	case "Target.targetCrashed":
		b.mu.Lock()
		told := s != nil && s.kind == ofBrowser && !watching && b.tabs.isVisible(e.Params.TargetID)
		b.mu.Unlock()
		if told {
			b.out.push(msg.Raw())
		}
	case "Target.attachedToTarget":
		b.attached(msg, at, s, e, i)
	case "Target.detachedFromTarget":
		b.detached(at, e.Params.SessionID)
	}
}

// described learns of a target, and tells clients of changes to visible pages. Only show and hide tell them that a page
// has appeared or is gone, because the events of the browser come in any order.
func (b *Browser) described(msg cdp.Message, i info, raw json.RawMessage, s *session, watching bool) {
	if i.Type == "browser" {
		b.mu.Lock()
		defer b.mu.Unlock()
		if s != nil && s.discover.has("browser") {
			b.out.push(msg.Raw())
		}
		return
	}
	if i.Type != "page" {
		if watching {
			b.locked(func() func() { return b.frames.describe(i, raw) })
		}
		return
	}
	if watching {
		b.locked(func() func() {
			act := b.observe(i, raw)
			t := b.tabs.byID[i.ID]
			if !t.shown || msg.Method() == "Target.targetCreated" {
				return act
			}
			told := b.sessions.tell("tab", "Target.targetInfoChanged", object{"targetInfo": t.describeStrip()})
			return all(append([]func(){act}, told...))
		})
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	told := s != nil && s.discover != nil && b.tabs.isVisible(i.ID) && b.tabs.sites.opens(i.URL) &&
		msg.Method() == "Target.targetInfoChanged"
	if told {
		b.out.push(msg.Raw())
	}
}

// attached registers a new session of a client. It ends a session of a target that does not exist for clients.
func (b *Browser) attached(msg cdp.Message, at string, parent *session, e targetParams, i info) {
	id, announcer, waiting, about := e.Params.SessionID, at, e.Params.Waiting, any(nil)
	b.mu.Lock()
	var made *session
	ours := parent == nil || b.calls.isOwn(at)
	switch {
	case ours:
	case parent.kind == ofBrowser && i.Type == "browser":
		made = &session{kind: ofBrowser}
	case parent.kind == ofBrowser && i.Type == "page":
		awaited := b.sessions.arrived(at, i.ID)
		announced := awaited.announcer == at || b.sessions.byID[awaited.announcer] != nil
		if b.tabs.isVisible(i.ID) && !awaited.stale && announced {
			made = &session{kind: ofPage, tab: i.ID, waiting: awaited.waits}
			announcer, waiting = awaited.announcer, awaited.waits
			about = b.tabs.byID[i.ID].describe()
		}
	case parent.kind == ofPage && isBelow(i) && b.frames.opens(i) && b.tabs.isVisible(parent.tab):
		made = &session{kind: ofPage, tab: parent.tab}
		b.frames.attached(i, parent.tab)
	}
	if made != nil {
		made.parent, made.target = announcer, i.ID
		b.sessions.byID[id] = made
	}
	b.mu.Unlock()
	defer b.attachedTo(i.ID)
	switch {
	case about != nil:
		b.out.event(announcer, "Target.attachedToTarget",
			object{"sessionId": id, "targetInfo": about, "waitingForDebugger": waiting})
	case made != nil:
		b.out.push(msg.Raw())
	case ours: // whoever asked for it knows
	default:
		if e.Params.Waiting {
			b.calls.post(id, "Runtime.runIfWaitingForDebugger", nil)
		}
		b.calls.post(at, "Target.detachFromTarget", object{"sessionId": id})
	}
}

// attachedTo learns that a client has heard of its session of a tab.
func (b *Browser) attachedTo(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs.byID[id]; t != nil {
		b.sessions.progressed(t)
	}
}

// isBelow reports whether a target belongs to the page that reports it, and to nothing else. A service worker or a
// shared worker serves other tabs, too, and an extension's frame is a part of the extension.
func isBelow(i info) bool {
	switch i.Type {
	case "iframe": // one without an address has not loaded yet
		return isWeb(i.URL) || isInline(i.URL)
	case "worker", "worklet", "page": // a page below a page is one that is being prepared
		return i.URL != "" && isWeb(i.URL)
	}
	return false
}

// detached forgets a session and those below it.
func (b *Browser) detached(at, id string) {
	b.mu.Lock()
	s := b.sessions.byID[id]
	if s != nil {
		at = s.parent
	}
	answers := b.sessions.forget(id)
	b.mu.Unlock()
	if s != nil {
		b.out.event(at, "Target.detachedFromTarget", object{"sessionId": id, "targetId": s.target})
	}
	b.out.push(answers...) // clients know by then that the session has ended
}

// locateFrames learns to which page a frame belongs.
func (b *Browser) locateFrames(msg cdp.Message, s *session) {
	var e struct {
		Params struct {
			FrameID string `json:"frameId"`
			Frame   struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"params"`
	}
	if json.Unmarshal(msg.Raw(), &e) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range []string{e.Params.FrameID, e.Params.Frame.ID} {
		if id != "" && id != s.target {
			b.frames.locate(id, s.tab)
		}
	}
}
