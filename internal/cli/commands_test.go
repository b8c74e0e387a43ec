package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"cove/internal/app"
	"cove/internal/paths"
)

// exitCode runs a command and checks its exit code: exit CODE cove ARGS…; any is as good as another for the code "any".
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if args[0] != "any" {
		ts.Check(err)
	}
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
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
	for range 1500 {
		if f, err := app.ReadFile(paths.Home(ts.Getenv("COVE_HOME"))); err == nil && f.Alive() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("the app did not start")
}
