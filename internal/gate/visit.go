package gate

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/policy"
)

// visit is one program's connection: it has a seat at the desk, and each of its commands asks there.
type visit struct {
	server *Server
	client *Client
	socket *socket
	seat   *policy.Admission
	log    *logbook

	ctx  context.Context // ends with the visit
	over atomic.Bool     // nothing of it is taken any more
	// saves: it may have told the browser what to do with downloads.
	saves atomic.Bool

	mu      sync.Mutex
	queue   []waiting // commands that wait for the one before them
	queued  int
	working bool
	blocked bool // the first of them waits for a person
	room    *sync.Cond
}

// waiting is a command with what it has reserved of all clients' budget.
type waiting struct {
	cdp.Message
	held int
}

// maxHeld is how many bytes of commands wait behind one that may not go on yet; then the program is read no further.
const maxHeld = 32 << 20

// codeRefused is how the gate answers what the policy does not allow, or not now.
const codeRefused = -32000

// visit runs one client from its first message to its last.
func (s *Server) visit(r *http.Request, ws *websocket.Conn, seat *policy.Admission, targetID string) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // the request's context ends with the hijack
	defer cancel()
	v := &visit{server: s, socket: newSocket(ws), seat: seat, ctx: ctx}
	v.room = sync.NewCond(&v.mu)
	v.socket.last = s.withoutSecrets
	v.log = s.openLog(seat, s.identify(r, seat))
	defer v.log.close()
	joinCtx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	v.client = &Client{mux: s.mux, sink: v.socket, visit: v}
	if _, err := s.mux.join(joinCtx, targetID, v.client); err != nil {
		return err
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		v.socket.write()
	}()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		v.watch()
	}()
	v.socket.read(v)
	v.stop()
	cancel()
	v.leave()
	<-written
	<-ended
	return nil
}

// watch ends the visit when the desk says so.
func (v *visit) watch() {
	select {
	case <-v.seat.Done():
	case <-v.ctx.Done():
		return
	}
	why := v.seat.Err()
	if why == nil {
		return
	}
	v.stop()
	v.leave()
	v.socket.cut(sentence(why))
}

// leave takes along what the program has set up in the browser.
func (v *visit) leave() {
	v.client.Leave()
	if v.saves.Load() && v.server.rules.Left != nil {
		v.server.rules.Left()
	}
}

// stop takes nothing more of the client.
func (v *visit) stop() {
	v.over.Store(true)
	v.mu.Lock()
	for _, w := range v.queue {
		v.server.finished(w.Len(), w.held)
	}
	v.queue, v.queued = nil, 0
	v.mu.Unlock()
	v.room.Broadcast()
}

// sentence is an error for a program: what happened and what to do.
func sentence(err error) string {
	f := fault.From(err)
	if f.Hint == "" {
		return f.Text
	}
	return f.Text + " " + f.Hint
}

// take takes one command, with what it has reserved. It goes on at once where there is nothing to ask; else it waits its turn, and the
// socket is read on.
func (v *visit) take(raw []byte, held int) error {
	done := func() { v.server.finished(len(raw), held) }
	if v.over.Load() {
		done()
		return nil
	}
	if v.client.mux.over() {
		done()
		return cdp.ErrClosed
	}
	msg, wrong := v.client.check(raw)
	if wrong != nil {
		done()
		v.client.answer(msg, map[string]any{"error": wrong})
		return nil //nolint:nilerr // the client has its answer; an error would mean that the browser is gone
	}
	v.log.makeRoom()
	v.mu.Lock()
	if !v.working && v.server.rules.Enforcer.Free() {
		v.mu.Unlock()
		defer done()
		return v.do(msg, true)
	}
	defer v.mu.Unlock()
	for v.queued > maxHeld && !v.over.Load() {
		v.room.Wait()
	}
	if v.over.Load() {
		done()
		return nil
	}
	v.queue = append(v.queue, waiting{msg, held})
	v.queued += msg.Len()
	if v.blocked { // a target that is to wait for this client would keep everybody waiting
		v.client.mux.resume(v.client.sessionOf(msg))
	}
	if !v.working {
		v.working = true
		go v.work()
	}
	return nil
}

