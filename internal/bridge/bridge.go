// Package bridge connects an MCP client on standard input and output to the keeper of one profile. It opens the profile
// when it is closed.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Bridge is one run of `cove mcp ID`. It outlives the browser and the keeper: after a crash the next call opens the
// profile again, and the bridge replays the client's handshake to the new keeper.
//
// Run's goroutine passes the client's messages on; one goroutine for each connection passes the keeper's. Both write
// to Out under out, and share the rest under mu.
type Bridge struct {
	ID     profile.ID
	Folder paths.ProfileDir
	// App finds the running app, and starts it when there is none.
	App func(ctx context.Context) (*api.Client, error)
	// Dir is the folder that the client runs in. Tools names the groups of tools beside the default ones.
	Dir, Tools string
	In         io.Reader
	Out        io.Writer

	out sync.Mutex

	mu        sync.Mutex
	conn      *keeperclient.AgentConn // nil while the profile is closed
	runID     string                  // of the browser that conn leads to, or led to
	end       session.EndReason       // why the profile closed
	pending   map[string]string       // methods of the requests that wait for an answer, by id
	handshake []json.RawMessage       // initialize and its notification, for the keeper after a crash
	replayed  string                  // the id of a replayed initialize, whose answer is not for the client
	lastPage  int
	documents int
	// over is closed when the person has disconnected the client. The bridge then ends.
	over chan struct{}

	listening sync.WaitGroup // the goroutines that pass the keeper's messages on
}

// maxMessage bounds a message of the client.
const maxMessage = 64 << 20

