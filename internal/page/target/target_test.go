package target

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/cdp"
)

// newTarget returns a tab whose browser gives each command an empty answer, and never answers the commands in silent.
func newTarget(t *testing.T, silent ...string) *Target {
	t.Helper()
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		for _, s := range silent {
			if m.Method == s {
				return nil
			}
		}
		answer, err := json.Marshal(object{"id": m.ID, "result": object{}})
		if err == nil {
			conn.Receive(answer)
		}
		return err
	}, nil)
	return New(conn, "T", "S")
}

func event(t *testing.T, session, method string, params object) cdp.Event {
	t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return cdp.Event{Method: method, Session: session, Params: raw}
}

func TestAwaitReturnsWhatComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Signal
		var mu sync.Mutex
		ready := false
		ok := func() bool { mu.Lock(); defer mu.Unlock(); return ready }
		values := make(chan int, 1)

		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, ErrNoAnswer)
		defer cancel()
		began := time.Now()
		if _, received, err := Await(ctx, &s, values, ok); received || !errors.Is(err, ErrNoAnswer) ||
			time.Since(began) != time.Second {
			t.Errorf("the end of the context: %v %v after %v", received, err, time.Since(began))
		}

		time.AfterFunc(time.Second, func() { values <- 7 })
		if v, received, err := Await(t.Context(), &s, values, ok); v != 7 || !received || err != nil {
			t.Errorf("a value: %v %v %v", v, received, err)
		}

		began = time.Now()
		time.AfterFunc(time.Second, s.Broadcast) // not the change that is waited for
		time.AfterFunc(2*time.Second, func() { mu.Lock(); ready = true; mu.Unlock(); s.Broadcast() })
		if err := Until(t.Context(), &s, ok); err != nil || time.Since(began) != 2*time.Second {
			t.Errorf("the state: %v after %v", err, time.Since(began))
		}
		s.Broadcast() // nobody waits
	})
}

func TestAMutexIsWaitedForNoLongerThanTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMutex()
		unlock, err := m.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, ErrNoAnswer)
		defer cancel()
		if _, err := m.Lock(ctx); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("a second lock: %v", err)
		}
		unlock()
		if unlock, err = m.Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		unlock()
	})
}

func TestADialogBlocksCallsUntilItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := newTarget(t, "Slow.call")
		ended := make(chan error, 1)
		go func() { ended <- tab.Do(t.Context(), "Slow.call", nil, nil) }()
		synctest.Wait()
		tab.DialogEvent(event(t, "F", "Page.javascriptDialogOpening", object{"type": "alert"}))
		if tab.Dialog() != nil {
			t.Error("the report of a frame's session counts")
		}
		tab.DialogEvent(event(t, "S", "Page.javascriptDialogOpening", object{"type": "alert", "message": "m"}))
		var open *DialogOpen
		if err := <-ended; !errors.As(err, &open) || open.Message != "m" || !tab.Interrupted() {
			t.Errorf("a call ends with %v", err)
		}
		if _, _, err := tab.Begin(t.Context()); !errors.As(err, &open) {
			t.Errorf("an operation begins: %v", err)
		}

		first := tab.Dialog()
		tab.DialogEvent(event(t, "S", "Page.javascriptDialogOpening", object{"type": "alert", "message": "next"}))
		if tab.DialogAnswered(first); tab.Dialog() == nil || tab.Dialogs() != 2 {
			t.Error("the answer to the first dialog has closed the second")
		}
		tab.DialogEvent(event(t, "S", "Page.javascriptDialogClosed", object{}))
		if err := tab.Do(t.Context(), "Quick.call", nil, nil); err != nil || tab.Interrupted() {
			t.Errorf("after the dialog: %v", err)
		}
		if tab.ForgetDialogs(); tab.Dialogs() != 0 {
			t.Error("a new document begins with dialogs")
		}
	})
}

func TestAFileChooserIsCaughtOnlyWhileSomebodyActs(t *testing.T) {
	opened := object{"mode": "selectMultiple", "backendNodeId": 5}
	tab := newTarget(t)
	if tab.ChooserEvent(event(t, "F", "Page.fileChooserOpened", opened)); tab.ChooserOpen() {
		t.Error("nobody acts")
	}
	stop := tab.InterceptChooser("F")
	if tab.ChooserEvent(event(t, "F", "Page.fileChooserOpened", opened)); !tab.ChooserOpen() || !tab.Interrupted() {
		t.Error("it is not open")
	}
	c := tab.AcceptChooser()
	if c.Session != "F" || c.Backend != 5 || !c.Multiple || tab.ChooserOpen() {
		t.Errorf("%+v", c)
	}
	stop()
	if tab.ChooserEvent(event(t, "F", "Page.fileChooserOpened", opened)); tab.ChooserOpen() {
		t.Error("it is caught after the action")
	}
}

func TestLife(t *testing.T) {
	tab := newTarget(t)
	if tab.Revive() || tab.Crashed() || tab.Discarded() || tab.Closed() {
		t.Error("a new tab is not well")
	}
	if tab.End(true); !tab.Crashed() || !tab.Discarded() || !errors.Is(tab.Do(t.Context(), "x", nil, nil), ErrCrashed) {
		t.Error("a crash, before it had a document")
	}
	if tab.MarkLived(); tab.Discarded() {
		t.Error("it has had a document")
	}
	if !tab.Revive() || tab.Crashed() || tab.Do(t.Context(), "x", nil, nil) != nil {
		t.Error("it does not live again")
	}
	tab.End(true)
	if tab.End(false); !tab.Closed() || tab.Crashed() || !errors.Is(tab.Do(t.Context(), "x", nil, nil), ErrClosed) {
		t.Error("it is not closed")
	}
}

func TestInputIsWaitedForNoLongerThanItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := newTarget(t, "Slow.call")
		began := time.Now()
		quick := tab.Conn.Start("S", "Quick.call", nil)
		if !tab.AwaitInput(t.Context(), []*cdp.Pending{quick}) || time.Since(began) != 0 {
			t.Error("an answer is not seen")
		}
		slow := func() []*cdp.Pending { return []*cdp.Pending{tab.Conn.Start("S", "Slow.call", nil)} }
		if tab.AwaitInput(t.Context(), slow()) || time.Since(began) != inputLimit {
			t.Errorf("silence counts as an answer, after %v", time.Since(began))
		}
		began = time.Now()
		dialog := event(t, "S", "Page.javascriptDialogOpening", object{"type": "alert"})
		time.AfterFunc(time.Second, func() { tab.DialogEvent(dialog) })
		if !tab.AwaitInput(t.Context(), slow()) || time.Since(began) != time.Second {
			t.Errorf("a dialog does not end the wait: %v", time.Since(began))
		}
		tab.End(false)
		<-time.After(time.Minute)
	})
}
