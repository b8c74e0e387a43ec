package target

import (
	"slices"

	"cove/internal/cdp"
)

// Chooser is a file chooser that the page has opened and that we have intercepted.
type Chooser struct {
	Session  string
	Backend  int // the file input; 0 when the page has used showOpenFilePicker
	Multiple bool

	open bool
}

func (c *Chooser) opened() bool { return c != nil && c.open }

// ChooserEvent records that the page has opened a file chooser.
func (t *Target) ChooserEvent(e cdp.Event) {
	p, ok := Decode[struct {
		Mode    string `json:"mode"`
		Backend int    `json:"backendNodeId"`
	}](e)
	if !ok {
		return
	}

	t.mu.Lock()
	if t.chooser != nil {
		*t.chooser = Chooser{e.Session, p.Backend, p.Mode == "selectMultiple", true}
	}
	t.mu.Unlock()
	t.Changed.Broadcast()
}

// InterceptChooser intercepts file choosers until stop is called: a real chooser would wait for a person. Input
// overtakes other commands on its way to the page. So before the caller sends input, it must send another command and
// wait for its answer.
func (t *Target) InterceptChooser(sessions ...string) (stop func()) {
	t.mu.Lock()
	t.chooser = &Chooser{}
	t.mu.Unlock()

	sessions = slices.Compact(append(sessions, t.Session))
	intercept := func(on bool) {
		for _, s := range sessions {
			t.Post(s, "Page.setInterceptFileChooserDialog", object{"enabled": on})
		}
	}
	intercept(true)
	return func() {
		t.mu.Lock()
		t.chooser = nil
		t.mu.Unlock()
		intercept(false)
	}
}

// ChooserOpen reports whether the page has opened a file chooser that nobody has answered.
func (t *Target) ChooserOpen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.chooser.opened()
}

// OpenChooser returns the file chooser that is open.
func (t *Target) OpenChooser() (open Chooser, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.chooser.opened() {
		return Chooser{}, false
	}
	return *t.chooser, true
}

// AcceptChooser returns the open file chooser and records that the caller answers it. Call it only between
// InterceptChooser and its stop.
func (t *Target) AcceptChooser() Chooser {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.chooser == nil {
		return Chooser{}
	}
	opened := *t.chooser
	t.chooser.open = false
	return opened
}
