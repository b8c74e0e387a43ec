// Package progress tells a client how its call goes on.
package progress

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/redaction"
)

const (
	// Interval is how often a client hears that its call still goes on: many give up after a silent minute.
	Interval = 5 * time.Second
	// waitInterval is how often a client hears that its call waits for a person.
	waitInterval = 5 * time.Second
)

// Reporter reports how a call goes on, to a client that has asked for it.
type Reporter struct {
	// Session is the client's; nil for none. Token names the call in its reports; nil for a client that wants none.
	Session *mcp.ServerSession
	Token   any
	Redact  *redaction.Redactor

	mu          sync.Mutex // guards what was reported last
	done, total float64
	message     string
}

// wanted reports whether the client has asked for progress.
func (p *Reporter) wanted() bool { return p.Token != nil && p.Session != nil }

// Report says how far the call is.
func (p *Reporter) Report(ctx context.Context, done, total float64, message string) {
	if !p.wanted() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total, p.message = done, total, message
	p.sendLocked(ctx)
}

func (p *Reporter) sendLocked(ctx context.Context) {
	_ = p.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: p.Token, Progress: p.done, Total: p.total, Message: p.Redact.Text(p.message)})
}

// Repeat reports the same again and again until stop. The figure must grow each time; it stays below the next step.
func (p *Reporter) Repeat(ctx context.Context, interval time.Duration) (stop func()) {
	return p.every(ctx, interval, func(ctx context.Context) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done += 0.001
		p.sendLocked(ctx)
	})
}

// Waiting reports until stop that the call waits for somebody.
func (p *Reporter) Waiting(ctx context.Context, message string) (stop func()) {
	n := 0.0
	return p.every(ctx, waitInterval, func(ctx context.Context) {
		n++
		p.Report(ctx, n, 0, message)
	})
}

// every calls f at each interval until stop, which waits for the last call.
func (p *Reporter) every(ctx context.Context, interval time.Duration, f func(context.Context)) (stop func()) {
	if !p.wanted() {
		return func() {}
	}

	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f(ctx)
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
