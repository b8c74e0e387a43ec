package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"

	"cove/internal/cdp"
)

// browser is a fake at the other end of the pipe: it knows sessions, echoes commands, and does what a test tells it.
type browser struct {
	t    testing.TB
	pipe *cdp.Pipe
	mux  *Mux

	mu       sync.Mutex
	commands []command
	attached int
	filled   bool // its page has a password field with something in it
	shown    bool // and the field has become one of text
	closed   chan struct{}
}

type command struct {
	ID      int32           `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
}

// newBrowser starts a mux with a fake behind it. In-memory pipes, so that a synctest bubble can hold them.
func newBrowser(t testing.TB) *browser {
	toBrowser, fromMux := io.Pipe()
	toMux, fromBrowser := io.Pipe()
	return connect(t, toBrowser, fromBrowser, toMux, fromMux)
}

// newFastBrowser is the same over the system's pipes.
func newFastBrowser(t testing.TB) *browser {
	toBrowser, fromMux, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	toMux, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, toBrowser, fromBrowser, toMux, fromMux)
}

func connect(t testing.TB, toBrowser io.ReadCloser, fromBrowser io.WriteCloser, toMux io.ReadCloser, fromMux io.WriteCloser) *browser {
	b := &browser{t: t, pipe: cdp.NewPipe(toBrowser, fromBrowser), closed: make(chan struct{})}
	b.mux = NewMux(cdp.NewPipe(toMux, fromMux), slog.New(slog.DiscardHandler), func(answer func()) { answer(); close(b.closed) })
	var running sync.WaitGroup
	running.Go(b.run)
	running.Go(func() { _ = b.mux.Run() })
	t.Cleanup(func() {
		_ = fromBrowser.Close()
		_ = fromMux.Close()
		_ = toBrowser.Close()
		running.Wait()
	})
	return b
}

func (b *browser) run() {
	for {
		raw, err := b.pipe.Read()
		if err != nil {
			return
		}
		var c command
		if err := json.Unmarshal(raw, &c); err != nil {
			b.t.Errorf("the browser got %q: %v", clip(raw), err)
			return
		}
		b.mu.Lock()
		b.commands = append(b.commands, c)
		b.mu.Unlock()
		b.obey(c)
	}
}

func clip(raw []byte) string { return string(raw[:min(len(raw), 200)]) }

func (b *browser) obey(c command) {
	switch c.Method {
	case "Target.attachToBrowserTarget", "Target.attachToTarget":
		b.mu.Lock()
		b.attached++
		session := fmt.Sprintf("S%d", b.attached)
		b.mu.Unlock()
		b.say(map[string]any{"method": "Target.attachedToTarget", "params": map[string]any{"sessionId": session, "waitingForDebugger": false}}, c.Session)
		b.reply(c, map[string]any{"sessionId": session})
	case "DOMSnapshot.captureSnapshot":
		b.mu.Lock()
		value := ""
		if b.filled {
			value = "hunter2"
		}
		kind := 1
		if b.shown {
			kind = 3
		}
		b.mu.Unlock()
		b.reply(c, map[string]any{"strings": []string{"type", "password", value, "text"}, "documents": []any{map[string]any{"nodes": map[string]any{
			"attributes": [][]int{{0, kind}}, "backendNodeId": []int{7}, "inputValue": map[string]any{"index": []int{0}, "value": []int{2}}}}}})
	case "Never.answer":
	case "Fail.please":
		b.say(map[string]any{"id": c.ID, "error": map[string]any{"code": -32000, "message": "no"}}, c.Session)
	case "Big.please":
		var p struct{ Bytes int }
		_ = json.Unmarshal(c.Params, &p)
		b.reply(c, map[string]any{"data": string(slices.Repeat([]byte("a"), p.Bytes))})
	default: // how large the command was, and on which session
		b.reply(c, map[string]any{"method": c.Method, "bytes": len(c.Params), "on": c.Session})
	}
}

func (b *browser) reply(c command, result any) {
	b.say(map[string]any{"id": c.ID, "result": result}, c.Session)
}

// say writes as Chromium's serializer does: id or method first, sessionId last.
func (b *browser) say(m map[string]any, session string) {
	out := []byte("{")
	for _, key := range []string{"id", "method", "params", "result", "error"} {
		v, ok := m[key]
		if !ok {
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Error(err)
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, `"`+key+`":`...), raw...)
	}
	if session != "" {
		out = append(out, `,"sessionId":"`+session+`"`...)
	}
	_ = b.pipe.Write(append(out, '}', 0))
}

func (b *browser) event(session, method string, params any) {
	b.say(map[string]any{"method": method, "params": params}, session)
}

// got returns the commands of one method that reached the browser.
func (b *browser) got(method string) (found []command) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.commands {
		if c.Method == method {
			found = append(found, c)
		}
	}
	return found
}

// script is a client that keeps what it hears.
type script struct {
	*Client
	heard chan string
	ended chan string
}

func (s *script) Deliver(raw []byte) { s.heard <- string(raw) }
func (s *script) End(reason string)  { s.ended <- reason }

func join(t testing.TB, b *browser) *script {
	t.Helper()
	s := &script{heard: make(chan string, 1000), ended: make(chan string, 10)}
	c, err := b.mux.Join(t.Context(), "", s)
	if err != nil {
		t.Fatal(err)
	}
	s.Client = c
	return s
}

// say sends a command and fails the test when the browser is gone.
func (s *script) say(t testing.TB, raw string) {
	t.Helper()
	if err := s.Send([]byte(raw)); err != nil {
		t.Fatal(err)
	}
}
