package scope

import (
	"encoding/json"
	"strings"
)

// isInline reports whether a frame's text is written in the page around it, which is then all that it shows.
func isInline(address string) bool {
	return address == "about:srcdoc" || strings.HasPrefix(address, "about:srcdoc#")
}

// opensFrame reports whether agents may see what a frame shows. The caller holds mu.
func (b *Browser) opensFrame(i info) bool {
	if around, known := b.frames[i.Parent]; known && isInline(i.URL) {
		return around.open
	}
	return isInline(i.URL) || b.opens(i.URL)
}

// describedFrame learns what a frame shows. The caller does what it returns, without the lock that it holds.
func (b *Browser) describedFrame(i info, raw json.RawMessage) func() {
	f, about := b.frames[i.ID], any(raw)
	if f.URL != i.URL {
		b.forgetWorlds(i.ID)
	}
	f.info, f.raw = i, about
	if around, known := b.frames[i.Parent]; known && f.tab == "" {
		f.tab = around.tab
	} else if b.tabs[i.Parent] != nil {
		f.tab = i.Parent
	}
	held := f.held
	if i.URL != "" {
		f.held = nil
	}
	b.frames[i.ID] = f
	acts := b.refreshFrame(i.ID)
	if f = b.frames[i.ID]; f.told {
		acts = append(acts, b.tellFrame("Target.targetInfoChanged", object{"targetInfo": about})...)
	}
	if i.URL == "" || !f.open || !b.isVisible(f.tab) {
		return all(acts)
	}
	return all(append(acts, func() {
		for _, raw := range held {
			b.out.push(raw)
		}
	}))
}

// refreshFrame makes what clients know of a frame what they may know.
func (b *Browser) refreshFrame(id string) []func() {
	f := b.frames[id]
	f.open = b.opensFrame(f.info)
	b.frames[id] = f
	switch seen := f.open && f.raw != nil && f.URL != "" && b.isVisible(f.tab); {
	case seen == f.told:
		return nil
	case seen:
		f.told = true
		b.frames[id] = f
		return b.tellFrame("Target.targetCreated", object{"targetInfo": f.raw})
	}
	return b.hideFrame(id)
}

// hideFrame tells clients that a frame is gone.
func (b *Browser) hideFrame(id string) []func() {
	f := b.frames[id]
	if !f.told {
		return nil
	}
	f.told = false
	b.frames[id] = f
	return b.tellFrame("Target.targetDestroyed", object{"targetId": id})
}

// endFrame forgets a frame that has gone.
func (b *Browser) endFrame(id string) []func() {
	acts := b.hideFrame(id)
	delete(b.frames, id)
	return acts
}

// tellFrame tells of a frame to whoever asked for such targets.
func (b *Browser) tellFrame(method string, params object) (acts []func()) {
	for at, s := range b.sessions {
		if s.discover.has("iframe") {
			acts = append(acts, func() { b.say(at, method, params) })
		}
	}
	return acts
}

// checkFrame looks whether a frame is open to agents that shares its process with the page around it, and so has no
// session of its own.
func checkFrame(b *Browser, s *session, _ *tab, c command) verdict {
	if address := c.text("url"); c.has("url") && !b.opens(address) && !isInline(address) {
		return refuse("That address is closed to agents.")
	}
	return b.inFrame(s, c, pass)
}

// inFrame is then's verdict on a command about an open frame.
func (b *Browser) inFrame(s *session, c command, then func() verdict) verdict {
	id := c.text("frameId")
	if id == "" || id == s.target {
		return then()
	}
	return verdict{later: func() verdict {
		var tree struct {
			Root frameTree `json:"frameTree"`
		}
		if err := b.query(c.at, "Page.getFrameTree", nil, &tree); err != nil {
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

// address returns the address that decides about a frame; "" if it is not there. An empty frame belongs to the origin
// that has made it.
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
