package scope

import "time"

// The address of a tab may be that of a page that it is about to load, while it still shows the page before. So a tab
// that was hidden is shown again only when the browser's history of it says that what it shows is open to agents.

// Pauses between two looks at a tab that still shows a closed page. They double from the first to the last.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
)

// look finds out what a tab shows, and shows or hides it. The caller holds mu, and does what look returns without it.
func (b *Browser) look(t *tab) func() {
	if t.looking != nil {
		return func() {}
	}
	looked := make(chan struct{})
	t.looking = looked
	id := t.ID
	return func() { go b.lookAt(id, looked) }
}

// awaitLooks waits until tabs were looked at, but not for long.
func awaitLooks(looking ...<-chan struct{}) {
	late := time.After(readyLimit)
	for _, looked := range looking {
		select {
		case <-looked:
		case <-late:
			return
		}
	}
}

// lookAt looks at a tab until it shows what its address says, or agents need not see it. It closes looked after the
// first time. It has one session of the tab all the time: with each that ends the browser tells of the tab again.
func (b *Browser) lookAt(id string, looked chan struct{}) {
	var at struct {
		SessionID string `json:"sessionId"`
	}
	err := b.query(b.watching, "Target.attachToTarget", object{"targetId": id, "flatten": true}, &at)
	if err != nil { // it has gone, or does not answer
		b.stopLooking(id)
		close(looked)
		return
	}
	defer b.post(b.watching, "Target.detachFromTarget", object{"sessionId": at.SessionID})
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		over := b.lookOnce(id, at.SessionID)
		if pause == firstLook {
			close(looked)
		}
		if over {
			return
		}
		select {
		case <-time.After(pause):
		case <-b.ended:
			return
		}
	}
}

// lookOnce reports whether there is nothing more to look for.
func (b *Browser) lookOnce(id, session string) (over bool) {
	h, err := b.history(session)
	if err != nil {
		b.stopLooking(id)
		return true
	}
	b.locked(func() func() {
		t := b.tabs[id]
		if t == nil {
			over = true
			return func() {}
		}
		if over = !t.wanted() || !t.open; !over {
			t.settled = b.opens(h.shown())
			over = t.settled
		}
		if over { // the next look begins anew
			t.looking = nil
		}
		return b.refresh(t)
	})
	return over
}

func (b *Browser) stopLooking(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs[id]; t != nil {
		t.looking = nil
	}
}

// history is what a tab shows and has shown.
type history struct {
	Current int `json:"currentIndex"`
	Entries []struct {
		ID  int    `json:"id"`
		URL string `json:"url"`
	} `json:"entries"`
}

// shown returns the address of the page that the tab shows; "" for none.
func (h history) shown() string {
	if h.Current < 0 || h.Current >= len(h.Entries) {
		return ""
	}
	return h.Entries[h.Current].URL
}

func (b *Browser) history(session string) (h history, err error) {
	return h, b.query(session, "Page.getNavigationHistory", nil, &h)
}
