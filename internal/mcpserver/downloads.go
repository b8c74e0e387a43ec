package mcpserver

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
)

// grantTime is how long a person's yes to a download holds: the browser has refused it by then, and the agent begins it again. It holds
// for one file.
const grantTime = 2 * time.Minute

// Follow keeps a browser's downloads closed as long as the policy does not let every agent have them. A person who has taken over
// may save files.
func (s *Server) Follow(ctx context.Context, b *page.Browser) {
	sub := s.Enforcer.Subscribe()
	defer func() { sub.Close() }()
	s.mu.Lock()
	s.following = b
	s.mu.Unlock()
	for {
		s.letDownload(ctx)
		select {
		case _, ok := <-sub.C():
			if !ok { // too slow for every change
				sub = s.Enforcer.Subscribe()
			}
		case <-s.granting:
		case <-ctx.Done():
			return
		}
	}
}

// letDownload tells the browser what the policy says now.
func (s *Server) letDownload(ctx context.Context) {
	book, taken := s.Enforcer.Rules(), s.Enforcer.State().TakenOver
	s.mu.Lock()
	b, left := s.following, time.Until(s.granted)
	if s.grantedBy != book { // another policy: what was granted under the old one is over
		left = 0
	}
	s.mu.Unlock()
	if b == nil {
		return
	}
	_ = b.AllowDownloads(ctx, taken || book.Right(policy.Download) == policy.Yes || left > 0)
	if left > 0 {
		time.AfterFunc(left, s.wake)
	}
}

func (s *Server) wake() {
	select {
	case s.granting <- struct{}{}:
	default:
	}
}

// grant opens downloads for a while; once is until one has begun.
func (s *Server) grant(ctx context.Context, once bool) {
	until := time.Now().Add(grantTime)
	s.mu.Lock()
	s.granted, s.grantedBy = until, s.Enforcer.Rules()
	b := s.following
	s.mu.Unlock()
	if once && b != nil {
		after := b.LastDownload()
		go func() {
			ctx, cancel := context.WithDeadline(context.Background(), until)
			defer cancel()
			if b.AwaitDownload(ctx, after) == nil {
				s.revoke(until)
			}
		}()
	}
	s.letDownload(ctx)
	s.wake()
}

// revoke ends what was granted until then; a later grant stays.
func (s *Server) revoke(until time.Time) {
	s.mu.Lock()
	if s.granted.Equal(until) {
		s.granted = time.Time{}
	}
	s.mu.Unlock()
	s.wake()
}

// mayDownload goes before a step that acts: an agent that a person has said yes to once and for all has its downloads.
func (c *call) mayDownload(ctx context.Context) {
	if c.server.Enforcer.Rules().Right(policy.Download) == policy.Ask && !c.seat.NeedsApproval(policy.Download) {
		c.server.grant(ctx, false)
	}
}

// held asks for a download that the browser was told to refuse.
func (c *call) held(ctx context.Context, d page.Download) {
	if d.State != "canceled" || c.server.Enforcer.Rules().Right(policy.Download) == policy.Yes {
		return
	}
	err := c.may(ctx, policy.Download, subject{late: true}, "download the file "+quoted(c.words(d.Name, 100))+" from "+clip(c.address(d.URL), 200))
	if err == nil {
		c.server.grant(ctx, true)
		c.say("The download was held until the person allowed it, which they have: do the same again now to get the file.")
		return
	}
	f := fault.From(err)
	c.say("%s %s", f.Text, f.Hint)
}
