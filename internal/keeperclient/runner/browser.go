package runner

import (
	"context"
	"errors"
	"sync"
	"time"

	"cove/internal/keeperclient"
	"cove/internal/profile"
	"cove/internal/session"
)

// browser is the app's view of one keeper and its browser. One goroutine, follow, reads the keeper's status to the
// end of the session; everybody else waits on the channels that it closes. A person's browser may outlive its keeper:
// then follow goes on with the keeper that adopted it.
type browser struct {
	id profile.ID

	mu     sync.Mutex
	client *keeperclient.Client
	status keeperclient.Status

	ready   chan struct{} // closed when the browser is open, or the session is over
	step    chan string   // the last step of a person, if nobody has read it
	closing chan struct{} // closed when the browser has begun to close
	done    chan struct{} // closed when the session is over

	readyOnce, closingOnce sync.Once
}

var _ session.Browser = (*browser)(nil)

func newBrowser(id profile.ID, record keeperclient.Record) *browser {
	return &browser{
		id: id, client: keeperclient.New(record), status: keeperclient.Status{State: session.Starting},
		step: make(chan string, 1), ready: make(chan struct{}), closing: make(chan struct{}), done: make(chan struct{}),
	}
}

func (b *browser) current() *keeperclient.Client {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.client
}

// follow reads the keeper's status to the end of the session. When the keeper is gone without a last status, follow
// calls died, which returns the record of the keeper that goes on with the browser, or nil.
func (b *browser) follow(died func(last keeperclient.Record) *keeperclient.Record) {
	for {
		c := b.current()
		last := b.watch(c)
		if last.State == session.Closed {
			b.end(last)
			return
		}
		if c.Record().Alive() { // the connection broke, or the keeper is too busy to answer
			<-time.After(200 * time.Millisecond)
			continue
		}
		next := died(c.Record())
		if next == nil {
			end := session.Crashed
			if c.Record().Shared {
				end = session.KeeperEnded
			}
			b.end(keeperclient.Status{State: session.Closed, End: end})
			return
		}
		b.mu.Lock()
		b.client = keeperclient.New(*next)
		b.mu.Unlock()
	}
}

// watch reads one stream of statuses and returns the last. Its errors say nothing that follow does not find out.
func (b *browser) watch(c *keeperclient.Client) (last keeperclient.Status) {
	_ = c.Watch(context.Background(), func(s keeperclient.Status) {
		last = s
		b.mu.Lock()
		b.status = s
		b.mu.Unlock()
		if s.Step != "" {
			b.setStep(s.Step)
		}
		switch s.State {
		case session.Open:
			b.readyOnce.Do(func() { close(b.ready) })
		case session.Stopping:
			b.closingOnce.Do(func() { close(b.closing) })
		}
	})
	return last
}

// setStep puts a step in place of the one before.
func (b *browser) setStep(step string) {
	select {
	case <-b.step:
	default:
	}
	b.step <- step
}

func (b *browser) end(last keeperclient.Status) {
	b.mu.Lock()
	b.status = last
	b.mu.Unlock()
	close(b.done)
	b.readyOnce.Do(func() { close(b.ready) })
}

// Mode is the mode in which the keeper's browser is open.
func (b *browser) Mode() session.Mode { return b.current().Record().Mode }

// Ready waits until the browser accepts commands. It calls at with each step that a person has to take.
func (b *browser) Ready(ctx context.Context, at func(step string)) (session.Endpoint, error) {
	for waiting := true; waiting; {
		select {
		case <-b.ready:
			waiting = false
		case step := <-b.step:
			at(step)
		case <-ctx.Done():
			return session.Endpoint{}, ctx.Err()
		}
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status.State != session.Closed {
		return b.status.Endpoint, nil
	}
	if b.status.Fault != nil {
		return session.Endpoint{}, b.status.Fault
	}
	if b.status.End == session.KeeperEnded {
		return session.Endpoint{}, session.ErrShareKeeperEnded(b.id)
	}
	return session.Endpoint{}, keeperclient.LaunchFault("The browser did not open", errors.New("its keeper died"))
}

// Stop closes the browser and returns when it is gone. It asks a keeper that does not answer again.
func (b *browser) Stop(ctx context.Context) error {
	for {
		err := b.current().Stop(ctx)
		wait := time.Minute
		if err != nil {
			wait = 200 * time.Millisecond
		}
		select {
		case <-b.done:
			return nil
		case <-time.After(wait):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

// IsClosing asks the keeper for its present state. A keeper that is about to end has closed its socket already, so it
// is asked until it answers or is gone. If an automation keeper is dead, its browser exits on its own: the pipe is
// closed.
func (b *browser) IsClosing(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for {
		c := b.current()
		if now, err := c.Status(ctx); err == nil {
			return now.State == session.Stopping || now.State == session.Closed
		}
		if c.Record().Mode == session.Automation && !c.Record().Alive() {
			return true
		}
		select {
		case <-b.done:
			return true
		case <-b.closing:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Closing returns a channel that is closed when the browser has begun to close.
func (b *browser) Closing() <-chan struct{} { return b.closing }

// Done returns a channel that is closed when the session is over.
func (b *browser) Done() <-chan struct{} { return b.done }

// EndReason says why the session is over, after Done is closed.
func (b *browser) EndReason() session.EndReason {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status.End
}
