// Bench measures Cove beside what it stands in front of, in one run, and prints ratios.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// quiet keeps the browsers of a measurement off the network and the graphics card.
var quiet = []string{
	"--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
	"--disable-sync",
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	for _, name := range os.Args[1:] {
		if !slices.ContainsFunc(groups, func(g group) bool { return g.name == name }) {
			return fmt.Errorf("there is no group %s: start, gate, policy, mcp, shell, window, live, glance, jobs, journal or widgets", name)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 40*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "cove-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	built := filepath.Join(dir, "built")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", built, "./cmd/cove")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w: %s", err, out)
	}
	cove, err := install(built, filepath.Join(dir, "cove"))
	if err != nil {
		return err
	}
	a, err := startApp(ctx, cove, filepath.Join(dir, "home"))
	if err != nil {
		return err
	}
	defer a.stop()
	for _, g := range groups {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], g.name) {
			continue
		}
		if err := g.measure(ctx, a, dir); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	return nil
}

type group struct {
	name    string
	measure func(ctx context.Context, a *app, dir string) error
}

// groups are what can be measured; the command line may name some of them.
var groups = []group{
	{"start", programStarts}, {"gate", gates}, {"policy", policies}, {"mcp", agents}, {"shell", shells},
	{"window", windows}, {"live", lives}, {"glance", glances}, {"jobs", jobs}, {"journal", journals}, {"widgets", widgetFarm},
}

// gates compares the gate and the wrapper with what they stand in front of.
func gates(ctx context.Context, a *app, dir string) error {
	fmt.Println("| what | Cove | beside it | ratio | aim |")
	fmt.Println("|---|---|---|---|---|")
	for _, measure := range []func(context.Context, *app, string) error{starts, roundTrips, screenshots, wrapped} {
		if err := measure(ctx, a, dir); err != nil {
			return err
		}
	}
	return nil
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// printRatio prints a row of a table.
func printRatio(what string, ours, theirs time.Duration, aim string) {
	fmt.Printf("| %s | %s | %s | %.2f | %s |\n", what, short(ours), short(theirs), float64(ours)/float64(theirs), aim)
}

func short(d time.Duration) string {
	if d < 10*time.Millisecond {
		return d.Round(time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
