// Package event is a feed with many readers. The publisher never waits for a slow one.
package event

import "sync"

// Feed delivers each published value to every subscriber. The zero value is ready to use, by any number of goroutines.
type Feed[T any] struct {
	mu   sync.Mutex
	subs map[*Sub[T]]struct{}
}

// Sub is one reader of a feed.
type Sub[T any] struct {
	feed *Feed[T]
	c    chan T
}

// Subscribe returns a reader that holds up to buffer unread values. The feed drops a reader that falls further behind,
// which sees a closed channel.
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

// Publish delivers v to every subscriber.
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

// C returns the channel of values. It is closed when the subscription ends.
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
