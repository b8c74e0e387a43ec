// Package interrupt catches the signals that end the program, from its first moment on. The other packages need some
// milliseconds to initialise, and a program that was started with SIGINT ignored (by nohup, or as a shell's background
// job) loses a signal that arrives in that time. This package imports next to nothing, so that Go initialises it first.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

var (
	caught = make(chan os.Signal, 1)
	ready  = make(chan struct{}) // closed when signals reach caught
)

// Asking the system for signals takes a moment. The initialisers of the other packages do not wait for it.
func init() {
	go func() {
		signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
		close(ready)
	}()
}

// Context returns a context that ends with the first signal, even one that arrived earlier. After stop the signals have
// their default effect again.
func Context() (ctx context.Context, stop func()) {
	<-ready
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-caught:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		cancel()
	}
}
