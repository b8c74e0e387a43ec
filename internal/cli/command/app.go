package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"cove/api"
	"cove/internal/app"
	"cove/internal/fault"
	"cove/internal/paths"
)

// Client connects to the running app.
func (e *Env) Client() (*api.Client, error) {
	home, err := e.HomeDir()
	if err != nil {
		return nil, err
	}
	f, err := app.ReadFile(home)
	if err != nil || !f.Alive() {
		return nil, NotRunning()
	}
	return e.clientOf(home, f)
}

// clientOf returns a client of the app that wrote the file.
func (e *Env) clientOf(home paths.Home, f app.File) (*api.Client, error) {
	token, err := os.ReadFile(home.OwnerToken())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}

	return &api.Client{PIN: e.promptPIN, Base: fmt.Sprintf("http://127.0.0.1:%d", f.APIPort),
		Token: strings.TrimSpace(string(token))}, nil
}

// NotRunning is the error of a command that needs the app while the app is not running.
func NotRunning() error {
	return fault.New(fault.CodeNoApp, "Cove is not running.", "Start it with: cove up")
}

// pollInterval is the time between two tries to reach an app that is starting. Each try without an app reads one file.
const pollInterval = 10 * time.Millisecond

// AwaitApp connects to an app that is starting. It fails if the app does not answer within limit.
func (e *Env) AwaitApp(ctx context.Context, limit time.Duration) (*api.Client, api.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()

	for {
		if client, err := e.Client(); err == nil {
			if s, err := client.Status(ctx); err == nil {
				return client, s, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, api.Status{}, ctx.Err()
		case <-ticker.C:
		}
	}
}
