// Package download applies the policy to the downloads of a browser.
package download

import (
	"context"
	"sync"
	"time"

	"cove/internal/page"
	"cove/internal/policy"
)

// grantTime is how long a person's yes to a download is good, for one file: the browser has refused the download by
// then, and the agent begins it again.
const grantTime = 2 * time.Minute

// Guard keeps the downloads of the browser closed as long as the policy does not let every agent have them. A
// person who has taken over the profile or a tab may save files. Its methods may be called from any goroutine.
type Guard struct {
	enforcer *policy.Enforcer
	changed  chan struct{} // has room for one

	mu        sync.Mutex
	browser   *page.Browser
	until     time.Time // until then pages may save files
	grantedBy *policy.Rules
}

// NewGuard returns a Guard that has no browser yet.
func NewGuard(e *policy.Enforcer) *Guard {
	return &Guard{enforcer: e, changed: make(chan struct{}, 1)}
}

// Watch applies the policy to a browser's downloads until ctx ends.
func (d *Guard) Watch(ctx context.Context, b *page.Browser) {
	sub := d.enforcer.Subscribe()
	defer func() { sub.Close() }()
	d.mu.Lock()
	d.browser = b
	d.mu.Unlock()

	for {
		d.apply(ctx)
		select {
		case _, ok := <-sub.C():
			if !ok { // too slow for every change
				sub = d.enforcer.Subscribe()
			}
		case <-d.changed:
		case <-ctx.Done():
			return
		}
	}
}

// retryPause is the time until a browser that has not confirmed a change is told again.
const retryPause = time.Second

// apply sets in the browser what the policy says now.
func (d *Guard) apply(ctx context.Context) {
	rules, takenOver := d.enforcer.Rules(), d.enforcer.TakenOver() || d.enforcer.AnyControlled()
	d.mu.Lock()
	b, left := d.browser, time.Until(d.until)
	if d.grantedBy != rules { // what was granted under another policy is over
		left = 0
	}
	d.mu.Unlock()
	if b == nil {
		return
	}

	err := b.AllowDownloads(ctx, takenOver || rules.Right(policy.Download) == policy.Yes || left > 0)
	if err != nil && ctx.Err() == nil {
		time.AfterFunc(retryPause, d.wake)
	}
	if left > 0 {
		time.AfterFunc(left, d.wake)
	}
}

func (d *Guard) wake() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// Grant opens downloads for grantTime; with once, until one has begun.
func (d *Guard) Grant(ctx context.Context, once bool) {
	until := time.Now().Add(grantTime)
	d.mu.Lock()
	d.until, d.grantedBy = until, d.enforcer.Rules()
	b := d.browser
	d.mu.Unlock()

	if once && b != nil {
		after := b.LastDownload()
		go func() {
			ctx, cancel := context.WithDeadline(context.Background(), until)
			defer cancel()
			if b.AwaitDownload(ctx, after) == nil {
				d.revoke(until)
			}
		}()
	}
	d.apply(ctx)
	d.wake()
}

// revoke ends the grant until this time. A later grant stays.
func (d *Guard) revoke(until time.Time) {
	d.mu.Lock()
	if d.until.Equal(until) {
		d.until = time.Time{}
	}
	d.mu.Unlock()
	d.wake()
}
