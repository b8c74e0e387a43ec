package scope

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
)

// kind says what a session is of.
type kind int

const (
	ofBrowser kind = iota
	ofPage         // of a page, or of a frame or worker below it
	ofStrip        // of a target "tab" that stands for a page; the browser does not know it
)

// session is a session of a client.
type session struct {
	kind   kind
	parent string // on which it was announced
	tab    string // the page; "" for the browser
	target string // what the session is of
	// discover is the filter of Target.setDiscoverTargets; nil while it is off.
	discover filter
	// attach is the filter of Target.setAutoAttach; nil while it is off. Only for sessions of which the browser does
	// not attach itself.
	attach filter
	waits  bool // new tabs wait for it
	// waiting says that its tab waits for Runtime.runIfWaitingForDebugger.
	waiting bool
	// downloads says that it asked for events of downloads.
	downloads bool
	// contexts are the script contexts that its client has been told of, hidden those that it has not, because they
	// are closed to agents. nil until there are any.
	contexts, hidden map[string]bool
	// scripts says that the browser tells it of contexts.
	scripts bool
	// paused are the requests that wait for its client.
	paused map[string]bool
	// requests are those of the page that it has heard of, or would have.
	requests requests
	// asking says that the browser is asked where a node is that a command names; behind are the commands after it.
	asking bool
	behind []command
}

// filter selects targets by their types, as the protocol does: the first entry that fits decides.
type filter []struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

// usual is the filter that the browser uses where a client gives none.
var usual = filter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}

func (f filter) has(kind string) bool {
	for _, e := range f {
		if e.Type == "" || e.Type == kind {
			return !e.Exclude
		}
	}
	return false
}

// event passes on an event, if it is about what clients may see.
func (b *Browser) event(msg cdp.Message) {
	at := msg.Session()
	b.mu.Lock()
	s, watching := b.sessions[at], at == b.watching && at != ""
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
			b.noteFrame(msg, s)
		}
		if method == "Inspector.targetCrashed" {
			b.locked(func() func() { b.forgetWorlds(s.target); return func() {} })
		}
		if raw := b.bare(msg, s); raw != nil {
			b.pass(raw, s)
		}
	}
}

// pass passes on an event of a page, or keeps it until it is known whether the frame is open to agents.
func (b *Browser) pass(raw []byte, s *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.frames[s.target]; b.isEmpty(s) {
		f.held = append(f.held, raw)
		b.frames[s.target] = f
		return
	}
	b.out.push(raw)
}

// hears reports whether a session is of a visible page, or of a frame of one that is open to agents.
func (b *Browser) hears(s *session) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return s != nil && s.kind == ofPage && b.isVisible(s.tab) && !b.closes(s)
}

// closes reports whether a session is of a frame that is closed to agents.
func (b *Browser) closes(s *session) bool {
	return s.target != s.tab && !b.frames[s.target].open
}

// isEmpty reports whether a session is of a frame that has loaded nothing, so that nobody knows yet whose it will be.
func (b *Browser) isEmpty(s *session) bool {
	return s.target != s.tab && b.frames[s.target].URL == ""
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
				return all(append(b.endFrame(e.Params.TargetID), b.remove(e.Params.TargetID)))
			})
		}
	case "Target.targetCrashed":
		b.mu.Lock()
		told := s != nil && s.kind == ofBrowser && !watching && b.isVisible(e.Params.TargetID)
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

// locked calls f with mu held, and then what it returns.
func (b *Browser) locked(f func() func()) {
	b.mu.Lock()
	act := f()
	b.mu.Unlock()
	act()
}