// Run passes messages on until the client ends. It answers the client's first request with the error of the first
// connection, if there is one.
func (b *Bridge) Run(ctx context.Context) error {
	b.pending, b.over = map[string]string{}, make(chan struct{})
	requests := b.requests(ctx)
	if err := b.connect(ctx, ""); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		b.refuse(requests, err)
		return err
	}
	defer b.disconnect()
	for {
		select {
		case raw, ok := <-requests:
			if b.isOver() {
				return nil
			}
			if !ok {
				b.drain(ctx)
				return nil
			}
			b.pass(ctx, raw)
		case <-b.over:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// drainLimit is how long a client that has ended its input can wait for answers: one that has gone reads none.
const drainLimit = 30 * time.Second

// drain waits until the client has the answers to all that it has asked.
func (b *Bridge) drain(ctx context.Context) {
	limit, tick := time.After(drainLimit), time.NewTicker(2*time.Millisecond)
	defer tick.Stop()
	for {
		b.mu.Lock()
		waiting, closed := len(b.pending), b.conn == nil
		b.mu.Unlock()
		if closed {
			b.listening.Wait() // it answers what waits
			return
		}
		if waiting == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			return
		case <-b.over:
			return
		case <-ctx.Done():
			return
		}
	}
}

// isOver reports whether the person has disconnected the client.
func (b *Bridge) isOver() bool {
	select {
	case <-b.over:
		return true
	default:
		return false
	}
}

// Refuse tells the client why it gets no profile, when nothing was tried yet.
func (b *Bridge) Refuse(err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.refuse(b.requests(ctx), err)
}

// requests reads the client's messages until the client ends.
func (b *Bridge) requests(ctx context.Context) <-chan []byte {
	requests := make(chan []byte)
	go func() {
		defer close(requests)
		in := bufio.NewReaderSize(b.In, 64<<10)
		for first := true; ; first = false {
			raw, err := readMessage(in)
			if first {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // some shells begin a pipe with this mark
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

// refuse answers the client's first request with the reason why there is no profile: clients show it to the person.
func (b *Bridge) refuse(requests <-chan []byte, err error) {
	limit := time.After(5 * time.Second)
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
		case <-limit:
			return
		}
	}
}

// sentence returns an error as a person reads it, with what to do next.
func (b *Bridge) sentence(err error) string {
	f := fault.From(err)
	return f.WithHint(b.Folder.Home().Advice(f.Hint)).Sentence()
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

// fail answers a request whose profile is closed. A tool call gets an error that the model reads.
func (b *Bridge) fail(id json.RawMessage, method, text string) {
	if method == "tools/call" {
		b.answer(id, "result", object{"isError": true, "content": []object{{"type": "text", "text": "Error: " + text}}})
		return
	}
	b.answerError(id, text)
}

// pass handles one message of the client.
func (b *Bridge) pass(ctx context.Context, raw []byte) {
	m, wrong := b.parse(raw)
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
	closed := b.conn == nil
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
	conn := b.conn
	if conn != nil && m.ID != nil && m.Method != "" {
		b.pending[string(m.ID)] = m.Method
	}
	b.mu.Unlock()
	if conn != nil {
		_ = conn.Write(raw) // if it fails, the keeper is gone: listen hears why, and answers what waits
	} else if m.ID != nil && m.Method != "" {
		b.fail(m.ID, m.Method, b.closedText())
	}
}

// connect finds the profile's keeper, and opens the profile when it is closed.
func (b *Bridge) connect(ctx context.Context, note string) error {
	conn, err := b.dial(ctx, note)
	if err != nil {
		return err
	}
	return b.use(conn, note)
}

// use makes conn the bridge's connection. Where there was one before, it replays the client's handshake first.
func (b *Bridge) use(conn *keeperclient.AgentConn, note string) error {
	b.mu.Lock()
	replay := b.handshake
	b.mu.Unlock()
	if note != "" && len(replay) > 0 {
		if err := b.replay(conn, replay); err != nil {
			_ = conn.Close()
			return err
		}
	}
	b.mu.Lock()
	b.conn, b.runID = conn, conn.RunID
	b.mu.Unlock()
	b.listening.Go(func() { b.listen(conn) })
	return nil
}

// replay sends the client's handshake to a new keeper. The answer is not passed on.
func (b *Bridge) replay(conn *keeperclient.AgentConn, handshake []json.RawMessage) error {
	var m message
	if err := json.Unmarshal(handshake[0], &m); err != nil {
		return err
	}
	b.mu.Lock()
	b.replayed = string(m.ID)
	b.mu.Unlock()
	for _, raw := range handshake {
		if err := conn.Write(raw); err != nil {
			return err
		}
	}
	return nil
}

// listen passes the keeper's messages on until the profile closes.
func (b *Bridge) listen(conn *keeperclient.AgentConn) {
	end := session.Crashed // a keeper that dies says nothing
	if conn.Shared {
		end = session.KeeperEnded
	}
	var scavenger process.Scavenger
	first, disconnected := true, false
	for {
		raw, err := conn.Read()
		if err != nil {
			break
		}
		scavenger.Handled(len(raw))
		m := head(raw)
		switch {
		case m.Method == keeperclient.NoticePrefix+"closed":
			end = m.Params.End
		case m.Method == keeperclient.NoticePrefix+"disconnected":
			disconnected = true
		case m.Method == keeperclient.NoticePrefix+"pages":
			b.mu.Lock()
			b.lastPage, b.documents = max(b.lastPage, m.Params.Last), max(b.documents, m.Params.Docs)
			b.mu.Unlock()
		case m.ID != nil && m.Method == "":
			b.passAnswer(string(m.ID), raw)
		default:
			b.write(raw)
		}
		if first {
			// The bridge holds only the messages that pass, so collecting a small heap often costs less than a large
			// heap. Setting the percentage collects at once: the first answer goes before it.
			debug.SetGCPercent(25)
			first = false
		}
	}
	b.release(conn, end, disconnected)
}

// passAnswer passes on the answer to the client's call id. The answer to a replayed handshake stays here: the client
// has one from the first keeper.
func (b *Bridge) passAnswer(id string, raw json.RawMessage) {
	b.mu.Lock()
	swallow := b.replayed != "" && id == b.replayed
	if swallow {
		b.replayed = ""
	}
	b.mu.Unlock()
	if !swallow {
		b.write(raw)
	}
	b.mu.Lock()
	delete(b.pending, id) // now that it is written
	b.mu.Unlock()
}

// release gives up a connection that has ended, and fails the calls that were under way. disconnected means that the
// person has disconnected the client.
func (b *Bridge) release(conn *keeperclient.AgentConn, end session.EndReason, disconnected bool) {
	b.mu.Lock()
	if disconnected {
		close(b.over) // before anybody can find that there is no connection
	}
	if b.conn == conn {
		b.conn = nil
	}
	b.end = end
	waiting := b.pending
	b.pending = map[string]string{}
	b.mu.Unlock()
	_ = conn.Close()
	for id, method := range waiting {
		b.fail(json.RawMessage(id), method, b.closedText())
	}
}

func (b *Bridge) disconnect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil {
		_ = b.conn.Close()
	}
}
