package control

import (
	"cmp"
	"slices"
	"time"
)

// Tab is a tab that the person works in, as the live view shows it.
type Tab struct {
	Tab   string    `json:"tab"`
	Since time.Time `json:"since"`
	// Opener is the tab from which the person has opened this one.
	Opener string `json:"opener,omitempty"`
	// Chooser is the file chooser that is open.
	Chooser *Chooser `json:"chooser,omitempty"`
	// Downloads are the files that were saved since the control began.
	Downloads []Download `json:"downloads,omitempty"`
}

// Chooser is a page's question for files.
type Chooser struct {
	Multiple bool `json:"multiple,omitempty"`
	// Closed says that only the browser's own window can answer it.
	Closed bool `json:"closed,omitempty"`
}

// Download is a file that a page has saved.
type Download struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	State string `json:"state"`
	Bytes int64  `json:"bytes"`
}

// maxShownDownloads is how many downloads the live view shows.
const maxShownDownloads = 5

// Changed returns a channel that is closed at the next change of State.
func (c *Controller) Changed() <-chan struct{} { return c.changed.Next() }

// State lists the tabs that the person works in, in the order in which they began.
func (c *Controller) State() []Tab {
	c.mu.Lock()
	sessions := make([]*session, 0, len(c.sessions))
	for _, s := range c.sessions {
		sessions = append(sessions, s)
	}
	c.mu.Unlock()

	all := []Tab{}
	for _, s := range sessions {
		t := Tab{Tab: s.tab.ID(), Since: s.since, Opener: s.opener}
		if open, ok := s.tab.Target.OpenChooser(); ok {
			t.Chooser = &Chooser{Multiple: open.Multiple, Closed: open.Backend == 0}
		}
		downloads := s.browser.Downloads(s.after)
		for _, d := range downloads[max(0, len(downloads)-maxShownDownloads):] {
			t.Downloads = append(t.Downloads, Download{ID: d.ID, Name: d.Name, State: d.State, Bytes: d.Bytes})
			c.offer(d.ID)
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Tab) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Opener, b.Opener), cmp.Compare(a.Tab, b.Tab))
	})
	return all
}

func (c *Controller) offer(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offered[id] = true
}
