// Package process describes and ends operating-system processes. It identifies them by their start time too, because
// the system reuses their numbers. The package also has file locks, the free disk space, and a Scavenger for the memory
// of this process.
package process

import (
	"context"
	"os"
	"time"
)

// ID identifies one process for good, by its number and its start time.
type ID struct {
	PID   int    `json:"pid"`
	Start string `json:"start"`
}

// Info describes a running process.
type Info struct {
	ID
	Parent int
	Args   []string
}

// Lookup returns the running process with that number. A zombie counts as gone.
func Lookup(pid int) (Info, bool) {
	if pid <= 0 {
		return Info{}, false
	}
	return lookup(pid)
}

// Find returns the running processes that match, of all users whose processes this one may see.
func Find(match func(Info) bool) (found []Info, err error) {
	rows, err := table()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if info, ok := Lookup(r.pid); ok && match(info) {
			found = append(found, info)
		}
	}
	return found, nil
}

// Self identifies this process.
func Self() ID {
	info, ok := Lookup(os.Getpid())
	if !ok {
		return ID{PID: os.Getpid()}
	}
	return info.ID
}

// Alive reports whether the process still runs.
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

// Wait waits until the process is gone, whoever its parent is, or until ctx ends.
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
