// Package process tells facts about operating-system processes and ends them, identified by more than a number that the
// system hands out again.
package process

import (
	"context"
	"os"
	"time"
)

// ID names one process for good: the number and the time at which it started.
type ID struct {
	PID   int    `json:"pid"`
	Start string `json:"start"`
}

// Info is what the system says of a living process.
type Info struct {
	ID
	Parent int
	Args   []string
}

// Lookup describes the living process with that number; a zombie counts as gone.
func Lookup(pid int) (Info, bool) {
	if pid <= 0 {
		return Info{}, false
	}
	return lookup(pid)
}

// Self is this process.
func Self() ID {
	info, ok := Lookup(os.Getpid())
	if !ok {
		return ID{PID: os.Getpid()}
	}
	return info.ID
}

// Alive reports whether that very process still runs.
func (id ID) Alive() bool {
	info, ok := Lookup(id.PID)
	return ok && info.Start == id.Start
}

// Interrupt asks the process to end as Ctrl-C or a closed window would.
func (id ID) Interrupt() error {
	if !id.Alive() {
		return os.ErrProcessDone
	}
	return interrupt(id.PID)
}

// Kill ends the process at once.
func (id ID) Kill() error {
	if !id.Alive() {
		return os.ErrProcessDone
	}
	p, err := os.FindProcess(id.PID)
	if err != nil {
		return err
	}
	return p.Kill()
}

// Wait returns when the process is gone, whoever its parent is, or when ctx ends.
func (id ID) Wait(ctx context.Context) error {
	if watchExit(ctx, id) {
		return nil
	}
	for id.Alive() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}