// described learns of a target and tells clients of pages that are visible. That a page has become visible, or is gone,
// they learn from show and hide: whichever of the browser's events comes first.
func (b *Browser) described(msg cdp.Message, i info, raw json.RawMessage, s *session, watching bool) {
	if i.Type == "browser" {
		if s != nil && s.discover.has("browser") {
			b.out.push(msg.Raw())
		}
		return
	}
	if i.Type != "page" {
		if watching {
			b.locked(func() func() { return b.describedFrame(i, raw) })
		}
		return
	}
	if watching {
		b.locked(func() func() {
			act := b.observe(i, raw)
			t := b.tabs[i.ID]
			if !t.shown || msg.Method() == "Target.targetCreated" {
				return act
			}
			told, about := b.stripWatchers(), t.describeStrip()
			return func() {
				act()
				for _, at := range told {
					b.say(at, "Target.targetInfoChanged", object{"targetInfo": about})
				}
			}
		})
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	told := s != nil && s.discover != nil && b.isVisible(i.ID) && b.opens(i.URL) &&
		msg.Method() == "Target.targetInfoChanged"
	if told {
		b.out.push(msg.Raw())
	}
}

// attached registers a new session of a client, or ends one of something that does not exist for it.
func (b *Browser) attached(msg cdp.Message, at string, parent *session, e targetParams, i info) {
	id, announcer, waiting, about := e.Params.SessionID, at, e.Params.Waiting, any(nil)
	b.mu.Lock()
	var made *session
	ours := parent == nil || at == b.watching && at != ""
	switch {
	case ours:
	case parent.kind == ofBrowser && i.Type == "browser":
		made = &session{kind: ofBrowser}
	case parent.kind == ofBrowser && i.Type == "page":
		asked := b.asked(at, i.ID)
		if b.isVisible(i.ID) && !asked.stale && (asked.announcer == at || b.sessions[asked.announcer] != nil) {
			made = &session{kind: ofPage, tab: i.ID, waiting: asked.waits}
			announcer, waiting = asked.announcer, asked.waits
			about = b.tabs[i.ID].describe()
		}
	case parent.kind == ofPage && isBelow(i) && b.opensFrame(i) && b.isVisible(parent.tab):
		made = &session{kind: ofPage, tab: parent.tab}
		f := b.frames[i.ID]
		f.info, f.tab, f.open = i, parent.tab, true
		b.frames[i.ID] = f
	}
	if made != nil {
		made.parent, made.target = announcer, i.ID
		b.sessions[id] = made
	}
	b.mu.Unlock()
	defer b.attachedTo(i.ID)
	switch {
	case about != nil:
		b.say(announcer, "Target.attachedToTarget",
			object{"sessionId": id, "targetInfo": about, "waitingForDebugger": waiting})
	case made != nil:
		b.out.push(msg.Raw())
	case ours: // whoever asked for it knows
	default:
		if e.Params.Waiting {
			b.post(id, "Runtime.runIfWaitingForDebugger", nil)
		}
		b.post(at, "Target.detachFromTarget", object{"sessionId": id})
	}
}

// attachedTo notes that a client has heard of its session of a tab.
func (b *Browser) attachedTo(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs[id]; t != nil {
		b.progressed(t)
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
	s := b.sessions[id]
	if s != nil {
		at = s.parent
	}
	answers := b.forget(id)
	b.mu.Unlock()
	if s != nil {
		b.say(at, "Target.detachedFromTarget", object{"sessionId": id, "targetId": s.target})
	}
	for _, one := range answers { // clients know by then that the session has ended
		b.out.push(one)
	}
}

// forget forgets a session and those below it, and returns answers to their commands: the browser gives none.
func (b *Browser) forget(id string) (answers [][]byte) {
	answers = b.forgetOne(id)
	for below, s := range b.sessions {
		if s.parent == id && below != "" {
			answers = append(answers, b.forget(below)...)
		}
	}
	return answers
}

// forgetOne is forget without the sessions below.
func (b *Browser) forgetOne(id string) (answers [][]byte) {
	if s := b.sessions[id]; s != nil {
		for _, c := range s.behind {
			answers = append(answers, reply(c.id, c.at, nil, errHidden))
		}
		s.behind = nil
	}
	delete(b.sessions, id)
	for command, at := range b.pending {
		if at == id {
			delete(b.pending, command)
			delete(b.edits, command)
			answers = append(answers, reply(command, at, nil, errHidden))
		}
	}
	return answers
}

// noteFrame learns to which page a frame belongs.
func (b *Browser) noteFrame(msg cdp.Message, s *session) {
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
			f := b.frames[id]
			f.tab = s.tab
			b.frames[id] = f
		}
	}
}

// tellDownload passes on an event of a download that a visible tab has begun, to all who asked for such events.
func (b *Browser) tellDownload(msg cdp.Message) {
	var e struct {
		Params json.RawMessage `json:"params"`
	}
	var p struct {
		GUID  string `json:"guid"`
		Frame string `json:"frameId"`
		State string `json:"state"`
	}
	if json.Unmarshal(msg.Raw(), &e) != nil || json.Unmarshal(e.Params, &p) != nil {
		return
	}
	b.mu.Lock()
	if msg.Method() == "Browser.downloadWillBegin" {
		for _, page := range []string{p.Frame, b.frames[p.Frame].tab} {
			if b.isVisible(page) {
				b.saving[p.GUID] = page
			}
		}
	}
	var told []string
	for at, s := range b.sessions {
		if s.downloads && b.isVisible(b.saving[p.GUID]) {
			told = append(told, at)
		}
	}
	if p.State == "completed" || p.State == "canceled" {
		delete(b.saving, p.GUID)
	}
	b.mu.Unlock()
	for _, at := range told {
		b.say(at, msg.Method(), e.Params)
	}
}
