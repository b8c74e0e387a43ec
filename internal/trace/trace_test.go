package trace

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/report"

	"github.com/google/go-cmp/cmp"
)

// The recorded page of these tests: frame MAIN in process 7, whose navigation N0 begins at 1,000 ms.
const (
	recording = `{"name":"TracingStartedInBrowser","ph":"I","ts":900000,"pid":1,"tid":1,"args":{"data":{"frames":[{"frame":"MAIN","processId":7,"url":"http://a/","isInPrimaryMainFrame":true}]}}}`
	mainOf7   = `{"name":"thread_name","ph":"M","ts":0,"pid":7,"tid":70,"args":{"name":"CrRendererMain"}}`
	n0        = `{"name":"navigationStart","ph":"R","ts":1000000,"pid":7,"tid":70,"args":{"frame":"MAIN","data":{"documentLoaderURL":"http://a/","navigationId":"N0","isOutermostMainFrame":true,"isLoadingMainFrame":true}}}`
	end       = `{"name":"End","ph":"I","ts":30000000,"pid":7,"tid":70}`
)

// ev writes an event of the page's main thread at a time in milliseconds.
func ev(name, phase string, ms float64, args string) string {
	return fmt.Sprintf(`{"name":%q,"ph":%q,"ts":%d,"pid":7,"tid":70,"args":%s}`, name, phase, int64(ms*1000), args)
}

// work writes an event with a duration.
func work(name string, from, ms float64, args string) string {
	return fmt.Sprintf(
		`{"name":%q,"ph":"X","ts":%d,"dur":%d,"pid":7,"tid":70,"args":%s}`,
		name,
		int64(from*1000),
		int64(ms*1000),
		args,
	)
}

// load writes the events of a request. extra is added to the event that sends it.
func load(id, url, kind string, from, firstByte, to float64, extra string) string {
	return strings.Join([]string{
		ev(
			"ResourceSendRequest",
			"I",
			from,
			fmt.Sprintf(`{"data":{"requestId":%q,"frame":"MAIN","url":%q,"resourceType":%q%s}}`, id, url, kind, extra),
		),
		ev(
			"ResourceReceiveResponse",
			"I",
			to,
			fmt.Sprintf(
				`{"data":{"requestId":%q,"statusCode":200,"mimeType":"text/html","timing":{"requestTime":%f,"sendEnd":1,"receiveHeadersStart":%f,"receiveHeadersEnd":99999}}}`,
				id,
				from/1000,
				firstByte-from,
			),
		),
		ev(
			"ResourceFinish",
			"I",
			to+50,
			fmt.Sprintf(
				`{"data":{"requestId":%q,"encodedDataLength":2000,"decodedBodyLength":2000,"finishTime":%f}}`,
				id,
				to/1000,
			),
		),
	}, ",")
}

func lcp(ms float64, index int, kind string, node int, name string) string {
	return ev(
		"largestContentfulPaint::Candidate",
		"R",
		ms,
		fmt.Sprintf(
			`{"frame":"MAIN","data":{"candidateIndex":%d,"navigationId":"N0","isMainFrame":true,"isOutermostMainFrame":true,"nodeId":%d,"nodeName":%q,"type":%q}}`,
			index,
			node,
			name,
			kind,
		),
	)
}

func shiftAt(ms, score float64, input bool, extra string) string {
	return ev(
		"LayoutShift",
		"I",
		ms,
		fmt.Sprintf(
			`{"frame":"MAIN","data":{"score":%f,"weighted_score_delta":%f,"had_recent_input":%t,"impacted_nodes":[{"node_id":5,"debug_name":"P id='p'"}]%s}}`,
			score,
			score,
			input,
			extra,
		),
	)
}

func inputAt(ms float64, interaction int, kind string, delay, processing, duration float64) string {
	return ev(
		"EventTiming",
		"b",
		ms,
		fmt.Sprintf(
			`{"data":{"interactionId":%d,"frame":"MAIN","type":%q,"nodeId":9,"timeStamp":100,"processingStart":%f,"processingEnd":%f,"duration":%f}}`,
			interaction,
			kind,
			100+delay,
			100+delay+processing,
			duration,
		),
	)
}

func analyzed(t *testing.T, events ...string) report.Report {
	t.Helper()
	tr, err := Parse(
		strings.NewReader(`{"metadata":{"deep":[{"a":[1,2]}]},"traceEvents":[` + strings.Join(events, ",\n") +
			`],"more":1}`),
	)
	if err != nil {
		t.Fatal(err)
	}
	return tr.Analyze()
}

// loaded returns the set of a page that was navigated once.
func loaded(t *testing.T, events ...string) report.Set {
	t.Helper()
	r := analyzed(t, append([]string{recording, mainOf7, n0, end}, events...)...)
	if len(r.Sets) != 1 || r.Sets[0].ID != "NAVIGATION_0" {
		t.Fatalf("sets: %+v", r.Sets)
	}
	return r.Sets[0]
}

