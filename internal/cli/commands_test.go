package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"time"

	"cove/internal/cli/command"

	"github.com/rogpeppe/go-internal/testscript"
)

// exitCode runs a command and checks its exit code: exit CODE cove ARGS…. With the code "any" it accepts every code.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if args[0] != "any" {
		ts.Check(err)
	}
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.CommandContext(context.Background(), path, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "COVE_HOME="+ts.Getenv("COVE_HOME"), "HOME="+ts.Getenv("HOME"),
		"PATH="+ts.Getenv("PATH"),
		"COVE_LOG="+ts.Getenv("COVE_LOG"))
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	_, _ = ts.Stdout().Write(out.Bytes())
	_, _ = ts.Stderr().Write(errOut.Bytes())
	if got != want && args[0] != "any" {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, out.String(), errOut.String())
	}
}

// running waits until the app of this script answers.
func running(ts *testscript.TestScript, _ bool, _ []string) {
	env := &command.Env{Home: ts.Getenv("COVE_HOME")}
	if _, _, err := env.AwaitApp(context.Background(), 30*time.Second); err != nil {
		ts.Fatalf("the app did not start: %v", err)
	}
}
