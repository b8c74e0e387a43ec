package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/fault"
	"cove/internal/gate/audit"
	"cove/internal/gate/formguard"
	"cove/internal/gate/method"
	"cove/internal/gate/socket"
	"cove/internal/policy"
)

// conn is one program's connection. Each of its commands needs the enforcer's permission.
//
// run reads the socket in the goroutine of the HTTP request, until the program disconnects or the enforcer ends the
// admission. While the enforcer is free, run judges commands and passes them to the browser itself. Otherwise it queues
// them, and the goroutine of work judges them one after the other, so that run can read on while a command waits.
// Commands never overtake each other: while work runs, run queues every command. Commands for a tab that the person
// works in wait apart from the others (control.go), in order among themselves.
type conn struct {
	config    *Config
	mux       *mux.Mux
	forms     *formguard.Guard
	inflight  *socket.Budget
	socket    *socket.Socket
	admission *policy.Admission
	program   program
	filter    *filter
	audit     *audit.Log
	client    *mux.Client

	ctx     context.Context // ends with the connection
	stopped atomic.Bool     // no more commands are accepted
	// downloads says that the program may have changed what the browser does with downloads.
	downloads atomic.Bool

	mu      sync.Mutex
	queue   []queuedCommand          // commands that wait for the one before them
	queued  int                      // their bytes
	held    map[string][]heldCommand // by tab: commands for tabs that the person works in
	working bool                     // a goroutine works on the queue
	blocked bool                     // the first command waits for a person or for another agent
	room    *sync.Cond               // the queue has become shorter, or stopped is set
}

// queuedCommand is a command and the number of bytes that it has reserved in the budget of all clients.
type queuedCommand struct {
	cdp.Message
	reserved int
}

// maxQueuedCommands is how many bytes of commands may wait in the queue. While there are more, the socket is not read.
const maxQueuedCommands = 32 << 20

// attachLimit bounds how long the browser may take to attach a program.
const attachLimit = 10 * time.Second

// run serves the program from its first message to its last. known is closed when it is known who the program is.
func (c *conn) run(ctx context.Context, targetID string, known <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.ctx = ctx
	c.program = program{c.admission.Owner(), known}
	c.room = sync.NewCond(&c.mu)
	c.filter = &filter{c.config, c.mux, &invocations{}}
	c.audit = audit.Open(c.config.Journal, c.admission, known)
	defer c.audit.Close()

	attachCtx, stop := context.WithTimeout(ctx, attachLimit)
	defer stop()
	var err error
	if c.client, err = c.mux.Attach(attachCtx, targetID, c.socket, c.filter); err != nil {
		return err
	}

	var both sync.WaitGroup
	both.Go(c.socket.WriteQueue)
	both.Add(1)
	forget := context.AfterFunc(c.admission.Context(), func() {
		defer both.Done()
		c.expel()
	})
	c.read()
	c.stopReceiving()
	cancel()
	c.detach()
	if forget() {
		both.Done()
	}
	both.Wait()

	return nil
}

// expel ends the connection after the enforcer has ended its admission.
func (c *conn) expel() {
	err := c.admission.Err()
	if err == nil {
		return
	}

	c.stopReceiving()
	c.detach()
	c.socket.Abort(fault.From(err).Sentence())
}

// detach removes what the program has set up in the browser.
func (c *conn) detach() {
	c.client.Close()
	if c.downloads.Load() && c.config.Disconnected != nil {
		c.config.Disconnected()
	}
}

// stopReceiving makes the connection accept no more commands, and drops those that are queued.
func (c *conn) stopReceiving() {
	c.stopped.Store(true)
	c.mu.Lock()
	for _, q := range c.queue {
		c.handled(q.Len(), q.reserved)
	}
	for tab, all := range c.held {
		for _, q := range all {
			c.handled(q.Len(), q.reserved)
		}
		c.held[tab] = nil // its goroutine ends
	}
	c.queue, c.queued = nil, 0
	c.mu.Unlock()
	c.room.Broadcast()
}

