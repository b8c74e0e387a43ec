package dom

import (
	"encoding/json"
	"slices"
	"testing"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// newFrames returns the frames of a tab "T" whose browser never answers, the calls of their Config, and a function that
// reports an event.
func newFrames(t *testing.T) (*Frames, *[]string, func(session, method string, params object)) {
	t.Helper()
	conn := cdp.NewConn(func([]byte) error { return nil }, nil)
	var calls []string
	f := New(target.New(conn, "T", "S"), "about:blank", Config{
		Committed: func(loader string) { calls = append(calls, "committed "+loader) },
		Arrived:   func(one Frame) { calls = append(calls, "arrived "+one.URL) },
	})
	return f, &calls, func(session, method string, params object) {
		t.Helper()
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		f.Event(cdp.Event{Method: method, Session: session, Params: raw})
	}
}

func ids(f *Frames) (all []string) {
	for _, one := range f.All() {
		all = append(all, one.ID)
	}
	slices.Sort(all)
	return all
}

func TestTreeFollowsTheFramesOfATab(t *testing.T) {
	f, calls, report := newFrames(t)
	report("S", "Page.frameAttached", object{"frameId": "A", "parentFrameId": "T"})
	report("S", "Page.frameAttached", object{"frameId": "B", "parentFrameId": "A"})
	f.Attach("S2", "C", "http://c/")
	if got := ids(f); !slices.Equal(got, []string{"A", "B", "C", "T"}) || f.Len() != 4 {
		t.Fatal(got)
	}
	report("S", "Page.frameDetached", object{"frameId": "A", "reason": "swap"})
	if f.Len() != 4 {
		t.Error("a frame that moves to another process is gone")
	}
	report("S", "Page.frameDetached", object{"frameId": "A", "reason": "remove"})
	if got := ids(f); !slices.Equal(got, []string{"C", "T"}) {
		t.Errorf("a frame that is removed takes its frames along: %v", got)
	}
	if f.Crash("S2"); f.byID["C"] == nil || !f.byID["C"].crashed {
		t.Error("the frame has not crashed")
	}
	if _, err := f.Enter(t.Context(), "C"); err != ErrFrameCrashed { //nolint:errorlint // it is this very one
		t.Errorf("a crashed frame: %v", err)
	}
	if f.Detach("S2"); f.Len() != 1 {
		t.Error("a session has ended, and its frame is there")
	}
	if _, err := f.Enter(t.Context(), "C"); err != ErrFrameGone { //nolint:errorlint // it is this very one
		t.Errorf("a frame that is gone: %v", err)
	}

	report("S", "Page.frameAttached", object{"frameId": "D", "parentFrameId": "T"})
	report("S", "Page.frameNavigated", object{"frame": object{"id": "T", "loaderId": "L", "url": "http://x/"}})
	if f.URL() != "http://x/" || f.Loader() != "L" || f.Load().Commits != 1 || f.Len() != 1 {
		t.Errorf("a new document: %+v, %d frames", f.MainFrame(), f.Len())
	}
	if want := []string{"committed L", "arrived http://x/"}; !slices.Equal(*calls, want) {
		t.Errorf("%v, want %v", *calls, want)
	}
}

func TestAnEmptyPageArrivesWhenItsOwnerIsKnown(t *testing.T) {
	f, calls, report := newFrames(t)
	report("S", "Page.frameNavigated", object{"frame": object{"id": "T", "loaderId": "L", "url": "about:blank"}})
	if !slices.Equal(*calls, []string{"committed L"}) {
		t.Errorf("%v", *calls)
	}
	report("S", "Runtime.executionContextCreated", object{"context": object{"id": 3, "origin": "http://x",
		"auxData": object{"frameId": "T", "isDefault": true}}})
	if got := f.MainFrame(); got.Origin != "http://x" || (*calls)[len(*calls)-1] != "arrived about:blank" {
		t.Errorf("%+v, %v", got, *calls)
	}
	if session, script := f.script("T"); session != "S" || script != 3 {
		t.Errorf("its scripts are in %s %d", session, script)
	}
	report("S", "Runtime.executionContextDestroyed", object{"executionContextId": 3})
	if _, script := f.script("T"); script != 0 {
		t.Error("the context is gone")
	}
}

func TestAUIDOfAnotherDocument(t *testing.T) {
	f, _, _ := newFrames(t)
	f.config.Elsewhere = func(label string) bool { return label == "b" }
	f.byID["T"].world, f.byID["T"].document = 7, &Document{Label: "a", frame: f.byID["T"]}
	for uid, want := range map[string]string{
		"a5": "", "uid=a5": "",
		"b5":   "The element with uid b5 is on another page.",
		"c5":   "The element with uid c5 belongs to a document that is no longer there.",
		"five": `"five" is not a uid.`,
	} {
		e, err := f.Locate(uid)
		if (err == nil) != (want == "") || err != nil && err.Error() != want || err == nil && e.UID() != "a5" {
			t.Errorf("%s: %v %v", uid, e, err)
		}
	}
}
