package devlog

import (
	"testing"
	"time"
)

func TestTheClockOfASiteIsThatOfItsResponses(t *testing.T) {
	l, report := newLog(t)
	now := time.UnixMilli(1_800_000_000_000)
	n := 0
	answer := func(url, kind string, headers object) {
		n++
		id := string(rune('a' + n))
		report("Network.requestWillBeSent", object{"requestId": id, "type": kind,
			"request": object{"url": url, "method": "GET"}})
		report("Network.responseReceived", object{"requestId": id, "response": object{"status": 200, "headers": headers,
			"responseTime": float64(now.UnixMilli())}})
	}
	at := func(d time.Duration) string { return now.Add(d).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT") }
	is := func(want time.Duration) {
		t.Helper()
		if ahead, known := l.ClockAhead("https://a.test:8443"); !known || ahead != want {
			t.Errorf("%v %v, not %v", ahead, known, want)
		}
	}

	answer("https://a.test:8443/", "Document", object{"Content-Type": "text/html"})
	answer("https://a.test:8443/", "Document", object{"Date": "yesterday"})
	if _, known := l.ClockAhead("https://a.test:8443"); known {
		t.Error("known without a date")
	}
	answer("https://a.test:8443/", "Document", object{"Date": at(40 * time.Second)})
	is(40 * time.Second)
	answer("https://a.test:8443/old.js", "Script", object{"Date": at(-time.Hour)}) // a cache that does not say so
	is(40 * time.Second)
	answer("https://a.test:8443/api", "Fetch", object{"date": at(2 * time.Second)})
	is(2 * time.Second)
	answer("https://other.test/", "Document", object{"Date": at(time.Hour)})
	is(2 * time.Second)
	answer("https://a.test:8443/next", "Document", object{"Date": at(-time.Minute), "Age": "30"})
	is(-30 * time.Second)
}
