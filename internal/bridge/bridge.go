// Package bridge connects an MCP client on standard input and output to the keeper of one profile, and opens the profile when
// it is closed.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/session"
)

// Bridge is one run of `cove mcp ID`.
type Bridge struct {
	ID     int32
	Folder paths.ProfileDir
	// App finds the running app, and starts it when there is none.
	App func(ctx context.Context) (*api.Client, error)
	// Dir is the folder that the client runs in, Tools the groups beside the default ones.
	Dir, Tools string
	In         io.Reader
	Out        io.Writer

	out sync.Mutex

	mu        sync.Mutex
	line      *keeper.Line      // nil while the profile is closed
	run       string            // of the browser that it led to
	end       session.EndReason // why it closed
	pending   map[string]string
	handshake []json.RawMessage // initialize and what follows it, for a keeper that comes after a crash
	replayed  string            // the id of a replayed initialize, whose answer is not for the client
	lastPage  int
	documents int
}

// maxLine bounds a message of the client.
const maxLine = 64 << 20

// Run passes messages on until the client ends. An error before the first connection is told to the client as the answer to its
// first request.
func (b *Bridge) Run(ctx context.Context) error {
	// It holds nothing but messages that pass: a small heap that is swept often costs less than a large one.
	debug.SetGCPercent(25)
	b.pending = map[string]string{}
	requests := b.requests(ctx)
	if err := b.connect(ctx, ""); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		b.refuse(requests, err)
		return err
	}
	defer b.hangUp()
	for {
		select {
		case raw, ok := <-requests:
			if !ok {
				return nil
			}
			b.pass(ctx, raw)
		case <-ctx.Done():
			return nil
		}
	}
}

// Refuse tells the client why it gets no profile, before anything was tried.
func (b *Bridge) Refuse(err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.refuse(b.requests(ctx), err)
}

