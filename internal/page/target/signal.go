package target

import (
	"context"
	"sync"
)

// Signal announces that some state has changed. Its zero value is ready for use, by any number of goroutines.
type Signal struct {
	mu sync.Mutex
	c  chan struct{}
}

// Next returns a channel that the next Broadcast closes. Call Next before you look at the state, so that no change is
// missed.
func (s *Signal) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c == nil {
		s.c = make(chan struct{})
	}
	return s.c
}

// Broadcast wakes everybody who waits for a change.
func (s *Signal) Broadcast() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c != nil {
		close(s.c)
		s.c = nil
	}
}

// Await is the one way in which this program waits for a tab or a browser. It returns when ok reports true (received
// and err are zero), when a value arrives on c (received is true), or when ctx ends (err is its cause). It calls ok at
// the beginning and after each change that s announces. A nil c never delivers.
func Await[T any](ctx context.Context, s *Signal, c <-chan T, ok func() bool) (value T, received bool, err error) {
	for {
		next := s.Next()
		if ok() {
			return value, false, nil
		}
		select {
		case value = <-c:
			return value, true, nil
		case <-next:
		case <-ctx.Done():
			return value, false, context.Cause(ctx)
		}
	}
}

// Until waits until ok reports true, as Await does. It returns the cause of ctx when ctx ends first.
func Until(ctx context.Context, s *Signal, ok func() bool) error {
	_, _, err := Await[struct{}](ctx, s, nil, ok)
	return err
}

// Mutex is a lock whose wait ends with a context.
type Mutex chan struct{}

// NewMutex returns an unlocked Mutex.
func NewMutex() Mutex { return make(Mutex, 1) }

// TryLock takes the lock if nobody has it.
func (m Mutex) TryLock() (unlock func(), ok bool) {
	select {
	case m <- struct{}{}:
		return func() { <-m }, true
	default:
		return nil, false
	}
}

// Lock waits for the lock. The caller must call unlock once.
func (m Mutex) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case m <- struct{}{}:
		return func() { <-m }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