func TestParse(t *testing.T) {
	list := "[" + strings.Join([]string{recording, n0, end}, ",") + "]"
	object := `{"traceEvents":` + list + `}`
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = io.WriteString(w, object)
	_ = w.Close()
	for name, tc := range map[string]struct {
		file       string
		sets       int
		incomplete bool
		err        string
	}{
		"an object with traceEvents": {file: object, sets: 1},
		"a bare list":                {file: list, sets: 1},
		"a compressed file":          {file: z.String(), sets: 1},
		"metadata before the events": {file: `{"metadata":{"a":[1,{"b":[]}]},"traceEvents":` + list + `}`,
			sets: 1},
		"strange events are passed over": {file: `[{"name":5},7,null,"x",[],{"name":"LayoutShift","args":"none"},{"name":"EventTiming","ph":"b"},` + list[1:], sets: 1},
		"a file cut inside an event":     {file: object[:len(object)-20], sets: 1, incomplete: true},
		"a file cut between events": {file: `{"traceEvents":[` + recording + "," + n0 + ",", sets: 1,
			incomplete: true},
		"a compressed file that is cut":          {file: z.String()[:z.Len()-30], sets: 1, incomplete: true},
		"an empty file":                          {err: "the trace is empty"},
		"an empty list":                          {file: "[]", err: "holds no events"},
		"an object without events":               {file: `{"a":1}`, err: "no performance trace"},
		"events that are no list":                {file: `{"traceEvents":{}}`, err: "no performance trace"},
		"a text":                                 {file: `"hello"`, err: "no performance trace"},
		"garbage":                                {file: "\x00\x01PNG garbage", err: "no performance trace"},
		"what only begins like a compressed one": {file: "\x1f\x8bnothing", err: "compressed"},
	} {
		t.Run(name, func(t *testing.T) {
			tr, err := Parse(strings.NewReader(tc.file))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("error %v, want one with %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			r := tr.Analyze()
			if len(r.Sets) != tc.sets || (r.Incomplete != "") != tc.incomplete {
				t.Errorf("%d sets, incomplete %q", len(r.Sets), r.Incomplete)
			}
		})
	}
}

func TestNavigations(t *testing.T) {
	second := strings.NewReplacer("1000000", "8000000", "N0", "N1", "http://a/", "http://b/").Replace(n0)
	other := strings.NewReplacer("MAIN", "OTHER", "N0", "N2", `"ts":1000000`, `"ts":2000000`).Replace(n0)
	blank := strings.NewReplacer("http://a/", "about:blank", "N0", "N3").Replace(n0)
	ids := func(r report.Report) (all []string) {
		for _, s := range r.Sets {
			all = append(all, s.ID+" "+s.URL)
		}
		return all
	}
	for name, tc := range map[string]struct {
		events []string
		want   []string
	}{
		"none": {[]string{recording, end}, []string{"NO_NAVIGATION http://a/"}},
		"one":  {[]string{recording, n0, end}, []string{"NAVIGATION_0 http://a/"}},
		"two, in whatever order they come": {[]string{second, recording, n0, end},
			[]string{"NAVIGATION_0 http://a/", "NAVIGATION_1 http://b/"}},
		"another tab's and a blank one": {[]string{recording, n0, other, blank, end},
			[]string{"NAVIGATION_0 http://a/"}},
		"the same one told twice": {[]string{recording, n0, n0, end}, []string{"NAVIGATION_0 http://a/"}},
		"something happened before the first": {[]string{recording, shiftAt(950, 0.1, false, ""), n0, end},
			[]string{"NO_NAVIGATION http://a/", "NAVIGATION_0 http://a/"}},
		"a redirect: the last URL is the page's": {[]string{recording, n0,
			load("N0", "http://a/old", "Document", 1000, 1010, 1020, ""),
			load("N0", "http://a/new", "Document", 1020, 1030,
				1040, ""), end}, []string{"NAVIGATION_0 http://a/new"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, ids(analyzed(t, tc.events...))); diff != "" {
				t.Error(diff)
			}
		})
	}
	late := analyzed(
		t,
		recording,
		end,
		`{"name":"ResourceWillSendRequest","ph":"I","ts":5000000,"pid":1,"tid":1,"args":{"data":{"requestId":"N0"}}}`,
		`{"name":"FrameCommittedInBrowser","ph":"I","ts":5100000,"pid":1,"tid":1,"args":{"data":{"frame":"MAIN","processId":8,"url":"http://new/"}}}`,
		lcp(5400, 1, "text", 3, "H1"),
		strings.ReplaceAll(lcp(1200, 1, "text", 3, "H1"), "N0", "BEFORE"),
	)
	if len(late.Sets) != 1 || late.Sets[0].ID != "NAVIGATION_0" || late.URL != "http://new/" ||
		late.Sets[0].LCP == nil ||
		late.Sets[0].LCP.Time != 400*time.Millisecond ||
		late.Incomplete == "" {
		t.Errorf("a process that joined late: %+v", late)
	}
	r := analyzed(t, recording, second, n0, end)
	if got := r.Sets[0].Bounds; got != (event.Bounds{Min: 1_000_000, Max: 8_000_000}) {
		t.Errorf("the first set ends where the second begins: %v", got)
	}
	if r.URL != "http://b/" || r.Bounds != (event.Bounds{Min: 900_000, Max: 30_000_000}) {
		t.Errorf("report of %s, %v", r.URL, r.Bounds)
	}
}

