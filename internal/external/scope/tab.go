package scope

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"cove/internal/random"
)

// info is the browser's description of a target.
type info struct {
	ID      string `json:"targetId"`
	Type    string `json:"type"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Opener  string `json:"openerId,omitempty"`
	Context string `json:"browserContextId,omitempty"`
	Parent  string `json:"parentId,omitempty"` // the frame or page that a frame is in
}

// tab is a page of the browser.
type tab struct {
	info
	raw json.RawMessage // the browser's whole description
	// shared says that the person shares it, own that agents have opened it, popup that a visible tab has.
	shared, own, popup bool
	// strip is the id of the target "tab" that stands for the page: some clients find pages only below such a target,
	// and the browser does not tell which of its own belongs to which page.
	strip string
	seen  int  // when it was seen first, among all tabs
	open  bool // agents may see what is at its address
	shown bool // clients know it
	// settled says that agents may see what it shows, which may be another page than that of its address. looking is
	// not nil while Browser finds that out.
	settled bool
	looking *look
	// fresh says that agents have opened it just now: it waits for clients. ready is closed when it waits no longer.
	fresh bool
	ready chan struct{}
}

// frame is what is known of a target below a page.
type frame struct {
	info          // its address is "" while nothing has loaded
	tab  string   // the page that it is in; "" while that is not known
	open bool     // agents may see what it shows
	raw  any      // the browser's whole description; nil before there is one
	told bool     // clients know of it
	held [][]byte // what the browser has said of it before it had an address
}

// Tab is a tab as its person sees it.
type Tab struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
	// Shared says that agents see it because the person shares it.
	Shared bool `json:"shared"`
	// Agents says that agents see it because one of them, or a tab that they see, has opened it.
	Agents bool `json:"agents"`
}

// parse reads an address. The browser also has addresses with a path that Go does not take: those are read without it.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err == nil {
		return u, nil
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return nil, err
	}
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		rest = rest[:end]
	}
	return url.Parse(scheme + "://" + rest + "/")
}

// isWeb reports whether an address is one that agents may see and open in a person's browser. Settings, extensions and
// files are never among them.
func isWeb(address string) bool {
	address = strings.TrimSpace(address)
	if address == "" || address == "about:blank" || strings.HasPrefix(address, "about:blank#") {
		return true
	}
	if scheme, rest, _ := strings.Cut(address, ":"); strings.EqualFold(scheme, "data") {
		return true
	} else if strings.EqualFold(scheme, "blob") && strings.HasPrefix(rest, "null/") { // of a frame without an origin
		return true
	}
	u, err := parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return true
	case "blob":
		inner, err := url.Parse(u.Opaque)
		return err == nil && (inner.Scheme == "http" || inner.Scheme == "https")
	}
	return false
}

// wanted reports whether a tab exists for agents while it shows what they may see.
func (t *tab) wanted() bool { return t.shared || t.own || t.popup }

// visible reports whether a tab exists for agents. A tab that shows a page of the browser's own does not, nor one with
// a site that the rules close, until the person goes on.
func (t *tab) visible() bool { return t.wanted() && t.open && t.settled }

// opens reports whether agents may see what is at an address. The caller holds mu.
func (b *Browser) opens(address string) bool {
	if !isWeb(address) {
		return false
	}
	if u, err := parse(address); err == nil && u.Host != "" {
		address = u.String()
	}
	return b.sites.Permits(address)
}

// isOpen is opens for a caller without mu.
func (b *Browser) isOpen(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.opens(address)
}

// ReadTitles reads the titles of the tabs: the browser does not tell when one changes.
func (b *Browser) ReadTitles(ctx context.Context) error {
	var now struct {
		List []json.RawMessage `json:"targetInfos"`
	}
	pages := object{"filter": []object{{"type": "page"}, {"exclude": true}}}
	if err := b.Call(ctx, b.watching, "Target.getTargets", pages, &now); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, raw := range now.List {
		var i info
		if json.Unmarshal(raw, &i) != nil {
			continue
		}
		if t := b.tabs[i.ID]; t != nil && t.URL == i.URL { // what it shows is known from events, which come in order
			t.Title, t.raw = i.Title, raw
		}
	}
	return nil
}

// Tabs lists the tabs of the profile that can be shared, for its person: none that the rules close. New ones come last.
func (b *Browser) Tabs() []Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	var own []*tab
	for _, t := range b.tabs {
		if t.Context == b.profile && t.open {
			own = append(own, t)
		}
	}
	slices.SortFunc(own, func(x, y *tab) int { return cmp.Compare(x.seen, y.seen) })
	list := []Tab{}
	for _, t := range own {
		list = append(list, Tab{ID: t.ID, Title: t.Title, URL: t.URL, Shared: t.shared, Agents: t.own || t.popup})
	}
	return list
}

// AddressOf returns the address of a tab, and "" for none.
func (b *Browser) AddressOf(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs[id]; t != nil {
		return t.URL
	}
	return ""
}

// Share makes a tab visible to agents, or hides it again. It reports whether there is such a tab.
func (b *Browser) Share(id string, on bool) bool {
	b.mu.Lock()
	t := b.tabs[id]
	if t == nil || t.Context != b.profile {
		b.mu.Unlock()
		return false
	}
	t.shared = on
	if !on {
		t.popup = false
	}
	act := b.refresh(t)
	looked := t.lookAgain()
	b.mu.Unlock()
	act()
	if on {
		awaitLooks(looked) // whoever shares it may look for it at once
	}
	return true
}

// observe learns of a page. The caller does what it returns, without the lock that it holds.
func (b *Browser) observe(i info, raw json.RawMessage) func() {
	t := b.tabs[i.ID]
	if t == nil {
		b.count++
		t = &tab{strip: strings.ToUpper(random.Hex(16)), seen: b.count}
		if opener := b.tabs[i.Opener]; opener != nil && opener.shown && i.Context == b.profile {
			t.popup, t.settled = true, true // it shows nothing yet
		}
		b.tabs[i.ID] = t
	}
	if t.URL != i.URL {
		b.forgetWorlds(t.ID)
	}
	t.info, t.raw, t.open = i, raw, b.opens(i.URL)
	t.settled = t.settled && t.open // it shows this or the page before, and both are open
	return b.refresh(t)
}

// refresh makes what clients know of a tab what they may know. The caller holds mu, and does what refresh returns
// without it.
func (b *Browser) refresh(t *tab) func() {
	switch now := t.visible(); {
	case now == t.shown:
		if t.wanted() && t.open && !t.settled {
			return b.look(t)
		}
		return func() {}
	case now:
		t.shown = true
		return b.show(t)
	default:
		t.shown = false
		hidden := b.hide(t, true)
		if t.wanted() && t.open {
			return all([]func(){hidden, b.look(t)})
		}
		return hidden
	}
}

// remove forgets a page that has closed.
func (b *Browser) remove(id string) func() {
	t := b.tabs[id]
	if t == nil {
		return func() {}
	}
	delete(b.tabs, id)
	hidden := func() {}
	if t.shown {
		t.shown = false
		hidden = b.hide(t, false)
	}
	for frame, f := range b.frames {
		if f.tab == id {
			delete(b.frames, frame)
		}
	}
	return hidden
}

// isVisible reports whether a target is a visible page, or the target that stands for one.
func (b *Browser) isVisible(id string) bool { return b.tabs[id] != nil && b.tabs[id].shown }

// byStrip returns the visible page that a target "tab" stands for.
func (b *Browser) byStrip(id string) *tab {
	for _, t := range b.tabs {
		if t.shown && t.strip == id {
			return t
		}
	}
	return nil
}

// describe returns the browser's description of a page for clients.
func (t *tab) describe() any { return t.raw }

// describeStrip returns the description of the target that stands for the page.
func (t *tab) describeStrip() any {
	return object{"targetId": t.strip, "type": "tab", "title": t.Title, "url": t.URL, "attached": false,
		"canAccessOpener": false, "browserContextId": t.Context}
}
