package scope

import "time"

// The address of a tab may be that of a page that it is about to load, while it still shows the page before. So a tab
// that was hidden is shown again only when the browser's history of it says that what it shows is open to agents.

// Pauses between two looks at a tab that still shows a closed page. They double from the first to the last.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
)

// look is the work of finding out what a tab shows. It uses one session of the tab from beginning to end, because each
// session that ends makes the browser report the tab again.
type look struct {
	again chan struct{} // has one when there is a reason to look at once
	next  chan struct{} // closed when Browser has looked once more
}

// look starts to find out what a tab shows, and then shows or hides the tab. The caller holds mu, and calls what look
// returns without it.
func (b *Browser) look(t *tab) func() {
	if t.looking != nil {
		return func() {}
	}
	l, id := &look{again: make(chan struct{}, 1), next: make(chan struct{})}, t.ID
	t.looking = l
	return func() { go b.lookAt(id, l) }
}

// lookAgain ends the pause of a look that is under way. It returns a channel that is closed after the next step of the
// look; nil if there is no look. The caller holds mu.
func (t *tab) lookAgain() chan struct{} {
	if t.looking == nil {
		return nil
	}
	select {
	case t.looking.again <- struct{}{}:
	default:
	}
	return t.looking.next
}

// awaitLooks waits until the channels of lookAgain are closed, for readyLimit at most. Channels may be nil.
func awaitLooks(looks ...chan struct{}) {
	late := time.After(readyLimit)
	for _, looked := range looks {
		if looked == nil {
			continue
		}
		select {
		case <-looked:
		case <-late:
			return
		}
	}
}

// lookAt looks at a tab until the page that it shows is open to agents, or until agents need not see the tab.
func (b *Browser) lookAt(id string, l *look) {
	session, err := b.calls.attach(id)
	if err != nil { // it has gone, or does not answer
		b.looked(id, l, "", err)
		return
	}
	defer b.calls.detach(session)
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		h, err := b.calls.history(session)
		if b.looked(id, l, h.shown(), err) {
			return
		}
		select {
		case <-l.again:
		case <-time.After(pause):
		case <-b.calls.ended:
			return
		}
	}
}

// looked records what a tab shows. It reports whether the look is over.
func (b *Browser) looked(id string, l *look, address string, err error) (over bool) {
	b.mu.Lock()
	t, act := b.tabs.byID[id], func() {}
	over = t == nil || err != nil || !t.wanted() || !t.open
	if !over {
		t.settled = b.tabs.sites.opens(address)
		over = t.settled
	}
	if t != nil && over { // the next look begins anew
		t.looking = nil
	}
	if t != nil && err == nil {
		act = b.refresh(t)
	}
	next := l.next
	l.next = make(chan struct{})
	b.mu.Unlock()
	act()
	close(next)
	return over
}
