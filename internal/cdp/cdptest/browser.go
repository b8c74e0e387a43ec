// Package cdptest has a fake browser for tests: it answers commands at the other end of a pipe.
package cdptest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"

	"cove/internal/cdp"
)

// Browser is a fake browser. It knows sessions, answers each command with what it got, and sends the events that a test
// tells it to. Its sessions are S1, S2 and so on. Its methods may be called from any goroutine.
//
// Some methods have answers of their own: Never.answer has none, Fail.please has an error, Big.please has as many bytes
// as its parameter Bytes, and DOMSnapshot.captureSnapshot shows a page with one field.
type Browser struct {
	t     testing.TB
	pipe  *cdp.Pipe // the browser's end
	ours  *cdp.Pipe
	ends  []io.Closer
	ended sync.WaitGroup

	mu       sync.Mutex
	commands []Command
	attached int
	filled   bool
	shown    bool
}

// Command is a command that the browser got.
type Command struct {
	ID      int32           `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
}

// New starts a fake browser over pipes in memory, which a synctest bubble can contain. It ends with the test.
func New(t testing.TB) *Browser {
	toBrowser, fromUs := io.Pipe()
	toUs, fromBrowser := io.Pipe()

	return start(t, toBrowser, fromBrowser, toUs, fromUs)
}

// NewFast starts a fake browser over pipes of the system. It ends with the test.
func NewFast(t testing.TB) *Browser {
	toBrowser, fromUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	toUs, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}

	return start(t, toBrowser, fromBrowser, toUs, fromUs)
}

func start(t testing.TB, toBrowser io.ReadCloser, fromBrowser io.WriteCloser, toUs io.Reader,
	fromUs io.WriteCloser) *Browser {
	b := &Browser{t: t, pipe: cdp.NewPipe(toBrowser, fromBrowser), ours: cdp.NewPipe(toUs, fromUs),
		ends: []io.Closer{fromBrowser, fromUs, toBrowser}}
	b.ended.Go(b.run)
	t.Cleanup(b.Close)

	return b
}

// Pipe returns the end of the pipe that the code under test reads and writes.
func (b *Browser) Pipe() *cdp.Pipe { return b.ours }

// Close ends the browser. To close it twice is safe.
func (b *Browser) Close() {
	for _, end := range b.ends {
		_ = end.Close()
	}
	b.ended.Wait()
}

func (b *Browser) run() {
	for {
		raw, err := b.pipe.Read()
		if err != nil {
			return
		}
		var c Command
		if err := json.Unmarshal(raw, &c); err != nil {
			b.t.Errorf("the browser got %q: %v", raw[:min(len(raw), 200)], err)
			return
		}
		b.mu.Lock()
		b.commands = append(b.commands, c)
		b.mu.Unlock()
		b.obey(c)
	}
}

func (b *Browser) obey(c Command) {
	switch c.Method {
	case "Target.attachToBrowserTarget", "Target.attachToTarget":
		b.mu.Lock()
		b.attached++
		b.mu.Unlock()
		session := b.LastSession()
		b.Event(c.Session, "Target.attachedToTarget", map[string]any{"sessionId": session, "waitingForDebugger": false})
		b.reply(c, map[string]any{"sessionId": session})
	case "Target.createTarget":
		b.reply(c, map[string]any{"targetId": "made"})
	case "DOMSnapshot.captureSnapshot":
		b.reply(c, b.snapshot())
	case "WebMCP.invokeTool":
		b.reply(c, map[string]any{"invocationId": "I1"})
	case "Never.answer":
	case "Fail.please":
		b.write(map[string]any{"id": c.ID, "error": map[string]any{"code": -32000, "message": "no"}}, c.Session)
	case "Big.please":
		var p struct{ Bytes int }
		_ = json.Unmarshal(c.Params, &p)
		b.reply(c, map[string]any{"data": string(slices.Repeat([]byte("a"), p.Bytes))})
	default: // how large the command was, and on which session
		b.reply(c, map[string]any{"method": c.Method, "bytes": len(c.Params), "on": c.Session})
	}
}

// SetField says what the field of the browser's page is: whether a password field is filled, and whether the page has
// made it a field that shows its text.
func (b *Browser) SetField(filled, shown bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.filled, b.shown = filled, shown
}

func (b *Browser) snapshot() map[string]any {
	b.mu.Lock()
	defer b.mu.Unlock()
	value, kind := "", 1
	if b.filled {
		value = "hunter2"
	}
	if b.shown {
		kind = 3
	}
	nodes := map[string]any{"attributes": [][]int{{0, kind}}, "backendNodeId": []int{7},
		"inputValue": map[string]any{"index": []int{0}, "value": []int{2}}}

	return map[string]any{"strings": []string{"type", "password", value, "text"},
		"documents": []any{map[string]any{"nodes": nodes}}}
}

func (b *Browser) reply(c Command, result any) {
	b.write(map[string]any{"id": c.ID, "result": result}, c.Session)
}

// write writes a message as Chromium's serializer does: id or method first, sessionId last.
func (b *Browser) write(m map[string]any, session string) {
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

// Event sends an event.
func (b *Browser) Event(session, method string, params any) {
	b.write(map[string]any{"method": method, "params": params}, session)
}

// LastSession returns the session that was attached last.
func (b *Browser) LastSession() string {
	b.mu.Lock()
	defer b.mu.Unlock()

	return fmt.Sprintf("S%d", b.attached)
}

// Got returns the commands of one method that reached the browser.
func (b *Browser) Got(method string) (found []Command) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.commands {
		if c.Method == method {
			found = append(found, c)
		}
	}

	return found
}
