package devlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cove/internal/cdp"
)

// newLog returns the log of a tab whose main frame is "T", and a function that reports an event to it.
func newLog(t *testing.T) (*Log, func(method string, params object)) {
	t.Helper()
	l := New(nil, "T", func(text string) string { return text })
	return l, func(method string, params object) {
		t.Helper()
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		e := cdp.Event{Method: method, Session: "S", Params: raw}
		if strings.HasPrefix(method, "Network.") {
			l.NetworkEvent(e)
		} else {
			l.ConsoleEvent(e)
		}
	}
}

func TestConsoleIsBounded(t *testing.T) {
	l, report := newLog(t)
	log := func(text string) {
		report(
			"Runtime.consoleAPICalled",
			object{"type": "log", "args": []object{{"type": "string", "value": text},
				{"type": "string", "value": text}}},
		)
	}
	for i := range 3 * maxMessages {
		log(fmt.Sprint("message ", i))
	}
	all := l.Messages(false)
	if len(all) > maxMessages || len(all) < maxMessages/2 {
		t.Errorf("%d messages are kept", len(all))
	}
	if last := all[len(all)-1]; !strings.HasPrefix(last.Text, fmt.Sprint("message ", 3*maxMessages-1)) ||
		last.ID != 3*maxMessages {
		t.Errorf("the last is %d %q", last.ID, last.Text)
	}
	for i := range 200 {
		log(fmt.Sprint(i, strings.Repeat("é", 20_000)))
	}
	size := 0
	for _, m := range l.Messages(false) {
		size += m.size()
	}
	if size > maxMessageBytes || size < maxMessageBytes/4 {
		t.Errorf("%d bytes are kept", size)
	}
	if l.messages.bytes != size {
		t.Errorf("%d bytes are counted, %d kept", l.messages.bytes, size)
	}
	log("the same")
	log("the same")
	if all = l.Messages(false); all[len(all)-1].Times != 2 {
		t.Errorf("a message that came twice: %+v", all[len(all)-1])
	}
	l.Navigated("L1")
	if len(l.Messages(false)) != 0 || len(l.Messages(true)) == 0 {
		t.Error("a new document begins with an empty console, and the old one is kept")
	}
	if _, ok := l.Message(-1); ok {
		t.Error("there is a message -1")
	}
}

func TestNetworkIsBounded(t *testing.T) {
	l, report := newLog(t)
	send := func(id, url, body string) {
		report(
			"Network.requestWillBeSent",
			object{"requestId": id, "type": "Fetch", "request": object{"url": url, "method": "POST", "postData": body}},
		)
	}
	for i := range 3 * maxRequests {
		send(fmt.Sprint(i), "http://x/", "")
	}
	if n := len(l.Requests(false)); n > maxRequests || n < maxRequests/2 || len(l.byWire) != n {
		t.Errorf("%d requests are kept, %d open", n, len(l.byWire))
	}
	for i := range 300 {
		send(fmt.Sprint("b", i), "http://x/"+strings.Repeat("u", 9000), strings.Repeat("b", 70_000))
	}
	size := 0
	for _, r := range l.Requests(false) {
		size += r.size()
	}
	if size > maxRequestBytes || size < maxRequestBytes/4 || size != l.requests.bytes {
		t.Errorf("%d bytes are kept, %d counted", size, l.requests.bytes)
	}
	all := l.Requests(false)
	last := all[len(all)-1]
	many := object{}
	for i := range 1000 {
		many[fmt.Sprint("h", i)] = "v"
	}
	report(
		"Network.responseReceived",
		object{"requestId": "b299", "response": object{"status": 200, "headers": many, "mimeType": "text/plain"}},
	)
	report("Network.loadingFinished", object{"requestId": "b299"})
	r, ok := l.Request(last.ID)
	if !ok || !r.Finished || r.Status != 200 || len(r.ResponseHeaders) != maxHeaders {
		t.Errorf("%v %v %d, %d headers", ok, r.Finished, r.Status, len(r.ResponseHeaders))
	}
	send("doc", "http://x/next", "")
	l.Navigated("doc")
	if all := l.Requests(false); len(all) != 1 || all[0].URL != "http://x/next" {
		t.Errorf("the new document has %d requests", len(all))
	}
	report(
		"Network.requestWillBeSent",
		object{
			"requestId":        "doc",
			"type":             "Document",
			"request":          object{"url": "http://x/over", "method": "GET"},
			"redirectResponse": object{"status": 302},
		},
	)
	if all := l.Requests(false); len(all) != 2 || all[0].Status != 302 || !all[0].Finished || all[1].Finished {
		t.Errorf("a redirect: %+v", all)
	}
}

