package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cove/api"
	"cove/internal/cdp"
	"cove/internal/chromium"
)

const startRounds = 12

// starts compares the start request with a bare browser on the same flags, warm data folders, one after the other.
func starts(ctx context.Context, a *app, dir string) error {
	browser, err := chromium.Find(ctx)
	if err != nil {
		return err
	}
	options := chromium.Options{
		DataDir: filepath.Join(dir, "bare"), Pipe: true, Headless: !chromium.HasDisplay(),
		NoSandbox: chromium.NoSandbox(browser.Path) != "", Extra: quiet,
	}
	if err := os.MkdirAll(options.DataDir, 0o700); err != nil {
		return err
	}
	var ours, bare []time.Duration
	for round := range startRounds {
		began := time.Now()
		if _, err := a.Start(ctx, 1, api.StartOptions{Automation: true}); err != nil {
			return err
		}
		took := time.Since(began)
		if err := a.Stop(ctx, 1); err != nil {
			return err
		}
		// As the keeper does: blank tabs are not worth restoring, and would pile up.
		if err := chromium.RemoveTabs(options.DataDir); err != nil {
			return err
		}
		b, err := bareStart(ctx, browser.Path, options)
		if err != nil {
			return err
		}
		if round > 0 { // the first makes the data folders
			ours, bare = append(ours, took), append(bare, b)
		}
	}
	printRatio("start request to answer : bare browser to its first command", median(ours), median(bare), "≤ 1.10")
	return nil
}

// bareStart is the time until the first page of a browser takes a command.
func bareStart(ctx context.Context, path string, o chromium.Options) (time.Duration, error) {
	log, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = log.Close() }()
	began := time.Now()
	p, err := chromium.Launch(path, o, log)
	if err != nil {
		return 0, err
	}
	pages := make(chan string, 64)
	pipe := cdp.NewPipe(p.Out, p.In)
	conn := cdp.NewConn(func(raw []byte) error { return pipe.Write(append(raw, 0)) }, func(e cdp.Event) {
		var t struct {
			TargetInfo struct{ TargetID, Type string }
		}
		if e.Method == "Target.targetCreated" && json.Unmarshal(e.Params, &t) == nil && t.TargetInfo.Type == "page" {
			pages <- t.TargetInfo.TargetID
		}
	})
	go func() {
		for {
			raw, err := pipe.Read()
			if err != nil {
				conn.Close()
				return
			}
			conn.Receive(raw)
		}
	}()
	if err := conn.Call(ctx, "", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return 0, err
	}
	var session struct{ SessionID string }
	attach := map[string]any{"targetId": <-pages, "flatten": true}
	if err := conn.Call(ctx, "", "Target.attachToTarget", attach, &session); err != nil {
		return 0, err
	}
	for conn.Call(ctx, session.SessionID, "Runtime.evaluate", map[string]any{"expression": "1"}, nil) != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	took := time.Since(began)
	if err := conn.Call(ctx, "", "Browser.close", nil, nil); err != nil {
		return 0, fmt.Errorf("close the bare browser: %w", err)
	}
	p.Wait()
	return took, nil
}
