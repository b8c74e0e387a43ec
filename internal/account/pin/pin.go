// Package pin checks the PIN of the owner.
package pin

import (
	"context"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"cove/internal/account/password"
	"cove/internal/fault"
)

// Record is what is stored of the owner's PIN. The zero value means no PIN.
type Record struct {
	Hash     string
	Failures int       // wrong attempts in a row
	Last     time.Time // the time of the last wrong attempt
}

// Store stores the Record.
type Store interface {
	PIN(ctx context.Context) (Record, error)
	SetPIN(ctx context.Context, r Record) error
}

// PIN checks the owner's PIN before agents are allowed more than before. The owner knows it, and a program that reads
// owner.token does not.
type PIN struct {
	store Store
	mu    sync.Mutex // allows one attempt at a time
}

// New returns the PIN in a store.
func New(store Store) *PIN { return &PIN{store: store} }

const minLength, maxLength = 4, 64

// The delays after wrong attempts, which survive restarts.
const (
	freeTries = 3
	firstGap  = 5 * time.Second
	maxGap    = 15 * time.Minute
)

// CheckNew says what is wrong with a new PIN.
func CheckNew(pin string) error {
	if n := utf8.RuneCountInString(pin); n < minLength || n > maxLength {
		return fault.Fieldf("pin", "A PIN has %d to %d characters.", minLength, maxLength)
	}
	return nil
}

// IsSet reports whether there is a PIN.
func (p *PIN) IsSet(ctx context.Context) (bool, error) {
	r, err := p.store.PIN(ctx)
	return r.Hash != "", err
}

// Check accepts the right PIN, and any PIN while none is set.
func (p *PIN) Check(ctx context.Context, pin string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.store.PIN(ctx)
	if err != nil || r.Hash == "" {
		return err
	}
	if pin == "" {
		return fault.New(fault.CodePINRequired, "This action requires the owner's PIN.",
			"Send it in the header Cove-Pin, or use the command line, which prompts for it.")
	}
	if left := r.wait(time.Now()); left > 0 {
		slowed := fault.New(fault.CodePINSlowed,
			fmt.Sprintf("Too many incorrect PINs. Wait %d seconds.", int(left.Seconds())+1), "Then try again.")
		slowed.Wait = left
		return slowed
	}
	// The attempt counts as wrong until it is known to be right, so killing the app in between gains no attempts.
	r.Failures, r.Last = r.Failures+1, time.Now()
	if err := p.store.SetPIN(ctx, r); err != nil {
		return err
	}
	if !password.Matches(r.Hash, pin) {
		return fault.New(fault.CodePINWrong, "Incorrect PIN.",
			"Try again. After three incorrect attempts, each attempt takes longer.")
	}
	return p.store.SetPIN(ctx, Record{Hash: r.Hash})
}

// wait returns how long to refuse attempts.
func (r Record) wait(now time.Time) time.Duration {
	if r.Failures < freeTries {
		return 0
	}
	gap := min(maxGap, firstGap<<min(r.Failures-freeTries, 20))
	return min(gap, r.Last.Add(gap).Sub(now)) // a clock that was set back locks nobody out
}

// Change sets another PIN. The caller has checked the old one.
func (p *PIN) Change(ctx context.Context, pin string) error {
	if err := CheckNew(pin); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.store.SetPIN(ctx, Record{Hash: password.Hash(pin)})
}

// Clear removes the PIN. The caller has checked it.
func (p *PIN) Clear(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.store.SetPIN(ctx, Record{})
}
