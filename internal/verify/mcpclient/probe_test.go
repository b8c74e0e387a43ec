package mcpclient_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/internal/verify/mcpclient"
	"cove/internal/verify/mcptest"
)

func TestAProbeCountsTheTools(t *testing.T) {
	t.Parallel()
	p, err := mcpclient.Probe(t.Context(), program("asks first;has the tools=a b c"), mcpclient.UsualLimits())
	if err != nil || p.Protocol != "2025-06-18" || p.Tools != 3 || p.Elapsed <= 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAProbeSaysWhatIsWrongWithAServer(t *testing.T) {
	t.Parallel()
	for does, want := range map[string]string{
		"dies at once":                             "the MCP server ended by itself: It failed. Do that.",
		"dies at=initialize":                       "the MCP server ended by itself: out of luck",
		"dies at=tools/list":                       "the MCP server ended by itself: out of luck",
		"fails at=initialize":                      "Profile 7 is in use.",
		"fails at=tools/list":                      "Profile 7 is in use.",
		"prints=Hello!":                            "a line on stdout is not MCP: Hello!",
		"prints at=tools/list":                     "a line on stdout is not MCP: Debugger attached.",
		"has the tools=":                           "the server has no tools",
		"stays":                                    "the MCP server did not end with its client and was killed",
		"stays;ignores SIGTERM":                    "the MCP server did not end with its client and was killed",
		"stays;fails at=tools/list":                "Profile 7 is in use.",
		"silent at=tools/list;warns=still waiting": "tools/list was not answered in time: still waiting",
	} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			l := patient()
			if strings.HasPrefix(does, "stays") {
				l.Exit, l.Kill = time.Nanosecond, time.Nanosecond
			}
			if strings.HasPrefix(does, "silent") {
				l.Probe = 3 * time.Second // long enough for a process to start
			}
			if _, err := mcpclient.Probe(t.Context(), program(does), l); err == nil || err.Error() != want {
				t.Error(err)
			}
		})
	}
}

func TestAProbeOfAProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	none := mcpclient.Program{Command: []string{filepath.Join(t.TempDir(), "none")}}
	if _, err := mcpclient.Probe(t.Context(), none, mcpclient.UsualLimits()); err == nil {
		t.Error("it was run")
	}
}

func TestAProbeThatItsCallerGivesUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := mcpclient.Probe(ctx, program("silent at=initialize"), patient())
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestMain(m *testing.M) { mcptest.Main(m) }

// program returns a server without an app, with instructions.
func program(does string) mcpclient.Program { return mcptest.Program("", mcptest.OpensNothing, does) }

// patient returns limits that no working server reaches.
func patient() mcpclient.Limits {
	return mcpclient.Limits{Probe: time.Minute, Output: time.Minute, Exit: time.Minute, Kill: time.Minute}
}
