package trace

import (
	"fmt"
	"strings"
	"testing"

	"cove/internal/trace/page"

	"github.com/google/go-cmp/cmp"
)

func TestCLS(t *testing.T) {
	var many []string
	for i := range 13 { // one every half second: a window of five seconds holds ten
		many = append(many, shiftAt(2000+500*float64(i), 0.01, false, ""))
	}
	for name, tc := range map[string]struct {
		events []string
		score  float64
		shifts int
		others int
	}{
		"none": {nil, 0, 0, 0},
		"what a person caused does not count": {[]string{shiftAt(2000, 0.5, true, ""), shiftAt(2100, 0.1, false, "")},
			0.1, 1, 0},
		"shifts close together are added": {[]string{shiftAt(2900, 0.2, false, ""), shiftAt(2000, 0.1, false, "")},
			0.3, 2, 0},
		"after a second without one a window ends": {[]string{shiftAt(2000, 0.1, false, ""),
			shiftAt(3000, 0.05, false, ""),
			shiftAt(3500, 0.07, false, "")}, 0.12, 2, 1},
		"the worst of two windows is the score": {[]string{shiftAt(2000, 0.3, false, ""),
			shiftAt(9000, 0.1, false, "")},
			0.3, 1, 1},
		"a window lasts five seconds at most": {many, 0.1, 10, 3},
		"a shift as the very last event":      {[]string{shiftAt(30000, 0.2, false, "")}, 0.2, 1, 0},
		"another tab does not count": {[]string{strings.ReplaceAll(shiftAt(2000, 0.3, false, ""), "MAIN",
			"OTHER")}, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := loaded(t, tc.events...).CLS
			if fmt.Sprintf("%.4f", c.Score) != fmt.Sprintf("%.4f", tc.score) || len(c.Shifts) != tc.shifts ||
				c.Others != tc.others {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestCulprits(t *testing.T) {
	moved := shiftAt(3000, 0.2, false, "")
	animate := func(property string) []string {
		begin := strings.Replace(
			ev("Animation", "b", 2500, `{"data":{"nodeId":6,"nodeName":"DIV","displayName":"grow"}}`),
			`"ph"`,
			`"id2":{"local":"0x3"},"ph"`,
			1,
		)
		fail := strings.Replace(
			ev("Animation", "n", 2501, `{"data":{"compositeFailed":8224,"unsupportedProperties":["`+property+`"]}}`),
			`"ph"`,
			`"id2":{"local":"0x3"},"ph"`,
			1,
		)
		return []string{begin, fail, moved}
	}
	unsized := ev("LayoutImageUnsized", "I", 2000, `{"data":{"nodeId":8,"frameId":"MAIN"}}`)
	paint := func(ms float64) string {
		return work("PaintImage", ms, 1, `{"data":{"nodeId":8,"nodeName":"IMG","url":"http://a/late.png"}}`)
	}
	restyled := func(ms float64) string {
		return ev(
			"ScheduleStyleRecalculation",
			"I",
			ms,
			`{"data":{"frame":"MAIN","stackTrace":[{"functionName":"grow","url":"http://a/x.js","lineNumber":12}]}}`,
		)
	}
	for name, tc := range map[string]struct {
		events []string
		want   []string
	}{
		"the trace does not say": {[]string{moved}, nil},
		"an image without size, painted with the shift": {[]string{unsized, moved, paint(3001)},
			[]string{"image without width and height: IMG (nodeId 8) http://a/late.png"}},
		"an image that was painted before is innocent": {[]string{unsized, paint(2500), moved, paint(3001)}, nil},
		"a font that arrived just before": {[]string{work("RemoteFontLoaded", 2900, 0.01,
			`{"url":"http://a/f.woff2","name":"F"}`), moved}, []string{"web font arrived: http://a/f.woff2"}},
		"a font that arrived long before": {[]string{work("RemoteFontLoaded", 2100, 0.01,
			`{"url":"http://a/f.woff2"}`), moved}, nil},
		"an iframe that was added": {[]string{ev("ScheduleStyleRecalculation", "I", 2950, `{"data":{"frame":"CHILD"}}`),
			moved,
			work("CommitLoad", 3100, 1,
				`{"data":{"frame":"CHILD","parent":"MAIN","url":"http://ad/"}}`)}, []string{"iframe added: http://ad/"}},
		"an animation that moves":       {animate("height"), []string{"animation of height: grow on DIV (nodeId 6)"}},
		"an animation that only paints": {animate("background-color"), nil},
		"a script just before": {[]string{restyled(2990), moved},
			[]string{"content changed by a script: grow at http://a/x.js:12"}},
		"a script before the shift before it": {[]string{restyled(2940), shiftAt(2950, 0.1, false, ""), moved}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			shifts := loaded(t, tc.events...).CLS.Shifts
			last := shifts[len(shifts)-1]
			if diff := cmp.Diff(tc.want, last.Culprits); diff != "" {
				t.Error(diff)
			}
			if last.Elements[0] != (page.Element{Name: "P id='p'", Node: 5}) {
				t.Errorf("moved %v", last.Elements)
			}
		})
	}
}
