//go:build e2e

// Package harness runs the real program with a real Chromium and real clients, for the tests of the packages beside it.
package harness

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
)

// Cove is the program under test, built once with the race detector.
var Cove string

// display is an X server that every headed test shares.
var display string

// BrowserFlags keep the browsers of a test off the network and the graphics card.
const BrowserFlags = "--disable-gpu --disable-quic --disable-background-networking --disable-component-update --disable-sync"

// Main runs the tests of a package below e2e, in the folder e2e: the files that they share are named from there.
func Main(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// Under nohup, or as a background job of a shell, SIGINT is ignored here and in everything that is started from
	// here. Whoever asks for it passes the default on: the programs run as from a terminal.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	dir, err := os.MkdirTemp("", "cove-e2e")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if Cove = os.Getenv("COVE_E2E_PROGRAM"); Cove == "" {
		Cove = filepath.Join(dir, "cove")
		build := exec.CommandContext(context.Background(), "go", "build", "-race", "-o", Cove, "cove/cmd/cove")
		build.Env = append(os.Environ(), "CGO_ENABLED=1")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
	}
	x, err := startX()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Xvfb:", err)
		return 1
	}
	defer func() { _ = x.Process.Kill(); _ = x.Wait() }()
	return m.Run()
}

// startX runs the X server of the headed tests.
func startX() (cmd *exec.Cmd, err error) {
	cmd, display, err = NewX()
	return cmd, err
}

// NewX runs an X server on a display number that it chooses itself.
func NewX(args ...string) (cmd *exec.Cmd, name string, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = r.Close() }()
	cmd = exec.CommandContext(context.Background(), "Xvfb", append([]string{"-displayfd", "3", "-screen", "0",
		"1280x900x24", "-nolisten", "tcp"}, args...)...)
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	_ = w.Close()
	// It writes the number and the line's end apart, and gives up when nobody reads the second.
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	return cmd, ":" + strings.TrimSpace(number), nil
}
