package servers

import (
	"context"
	"os"
	"os/exec"
	"time"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/process"
)

// startLimit is how long the app can take to answer after it was started.
const startLimit = 20 * time.Second

// clientOrStart connects to the app. With autostart it starts the app if it is not running.
func clientOrStart(ctx context.Context, env *command.Env, autostart bool) (*api.Client, error) {
	client, err := env.Client()
	if err == nil || !autostart {
		return client, err
	}
	home, err := env.HomeDir()
	if err != nil {
		return nil, err
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

	client, _, err = env.AwaitApp(ctx, startLimit)
	if err != nil {
		return nil, fault.New(fault.CodeNoApp, "Cove was started and does not answer.",
			"See its log: "+home.AppLog()+", then start it with: cove up")
	}

	return client, nil
}
