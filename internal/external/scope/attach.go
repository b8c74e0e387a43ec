package scope

import (
	"strings"

	"cove/internal/cdp"
	"cove/internal/random"
)

// A browser with Target.setAutoAttach attaches a client to all tabs of the person, and makes new ones wait for the
// client. So it never gets that command for more than one page: Browser attaches the client to visible pages itself.

// request is a session of a page that the browser was asked for.
type request struct {
	announcer string // the session that is told
	waits     bool
	stale     bool // the tab was hidden since
}

// show tells clients of a page that has become visible. The caller holds mu and does what show returns without it.
func (b *Browser) show(t *tab) func() {
	var acts []func()
	for at, s := range b.sessions {
		acts = append(acts, b.tell(at, s, t)...)
		if s.attach != nil && s.kind == ofBrowser {
			acts = append(acts, b.attach(at, s, t)...)
		}
	}
	return all(acts)
}

func all(acts []func()) func() {
	return func() {
		for _, act := range acts {
			act()
		}
	}
}

// tell tells a session of a page, if it asked for such targets.
func (b *Browser) tell(at string, s *session, t *tab) (acts []func()) {
	if s.discover.has("page") {
		about := t.describe()
		acts = append(acts, func() { b.say(at, "Target.targetCreated", object{"targetInfo": about}) })
	}
	for id, f := range b.frames {
		if s.discover.has(f.Type) && f.tab == t.ID && f.open && f.raw != nil {
			f.told = true
			b.frames[id] = f
			acts = append(acts, func() { b.say(at, "Target.targetCreated", object{"targetInfo": f.raw}) })
		}
	}
	if s.discover.has("tab") {
		about := t.describeStrip()
		acts = append(acts, func() { b.say(at, "Target.targetCreated", object{"targetInfo": about}) })
	}
	return acts
}

// attach attaches a client to a page, or to the target that stands for it.
func (b *Browser) attach(at string, s *session, t *tab) (acts []func()) {
	if s.attach.has("page") {
		acts = append(acts, b.ask(at, at, t, s.waits))
	}
	if s.attach.has("tab") {
		id := b.newStrip(at, t)
		about := t.describeStrip()
		acts = append(acts, func() {
			b.say(at, "Target.attachedToTarget",
				object{"sessionId": id, "targetInfo": about, "waitingForDebugger": false})
		})
	}
	return acts
}

func (b *Browser) newStrip(at string, t *tab) string {
	id := strings.ToUpper(random.Hex(16))
	b.sessions[id] = &session{kind: ofStrip, parent: at, tab: t.ID, target: t.strip}
	return id
}

// ask asks the browser for a session of a page on a real session. announcer is the session that shall be told of it.
func (b *Browser) ask(at, announcer string, t *tab, waits bool) func() {
	key := at + " " + t.ID
	b.asks[key] = append(b.asks[key], request{announcer: announcer, waits: waits && t.fresh})
	id := t.ID
	return func() {
		failed := func() { // there is no event
			b.mu.Lock()
			defer b.mu.Unlock()
			b.asked(at, id)
		}
		err := b.start(at, "Target.attachToTarget", object{"targetId": id, "flatten": true}, func(a answer) {
			if a.err != nil {
				failed()
			}
		})
		if err != nil {
			failed()
		}
	}
}

// asked returns who is to be told of a new session: whoever asked first, or at for one that the client asked for.
func (b *Browser) asked(at, tab string) request {
	key := at + " " + tab
	list := b.asks[key]
	if len(list) == 0 {
		return request{announcer: at}
	}
	if b.asks[key] = list[1:]; len(list) == 1 {
		delete(b.asks, key)
	}
	return list[0]
}

// hide ends what clients have of a page, and tells them that it is gone.
func (b *Browser) hide(t *tab, alive bool) func() {
	id, strip := t.ID, t.strip // the tab itself may change before the client is told
	var acts []func()
	for key, list := range b.asks {
		if strings.HasSuffix(key, " "+id) {
			for n := range list {
				list[n].stale = true
			}
		}
	}
	for session, s := range b.sessions {
		if s.kind == ofStrip && s.tab == id {
			acts = append(acts, b.endStrip(session, alive))
		}
	}
	for session, s := range b.sessions {
		parent := b.sessions[s.parent]
		if alive && s.kind == ofPage && s.tab == id && parent != nil && parent.kind != ofPage {
			at := s.parent
			acts = append(acts, func() { b.post(at, "Target.detachFromTarget", object{"sessionId": session}) })
		}
	}
	for frame, f := range b.frames {
		if f.tab == id {
			acts = append(acts, b.hideFrame(frame)...)
		}
	}
	for at, s := range b.sessions {
		if s.discover.has("page") {
			acts = append(acts, func() { b.say(at, "Target.targetDestroyed", object{"targetId": id}) })
		}
		if s.discover.has("tab") {
			acts = append(acts, func() { b.say(at, "Target.targetDestroyed", object{"targetId": strip}) })
		}
	}
	return all(acts)
}

