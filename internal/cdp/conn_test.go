package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

func TestConn(t *testing.T) {
	var c *Conn
	events := make(chan Event, 1)
	c = NewConn(func(raw []byte) error {
		var r request
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		switch r.Method {
		case "Add.one":
			c.Receive([]byte(`{"method":"Some.event","params":{"a":1},"sessionId":"S"}`))
			answer, _ := json.Marshal(map[string]any{"id": r.ID, "result": map[string]any{"n": 2}})
			c.Receive(answer)
		case "Fail.now":
			answer, _ := json.Marshal(map[string]any{"id": r.ID, "error": Error{Code: -1, Message: "no"}})
			c.Receive(answer)
		}
		return nil
	}, func(e Event) { events <- e })

	var got struct{ N int }
	if err := c.Call(t.Context(), "S", "Add.one", map[string]int{"n": 1}, &got); err != nil || got.N != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if e := <-events; e.Method != "Some.event" || e.Session != "S" || string(e.Params) != `{"a":1}` {
		t.Fatalf("got %+v", e)
	}
	var refused *Error
	if err := c.Call(t.Context(), "", "Fail.now", nil, nil); !errors.As(err, &refused) || refused.Message != "no" {
		t.Fatalf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Call(ctx, "", "Never.answer", nil, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	waiting := make(chan error)
	go func() { waiting <- c.Call(context.Background(), "", "Never.answer", nil, nil) }()
	for {
		c.mu.Lock()
		n := len(c.pending)
		c.mu.Unlock()
		if n == 1 {
			break
		}
	}
	c.Close()
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Fatalf("got %v", err)
	}
	if err := c.Call(t.Context(), "", "Add.one", nil, nil); !errors.Is(err, ErrClosed) {
		t.Fatalf("after the end: %v", err)
	}
}

func TestReceiveTakesEachLayout(t *testing.T) {
	for _, tc := range []struct{ raw, result, event, params string }{
		{raw: `{"id":1,"result":{"a":"}"},"sessionId":"S"}`, result: `{"a":"}"}`},
		{raw: `{"id":1,"result":{}}`, result: `{}`},
		{raw: `{"result":{"id":2},"id":1}`, result: `{"id":2}`},
		{raw: `{"id":1,"sessionId":"S","result":[1]}`, result: `[1]`},
		{raw: `{"id":1,"result":{"b":2} , "sessionId":"S"}`, result: `{"b":2}`},
		{raw: ` {"id": 1, "result": 3}`, result: `3`},
		{raw: `{"method":"A.b","params":{"x":",\"sessionId\":\"T\""},"sessionId":"S"}`, event: "A.b S",
			params: `{"x":",\"sessionId\":\"T\""}`},
		{raw: `{"method":"A.b","sessionId":"S","params":{}}`, event: "A.b S", params: `{}`},
		{raw: `{"params":{},"method":"A.b"}`, event: "A.b ", params: `{}`},
		{raw: `{"method":"A.b"}`, event: "A.b "},
		{raw: `{"id":1`}, {raw: `{"method":"A.b","params":`}, {raw: ``},
	} {
		event, params := "", ""
		c := NewConn(func([]byte) error { return nil },
			func(e Event) { event, params = e.Method+" "+e.Session, string(e.Params) })
		p := c.Start("S", "Some.command", nil)
		c.Receive([]byte(tc.raw))
		var result json.RawMessage
		if tc.result != "" {
			if err := p.Wait(t.Context(), &result); err != nil {
				t.Errorf("%s: %v", tc.raw, err)
			}
		}
		if string(result) != tc.result || event != tc.event || params != tc.params {
			t.Errorf("%s: result %s, event %s, params %s", tc.raw, result, event, params)
		}
	}
}

func TestAConnectionThatClosesWhileACommandIsSentDoesNotHang(t *testing.T) {
	var c *Conn
	c = NewConn(func([]byte) error { c.Close(); return ErrClosed }, nil)
	done := make(chan error, 1)
	go func() { done <- c.Call(context.Background(), "", "Browser.getVersion", nil, nil) }()
	select {
	case err := <-done:
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the call hangs")
	}
}
