// Package event is a fan-out feed: one publisher never waits for a slow reader.
package event

import "sync"

// Feed delivers each published value to every subscriber.
type Feed[T any] struct {
	mu   sync.Mutex
	subs map[*Sub[T]]struct{}
}

// Sub is one reader of a feed.
type Sub[T any] struct {
	feed *Feed[T]
	c    chan T
}

// Subscribe returns a reader that holds up to buffer unread values; one that falls further behind is cut off, which it
// sees as a closed channel.
func (f *Feed[T]) Subscribe(buffer int) *Sub[T] {
	s := &Sub[T]{feed: f, c: make(chan T, buffer)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subs == nil {
		f.subs = map[*Sub[T]]struct{}{}
	}
	f.subs[s] = struct{}{}
	return s
}

// Publish hands v to every subscriber.
func (f *Feed[T]) Publish(v T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.subs {
		select {
		case s.c <- v:
		default:
			delete(f.subs, s)
			close(s.c)
		}
	}
}

// C is closed when the subscription ends.
func (s *Sub[T]) C() <-chan T { return s.c }

// Close ends the subscription.
func (s *Sub[T]) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	if _, ok := s.feed.subs[s]; ok {
		delete(s.feed.subs, s)
		close(s.c)
	}
}
