package cli

import (
	"context"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cove": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		code := Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}})
}

// TestScripts runs testdata/*.txtar, each with an empty home of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("COVE_HOME", e.WorkDir+"/data")
			e.Setenv("HOME", e.WorkDir)
			// Not one of those that the system gives to whoever comes next.
			e.Setenv("FREE_PORT", strconv.Itoa(20000+rand.IntN(10000)))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exit": exitCode, "running": running,
			"repeat": repeat, "adopted": adopted},
	})
}
