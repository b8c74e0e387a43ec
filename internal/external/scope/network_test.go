package scope

import (
	"strconv"
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
		{"Network.requestWillBeSentExtraInfo", object{"requestId": "4", "headers": object{"Cookie": "sid=secret"},
			"associatedCookies": []object{cookie("ads.test", "secret")}}, at},
		{"Network.responseReceivedExtraInfo", object{"requestId": "3", "headersText": "secret"}, at},
		{"Network.responseReceivedExtraInfo", object{"requestId": "40", "headers": object{"Host": "bank.test"}}, at},
		{"Network.requestWillBeSentExtraInfo", object{"requestId": "43", "headers": object{"Cookie": "secret"}}, at},
		{"Network.webSocketFrameReceived", object{"requestId": "41", "response": object{"payloadData": "secret"}}, at},
		{"Network.eventSourceMessageReceived", object{"requestId": "42", "data": "secret"}, at},
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
	if all := c.heardBefore(f, at); strings.Contains(all, "secret") || strings.Contains(all, "://bank") ||
		strings.Count(all, "https://ads.test/led") != 1 || !strings.Contains(all, `"40"`) || !strings.Contains(all, `"43"`) {
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

// TestADetourToAClosedSiteIsLeftOut: a client that waits for its request hears of the end.
func TestADetourToAClosedSiteIsLeftOut(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	request := func(id, url, from string) event {
		params := object{"requestId": id, "timestamp": 1.5, "request": object{"url": url}}
		if from != "" {
			params["redirectHasExtraInfo"] = true
			params["redirectResponse"] = object{"url": from, "status": 302,
				"headers": object{"Location": "secret"}}
		}
		return event{"Network.requestWillBeSent", params, at}
	}
	end := func(id string) event {
		return event{"Network.loadingFinished", object{"requestId": id, "timestamp": 2.5}, at}
	}
	const login, sso, back = "https://a.test/login", "https://bank.test/sso", "https://a.test/back"
	for _, e := range []event{
		request("1", login, ""), request("1", sso, login), request("1", back, sso),
		{"Network.responseReceived", object{"requestId": "1", "hasExtraInfo": true, "response": object{"url": back}}, at},
		end("1"),
		request("2", login, ""), request("2", sso, login), end("2"),
		request("3", sso, ""), request("3", back, sso), end("3"),
		request("4", sso, ""), end("4"),
	} {
		f.say(e)
	}
	var got []string
	for row := range strings.Lines(c.heardBefore(f, at)) {
		if strings.Contains(row, "bank") || strings.Contains(row, "secret") || strings.Contains(row, `ExtraInfo":true`) {
			t.Error(row)
		}
		for _, word := range []string{"requestWillBeSent", "responseReceived", "loadingFinished", "loadingFailed"} {
			if strings.Contains(row, word) {
				_, id, _ := strings.Cut(row, `"requestId":"`)
				word += " " + id[:1]
				if strings.Contains(row, "redirectResponse") {
					word += " from " + strconv.FormatBool(strings.Contains(row, `"url":"`+login+`"`))
				}
				got = append(got, word)
			}
		}
	}
	want := "requestWillBeSent 1,requestWillBeSent 1 from true,responseReceived 1,loadingFinished 1," +
		"requestWillBeSent 2,loadingFailed 2,requestWillBeSent 3,loadingFinished 3"
	if strings.Join(got, ",") != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestRequestsAreForgotten(t *testing.T) {
	var r requests
	r.record("closed", "https://bank.test/", true)
	for n := range 2 * maxRequests {
		r.record("open"+strconv.Itoa(n), "https://a.test/", false)
	}
	if len(r.byID) != maxRequests+1 || !r.isTainted("closed") {
		t.Errorf("%d requests", len(r.byID))
	}
	for n := range maxTainted {
		r.record("more"+strconv.Itoa(n), "https://bank.test/", true)
	}
	if len(r.byID) > maxTainted+maxRequests || r.isTainted("closed") {
		t.Errorf("%d requests", len(r.byID))
	}
}

// TestAPageThatDidNotLoadIsTold: the browser shows its own page there.
func TestAPageThatDidNotLoadIsTold(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	for address, told := range map[string]bool{"https://a.test/down": true, "https://bank.test/": false} {
		f.say(event{"Page.frameNavigated", object{"frame": object{"id": "OPEN", "url": "chrome-error://chromewebdata/",
			"unreachableUrl": address}}, at})
		if all := c.heardBefore(f, at); strings.Contains(all, "frameNavigated") != told {
			t.Errorf("%s: %s", address, all)
		}
	}
}

func TestAddressesThatOnlyABrowserTakes(t *testing.T) {
	for address, web := range map[string]bool{
		"https://a.test/50%-off": true, "https://a.test/#100%": true, "data:text/html,#100%": true, "blob:null/1": true,
		"about:blank": true, "blob:https://a.test/1": true,
		"chrome://settings/%": false, "file:///%": false, "chrome-extension://x/%": false, "blob:chrome://x/%": false,
		"https://a\tb/%": false, "javascript:1%": false,
	} {
		if isWeb(address) != web {
			t.Errorf("%q: %v", address, !web)
		}
	}
	if hostOf("https://A.test:8080/50%-off") != "a.test" {
		t.Error(hostOf("https://A.test:8080/50%-off"))
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
	f.say(event{"Page.frameNavigated", object{"frame": object{"id": "OPEN", "url": open.URL}}, at})
	direct := info{ID: "DIRECT", Type: "iframe", URL: "about:srcdoc", Context: ours, Parent: "OPEN"}
	c.hearsOf("Page.frameNavigated")
	f.change(direct)
	c.hearsOf("Target.targetCreated", "DIRECT")
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