// handled releases the bytes that a message has reserved.
func (c *conn) handled(size, reserved int) {
	c.inflight.Release(reserved)
	if c.config.Handled != nil && size >= socket.Large {
		c.config.Handled(size)
	}
}

// read receives the program's commands until the program disconnects.
func (c *conn) read() {
	defer c.socket.End("the client has gone")
	for {
		in, err := c.socket.ReadNext(c.inflight)
		if in.Over > 0 {
			c.handled(in.Over, 0)
		}
		if err != nil {
			c.socket.CloseNow() // nobody is there to read an answer
			return
		}
		if in.Over > 0 {
			c.refuseLarge(in)
			continue
		}
		if c.receive(in.Raw, in.Reserved) != nil {
			return
		}
	}
}

// refuseLarge refuses a command that is too large for the browser's pipe, or for which the budget has no room now.
func (c *conn) refuseLarge(in socket.Message) {
	text := fmt.Sprintf("The message has %d bytes; the largest that Cove passes on is %d (96 MiB). Send it in parts.",
		in.Over, cdp.MaxMessage)
	if in.Crowded {
		text = fmt.Sprintf("The message of %d bytes was not passed on: the programs of this profile have too many "+
			"large ones under way. Send it again later, or in parts.", in.Over)
	}
	c.client.RespondError(cdp.ParseEnds(in.Raw), &cdp.Error{Code: mux.CodeInvalid, Message: text})
}

// receive handles one command of the program, which has reserved so many bytes. It passes the command on at once if
// nobody has to be asked, and queues it otherwise. An error means that the browser is gone.
func (c *conn) receive(raw []byte, reserved int) error {
	handled := func() { c.handled(len(raw), reserved) }
	if c.stopped.Load() {
		handled()
		return nil
	}
	if c.mux.Closed() {
		handled()
		return cdp.ErrClosed
	}
	msg, wrong := c.client.Check(raw)
	if wrong != nil {
		handled()
		c.client.RespondError(msg, wrong)
		return nil // the client has its answer; an error would mean that the browser is gone
	}

	c.audit.AwaitRoom()
	c.mu.Lock()
	if !c.working && len(c.held) == 0 && c.config.Enforcer.Free() {
		c.mu.Unlock()
		defer handled()
		return c.do(msg, true)
	}
	defer c.mu.Unlock()
	if !c.enqueue(queuedCommand{msg, reserved}) {
		handled()
	}

	return nil
}

// enqueue queues a command. It waits while the queue is full. It returns false if the connection has stopped. The
// caller holds mu.
func (c *conn) enqueue(q queuedCommand) bool {
	for c.queued > maxQueuedCommands && !c.stopped.Load() {
		c.room.Wait()
	}
	if c.stopped.Load() {
		return false
	}

	c.queue = append(c.queue, q)
	c.queued += q.Len()
	if c.blocked { // a target that waits for this client would hold up all others
		c.client.Resume(c.client.SessionOf(q.Message))
	}
	if !c.working {
		c.working = true
		go c.work()
	}

	return true
}

// work judges the queued commands one after the other and passes them on. It returns when the queue is empty.
func (c *conn) work() {
	for {
		c.mu.Lock()
		if len(c.queue) == 0 {
			c.working = false
			c.mu.Unlock()
			return
		}
		q := c.queue[0]
		c.queue[0] = queuedCommand{}
		c.queue = c.queue[1:]
		c.queued -= q.Len()
		c.mu.Unlock()
		c.room.Signal()

		if tab := c.heldTab(q.Message); tab != "" {
			c.hold(tab, q)
			continue
		}
		err := c.do(q.Message, false)
		c.handled(q.Len(), q.reserved)
		if err != nil {
			c.socket.End(mux.BrowserClosed)
			c.stopReceiving()
		}
	}
}

// block records whether the first command waits. While it does, new tabs do not wait for this client's commands.
func (c *conn) block(on bool) {
	c.mu.Lock()
	c.blocked = on
	c.mu.Unlock()
	if on {
		c.client.ResumeAll()
	}
}

// canceled returns a context that is already done.
var canceled = sync.OnceValue(func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
})

