// Package interrupt catches the signals that end the program from its first moment on. The other packages take some milliseconds to get
// ready, and a program that was started with SIGINT ignored (by nohup, or as a shell's background job) loses the signal in that time.
// It imports next to nothing, so that Go initialises it before the packages that do.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

var caught = make(chan os.Signal, 1)

func init() { signal.Notify(caught, os.Interrupt, syscall.SIGTERM) }

// Context ends with the first signal, also with one that came before it was called. After stop the signals do what they did before.
func Context() (ctx context.Context, stop func()) {
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