// endStrip ends a session of a target "tab", and those of the page below it first: a client forgets both with it.
func (b *Browser) endStrip(id string, alive bool) func() {
	s, at := b.sessions[id], b.real(id)
	var acts []func()
	for below, p := range b.sessions {
		if p.parent != id || p.kind != ofPage {
			continue
		}
		answers, target := b.forget(below), p.target
		acts = append(acts, func() {
			b.say(id, "Target.detachedFromTarget", object{"sessionId": below, "targetId": target})
			for _, one := range answers {
				b.out.push(one)
			}
			if alive {
				b.post(at, "Target.detachFromTarget", object{"sessionId": below})
			}
		})
	}
	answers := b.forgetOne(id)
	acts = append(acts, func() {
		b.say(s.parent, "Target.detachedFromTarget", object{"sessionId": id, "targetId": s.target})
		for _, one := range answers {
			b.out.push(one)
		}
	})
	return all(acts)
}

// real returns the session that the browser knows: a session of a target "tab" is only ours.
func (b *Browser) real(at string) string {
	for b.sessions[at] != nil && b.sessions[at].kind == ofStrip {
		at = b.sessions[at].parent
	}
	return at
}

// stripWatchers returns the sessions that asked for targets "tab".
func (b *Browser) stripWatchers() (list []string) {
	for at, s := range b.sessions {
		if s.discover.has("tab") {
			list = append(list, at)
		}
	}
	return list
}

// setAutoAttach attaches a client to the visible pages, and to each that becomes visible.
func (b *Browser) setAutoAttach(at string, s *session, c command) verdict {
	if !c.flag("autoAttach") {
		s.attach = nil
		return done()
	}
	if !c.flag("flatten") {
		return refuse("Sessions inside sessions do not exist in a browser that a person shares. Set flatten to true.")
	}
	f, err := c.filter("filter")
	if err != nil {
		return refuse("The filter cannot be read.")
	}
	before := s.attach
	s.attach, s.waits = f, c.flag("waitForDebuggerOnStart")
	if before != nil {
		return done()
	}
	var acts []func()
	if s.kind == ofStrip {
		if t := b.tabs[s.tab]; t != nil && t.shown && f.has("page") {
			acts = append(acts, b.ask(b.real(at), at, t, s.waits))
		}
	} else {
		for _, t := range b.tabs {
			if t.shown {
				acts = append(acts, b.attach(at, s, t)...)
			}
		}
	}
	if len(acts) == 0 {
		return done()
	}
	session := b.real(at)
	return verdict{later: func() verdict {
		all(acts)()
		// A client counts its tabs when it has the answer. The browser obeys in order, so now it has attached it.
		_ = b.query(session, "Browser.getVersion", nil, nil)
		return done()
	}}
}

// setDiscoverTargets tells a client of the visible pages, and of each that becomes visible.
func (b *Browser) setDiscoverTargets(at string, s *session, c command) verdict {
	if !c.flag("discover") {
		s.discover = nil
		return pass() // the browser tells this session nothing any more
	}
	f, err := c.filter("filter")
	if err != nil {
		return refuse("The filter cannot be read.")
	}
	before := s.discover
	s.discover = f
	var acts []func()
	for _, t := range b.tabs {
		if t.shown && before == nil {
			acts = append(acts, b.tell(at, s, t)...)
		}
	}
	// The browser has to tell of changes.
	return verdict{pass: true, first: all(acts)}
}

// detach ends a session of a client.
func (b *Browser) detach(at string, c command) verdict {
	id := c.text("sessionId")
	s := b.sessions[id]
	if s == nil || s.parent != at {
		return refuseAs(errSession)
	}
	if s.kind != ofStrip {
		if session := b.real(at); session != at { // the browser knows it by another session
			return verdict{then: func() { b.post(session, "Target.detachFromTarget", object{"sessionId": id}) }}
		}
		return pass()
	}
	return verdict{then: b.endStrip(id, true)}
}

var errSession = &cdp.Error{Code: -32602, Message: "No session with given id"}
