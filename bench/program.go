package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cove/api"
)

const (
	versionRounds    = 200
	initializeRounds = 60
)

// programStarts measures what a start of the program costs: a command that does nothing beside a Go program that does
// nothing, and the MCP server of an open profile beside that of the version before, which BASE names.
func programStarts(ctx context.Context, a *app, dir string) error {
	empty, err := buildEmpty(ctx, filepath.Join(dir, "empty"))
	if err != nil {
		return err
	}
	if _, err := a.Start(ctx, 1, api.StartOptions{Automation: true}); err != nil {
		return err
	}
	defer func() { _ = a.Stop(ctx, 1) }()

	all := []*rival{cove(a, filepath.Join(dir, "cove"))}
	all[0].dir = dir
	if program := os.Getenv("BASE"); program != "" {
		before, stop, err := versionBefore(ctx, program, dir)
		if err != nil {
			return err
		}
		defer stop()
		all = append(all, before)
	}

	fmt.Printf("\nMedians, in turns; load %s.\n\n", load())
	fmt.Println("| what | Cove | beside it | ratio | aim |")
	fmt.Println("|---|---|---|---|---|")
	if err := versions(ctx, all, empty); err != nil {
		return err
	}
	return initializes(ctx, all)
}

// buildEmpty builds a Go program that does nothing, with the flags of ours.
func buildEmpty(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for name, text := range map[string]string{
		"go.mod":  "module empty\n",
		"main.go": "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}

	program := filepath.Join(dir, "empty")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the empty program: %w: %s", err, out)
	}
	return install(program, program+"-installed")
}

// install copies a program, as people have it. What the linker has written page by page takes two milliseconds longer
// to start: the system keeps such a file in small pieces until it reads it again.
func install(program, to string) (string, error) {
	raw, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(to+".new", raw, 0o700); err != nil {
		return "", err
	}
	return to, os.Rename(to+".new", to) // an older one may still run
}

// versions compares `cove version`, from its start to its end, with the empty program and the version before.
func versions(ctx context.Context, all []*rival, empty string) error {
	commands := [][]string{{empty}}
	for _, r := range all {
		commands = append(commands, []string{r.command[0], "version"})
	}
	took, err := inTurns(versionRounds, len(commands), func(i int) (time.Duration, error) {
		began := time.Now()
		err := exec.CommandContext(ctx, commands[i][0], commands[i][1:]...).Run()
		return time.Since(began), err
	})
	if err != nil {
		return err
	}

	printRatio("cove version : an empty Go program", took[1], took[0], "≤ 2.50")
	if len(took) > 2 {
		printRatio("the version before : an empty Go program", took[2], took[0], "")
	}
	return nil
}

// initializes compares the way from the start of `cove mcp` to its first answer with that of the version before.
func initializes(ctx context.Context, all []*rival) error {
	took, err := inTurns(initializeRounds, len(all), func(i int) (time.Duration, error) {
		p, took, err := spawn(ctx, all[i].command, all[i].env, all[i].dir)
		if err != nil {
			return 0, err
		}
		p.close()
		wait(ctx, pause/10) // the keeper may still be busy with the agent that has left
		return took, nil
	})
	if err != nil {
		return err
	}

	const what = "spawn → initialize of cove mcp on an open profile"
	if len(took) == 1 {
		fmt.Printf("| %s | %s | – (BASE=PROGRAM) | – | ≤ 0.50 |\n", what, short(took[0]))
		return nil
	}
	printRatio(what+" : the version before", took[0], took[1], "≤ 0.50")
	return nil
}

// inTurns runs n programs in each round, in another order each time, and returns the median of each. The first round
// reads the programs from the disk and does not count.
func inTurns(rounds, n int, do func(i int) (time.Duration, error)) ([]time.Duration, error) {
	order := rand.New(rand.NewPCG(1, 2)) // the same in every run
	all := make([][]time.Duration, n)
	for round := range rounds + 1 {
		for _, i := range order.Perm(n) {
			took, err := do(i)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i] = append(all[i], took)
			}
		}
	}

	medians := make([]time.Duration, n)
	for i := range all {
		medians[i] = median(all[i])
	}
	return medians, nil
}