// requests reads the client's messages until its end.
func (b *Bridge) requests(ctx context.Context) <-chan []byte {
	requests := make(chan []byte)
	go func() {
		defer close(requests)
		in := bufio.NewReaderSize(b.In, 64<<10)
		for first := true; ; first = false {
			raw, err := readLine(in)
			if first {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // a shell that pipes may begin with this mark
			}
			if len(raw) > 0 {
				select {
				case requests <- raw:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return requests
}

// refuse answers the client's first request with the reason for which there is no profile: clients show it to the person.
func (b *Bridge) refuse(requests <-chan []byte, err error) {
	patience := time.After(5 * time.Second)
	for {
		select {
		case raw, ok := <-requests:
			if !ok {
				return
			}
			var m message
			if json.Unmarshal(raw, &m) == nil && m.ID != nil {
				b.answerError(m.ID, b.sentence(err))
				return
			}
		case <-patience:
			return
		}
	}
}

// sentence is what a person reads of an error, with the remedy.
func (b *Bridge) sentence(err error) string {
	f := fault.From(err)
	var told *api.Failure
	if errors.As(err, &told) {
		f = fault.New("", "", told.Body.ErrorObject.Text, told.Body.ErrorObject.Hint)
	}
	return strings.TrimSpace(f.Text + " " + b.Folder.Home().Advice(f.Hint))
}

func (b *Bridge) write(raw []byte) {
	b.out.Lock()
	defer b.out.Unlock()
	_, _ = b.Out.Write(append(raw, '\n'))
}

type object = map[string]any

func (b *Bridge) answer(id json.RawMessage, key string, body any) {
	raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, key: body})
	if err == nil {
		b.write(raw)
	}
}

// serverError is JSON-RPC's code for a failure of the server's own.
const serverError = -32000

func (b *Bridge) answerError(id json.RawMessage, text string) {
	b.answer(id, "error", object{"code": serverError, "message": text})
}

// fail answers one request whose profile is closed: a tool call with an error that the model reads.
func (b *Bridge) fail(id json.RawMessage, method, text string) {
	if method == "tools/call" {
		b.answer(id, "result", object{"isError": true, "content": []object{{"type": "text", "text": "Error: " + text}}})
		return
	}
	b.answerError(id, text)
}

// pass takes one message of the client.
func (b *Bridge) pass(ctx context.Context, raw []byte) {
	m, wrong := b.read(raw)
	if wrong != nil {
		b.answer(m.ID, "error", wrong)
		return
	}
	b.mu.Lock()
	switch m.Method {
	case "initialize":
		b.handshake = []json.RawMessage{bytes.Clone(raw)}
	case "notifications/initialized":
		b.handshake = append(b.handshake, bytes.Clone(raw))
	}
	closed := b.line == nil
	b.mu.Unlock()
	if closed {
		if m.ID == nil || m.Method == "" {
			return
		}
		if m.Method == "ping" {
			b.answer(m.ID, "result", object{})
			return
		}
		if err := b.reopen(ctx); err != nil {
			b.fail(m.ID, m.Method, b.sentence(err))
			return
		}
	}
	b.mu.Lock()
	line := b.line
	if line != nil && m.ID != nil && m.Method != "" {
		b.pending[string(m.ID)] = m.Method
	}
	b.mu.Unlock()
	if line == nil || line.Write(raw) != nil {
		if m.ID != nil && m.Method != "" && b.forget(m.ID) {
			b.fail(m.ID, m.Method, b.closedText())
		}
	}
}

// forget takes a request off the list of those that wait; false when it has been answered.
func (b *Bridge) forget(id json.RawMessage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.pending[string(id)]
	delete(b.pending, string(id))
	return ok
}

func (b *Bridge) closedText() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Folder.Home().Advice(keeper.Closed(strconv.Itoa(int(b.ID)), b.end).Text)
}

// reopen connects again: after a crash it opens the profile, after a person's stop it only looks whether somebody else has.
func (b *Bridge) reopen(ctx context.Context) error {
	b.mu.Lock()
	end, before := b.end, b.run
	b.mu.Unlock()
	if end != session.Crashed {
		if _, err := keeper.FindAgentLine(b.Folder); err != nil {
			return fault.New(fault.Unavailable, "E_CLOSED", b.closedText(), "")
		}
		return b.connect(ctx, fmt.Sprintf("Note: profile %d was closed and has been opened again by somebody: pages and uids are new.", b.ID))
	}
	if r, err := keeper.FindAgentLine(b.Folder); err == nil && before != "" && r.RunID == before {
		lost := fmt.Sprintf("Note: the connection to profile %d was lost and is there again: page numbers are new.", b.ID)
		if line, err := keeper.DialAgent(ctx, b.Folder, b.greeting(lost)); err == nil { // a dead keeper's file stays until the app hears of its end
			return b.take(line, lost)
		}
	}
	return b.connect(ctx, fmt.Sprintf("Note: the browser of profile %d had crashed and was opened again: pages and uids are new, unsaved input is lost.", b.ID))
}

// connect finds the profile's keeper, and opens the profile when it is closed.
func (b *Bridge) connect(ctx context.Context, note string) error {
	line, err := b.dial(ctx, note)
	if err != nil {
		return err
	}
	return b.take(line, note)
}

// take uses a new line, after the handshake was replayed on it where there was one before.
func (b *Bridge) take(line *keeper.Line, note string) error {
	b.mu.Lock()
	replay := b.handshake
	b.mu.Unlock()
	if note != "" && len(replay) > 0 {
		if err := b.replay(line, replay); err != nil {
			_ = line.Close()
			return err
		}
	}
	b.mu.Lock()
	b.line, b.run = line, line.RunID
	b.mu.Unlock()
	go b.listen(line)
	return nil
}

// replay says to a new keeper what the client has said to the one before; its answer is not passed on.
func (b *Bridge) replay(line *keeper.Line, handshake []json.RawMessage) error {
	var m message
	if err := json.Unmarshal(handshake[0], &m); err != nil {
		return err
	}
	b.mu.Lock()
	b.replayed = string(m.ID)
	b.mu.Unlock()
	for _, raw := range handshake {
		if err := line.Write(raw); err != nil {
			return err
		}
	}
	return nil
}

// listen passes the keeper's messages on until the profile closes.
func (b *Bridge) listen(line *keeper.Line) {
	end := session.Crashed // a keeper that dies says nothing
	var tidy keeper.Tidy
	for {
		raw, err := line.Read()
		if err != nil {
			break
		}
		tidy.Passed(len(raw))
		m := head(raw)
		switch {
		case m.Method == keeper.NoticePrefix+"closed":
			end = m.Params.End
		case m.Method == keeper.NoticePrefix+"pages":
			b.mu.Lock()
			b.lastPage, b.documents = max(b.lastPage, m.Params.Last), max(b.documents, m.Params.Docs)
			b.mu.Unlock()
		case m.ID != nil && m.Method == "":
			b.mu.Lock()
			swallow := b.replayed != "" && string(m.ID) == b.replayed
			if swallow {
				b.replayed = ""
			}
			delete(b.pending, string(m.ID))
			b.mu.Unlock()
			if !swallow {
				b.write(raw)
			}
		default:
			b.write(raw)
		}
	}
	b.mu.Lock()
	if b.line == line {
		b.line = nil
	}
	b.end = end
	waiting := b.pending
	b.pending = map[string]string{}
	b.mu.Unlock()
	_ = line.Close()
	for id, method := range waiting {
		b.fail(json.RawMessage(id), method, b.closedText())
	}
}

func (b *Bridge) hangUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.line != nil {
		_ = b.line.Close()
	}
}
