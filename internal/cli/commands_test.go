package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"cove/api"
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

// adopted makes a profile stand for a browser, and asks nobody for it: adopted NAME FOLDER.
func adopted(ts *testscript.TestScript, _ bool, args []string) {
	env := &command.Env{Home: ts.Getenv("COVE_HOME")}
	client, err := env.Client()
	ts.Check(err)
	_, err = client.Adopt(context.Background(), api.AdoptInput{Name: args[0], DataDir: ts.MkAbs(args[1])})
	ts.Check(err)
}

// repeat writes a file of many lines: repeat COUNT FORMAT FILE. The format has a %d.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, args[1]+"\n", i+1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(lines.String()), 0o600))
}
