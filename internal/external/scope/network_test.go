package scope

import (
	"strings"
	"testing"
)

// TestRequestsTellNothingOfClosedSites: neither the address nor a cookie, whatever the page or the person loads.
func TestRequestsTellNothingOfClosedSites(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	cookie := func(domain, value string) object {
		return object{"cookie": object{"name": "sid", "value": value, "domain": domain}, "cookieLine": "sid=" + value}
	}
	request := func(id, url string) event {
		return event{"Network.requestWillBeSent", object{"requestId": id, "request": object{"url": url,
			"headers": object{"Accept": "*"}}}, at}
	}
	for _, e := range []event{
		request("1", "https://bank.test/secret"),
		{"Network.responseReceived", object{"requestId": "1", "response": object{"url": "https://bank.test/secret"}}, at},
		{"Network.responseReceivedExtraInfo", object{"requestId": "1", "headers": object{"Set-Cookie": "secret"}}, at},
		{"Network.requestWillBeSentExtraInfo", object{"requestId": "9",
			"headers": object{":authority": "bank.test", ":path": "/secret"}}, at},
		{"Network.webSocketCreated", object{"requestId": "2", "url": "wss://bank.test/secret"}, at},
		{"Network.webSocketFrameReceived", object{"requestId": "2", "response": object{"payloadData": "secret"}}, at},
		request("3", "https://ads.test/led"),
		request("3", "https://bank.test/secret"),
		request("3", "https://a.test/secret-behind"),
		{"Network.requestWillBeSentExtraInfo", object{"requestId": "4", "headers": object{"Cookie": "sid=secret"},
			"associatedCookies": []object{cookie("ads.test", "secret")}}, at},
		{"Network.responseReceivedExtraInfo", object{"requestId": "3", "headersText": "secret"}, at},
		{"Page.frameStartedNavigating", object{"frameId": "OPEN", "url": "https://bank.test/secret"}, at},
		{"Page.frameNavigated", object{"frame": object{"id": "OPEN", "url": "https://bank.test/secret"}}, at},
		{"Page.windowOpen", object{"url": "https://bank.test/secret"}, at},
		{"Log.entryAdded", object{"entry": object{"text": "secret", "url": "https://bank.test/"}}, at},
		{"Console.messageAdded", object{"message": object{"text": "secret", "url": "chrome-extension://x/y.js"}}, at},
		{"Audits.issueAdded", object{"issue": object{"code": "CookieIssue", "details": object{
			"cookieIssueDetails": object{"cookie": object{"name": "secret", "domain": "bank.test"}}}}}, at},
		{"Audits.issueAdded", object{"issue": object{"code": "GenericIssue", "details": object{
			"genericIssueDetails": object{"request": object{"url": "https://bank.test/secret"}}}}}, at},
	} {
		f.say(e)
	}
	if all := c.heardBefore(f, at); strings.Contains(all, "secret") || strings.Contains(all, "bank") ||
		strings.Count(all, "https://ads.test/led") != 1 {
		t.Error(all)
	}
	if _, failed := c.call(at, "Network.getResponseBody", `{"requestId":"1"}`); failed == "" {
		t.Error("the answer of a closed site is read")
	}

	for _, e := range []event{
		request("5", "https://a.test/own"),
		{"Network.requestWillBeSentExtraInfo", object{"requestId": "5", "headers": object{"Cookie": "sid=mine"},
			"associatedCookies": []object{cookie("a.test", "mine"), cookie("bank.test", "secret")}}, at},
		{"Network.responseReceivedExtraInfo", object{"requestId": "5", "headers": object{"Set-Cookie": "sid=new"}}, at},
		{"Network.webSocketCreated", object{"requestId": "6", "url": "wss://a.test/socket"}, at},
		{"Network.webSocketFrameReceived", object{"requestId": "6", "response": object{"payloadData": "in a frame"}}, at},
		request("7", "data:text/plain,of-data"), request("8", "blob:https://a.test/of-blob"),
		{"Page.frameNavigated", object{"frame": object{"id": "OPEN", "url": "https://a.test/own"}}, at},
		{"Log.entryAdded", object{"entry": object{"text": "of the page", "url": "https://a.test/"}}, at},
		{"Console.messageAdded", object{"message": object{"text": "without an address"}}, at},
	} {
		f.say(e)
	}
	all := c.heardBefore(f, at)
	for _, words := range []string{
		"sid=mine", "sid=new", `"value":"mine"`, "frameNavigated", "of the page", "without an",
		"/socket", "in a frame", "of-data", "of-blob",
	} {
		if !strings.Contains(all, words) {
			t.Errorf("no %q in %s", words, all)
		}
	}
	if strings.Contains(all, "secret") {
		t.Error(all)
	}
	if _, failed := c.call(at, "Network.getResponseBody", `{"requestId":"5"}`); failed != "" {
		t.Error(failed)
	}
}

