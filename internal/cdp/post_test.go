package cdp

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"
)

func TestPostSendsACommandAndDropsItsAnswer(t *testing.T) {
	var sent []request
	c := NewConn(func(raw []byte) error {
		var r request
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		sent = append(sent, r)
		return nil
	}, nil)

	before := runtime.NumGoroutine()
	first := c.Start("S", "First.command", nil)
	for range 100 {
		if err := c.Post("S", "Page.screencastFrameAck", map[string]int{"sessionId": 4}); err != nil {
			t.Fatal(err)
		}
	}
	last := c.Start("", "Last.command", nil)
	// A goroutine for each command would be a hundred more. The test runner has goroutines of its own, which come and
	// go.
	if n := runtime.NumGoroutine(); n > before+50 {
		t.Errorf("%d goroutines, %d before the commands", n, before)
	}
	if len(c.pending) != 2 {
		t.Errorf("%d commands wait for an answer, not the two that were started", len(c.pending))
	}

	ids := map[int32]bool{}
	for i, r := range sent {
		if ids[r.ID] {
			t.Errorf("the id %d was used twice", r.ID)
		}
		ids[r.ID] = true
		want := "Page.screencastFrameAck"
		switch i {
		case 0:
			want = "First.command"
		case 101:
			want = "Last.command"
		}
		if r.Method != want || (i < 101) != (r.Session == "S") {
			t.Errorf("command %d is %+v", i, r)
		}
	}
	if raw, _ := json.Marshal(sent[50].Params); string(raw) != `{"sessionId":4}` {
		t.Errorf("the parameters were %s", raw)
	}

	for _, r := range sent[1:101] {
		c.Receive(fmt.Appendf(nil, `{"id":%d,"error":{"code":-1,"message":"no"},"sessionId":"S"}`, r.ID))
	}
	c.Receive(fmt.Appendf(nil, `{"id":%d,"result":{"n":1},"sessionId":"S"}`, sent[0].ID))
	c.Receive(fmt.Appendf(nil, `{"id":%d,"result":{"n":2}}`, sent[101].ID))
	for want, p := range map[int]*Pending{1: first, 2: last} {
		var got struct{ N int }
		if err := p.Wait(t.Context(), &got); err != nil || got.N != want {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

func TestPostSaysThatACommandWasNotSent(t *testing.T) {
	broken := errors.New("broken")
	c := NewConn(func([]byte) error { return broken }, nil)
	if err := c.Post("", "Some.command", nil); !errors.Is(err, broken) {
		t.Errorf("a transport that fails: %v", err)
	}
	if err := c.Post("", "Some.command", func() {}); err == nil {
		t.Error("parameters that are no JSON were sent")
	}

	c.Close()
	if err := c.Post("", "Some.command", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}
