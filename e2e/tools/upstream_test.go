//go:build e2e

package tools

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/internal/trace"
	"cove/internal/trace/report"

	"cove/e2e/harness"
)

// newUpstream starts the server that ours is compared with, for a gate; it may write files only below the folder for
// temporary files.
func newUpstream(t *testing.T, port int) *harness.MCP {
	t.Helper()
	m := harness.StartMCP(t, harness.Command{Dir: "node",
		Env: append(os.Environ(), "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1",
			"CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY=1"),
		Args: []string{"node", "node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
			"--browserUrl", fmt.Sprintf("http://127.0.0.1:%d", port), "--no-usage-statistics",
			"--no-performance-crux"}})
	m.Initialize()
	return m
}

// figure finds the number after a label in a text; -1 without one.
func figure(text, label string) float64 {
	m := regexp.MustCompile(regexp.QuoteMeta(label) + `:? ([0-9.,]+)`).FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(m[1], "."), ",", ""), 64)
	if err != nil {
		return -1
	}
	return f
}

// painted is over when what the page does by itself is: it has loaded, its largest element is painted, and frames have
// come after it. clicked is over when the browser has measured a click up to the next paint.
const (
	painted = `async () => {
		if (document.readyState !== 'complete') await new Promise(ok => addEventListener('load', ok));
		await new Promise(ok => new PerformanceObserver(ok).observe({type: 'largest-contentful-paint', buffered: true}));
		for (let i = 0; i < 10; i++) await new Promise(ok => requestAnimationFrame(() => setTimeout(ok)));
		return 'painted';
	}`
	clicked = `async () => {
		await new Promise(ok => new PerformanceObserver(l => l.getEntries().some(e => e.name === 'click') && ok())
			.observe({type: 'event', buffered: true, durationThreshold: 16}));
		return 'clicked';
	}`
)

func TestTraceSaysWhatUpstreamSaysOfTheSameFile(t *testing.T) {
	for name, tc := range map[string]struct {
		path  string
		click bool
	}{
		"text":                               {path: "/text"},
		"image":                              {path: "/hero"},
		"image, shift, blocking and a click": {path: "/all", click: true},
	} {
		t.Run(name, func(t *testing.T) {
			a, web := harness.Start(t), slowSite(t)
			u := newUpstream(t, a.Open(1))
			page := regexp.MustCompile(`(?m)^(\d+): .*\[selected\]`).FindStringSubmatch(u.Works("new_page",
				map[string]any{"url": web.URL + tc.path}))
			if page == nil {
				t.Fatal("the new page is not in the list")
			}
			id, _ := strconv.Atoi(page[1])
			u.Works("performance_start_trace", map[string]any{"pageId": id, "reload": true, "autoStop": false})
			u.Works("evaluate_script", map[string]any{"pageId": id, "function": painted})
			if tc.click {
				button := regexp.MustCompile(`uid=(\S+) button`).FindStringSubmatch(u.Works("take_snapshot",
					map[string]any{"pageId": id}))
				if button == nil {
					t.Fatal("no button in the snapshot")
				}
				u.Works("click", map[string]any{"pageId": id, "uid": button[1]})
				u.Works("evaluate_script", map[string]any{"pageId": id, "function": clicked})
			}
			file := filepath.Join(t.TempDir(), "trace.json.gz")
			said := u.Works("performance_stop_trace", map[string]any{"pageId": id, "filePath": file})
			raw, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			tr, err := trace.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, said, tr.Analyze(), tc.click)
		})
	}
}

// compare holds our report beside upstream's text about the same file.
func compare(t *testing.T, said string, r report.Report, clicked bool) {
	t.Helper()
	s := r.Sets[len(r.Sets)-1]
	if !strings.Contains(said, "insight set id: "+s.ID) || s.LCP == nil {
		t.Fatalf("our last set is %s of %s, theirs:\n%s", s.ID, s.URL, said)
	}
	near := func(what string, ours, theirs, by float64) {
		t.Helper()
		t.Logf("%s: ours %.3f, theirs %.3f", what, ours, theirs)
		if theirs < 0 || math.Abs(ours-theirs) > by {
			t.Errorf("%s differs:\n%s\n%s", what, said, r.Summary())
		}
	}
	msec := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	near("LCP", msec(s.LCP.Time), figure(said, "LCP"), 2)
	for _, p := range s.LCP.Parts {
		near(p.Name, msec(p.Time), figure(said, p.Name), 2)
	}
	near("CLS", s.CLS.Score, figure(said, "CLS"), 0.01)
	if node := figure(said, "nodeId"); int(node) != s.LCP.Element.Node {
		t.Errorf("LCP element: ours %v, theirs %v", s.LCP.Element, node)
	}
	if clicked {
		if s.INP == nil {
			t.Fatalf("no interaction in ours; theirs:\n%s", said)
		}
		near("INP", msec(s.INP.Time), figure(said, "INP"), 2)
	}
}
