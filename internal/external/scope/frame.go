package scope

import "encoding/json"

// frame is what is known of a target below a page.
type frame struct {
	info              // its address is "" while nothing has loaded
	tab      string   // the page that it is in; "" while that is not known
	open     bool     // agents may see what it shows
	raw      any      // the browser's whole description; nil before there is one
	told     bool     // clients know of it
	deferred [][]byte // what the browser has said of it before it had an address
}

// frames are what is below pages: their frames, and workers. Which of them clients know follows from
// the tab that each is in and from the rules for sites. So frames reads tabs, and tells the sessions of changes. The
// lock of the Browser guards all of it.
type frames struct {
	byID     map[string]frame // by target
	tabs     *tabs
	sessions *sessions
	out      *queue
}

func newFrames(ts *tabs, ss *sessions, out *queue) *frames {
	return &frames{byID: map[string]frame{}, tabs: ts, sessions: ss, out: out}
}

// closes reports whether a session is of a frame that is closed to agents.
func (fs *frames) closes(s *session) bool {
	return s.target != s.tab && !fs.byID[s.target].open
}

// isEmpty reports whether a session is of a frame that has loaded nothing. Nobody knows yet to whom such a frame will
// belong.
func (fs *frames) isEmpty(s *session) bool {
	return s.target != s.tab && fs.byID[s.target].URL == ""
}

// opens reports whether agents may see what a frame shows.
func (fs *frames) opens(i info) bool {
	if around, known := fs.byID[i.Parent]; known && isInline(i.URL) {
		return around.open
	}
	return isInline(i.URL) || fs.tabs.sites.opens(i.URL)
}

// attached learns of an open target that clients have a session of.
func (fs *frames) attached(i info, tab string) {
	f := fs.byID[i.ID]
	f.info, f.tab, f.open = i, tab, true
	fs.byID[i.ID] = f
}

// locate learns to which page a frame belongs.
func (fs *frames) locate(id, tab string) {
	f := fs.byID[id]
	f.tab = tab
	fs.byID[id] = f
}

// pass passes on an event of a page. It defers an event of a frame until it is known whether the frame is open to
// agents.
func (fs *frames) pass(raw []byte, s *session) {
	if !fs.isEmpty(s) {
		fs.out.push(raw)
		return
	}
	f := fs.byID[s.target]
	f.deferred = append(f.deferred, raw)
	fs.byID[s.target] = f
}

// describe learns what a frame shows. The caller calls what describe returns without mu.
func (fs *frames) describe(i info, raw json.RawMessage) func() {
	f, about := fs.byID[i.ID], any(raw)
	if f.URL != i.URL {
		fs.sessions.forgetWorlds(i.ID)
	}
	f.info, f.raw = i, about
	if around, known := fs.byID[i.Parent]; known && f.tab == "" {
		f.tab = around.tab
	} else if fs.tabs.byID[i.Parent] != nil {
		f.tab = i.Parent
	}
	deferred := f.deferred
	if i.URL != "" {
		f.deferred = nil
	}
	fs.byID[i.ID] = f
	acts := fs.refresh(i.ID)
	if f = fs.byID[i.ID]; f.told {
		acts = append(acts, fs.sessions.tell("iframe", "Target.targetInfoChanged", object{"targetInfo": about})...)
	}
	if i.URL == "" || !f.open || !fs.tabs.isVisible(f.tab) {
		return all(acts)
	}
	return all(append(acts, func() { fs.out.push(deferred...) }))
}

// refresh makes what clients know of a frame what they may know. The caller calls what refresh returns without mu.
func (fs *frames) refresh(id string) []func() {
	f := fs.byID[id]
	f.open = fs.opens(f.info)
	fs.byID[id] = f
	switch seen := f.open && f.raw != nil && f.URL != "" && fs.tabs.isVisible(f.tab); {
	case seen == f.told:
		return nil
	case seen:
		f.told = true
		fs.byID[id] = f
		return fs.sessions.tell("iframe", "Target.targetCreated", object{"targetInfo": f.raw})
	}
	return fs.hide(id)
}

// show tells a session of the open frames of a tab, if it asked for such targets.
func (fs *frames) show(at string, s *session, t *tab) (acts []func()) {
	for id, f := range fs.byID {
		if s.discover.has(f.Type) && f.tab == t.ID && f.open && f.raw != nil {
			f.told = true
			fs.byID[id] = f
			acts = append(acts, func() { fs.out.event(at, "Target.targetCreated", object{"targetInfo": f.raw}) })
		}
	}
	return acts
}

// hide tells clients that a frame is gone.
func (fs *frames) hide(id string) []func() {
	f := fs.byID[id]
	if !f.told {
		return nil
	}
	f.told = false
	fs.byID[id] = f
	return fs.sessions.tell("iframe", "Target.targetDestroyed", object{"targetId": id})
}

// hideAll is hide for all frames of a tab.
func (fs *frames) hideAll(tab string) (acts []func()) {
	for id, f := range fs.byID {
		if f.tab == tab {
			acts = append(acts, fs.hide(id)...)
		}
	}
	return acts
}

// remove forgets a frame that has gone.
func (fs *frames) remove(id string) []func() {
	acts := fs.hide(id)
	delete(fs.byID, id)
	return acts
}

// forget forgets the frames of a tab that has gone.
func (fs *frames) forget(tab string) {
	for id, f := range fs.byID {
		if f.tab == tab {
			delete(fs.byID, id)
		}
	}
}

// checkFrame refuses a command about a closed frame in the process of the page around it. Such a frame has no session
// of its own.
func checkFrame(b *Browser, s *session, _ *tab, c command) verdict {
	if address := c.text("url"); c.has("url") && !b.tabs.sites.opens(address) && !isInline(address) {
		return refuse("That address is closed to agents.")
	}
	return b.inFrame(s, c, pass)
}

// inFrame refuses a command about a frame that is closed to agents. For any other frame it returns the verdict of then.
func (b *Browser) inFrame(s *session, c command, then func() verdict) verdict {
	id := c.text("frameId")
	if id == "" || id == s.target {
		return then()
	}
	return verdict{later: func() verdict {
		var tree struct {
			Root frameTree `json:"frameTree"`
		}
		if err := b.calls.query(c.at, "Page.getFrameTree", nil, &tree); err != nil {
			return refuse("The frames of the page cannot be read: " + err.Error() + ".")
		}
		if address := tree.Root.address(id); address != "" && !b.isOpen(address) {
			return refuse("This frame is closed to agents.")
		}
		return then()
	}}
}

type frameTree struct {
	Frame struct {
		ID     string `json:"id"`
		URL    string `json:"url"`
		Origin string `json:"securityOrigin"`
	} `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// address returns the address that decides about a frame; "" if the frame is not there. An empty frame belongs to the
// origin that has made it.
func (f frameTree) address(id string) string {
	if f.Frame.ID == id {
		if isWeb(f.Frame.Origin) && f.Frame.Origin != "" {
			return f.Frame.Origin
		}
		if isInline(f.Frame.URL) {
			return "about:blank"
		}
		return f.Frame.URL
	}
	for _, child := range f.Children {
		if address := child.address(id); address != "" {
			return address
		}
	}
	return ""
}