func TestRequestsAreForgotten(t *testing.T) {
	var r requests
	r.note("closed", "")
	for n := range maxRequests {
		r.note(strings.Repeat("x", n), "a.test:")
	}
	if len(r.hosts) != maxRequests || len(r.order) != maxRequests || r.isClosed("closed") {
		t.Errorf("%d and %d", len(r.hosts), len(r.order))
	}
}

func TestWhatTheBrowserAnswersIsBounded(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	if got, _ := c.call(at, "Page.getNavigationHistory", `{}`); strings.Contains(got, "secret") ||
		strings.Contains(got, "chrome:") || !strings.Contains(got, open.URL) {
		t.Error(got)
	}
	for _, row := range []struct {
		params string
		given  bool
	}{{`{"objectId":"o"}`, true}, {`{"objectId":"o","depth":-1,"pierce":true}`, false}} {
		got, failed := c.call(at, "DOMDebugger.getEventListeners", row.params)
		if failed != "" || strings.Contains(got, "handler") != row.given || !strings.Contains(got, "click") {
			t.Errorf("%s: %s %s", row.params, got, failed)
		}
	}
	for _, row := range []struct {
		method, params string
		ok             bool
	}{
		{"Page.captureSnapshot", `{}`, false},
		{"Input.setIgnoreInputEvents", `{"ignore":true}`, false},
		{"Input.setIgnoreInputEvents", `{"ignore":false}`, true},
		{"Page.createIsolatedWorld", `{"frameId":"OPEN"}`, true},
		{"Page.createIsolatedWorld", `{"frameId":"SUB"}`, true},
		{"Page.createIsolatedWorld", `{"frameId":"INLINE"}`, true},
		{"Page.createIsolatedWorld", `{"frameId":"EXT"}`, false},
		{"Page.getResourceContent", `{"frameId":"SUB","url":"https://b.a.test/"}`, true},
		{"Page.getResourceContent", `{"frameId":"EXT","url":"https://a.test/"}`, false},
		{"Page.getResourceContent", `{"frameId":"OPEN","url":"chrome://settings"}`, false},
	} {
		if _, failed := c.call(at, row.method, row.params); (failed == "") != row.ok {
			t.Errorf("%s %s: %q", row.method, row.params, failed)
		}
	}
}

// TestFramesAreWhereTheyAre: clients hear of each address of an open frame, and of none that is closed.
func TestFramesAreWhereTheyAre(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	frame := info{ID: "FRAME", Type: "iframe", URL: "https://b.test/1", Context: ours, Parent: "OPEN"}
	nested := info{ID: "NESTED", Type: "iframe", URL: "about:srcdoc", Context: ours, Parent: "FRAME"}
	f.change(frame)
	c.hearsOf("Target.targetCreated", frame.URL)
	f.change(nested)
	c.hearsOf("Target.targetCreated", "about:srcdoc")
	f.say(event{"Target.attachedToTarget",
		object{"sessionId": "SF", "targetInfo": nested, "waitingForDebugger": false}, at})
	c.hearsOf("Target.attachedToTarget", "about:srcdoc")
	frame.URL = "https://b.test/2"
	f.change(frame)
	c.hearsOf("Target.targetInfoChanged", frame.URL)
	frame.URL = "https://bank.test/secret"
	f.change(frame)
	c.hearsOf("Target.targetDestroyed", "FRAME")
	frame.URL = "https://b.test/3"
	f.change(frame)
	c.hearsOf("Target.targetCreated", frame.URL)
	c.Share("OPEN", false)
	c.hearsOf("Target.targetDestroyed")
	f.change(info{ID: "OTHERS", Type: "iframe", URL: "https://b.test/secret", Context: ours, Parent: "MINE"})
	c.Share("OPEN", true)
	c.hearsOf("Target.targetCreated", frame.URL)
	if got, failed := c.call("", "Target.getTargetInfo", `{"targetId":"OTHERS"}`); failed == "" {
		t.Error(got)
	}
}
