package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// progressInterval is how often a client hears that its call still goes on: many give up after a silent minute.
	progressInterval = 5 * time.Second
	// waitInterval is how often a client hears that its call waits for a person.
	waitInterval = 5 * time.Second
)

// progress reports how a call goes on, to a client that has asked for it.
type progress struct {
	session *mcp.ServerSession
	token   any
	redact  *Redactor

	mu          sync.Mutex // guards what was reported last
	done, total float64
	message     string
}

// wanted reports whether the client has asked for progress.
func (p *progress) wanted() bool { return p.token != nil && p.session != nil }

// report says how far the call is.
func (p *progress) report(ctx context.Context, done, total float64, message string) {
	if !p.wanted() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total, p.message = done, total, message
	p.sendLocked(ctx)
}

func (p *progress) sendLocked(ctx context.Context) {
	_ = p.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: p.token, Progress: p.done, Total: p.total, Message: p.redact.Text(p.message)})
}

// repeat reports the same again and again until stop. The figure must grow each time; it stays below the next step.
func (p *progress) repeat(ctx context.Context, interval time.Duration) (stop func()) {
	return p.every(ctx, interval, func(ctx context.Context) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done += 0.001
		p.sendLocked(ctx)
	})
}

// waiting reports until stop that the call waits for somebody.
func (p *progress) waiting(ctx context.Context, message string) (stop func()) {
	n := 0.0
	return p.every(ctx, waitInterval, func(ctx context.Context) {
		n++
		p.report(ctx, n, 0, message)
	})
}

// every calls f at each interval until stop, which waits for the last call.
func (p *progress) every(ctx context.Context, interval time.Duration, f func(context.Context)) (stop func()) {
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