func TestARequestThatWasReadDoesNotChange(t *testing.T) {
	l, report := newLog(t)
	report("Network.requestWillBeSent", object{"requestId": "1", "type": "Document", "frameId": "T",
		"request": object{"url": "http://x/", "method": "POST", "headers": object{"A": "1"}}})
	before, ok := l.Request(1)
	if !ok || before.RequestHeaders["a"] != "1" || !l.Posted("1") || l.MainURL(0) != "http://x/" || l.MainURL(1) != "" {
		t.Fatalf("%+v", before)
	}
	report("Network.requestWillBeSentExtraInfo", object{"requestId": "1", "headers": object{"B": "2"}})
	if after, _ := l.Request(1); len(before.RequestHeaders) != 1 || len(after.RequestHeaders) != 2 {
		t.Errorf("before %v, after %v", before.RequestHeaders, after.RequestHeaders)
	}
	report("Network.requestWillBeSent", object{"requestId": "1", "type": "Document", "frameId": "T",
		"request": object{"url": "http://x/2", "method": "GET"}, "redirectResponse": object{"status": 303}})
	if l.Posted("1") {
		t.Error("after a redirect the last request counts")
	}
}

func TestWhatThePersonDoesIsNotRead(t *testing.T) {
	l, report := newLog(t)
	say := func(text string) {
		report("Runtime.consoleAPICalled",
			object{"type": "log", "args": []object{{"type": "string", "value": text}}})
	}
	ask := func(id string) {
		report("Network.requestWillBeSent", object{"requestId": id, "frameId": "T", "type": "XHR",
			"request": object{"method": "GET", "url": "https://a.test/" + id}})
	}
	say("before")
	ask("before")
	l.SetPrivate(true)
	say("mine")
	ask("mine")
	if !l.UnderWay(1) {
		t.Error("nobody waits for a request of the person")
	}
	report("Network.loadingFinished", object{"requestId": "before"})
	l.SetPrivate(false)
	say("after")
	ask("after")
	messages, requests := l.Messages(true), l.Requests(true)
	if len(messages) != 2 || messages[0].Text != "before" || messages[1].Text != "after" {
		t.Errorf("%+v", messages)
	}
	if len(requests) != 2 || !requests[0].Finished || requests[1].URL != "https://a.test/after" {
		t.Errorf("%+v", requests)
	}
	if _, ok := l.Request(2); ok {
		t.Error("a request of the person can be read by its number")
	}
}

func TestMessagesOfWebSocketsAreBounded(t *testing.T) {
	l, report := newLog(t)
	report("Network.webSocketCreated", object{"requestId": "w", "url": "wss://a.test/"})
	frame := func(way, text string, opcode int) {
		report("Network.webSocketFrame"+way, object{"requestId": "w", "response": object{"opcode": opcode, "payloadData": text}})
	}
	frame("Sent", "hello", 1)
	frame("Received", "AQID", 2)
	l.SetPrivate(true)
	frame("Received", "mine", 1)
	l.SetPrivate(false)
	frame("Received", "after", 1)
	all := l.Frames(1)
	if len(all) != 3 || !all[0].Sent || all[0].Text != "hello" || !all[1].Binary || all[1].Size != 3 ||
		all[1].Text != "" || all[2].Text != "after" {
		t.Errorf("%+v", all)
	}
	if r, _ := l.Request(1); r.Sent != 1 || r.Received != 2 || len(l.Frames(2)) != 0 {
		t.Errorf("%+v", r)
	}

	for i := range 3 * maxFrames {
		frame("Sent", fmt.Sprint("message ", i), 1)
	}
	if n := len(l.Frames(1)); n > maxFrames || n < maxFrames/2 {
		t.Errorf("%d messages are kept", n)
	}
	for range 1000 {
		frame("Sent", strings.Repeat("m", 20_000), 1)
	}
	size := 0
	for _, f := range l.Frames(1) {
		size += f.size()
	}
	if size > maxFrameBytes || size < maxFrameBytes/4 {
		t.Errorf("%d bytes are kept", size)
	}
}

func TestTheBodyOfARequestIsItsBytes(t *testing.T) {
	l, report := newLog(t)
	send := func(body object) {
		body["url"], body["method"] = "http://x/", "POST"
		report("Network.requestWillBeSent", object{"requestId": "1", "type": "Fetch", "request": body})
	}
	entry := func(b string) object { return object{"bytes": b} }
	for i, one := range []struct {
		body object
		want string
	}{
		{object{"postData": "plain"}, "plain"},
		{object{"postData": "\u00ff", "postDataEntries": []object{entry("/w==")}}, "\xff"},
		{object{"postData": "ab", "postDataEntries": []object{entry("YQ=="), entry("Yg==")}}, "ab"},
		{object{"postDataEntries": []object{entry("YQ=="), {}}}, ""},
	} {
		send(one.body)
		if r, _ := l.Request(i + 1); r.Body != one.want {
			t.Errorf("%d: %q, not %q", i, r.Body, one.want)
		}
	}
}
