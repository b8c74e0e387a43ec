package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"cove/api"
	"cove/internal/app"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/process"
)

// startLimit is how long the app can take to answer after it was started.
const startLimit = 20 * time.Second

// ClientOrStart connects to the app. With autostart it starts the app if it is not running.
func (e *Env) ClientOrStart(ctx context.Context, autostart bool) (*api.Client, error) {
	client, err := e.Client()
	if err == nil || !autostart {
		return client, err
	}
	home, err := e.HomeDir()
	if err != nil {
		return nil, err
	}
	if client, running, err := e.awaitRunning(ctx, home); running {
		return client, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}

	// The app outlives this command, so its context must not end it.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, "up", "--no-window", "--home", string(home))
	cmd.Env = append(os.Environ(), process.LoginEnvironment()...)
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fault.New(fault.CodeNoApp, "Cove is not running and could not be started: "+err.Error()+".",
			"Start it with: cove up")
	}
	go func() { _ = cmd.Wait() }()

	client, _, err = e.AwaitApp(ctx, startLimit)
	if err != nil {
		return nil, fault.New(fault.CodeNoApp, "Cove was started and does not answer.",
			"See its log: "+home.AppLog()+", then start it with: cove up")
	}

	return client, nil
}

// hiddenLimit is how long an app that has just begun takes to say where it is.
const hiddenLimit = 5 * time.Second

// awaitRunning finds an app that runs, and that this command did not see: it has just begun, or the command is in a
// sandbox that hides its process. A second one must not be started then. running is false when there is none.
func (e *Env) awaitRunning(ctx context.Context, home paths.Home) (client *api.Client, running bool, err error) {
	lock, err := process.TryLock(home.AppLock())
	switch {
	case err == nil:
		lock.Release()
		return nil, false, nil
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return nil, true, Sandboxed()
	case !errors.Is(err, process.ErrLocked):
		return nil, false, nil
	}

	// Somebody holds the lock, so the app is alive, whether its process can be seen or not.
	ctx, cancel := context.WithTimeout(ctx, hiddenLimit)
	defer cancel()
	for {
		if f, err := app.ReadFile(home); err == nil {
			if client, err = e.clientOf(home, f); err == nil {
				if _, err := client.Status(ctx); err == nil {
					return client, true, nil
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil, true, Sandboxed()
		case <-time.After(pollInterval):
		}
	}
}

// Sandboxed says that a sandbox keeps this command from Cove.
func Sandboxed() error {
	return fault.New(fault.CodeSandbox, "Cove is running, and this command may not connect to it: it is in a sandbox.",
		"Run it outside of the agent's sandbox, or use Cove's MCP entry: cove client add")
}
