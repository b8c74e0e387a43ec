package mux

import (
	"log/slog"
	"sync"
	"testing"

	"cove/internal/cdp/cdptest"
)

// browser is a Mux with a fake browser behind it.
type browser struct {
	*cdptest.Browser
	mux    *Mux
	closed chan struct{} // closed when a client asks for the browser's end
}

func newBrowser(t testing.TB) *browser {
	b := &browser{Browser: cdptest.New(t), closed: make(chan struct{})}
	b.mux = New(b.Pipe(), slog.New(slog.DiscardHandler), func(answer func()) { answer(); close(b.closed) })
	var running sync.WaitGroup
	running.Go(func() { _ = b.mux.Run() })
	t.Cleanup(func() {
		b.Close()
		running.Wait()
	})

	return b
}

// script is a client that stores what it receives.
type script struct {
	*Client
	heard chan string
	ended chan string
}

func (s *script) Deliver(out Outgoing) {
	if raw := out.Bytes(); raw != nil {
		s.heard <- string(raw)
	}
}

func (s *script) End(reason string) { s.ended <- reason }

func attach(t testing.TB, b *browser, filter Filter) *script {
	t.Helper()
	s := &script{heard: make(chan string, 1000), ended: make(chan string, 10)}
	c, err := b.mux.Attach(t.Context(), "", s, filter)
	if err != nil {
		t.Fatal(err)
	}
	s.Client = c

	return s
}

// say sends a command and fails the test when the browser is gone.
func (s *script) say(t testing.TB, raw string) {
	t.Helper()
	if err := s.Send([]byte(raw)); err != nil {
		t.Fatal(err)
	}
}