// begin asks the enforcer to begin a step. It first tries without waiting, and blocks the connection only if the step
// has to wait.
func (c *conn) begin(acts bool) error {
	err := c.admission.Begin(canceled(), acts)
	if !errors.Is(err, context.Canceled) {
		return err
	}

	c.block(true)
	defer c.block(false)

	return c.admission.Begin(c.ctx, acts)
}

// do judges one command and passes it on. free says that the policy does not bind the program and that the command need
// not wait.
func (c *conn) do(msg cdp.Message, free bool) error {
	cmd := &command{config: c.config, mux: c.mux, forms: c.forms, calls: c.filter.calls, method: msg.Method(),
		raw: msg.Params(), session: c.client.SessionOf(msg)}
	known, listed := method.Of(cmd.method)
	reads := listed && known.ChangesNothing()
	x := c.follow(cmd, reads)
	if !free {
		if err := c.begin(!reads); err != nil {
			return c.refuse(msg, x, err)
		}
	}

	cmd.rules = c.config.Enforcer.Rules() // after the wait: they may have changed meanwhile
	err := cmd.judge(c.ctx)
	if err == nil {
		err = cmd.ownTab(c.ctx, c.program)
	}
	if err == nil {
		err = cmd.authorize(c.ctx, c.admission, c.block)
	}
	if err == nil && len(cmd.needs) > 0 { // a person may have been asked, and the tab may be another agent's by now
		err = cmd.ownTab(c.ctx, c.program)
	}
	if err == nil {
		err = cmd.checkToolAgain()
	}
	switch {
	case err == nil:
		return c.pass(msg, cmd, x)
	case cmd.method == "Browser.close" && c.ctx.Err() == nil:
		return c.disconnect(msg, x, err)
	}

	return c.refuse(msg, x, err)
}

// follow begins the journal's entry of a command. It returns nil if the command is only counted, or not recorded at
// all.
func (c *conn) follow(cmd *command, reads bool) *exchange {
	if c.audit == nil {
		return nil
	}
	if (reads && cmd.extension() == "") || cmd.movesMouse() {
		c.audit.CountRead(cmd.method)
		return nil
	}

	return &exchange{filter: c.filter, audit: c.audit, method: cmd.method, unrecorded: true, entry: newEntry(cmd)}
}

// pass sends an allowed command to the browser, or answers it without the browser.
func (c *conn) pass(msg cdp.Message, cmd *command, x *exchange) error {
	if c.stopped.Load() {
		return nil
	}
	if cmd.skip {
		x.recordDone()
		c.client.Respond(msg, struct{}{})
		return nil
	}

	if strings.HasSuffix(cmd.method, ".setDownloadBehavior") || cmd.method == "Target.sendMessageToTarget" {
		c.downloads.Store(true)
	}
	cmd.recordPress()
	strict := cmd.strict()
	if x == nil && !strict {
		return c.client.Forward(msg, nil)
	}
	if x == nil {
		x = &exchange{filter: c.filter, method: cmd.method}
	}
	if cmd.method == "Target.createTarget" {
		x.opener = c.program.owner
	}
	x.redaction, x.strict, x.session, x.root = cmd.redaction, strict, cmd.session, c.client.Session()
	x.calls = cmd.tool != nil

	return c.client.Forward(msg, x)
}

// refuse answers a command that the policy does not allow, or not now.
func (c *conn) refuse(msg cdp.Message, x *exchange, err error) error {
	x.recordRefusal(err)
	if c.ctx.Err() != nil || c.stopped.Load() {
		return nil //nolint:nilerr // nobody is there to read it
	}
	c.client.RespondError(msg, &cdp.Error{Code: codeRefused, Message: c.config.Home.Advice(fault.From(err).Sentence())})

	return nil
}

// disconnect answers Browser.close of a program that may not close the profile. Only the program's own connection ends.
func (c *conn) disconnect(msg cdp.Message, x *exchange, err error) error {
	x.recordRefusal(err)
	c.client.Respond(msg, struct{}{})
	c.stopReceiving()
	c.socket.End("the profile stays open: its policy does not let programs close it")

	return nil
}
