package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// start runs a child that sleeps until it is killed.
func start(t *testing.T) (*exec.Cmd, ID) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	info, ok := Lookup(cmd.Process.Pid)
	if !ok {
		t.Fatal("a running child is not found")
	}
	return cmd, info.ID
}

func TestLookup(t *testing.T) {
	cmd, id := start(t)
	info, ok := Lookup(id.PID)
	for ok && len(info.Args) == 0 { // exec has not laid out its arguments yet
		info, ok = Lookup(id.PID)
	}
	if !ok || info.Parent != os.Getpid() || len(info.Args) != 2 || info.Args[1] != "60" {
		t.Fatalf("got %+v, %v", info, ok)
	}
	if !id.Alive() {
		t.Fatal("a running child is not alive")
	}
	if (ID{PID: id.PID, Start: "1"}).Alive() {
		t.Fatal("another process with the same number counts as alive")
	}
	if err := (ID{PID: id.PID, Start: "1"}).Kill(); !errors.Is(err, os.ErrProcessDone) {
		t.Fatalf("killing by number alone: %v", err)
	}
	// Killed and not yet waited for: a zombie.
	_ = cmd.Process.Kill()
	for deadline := time.Now().Add(10 * time.Second); id.Alive(); {
		if time.Now().After(deadline) {
			t.Fatal("a zombie counts as alive")
		}
		<-time.After(time.Millisecond)
	}
}

func TestWait(t *testing.T) {
	cmd, id := start(t)
	done := make(chan error, 1)
	go func() { done <- id.Wait(context.Background()) }()
	select {
	case err := <-done:
		t.Fatalf("returned while the process runs: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	_ = cmd.Process.Kill()
	if err := <-done; err != nil {
		t.Fatal(err)
	}

	_, id = start(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := id.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	a, err := TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(name); !errors.Is(err, ErrLocked) {
		t.Fatalf("second holder: %v", err)
	}
	a.Release()
	b, err := TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Release()
}

func TestFreeBytes(t *testing.T) {
	if n, err := FreeBytes(t.TempDir()); err != nil || n == 0 {
		t.Fatalf("got %d, %v", n, err)
	}
}
