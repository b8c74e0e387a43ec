package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"cove/api"
)

// app is a Cove of its own for the measurement.
type app struct {
	*api.Client
	cmd  *exec.Cmd
	home string
}

func startApp(ctx context.Context, cove, home string) (*app, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), cove, "up", "--no-window", "--home", home)
	cmd.Env = append(os.Environ(), "COVE_BROWSER_ARGS="+strings.Join(quiet, " "))
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	a := &app{cmd: cmd, home: home, Client: &api.Client{}}
	for ctx.Err() == nil {
		var f struct {
			APIPort int `json:"api_port"`
		}
		if raw, err := os.ReadFile(filepath.Join(home, "app.json")); err == nil && json.Unmarshal(raw, &f) == nil {
			a.Base = fmt.Sprintf("http://127.0.0.1:%d", f.APIPort)
			token, err := os.ReadFile(filepath.Join(home, "owner.token"))
			a.Token = strings.TrimSpace(string(token))
			return a, err
		}
		wait(ctx, 20*time.Millisecond)
	}
	return nil, errors.New("the app did not start")
}

// wait lets time pass, or ends with ctx.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (a *app) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if a.Do(ctx, "POST", "/app/stop", api.StopApp{Profiles: true}, nil) != nil {
		_ = a.cmd.Process.Signal(syscall.SIGTERM)
	}
	_ = a.cmd.Wait()
}
