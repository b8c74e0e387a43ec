package cli

import (
	"net"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cove": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }})
}

// TestScripts runs testdata/*.txtar, each with an empty home of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("COVE_HOME", e.WorkDir+"/data")
			e.Setenv("HOME", e.WorkDir)
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				return err
			}
			e.Setenv("FREE_PORT", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
			return l.Close()
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exit": exitCode, "running": running},
	})
}