func TestLCP(t *testing.T) {
	doc := load("N0", "http://a/", "Document", 1001, 1100, 1200, "")
	hero := load("7.5", "http://a/hero.png", "Image", 1150, 1300, 1500, "")
	heroPaint := ev(
		"LargestImagePaint::Candidate",
		"R",
		1600,
		`{"frame":"MAIN","data":{"DOMNodeId":4,"imageUrl":"http://a/hero.png"}}`,
	)
	invalidated := ev("largestContentfulPaint::Invalidate", "R", 1700, `{"frame":"MAIN","data":{"navigationId":"N0"}}`)
	type part struct {
		Name string
		Time time.Duration
	}
	type result struct {
		Time  time.Duration
		Node  int
		Image bool
		Load  string
		Parts []part
	}
	msec := time.Millisecond
	for name, tc := range map[string]struct {
		events []string
		want   *result
	}{
		"none": {events: []string{doc}},
		"text has two parts": {[]string{doc, lcp(1400, 1, "text", 3, "H1")},
			&result{400 * msec, 3, false, "", []part{{"TTFB", 100 * msec}, {"Render delay", 300 * msec}}}},
		"the last of several candidates counts": {[]string{doc, lcp(1900, 3, "text", 8, "P"),
			lcp(1400, 1, "text", 3, "H1"),
			lcp(1500, 2, "text", 4, "H2")}, &result{900 * msec, 8, false, "", []part{{"TTFB", 100 * msec},
			{"Render delay", 800 * msec}}}},
		"an image has four parts": {[]string{doc, hero, heroPaint, lcp(1400, 1, "text", 3, "H1"),
			lcp(1600, 2, "image", 4, "IMG")},
			&result{600 * msec, 4, true, "http://a/hero.png",
				[]part{{"TTFB", 100 * msec}, {"Load delay", 50 * msec}, {"Load duration", 350 * msec},
					{"Render delay", 100 * msec}}}},
		"an image without a request has two": {[]string{doc, lcp(1600, 1, "image", 4, "IMG")},
			&result{600 * msec, 4, true, "", []part{{"TTFB", 100 * msec}, {"Render delay", 500 * msec}}}},
		"an invalidated candidate is none": {events: []string{doc, lcp(1600, 1, "text", 4, "P"), invalidated}},
		"a candidate after an invalidated one": {[]string{doc, lcp(1600, 1, "text", 4, "P"), invalidated,
			lcp(1800, 1, "text", 6, "P")}, &result{800 * msec, 6, false, "", []part{{"TTFB", 100 * msec},
			{"Render delay", 700 * msec}}}},
		"without the document there are no parts": {[]string{lcp(1400, 1, "text", 3, "H1")},
			&result{400 * msec, 3, false, "", nil}},
		"a candidate of another navigation": {events: []string{doc,
			strings.ReplaceAll(lcp(1400, 1, "text", 3, "H1"), "N0", "N9")}},
		"a candidate of an iframe": {events: []string{doc,
			strings.ReplaceAll(lcp(1400, 1, "text", 3, "H1"), `"isOutermostMainFrame":true`,
				`"isOutermostMainFrame":false`)}},
		"an image asked for before the first byte is not negative": {[]string{doc,
			load("7.5", "http://a/hero.png", "Image", 1050, 1060, 1300, ""), heroPaint,
			lcp(1600, 2, "image", 4, "IMG")},
			&result{600 * msec, 4, true, "http://a/hero.png",
				[]part{{"TTFB", 100 * msec}, {"Load delay", 0}, {"Load duration", 200 * msec},
					{"Render delay", 300 * msec}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got *result
			if l := loaded(t, tc.events...).LCP; l != nil {
				got = &result{Time: l.Time, Node: l.Element.Node, Image: l.Image}
				for _, p := range l.Parts {
					got.Parts = append(got.Parts, part(p))
				}
				if l.Request != nil {
					got.Load = l.Request.URL
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzParse checks that no file makes Parse panic, and that each insight of a readable file has a text.
func FuzzParse(f *testing.F) {
	f.Add(
		[]byte(
			"[" + strings.Join(
				[]string{
					recording,
					n0,
					lcp(1400, 1, "text", 3, "H1"),
					shiftAt(2000, 0.1, false, ""),
					inputAt(2000, 5, "click", 1, 2, 3),
					end,
				},
				",",
			) + "]",
		),
	)
	f.Add(
		[]byte(
			`{"traceEvents":[` + load(
				"7.1",
				"http://a/a.css",
				"Stylesheet",
				1100,
				1110,
				1200,
				"",
			) + "," + work(
				"RunTask",
				2000,
				200,
				"{}",
			),
		),
	)
	f.Fuzz(func(t *testing.T, file []byte) {
		tr, err := Parse(bytes.NewReader(file))
		if err != nil {
			return
		}
		r := tr.Analyze()
		_ = r.Summary()
		for _, s := range r.Sets {
			for _, i := range report.Insights() {
				if _, err := r.Insight(s.ID, i); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
