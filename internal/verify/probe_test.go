package verify

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAProbeCountsTheTools(t *testing.T) {
	t.Parallel()
	a := newFakeApp(t)
	p, err := Probe(context.Background(), a.program("asks first;has the tools=a b c"))
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
				l.exit, l.kill = time.Nanosecond, time.Nanosecond
			}
			if strings.HasPrefix(does, "silent") {
				l.probe = 3 * time.Second // long enough for a process to start
			}
			if _, err := probe(context.Background(), newFakeApp(t).program(does), l); err == nil || err.Error() != want {
				t.Error(err)
			}
		})
	}
}

func TestAProbeOfAProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, err := Probe(context.Background(), Program{Command: []string{filepath.Join(t.TempDir(), "none")}}); err == nil {
		t.Error("it was run")
	}
}

func TestAProbeThatItsCallerGivesUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := probe(ctx, newFakeApp(t).program("silent at=initialize"), patient())
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTheEndOfALongStderrIsRetained(t *testing.T) {
	t.Parallel()
	var w stderrTail
	for range 3 {
		if n, err := w.Write([]byte(strings.Repeat("x", 3000))); n != 3000 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = w.Write([]byte("\nthe reason\n"))
	if w.last() != "the reason" || len(w.text) != 4096 {
		t.Errorf("%d bytes, %q", len(w.text), w.last())
	}
}
