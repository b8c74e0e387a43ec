package trace

import (
	"strings"
	"testing"

	"cove/internal/trace/report"

	"github.com/google/go-cmp/cmp"
)

// full returns the report of a page with something for every insight.
func full(t *testing.T) report.Report {
	r := analyzed(
		t,
		recording,
		mainOf7,
		n0,
		end,
		load("N0", "http://a/", "Document", 1001, 1100, 1200, ""),
		load("7.1", "http://a/a.css", "Stylesheet", 1110, 1120, 1300, `,"renderBlocking":"blocking"`),
		load("7.5", "http://a/hero.png", "Image", 1150, 1300, 1500, ""),
		ev(
			"LargestImagePaint::Candidate",
			"R",
			1600,
			`{"frame":"MAIN","data":{"DOMNodeId":4,"imageUrl":"http://a/hero.png"}}`,
		),
		lcp(1600, 2, "image", 4, "IMG id='hero'"),
		shiftAt(3000, 0.25, false, ""),
		work("RemoteFontLoaded", 2900, 0.01, `{"url":"http://a/f.woff2"}`),
		inputAt(5000, 5, "click", 10, 120, 150),
		work("RunTask", 5010, 125, "{}"),
		work("EventDispatch", 5011, 120, `{"data":{"type":"click"}}`),
		work("FunctionCall", 5012, 119, `{"data":{"functionName":"onclick","url":"http://a/x.js","lineNumber":4}}`),
	)
	r.CPUThrottling = "4x"
	return r
}

func TestSummary(t *testing.T) {
	const want = `URL: http://a/
Trace bounds: {min: 900000µs, max: 30000000µs}
CPU throttling: 4x

## insight set id: NAVIGATION_0
URL: http://a/
Bounds: {min: 1000000µs, max: 30000000µs}
Metrics (of this recording):
  - LCP: 600 ms, IMG id='hero' (nodeId 4)
    - TTFB: 100 ms
    - Load delay: 50 ms
    - Load duration: 350 ms
    - Render delay: 100 ms
  - CLS: 0.25
  - INP: 150 ms (click on unnamed element (nodeId 9))
  - Long tasks: 1, total blocking time 75 ms
  - Requests: 3, 6.0 kB
Available insights:
  - insight name: LCPBreakdown (most of it is load duration, 58 %)
  - insight name: CLSCulprits (1 shift in the worst window)
  - insight name: INPBreakdown (most of it is processing, 80 %)
  - insight name: RenderBlocking (1 request, the longest 190 ms)
  - insight name: LongTasks (1 over 50 ms, the longest 125 ms)
  - insight name: DocumentLatency (not compressed)
`
	if diff := cmp.Diff(want, full(t).Summary()); diff != "" {
		t.Error(diff)
	}
	quiet := analyzed(t, recording, end).Summary()
	if !strings.Contains(quiet, "insight set id: NO_NAVIGATION") ||
		!strings.Contains(quiet, "Available insights: none") {
		t.Error(quiet)
	}
}

func TestInsight(t *testing.T) {
	for name, want := range map[string]string{
		"LCPBreakdown":    "Its request: http://a/hero.png (Image, 2.0 kB, from 150 ms for 350 ms)",
		"CLSCulprits":     "probable cause: web font arrived: http://a/f.woff2",
		"INPBreakdown":    "Processing: 120 ms (80 %)",
		"RenderBlocking":  "http://a/a.css (Stylesheet, 2.0 kB, from 110 ms for 190 ms)",
		"LongTasks":       "click handler\n    script: onclick at http://a/x.js:4",
		"DocumentLatency": "Compression: missing, for 2.0 kB of text",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := full(t).Insight("NAVIGATION_0", name)
			if err != nil || !strings.Contains(got, want) {
				t.Errorf("%v\n%s\nis without %q", err, got, want)
			}
			if got, err := analyzed(t, recording, end).Insight("NO_NAVIGATION", name); err != nil || got == "" {
				t.Errorf("without anything to tell: %q, %v", got, err)
			}
		})
	}
	for _, tc := range []struct{ set, name, want string }{
		{"NOPE", "LCPBreakdown", `there is no insight set "NOPE" in this trace: use one of NAVIGATION_0`},
		{"NAVIGATION_0", "Nope",
			`there is no insight "Nope": use one of LCPBreakdown, CLSCulprits, INPBreakdown, RenderBlocking, LongTasks, DocumentLatency`},
	} {
		if _, err := full(t).Insight(tc.set, tc.name); err == nil || err.Error() != tc.want {
			t.Errorf("%s %s: %v", tc.set, tc.name, err)
		}
	}
}

func TestTextOfThePageStaysOnItsLine(t *testing.T) {
	s := loaded(
		t,
		lcp(1400, 1, "text", 3, "P id='x\n## insight set id: NAVIGATION_7'"),
		load("N0", "http://a/"+strings.Repeat("x", 5000), "Document", 1001, 1100, 1200, ""),
	)
	got := report.Report{Sets: []report.Set{s}}.Summary()
	if strings.Contains(got, "\n## insight set id: NAVIGATION_7") || len(got) > 1500 {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}
