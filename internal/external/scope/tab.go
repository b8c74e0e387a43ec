package scope

import (
	"cmp"
	"context"
	"encoding/json"
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

// wanted reports whether agents may see a tab at all, whatever it shows.
func (t *tab) wanted() bool { return t.shared || t.own || t.popup }

// visible reports whether a tab exists for agents now. While it shows a page of the browser's own, or of a site that
// the rules close, it does not.
func (t *tab) visible() bool { return t.wanted() && t.open && t.settled }

// isOpen reports whether agents may see what is at an address, for a caller without mu.
func (b *Browser) isOpen(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tabs.sites.opens(address)
}

// ReadTitles reads the titles of the tabs. The browser does not report changes of titles.
func (b *Browser) ReadTitles(ctx context.Context) error {
	var now struct {
		List []json.RawMessage `json:"targetInfos"`
	}
	pages := object{"filter": []object{{"type": "page"}, {"exclude": true}}}
	if err := b.calls.call(ctx, b.calls.own(), "Target.getTargets", pages, &now); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, raw := range now.List {
		var i info
		if json.Unmarshal(raw, &i) != nil {
			continue
		}
		// What a tab shows is known from events, which come in order.
		if t := b.tabs.byID[i.ID]; t != nil && t.URL == i.URL {
			t.Title, t.raw = i.Title, raw
		}
	}
	return nil
}

// Tabs lists the tabs of the profile that its person can share, the oldest first. Tabs that the rules close are not
// among them.
func (b *Browser) Tabs() []Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.tabs.sharable()
	slices.SortFunc(own, func(x, y *tab) int { return cmp.Compare(x.seen, y.seen) })
	list := []Tab{}
	for _, t := range own {
		list = append(list, Tab{ID: t.ID, Title: t.Title, URL: t.URL, Shared: t.shared, Agents: t.own || t.popup})
	}
	return list
}

// AddressOf returns the address of a tab; "" if there is none.
func (b *Browser) AddressOf(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs.byID[id]; t != nil {
		return t.URL
	}
	return ""
}

// Share makes a tab visible to agents, or hides it again. It reports whether there is such a tab.
func (b *Browser) Share(id string, on bool) bool {
	b.mu.Lock()
	t := b.tabs.byID[id]
	if t == nil || t.Context != b.tabs.profile {
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

// observe learns of a page. The caller holds mu, and calls what observe returns without it.
func (b *Browser) observe(i info, raw json.RawMessage) func() {
	t, moved := b.tabs.observe(i, raw)
	if moved {
		b.sessions.forgetWorlds(t.ID)
	}
	return b.refresh(t)
}

// refresh makes what clients know of a tab what they may know. The caller holds mu, and calls what refresh returns
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

// remove forgets a page that has closed. The caller holds mu, and calls what remove returns without it.
func (b *Browser) remove(id string) func() {
	t := b.tabs.byID[id]
	if t == nil {
		return func() {}
	}
	delete(b.tabs.byID, id)
	hidden := func() {}
	if t.shown {
		t.shown = false
		hidden = b.hide(t, false)
	}
	b.frames.forget(id)
	return hidden
}

// describe returns the browser's description of a page for clients.
func (t *tab) describe() any { return t.raw }

// describeStrip returns the description of the target that stands for the page.
func (t *tab) describeStrip() any {
	return object{"targetId": t.strip, "type": "tab", "title": t.Title, "url": t.URL, "attached": false,
		"canAccessOpener": false, "browserContextId": t.Context}
}

// tabs are the pages of every profile of the browser, the chosen profile, and the rules for sites: what decides which
// of the pages exist for agents. The lock of the Browser guards all of it.
type tabs struct {
	byID    map[string]*tab // by target
	profile string          // the browser context of the chosen profile
	sites   Sites           // what is open to agents
	count   int             // of all tabs that there have been
}

func newTabs() *tabs { return &tabs{byID: map[string]*tab{}, sites: everywhere} }

// observe learns what the browser says of a page. It reports whether the address of the page is another one now.
func (ts *tabs) observe(i info, raw json.RawMessage) (t *tab, moved bool) {
	t = ts.byID[i.ID]
	if t == nil {
		ts.count++
		t = &tab{strip: strings.ToUpper(random.Hex(16)), seen: ts.count}
		if opener := ts.byID[i.Opener]; opener != nil && opener.shown && i.Context == ts.profile {
			t.popup, t.settled = true, true // it shows nothing yet
		}
		ts.byID[i.ID] = t
	}
	moved = t.URL != i.URL
	t.info, t.raw, t.open = i, raw, ts.sites.opens(i.URL)
	t.settled = t.settled && t.open // it shows this or the page before, and both are open
	return t, moved
}

// isVisible reports whether a target is a visible page.
func (ts *tabs) isVisible(id string) bool { return ts.byID[id] != nil && ts.byID[id].shown }

// byStrip returns the visible page that a target "tab" stands for.
func (ts *tabs) byStrip(id string) *tab {
	for _, t := range ts.byID {
		if t.shown && t.strip == id {
			return t
		}
	}
	return nil
}

// sharable returns the tabs of the profile that its person can share: none that the rules close.
func (ts *tabs) sharable() (list []*tab) {
	for _, t := range ts.byID {
		if t.Context == ts.profile && t.open {
			list = append(list, t)
		}
	}
	return list
}

// persons returns the ids of the tabs of the profile that agents have not opened.
func (ts *tabs) persons() (list []string) {
	for id, t := range ts.byID {
		if t.Context == ts.profile && !t.own && !t.popup {
			list = append(list, id)
		}
	}
	return list
}

// describe describes the visible pages, and the targets that stand for them, as far as a filter has them.
func (ts *tabs) describe(f filter) []any {
	list := []any{}
	for _, t := range ts.byID {
		if t.shown && f.has("page") {
			list = append(list, t.describe())
		}
		if t.shown && f.has("tab") {
			list = append(list, t.describeStrip())
		}
	}
	return list
}

// editInfo edits the browser's description of a tab. It replaces the description of a tab that is on its way to another
// address, and empties that of a hidden tab.
func (ts *tabs) editInfo(id string, result any) any {
	r, _ := result.(object)
	about, _ := r["targetInfo"].(object)
	switch t := ts.byID[id]; {
	case r == nil:
	case t == nil || !t.shown:
		r["targetInfo"] = object{"targetId": id, "type": "page", "title": "", "url": "", "attached": false,
			"canAccessOpener": false}
	case about["url"] != t.URL:
		r["targetInfo"] = t.describe()
	}
	return result
}
