package scope

import "cove/internal/cdp"

// A browser with Target.setAutoAttach attaches a client to all tabs of the person, and makes new ones wait for the
// client. So it never gets that command for more than one page: Browser attaches the client to visible pages itself.

// show tells clients of a page that has become visible. The caller holds mu, and calls what show returns without it.
func (b *Browser) show(t *tab) func() {
	var acts []func()
	for at, s := range b.sessions.byID {
		acts = append(acts, b.tell(at, s, t)...)
		if s.attach != nil && s.kind == ofBrowser {
			acts = append(acts, b.attach(at, s, t)...)
		}
	}
	return all(acts)
}

// tell tells a session of a page, if the session has asked for such targets.
func (b *Browser) tell(at string, s *session, t *tab) (acts []func()) {
	if s.discover.has("page") {
		about := t.describe()
		acts = append(acts, func() { b.out.event(at, "Target.targetCreated", object{"targetInfo": about}) })
	}
	acts = append(acts, b.frames.show(at, s, t)...)
	if s.discover.has("tab") {
		about := t.describeStrip()
		acts = append(acts, func() { b.out.event(at, "Target.targetCreated", object{"targetInfo": about}) })
	}
	return acts
}

// attach attaches a client to a page, or to the target that stands for it.
func (b *Browser) attach(at string, s *session, t *tab) (acts []func()) {
	if s.attach.has("page") {
		acts = append(acts, b.expect(at, at, t, s.waits))
	}
	if s.attach.has("tab") {
		id := b.sessions.newStrip(at, t)
		about := t.describeStrip()
		acts = append(acts, func() {
			b.out.event(at, "Target.attachedToTarget",
				object{"sessionId": id, "targetInfo": about, "waitingForDebugger": false})
		})
	}
	return acts
}

// expect has the browser make a session of a page, on a session that the browser knows. announcer is the session that
// hears of the new one. The caller holds mu, and calls what expect returns without it.
func (b *Browser) expect(at, announcer string, t *tab, waits bool) func() {
	b.sessions.expect(at, announcer, t, waits)
	id := t.ID
	return func() {
		failed := func() { // there is no event
			b.mu.Lock()
			defer b.mu.Unlock()
			b.sessions.arrived(at, id)
		}
		err := b.calls.start(at, "Target.attachToTarget", object{"targetId": id, "flatten": true}, func(a answer) {
			if a.err != nil {
				failed()
			}
		})
		if err != nil {
			failed()
		}
	}
}

// hide ends all sessions that clients have of a page, and tells them that the page is gone. The caller holds mu, and
// calls what hide returns without it.
func (b *Browser) hide(t *tab, alive bool) func() {
	id, strip := t.ID, t.strip // the tab itself may change before the client is told
	var acts []func()
	b.sessions.expectNoMore(id)
	for session, s := range b.sessions.byID {
		if s.kind == ofStrip && s.tab == id {
			acts = append(acts, b.endStrip(session, alive))
		}
	}
	for session, s := range b.sessions.byID {
		parent := b.sessions.byID[s.parent]
		if alive && s.kind == ofPage && s.tab == id && parent != nil && parent.kind != ofPage {
			at := s.parent
			acts = append(acts, func() { b.calls.post(at, "Target.detachFromTarget", object{"sessionId": session}) })
		}
	}
	acts = append(acts, b.frames.hideAll(id)...)
	acts = append(acts, b.sessions.tell("page", "Target.targetDestroyed", object{"targetId": id})...)
	acts = append(acts, b.sessions.tell("tab", "Target.targetDestroyed", object{"targetId": strip})...)
	return all(acts)
}

// endStrip ends a session of a target "tab". The sessions of the page below it end first, because a client forgets them
// together with the session of the "tab".
func (b *Browser) endStrip(id string, alive bool) func() {
	s, at := b.sessions.byID[id], b.sessions.real(id)
	var acts []func()
	for below, p := range b.sessions.byID {
		if p.parent != id || p.kind != ofPage {
			continue
		}
		answers, target := b.sessions.forget(below), p.target
		acts = append(acts, func() {
			b.out.event(id, "Target.detachedFromTarget", object{"sessionId": below, "targetId": target})
			b.out.push(answers...)
			if alive {
				b.calls.post(at, "Target.detachFromTarget", object{"sessionId": below})
			}
		})
	}
	answers := b.sessions.forgetOne(id)
	acts = append(acts, func() {
		b.out.event(s.parent, "Target.detachedFromTarget", object{"sessionId": id, "targetId": s.target})
		b.out.push(answers...)
	})
	return all(acts)
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
		if t := b.tabs.byID[s.tab]; t != nil && t.shown && f.has("page") {
			acts = append(acts, b.expect(b.sessions.real(at), at, t, s.waits))
		}
	} else {
		for _, t := range b.tabs.byID {
			if t.shown {
				acts = append(acts, b.attach(at, s, t)...)
			}
		}
	}
	if len(acts) == 0 {
		return done()
	}
	session := b.sessions.real(at)
	return verdict{later: func() verdict {
		all(acts)()
		// A client counts its tabs when it has the answer. The browser obeys in order, so now it has attached it.
		_ = b.calls.query(session, "Browser.getVersion", nil, nil)
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
	for _, t := range b.tabs.byID {
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
	s := b.sessions.byID[id]
	if s == nil || s.parent != at {
		return refuseAs(errSession)
	}
	if s.kind != ofStrip {
		if session := b.sessions.real(at); session != at { // the browser knows it by another session
			return verdict{then: func() { b.calls.post(session, "Target.detachFromTarget", object{"sessionId": id}) }}
		}
		return pass()
	}
	return verdict{then: b.endStrip(id, true)}
}

var errSession = &cdp.Error{Code: -32602, Message: "No session with given id"}
