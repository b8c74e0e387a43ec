package scope

import "time"

// The address of a tab may be that of a page that it is about to load, while it still shows the page before. So a tab
// that was hidden is shown again only when the browser's history of it says that what it shows is open to agents.

// Pauses between two looks at a tab that still shows a closed page. They double from the first to the last.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
)

// look is how Browser finds out what a tab shows. It has one session of the tab all the time: with each session that
// ends the browser tells of the tab again.
type look struct {
	again chan struct{} // has one when there is a reason to look at once
	next  chan struct{} // closed when Browser has looked once more
}

// look finds out what a tab shows, and shows or hides it. The caller holds mu, and does what look returns without it.
func (b *Browser) look(t *tab) func() {
	if t.looking != nil {
		return func() {}
	}
	l, id := &look{again: make(chan struct{}, 1), next: make(chan struct{})}, t.ID
	t.looking = l
	return func() { go b.lookAt(id, l) }
}

// lookAgain has a tab looked at at once, if it is. It returns a channel that is closed then; nil for none. The caller
// holds mu.
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

// awaitLooks waits until tabs were looked at, but not for long. Channels may be nil.
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

// lookAt looks at a tab until it shows what its address says, or agents need not see it.
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

// looked takes note of what a tab shows. It reports whether there is nothing more to look for.
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
