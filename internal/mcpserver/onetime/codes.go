// Package onetime hands out one-time codes, each of them once.
package onetime

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/secret/totp"
)

// Codes remembers which one-time codes were typed: a site takes each once. All clients of a profile share it.
type Codes struct {
	mu    sync.Mutex
	typed map[string]int64 // by key: the last period whose code was typed
}

// minLeft is how much of its period a code must have left, so that it is still good when it arrives.
const minLeft = 3 * time.Second

// hidePeriods is for how many periods a typed code is hidden. Then the site no longer takes it, and its digits are a
// number like any other.
const hidePeriods = 3

// Next returns a code that was not typed before and until when it must be hidden. It waits for the next period where
// the code of this one was typed, or has almost ended. It fails at once when that is later than limit; 0 for no limit.
func (c *Codes) Next(
	ctx context.Context, s *totp.Setup, limit time.Duration,
) (code string, hideUntil time.Time, err error) {
	begun := time.Now()
	for {
		now := time.Now()
		step, left := s.Step(now)
		if left >= minLeft && c.use(string(s.Key), step) {
			return s.Code(step), now.Add(left + (hidePeriods-1)*s.Period), nil
		}
		if limit > 0 && now.Add(left).After(begun.Add(limit)) {
			return "", time.Time{}, codeTooLate(left)
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return "", time.Time{}, context.Cause(ctx)
		}
	}
}

// codeTooLate is the answer to a call that may not wait for the next code.
func codeTooLate(left time.Duration) *fault.Error {
	return fault.New(fault.CodeTimeout,
		fmt.Sprintf("The next one-time code comes in %.0f s, later than the step may wait: nothing was typed.",
			math.Ceil(left.Seconds())),
		"Try again then, or give it more time.")
}

// use reports whether the code of a period was not typed yet, and records that it is.
func (c *Codes) use(key string, step int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, known := c.typed[key]
	if known && step <= last {
		return false
	}
	if c.typed == nil {
		c.typed = map[string]int64{}
	}
	c.typed[key] = step
	return true
}
