package trace

import (
	"strings"
	"testing"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/interaction"
	"cove/internal/trace/network"
	"cove/internal/trace/page"
	"cove/internal/trace/task"

	"github.com/google/go-cmp/cmp"
)

// waited returns an interaction with element 9.
func waited(
	kind string, start, total, delay, processing, presentation time.Duration, count int,
) *interaction.Interaction {
	return &interaction.Interaction{
		Type: kind, Element: page.Element{Node: 9}, Start: start, Time: total,
		InputDelay: delay, Processing: processing, Presentation: presentation, Count: count,
	}
}

func TestINP(t *testing.T) {
	fifty := func(slow ...float64) (all []string) {
		for i := range 60 {
			d := 20.0
			if i < len(slow) {
				d = slow[i]
			}
			all = append(all, inputAt(2000+100*float64(i), i+1, "keydown", 1, 2, d))
		}
		return all
	}
	msec := time.Millisecond
	for name, tc := range map[string]struct {
		events []string
		want   *interaction.Interaction
	}{
		"none":                         {nil, nil},
		"a movement is no interaction": {[]string{inputAt(2000, 0, "pointerover", 1, 1, 90)}, nil},
		"the parts of one": {[]string{inputAt(2000, 5, "click", 10, 120, 150)},
			waited("click", 1000*msec, 150*msec, 10*msec, 120*msec, 20*msec, 1)},
		"the slowest of some": {[]string{inputAt(2000, 5, "click", 1, 1, 50),
			inputAt(3000, 6, "keydown", 0, 80, 90)}, waited("keydown", 2000*msec, 90*msec, 0, 80*msec, 10*msec, 2)},
		"press, release and click are one; the busy handler names it": {
			[]string{inputAt(2000, 5, "pointerdown", 1, 1, 16), inputAt(2100, 5, "pointerup", 1, 1, 200),
				inputAt(2100, 5, "click", 3, 150, 200)},
			waited("click", 1100*msec, 200*msec, 1*msec, 152*msec, 47*msec, 1)},
		"one in fifty is forgiven": {fifty(900, 300),
			waited("keydown", 1100*msec, 300*msec, 1*msec, 2*msec, 297*msec, 60)},
		"another tab's": {[]string{strings.ReplaceAll(inputAt(2000, 5, "click", 1, 1, 50), "MAIN", "OTHER")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, loaded(t, tc.events...).INP); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRenderBlocking(t *testing.T) {
	s := loaded(t,
		load("7.1", "http://a/a.css", "Stylesheet", 1100, 1110, 1200, `,"renderBlocking":"blocking"`),
		load("7.2", "http://a/b.js", "Script", 1100, 1110, 1400, `,"renderBlocking":"in_body_parser_blocking"`),
		load("7.3", "http://a/c.js", "Script", 1100, 1110, 1400, `,"renderBlocking":"non_blocking"`),
		load("7.4", "http://a/late.css", "Stylesheet", 1900, 1910, 1950, `,"renderBlocking":"blocking"`),
		ev("firstContentfulPaint", "R", 1500, `{"frame":"MAIN","data":{"navigationId":"N0"}}`),
	)
	want := []network.Request{
		{URL: "http://a/b.js", Type: "Script", Start: 100 * time.Millisecond, Duration: 300 * time.Millisecond,
			Bytes: 2000},
		{
			URL:      "http://a/a.css",
			Type:     "Stylesheet",
			Start:    100 * time.Millisecond,
			Duration: 100 * time.Millisecond,
			Bytes:    2000,
		},
	}
	if diff := cmp.Diff(want, s.Blocking); diff != "" {
		t.Error(diff)
	}
	if s.Requests != 4 || s.Bytes != 8000 || s.FCP != 500*time.Millisecond {
		t.Errorf("%d requests, %d bytes, FCP %v", s.Requests, s.Bytes, s.FCP)
	}
}

func TestLongTasks(t *testing.T) {
	profiled := []string{
		`{"name":"Profile","ph":"P","ts":1900000,"pid":7,"tid":70,"id":"0x1","args":{"data":{"startTime":2000000}}}`,
		`{"name":"ProfileChunk","ph":"P","ts":2100000,"pid":7,"tid":99,"id":"0x1","args":{"data":{"cpuProfile":{"nodes":[{"id":2,"callFrame":{"functionName":"busy","url":"http://a/x.js","lineNumber":41}},{"id":3,"callFrame":{"functionName":"(program)"}}],"samples":[3,2,2]},"timeDeltas":[1000,10000,60000]}}}`,
		`{"name":"ProfileChunk","ph":"P","ts":2200000,"pid":7,"tid":99,"id":"0x1","args":{"data":{"cpuProfile":{"samples":[3]},"timeDeltas":[90000]}}}`,
	}
	other := strings.Replace(work("RunTask", 3000, 400, "{}"), `"tid":70`, `"tid":71`, 1)
	s := loaded(t, append(profiled,
		work("FunctionCall", 2001, 190, `{"data":{"functionName":"tick","url":"http://a/x.js","lineNumber":40}}`),
		work("TimerFire", 2000.5, 195, `{"data":{"timerId":1}}`),
		work("RunTask", 2000, 200, "{}"),
		work("RunTask", 2010, 60, "{}"), // nested
		work("RunTask", 2300, 70, "{}"),
		work("Layout", 2301, 65, `{"beginData":{}}`),
		work("RunTask", 2400, 40, "{}"),
		other)...)
	msec := time.Millisecond
	want := []task.Task{
		{
			Start:    1000 * msec,
			Duration: 200 * msec,
			Blocking: 150 * msec,
			Kind:     "timer callback",
			Script:   event.Location{Function: "tick", URL: "http://a/x.js", Lineno: 40},
			Function: event.Location{Function: "busy", URL: "http://a/x.js", Lineno: 42},
			Busy:     150 * msec,
		},
		{Start: 1300 * msec, Duration: 70 * msec, Blocking: 20 * msec, Kind: "layout"},
	}
	if diff := cmp.Diff(want, s.Tasks); diff != "" {
		t.Error(diff)
	}
	if s.TBT != 170*msec {
		t.Errorf("total blocking time %v", s.TBT)
	}
}

func TestDocument(t *testing.T) {
	will := func(ms float64) string { return ev("ResourceWillSendRequest", "I", ms, `{"data":{"requestId":"N0"}}`) }
	s := loaded(t, will(1002), will(1052), load("N0", "http://a/", "Document", 1060, 1160, 1200, ""))
	msec := time.Millisecond
	if diff := cmp.Diff(&network.Document{Redirects: 1, RedirectTime: 50 * msec, ServerTime: 99 * msec, Bytes: 2000,
		Uncompressed: true}, s.Document); diff != "" {
		t.Error(diff)
	}
	zipped := strings.Replace(
		load("N0", "http://a/", "Document", 1060, 1160, 1200, ""),
		`"mimeType"`,
		`"headers":[{"name":"Content-Encoding","value":"br"}],"mimeType"`,
		1,
	)
	if s := loaded(t, zipped); s.Document.Uncompressed {
		t.Error("a compressed document is called uncompressed")
	}
}