// work does what is queued, one after the other.
func (v *visit) work() {
	for {
		v.mu.Lock()
		if len(v.queue) == 0 {
			v.working = false
			v.mu.Unlock()
			return
		}
		msg := v.queue[0]
		v.queue[0] = waiting{}
		v.queue = v.queue[1:]
		v.queued -= msg.Len()
		v.mu.Unlock()
		v.room.Signal()
		err := v.do(msg.Message, false)
		v.server.finished(msg.Len(), msg.held)
		if err != nil {
			v.socket.End(gone)
			v.stop()
		}
	}
}

// block notes that the first command waits for a person, so that new tabs do not wait for this client's next one.
func (v *visit) block(on bool) {
	v.mu.Lock()
	v.blocked = on
	v.mu.Unlock()
	if on {
		v.client.mux.resumeAll(v.client)
	}
}

var done = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// enter begins a step at the desk, which may have to wait.
func (v *visit) enter(acts bool) error {
	err := v.seat.Begin(done, acts)
	if !errors.Is(err, context.Canceled) {
		return err
	}
	v.block(true)
	defer v.block(false)
	return v.seat.Begin(v.ctx, acts)
}

// do asks the desk about one command and passes it on. free says that nothing binds the program and nobody has to be waited for.
func (v *visit) do(msg cdp.Message, free bool) error {
	q := &question{mux: v.client.mux, method: msg.Method(), raw: msg.Params(), session: v.client.sessionOf(msg), posted: v.server.rules.Posted, files: v.server.rules.Files}
	known, listed := methods()[q.method]
	reads := listed && known.reads()
	st := v.begin(q, reads)
	if !free {
		if err := v.enter(!reads); err != nil {
			return v.refuse(msg, st, err)
		}
	}
	q.book = v.server.rules.Enforcer.Rules() // after the wait: it may have changed meanwhile
	err := q.judge(v.ctx)
	if err == nil {
		err = v.server.permit(v.ctx, v.seat, q, v.block)
	}
	switch {
	case err == nil:
	case q.method == "Browser.close" && v.ctx.Err() == nil:
		return v.part(msg, st, err)
	default:
		return v.refuse(msg, st, err)
	}
	if v.over.Load() {
		return nil
	}
	if q.moot {
		st.done("")
		v.client.answer(msg, map[string]any{"result": struct{}{}})
		return nil
	}
	if strings.HasSuffix(q.method, ".setDownloadBehavior") || q.method == "Target.sendMessageToTarget" {
		v.saves.Store(true)
	}
	q.permitted()
	if st == nil && q.strict() {
		st = &step{visit: v, method: q.method}
	}
	if st != nil {
		st.hide, st.strict, st.session = q.hide, q.strict(), q.session
	}
	return v.client.pass(msg, st)
}

// refuse answers a command that the policy does not allow, or not now.
func (v *visit) refuse(msg cdp.Message, st *step, err error) error {
	st.refused(err)
	if v.ctx.Err() != nil || v.over.Load() {
		return nil //nolint:nilerr // nobody is there to hear it
	}
	v.client.answer(msg, map[string]any{"error": cdp.Error{Code: codeRefused, Message: v.server.rules.Home.Advice(sentence(err))}})
	return nil
}

// part answers Browser.close of a program that may not close the profile: its own connection ends.
func (v *visit) part(msg cdp.Message, st *step, err error) error {
	st.refused(err)
	v.client.answer(msg, map[string]any{"result": struct{}{}})
	v.stop()
	v.socket.End("the profile stays open: its policy does not let programs close it")
	return nil
}
