package scope

import (
	"strconv"
	"strings"
	"sync"
	"testing"
)

// shared is a client with a session of a shared tab.
func shared(t *testing.T, f *fake) (c *client, at string) {
	t.Helper()
	c = start(t, f)
	c.call("", "Target.setDiscoverTargets", `{"discover":true}`)
	c.Share("OPEN", true)
	c.hearsOf("Target.targetCreated", "OPEN")
	c.call("", "Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`)
	return c, sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
}

// heardBefore returns what the client hears until an event, which the fake says now.
func (c *client) heardBefore(f *fake, at string) (all string) {
	f.say(event{"Page.loadEventFired", object{}, at})
	for {
		raw := c.hearsOf(`"method"`)
		if strings.Contains(raw, "Page.loadEventFired") {
			return all
		}
		all += raw + "\n"
	}
}

func TestDownloadsOfAHiddenTab(t *testing.T) {
	f := newFake(t, open)
	c, _ := shared(t, f)
	c.call("", "Browser.setDownloadBehavior", `{"behavior":"default","eventsEnabled":true}`)
	f.mu.Lock()
	watcher := f.watchers[0]
	f.mu.Unlock()
	f.say(event{"Browser.downloadWillBegin", object{"frameId": "OPEN", "guid": "G", "url": "https://a.test/f"}, watcher})
	c.hearsOf("downloadWillBegin")
	if _, failed := c.call("", "Browser.cancelDownload", `{"guid":"G"}`); failed != "" {
		t.Errorf("while the tab is shared: %s", failed)
	}
	c.Share("OPEN", false)
	if _, failed := c.call("", "Browser.cancelDownload", `{"guid":"G"}`); failed == "" {
		t.Error("the download of a hidden tab was cancelled")
	}
	f.say(event{"Browser.downloadProgress", object{"guid": "G", "filePath": "/downloads/secret"}, watcher})
	c.Share("OPEN", true)
	c.hearsOf("Target.targetCreated")
	c.call("", "Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`)
	at := sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
	if all := c.heardBefore(f, at); strings.Contains(all, "secret") {
		t.Error(all)
	}
}

// TestATabChangesWhileItIsDescribed is for the race detector: the browser tells of a tab, the person shares and hides
// it, and clients list and close it, all at once.
func TestATabChangesWhileItIsDescribed(t *testing.T) {
	f := newFake(t, open)
	c := start(t, f)
	c.call("", "Target.setDiscoverTargets", `{"discover":true,"filter":[{}]}`)
	var others sync.WaitGroup
	for _, at := range []func(int){
		func(n int) {
			f.change(info{ID: "OPEN", Type: "page", Title: strconv.Itoa(n), URL: open.URL, Context: ours})
		},
		func(n int) { c.Share("OPEN", n%3 > 0) },
	} {
		others.Go(func() {
			for n := range 300 {
				at(n)
			}
		})
	}
	for range 100 {
		c.call("", "Target.getTargets", `{"filter":[{}]}`)
		c.call("", "Target.closeTarget", `{"targetId":"OPEN"}`)
	}
	others.Wait()
	c.Share("OPEN", true)
	if list, _ := c.call("", "Target.getTargets", `{"filter":[{}]}`); strings.Count(list, `"title":"299"`) != 2 {
		t.Error(list)
	}
}

func TestACommandUnderWayEndsWithItsTab(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	for _, mute := range []string{"Page.captureScreenshot", "Target.detachFromTarget"} {
		f.mu.Lock()
		f.mute, f.during = mute, func() {
			c.Share("OPEN", false)
			if mute == "Target.detachFromTarget" { // the browser tells of it after it has answered the command
				go f.say(event{"Target.detachedFromTarget", object{"sessionId": at}, ""})
			}
		}
		f.mu.Unlock()
		c.heard = nil
		if _, failed := c.call(at, "Page.captureScreenshot", `{}`); !strings.Contains(failed, "not shared") {
			t.Errorf("%q: %q", mute, failed)
		}
		if !strings.Contains(strings.Join(c.heard, ""), "Target.detachedFromTarget") {
			t.Errorf("%q: the answer comes before the end of the session", mute)
		}
		c.Share("OPEN", true)
		c.call("", "Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`)
		at = sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
	}
}

func TestContextsThatAreClosedToAgents(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	c.call(at, "Runtime.enable", `{}`)
	made := func(id int, origin string) {
		f.say(event{"Runtime.executionContextCreated", object{"context": object{"id": id, "origin": origin,
			"uniqueId": "U" + origin}}, at})
	}
	made(1, "https://a.test")
	made(2, "chrome-extension://vault")
	made(3, "https://bank.test")
	made(4, "://")
	for _, id := range []int{2, 3} {
		f.say(event{"Runtime.consoleAPICalled", object{"executionContextId": id, "args": []object{{"value": "secret"}}}, at})
		f.say(event{"Runtime.exceptionThrown",
			object{"exceptionDetails": object{"executionContextId": id, "text": "secret"}}, at})
	}
	all := c.heardBefore(f, at)
	if strings.Contains(all, "vault") || strings.Contains(all, "bank") || strings.Contains(all, "secret") ||
		!strings.Contains(all, "a.test") {
		t.Error(all)
	}
	use := func(params string, may bool) {
		t.Helper()
		if _, failed := c.call(at, "Runtime.callFunctionOn", params); (failed == "") != may {
			t.Errorf("%s: %q", params, failed)
		}
	}
	use(`{"executionContextId":1}`, true)
	use(`{"executionContextId":4}`, true)
	use(`{"executionContextId":2}`, false)
	use(`{"executionContextId":3}`, false)
	use(`{"objectId":"-77.1.5"}`, true)
	use(`{"objectId":"-77.2.5"}`, false)
	use(`{"executionContextId":1,"arguments":[{"value":1},{"objectId":"77.3.1"}]}`, false)
	use(`{"executionContextId":1,"arguments":[{"value":"1.1.1"}]}`, true)

	// A page of another process counts from the beginning.
	f.say(event{"Runtime.executionContextsCleared", object{}, at})
	made(2, "https://a.test")
	made(1, "chrome-extension://vault")
	c.heardBefore(f, at)
	use(`{"executionContextId":2}`, true)
	use(`{"executionContextId":1}`, false)
	use(`{"objectId":"5.2.1"}`, true)
}

func TestAFrameWithoutAnAddressIsNobodys(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	f.mu.Lock()
	watcher := f.watchers[0]
	f.mu.Unlock()
	for address, may := range map[string]bool{"https://b.test/": true, "https://bank.test/": false,
		"chrome-extension://vault/frame.html": false} {
		f.say(event{"Target.attachedToTarget", object{"sessionId": "FRAME", "waitingForDebugger": true,
			"targetInfo": info{ID: "F", Type: "iframe"}}, at})
		c.hearsOf("Target.attachedToTarget", `"F"`)
		for _, method := range []string{"Runtime.evaluate", "DOM.getDocument", "Page.captureScreenshot"} {
			if _, failed := c.call("FRAME", method, `{}`); !strings.Contains(failed, "not loaded") {
				t.Errorf("%s in an empty frame: %q", method, failed)
			}
		}
		for _, method := range []string{"Runtime.enable", "Page.enable", "Runtime.runIfWaitingForDebugger"} {
			if _, failed := c.call("FRAME", method, `{}`); failed != "" {
				t.Errorf("%s in an empty frame: %q", method, failed)
			}
		}
		f.say(event{"Runtime.bindingCalled", object{"payload": "first"}, "FRAME"})
		if all := c.heardBefore(f, at); strings.Contains(all, "first") {
			t.Errorf("an empty frame says %s", all)
		}
		f.say(event{"Target.targetInfoChanged", object{"targetInfo": info{ID: "F", Type: "iframe", URL: address}}, watcher})
		f.say(event{"Runtime.bindingCalled", object{"payload": "second"}, "FRAME"})
		all := c.heardBefore(f, at)
		if strings.Contains(all, "first") != may || strings.Contains(all, "second") != may {
			t.Errorf("%s: %s", address, all)
		}
		if _, failed := c.call("FRAME", "Runtime.evaluate", `{}`); (failed == "") != may {
			t.Errorf("%s: %q", address, failed)
		}
		f.say(event{"Target.detachedFromTarget", object{"sessionId": "FRAME", "targetId": "F"}, at})
		f.say(event{"Target.targetDestroyed", object{"targetId": "F"}, watcher})
		c.heardBefore(f, at)
	}
}

func TestScriptsForNewDocumentsAreBounded(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(Sites{Permits: everywhere.Permits, Expressions: func() (allow, block string) { return "GOOD", "BAD" }})
	c.call(at, "Page.addScriptToEvaluateOnNewDocument", `{"source":" 'use strict'; mine()"}`)
	c.call(at, "Page.reload", `{"scriptToEvaluateOnLoad":"mine()"}`)
	for _, command := range []string{`Page.addScriptToEvaluateOnNewDocument {"source":"'use strict';if(!(`,
		`Page.reload {"scriptToEvaluateOnLoad":"if(!(`} {
		if !f.got(command) {
			t.Errorf("the browser did not get %s", command)
		}
	}
	c.call(at, "Page.addScriptToEvaluateOnNewDocument", `{"source":"","worldName":"empty"}`)
	if !f.got(`Page.addScriptToEvaluateOnNewDocument {"source":"","worldName":"empty"}`) {
		t.Error("a world without a script has one")
	}
	if _, failed := c.call(at, "Page.addScriptToEvaluateOnNewDocument", `{"source":7}`); failed == "" {
		t.Error("a script that is no text went to the browser")
	}
}

// TestACommandOnATabTargetEndsWithIt: the browser does not know such a session, and may answer when it has ended.
func TestACommandOnATabTargetEndsWithIt(t *testing.T) {
	f := newFake(t, open)
	c := start(t, f)
	c.Share("OPEN", true)
	c.call("", "Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"filter":[{"type":"page","exclude":true},{}]}`)
	strip := sessionIn(t, c.hearsOf("Target.attachedToTarget", `"type":"tab"`))
	late := make(chan struct{})
	f.mu.Lock()
	f.hold = map[string]chan struct{}{"Browser.getVersion": late}
	f.mu.Unlock()
	c.send(71, strip, "Browser.getVersion", `{}`)
	c.Share("OPEN", false)
	c.hearsOf("Target.detachedFromTarget", strip)
	c.hearsOf(`"id":71`, "not shared")
	close(late)
	if _, failed := c.call("", "Target.getBrowserContexts", `{}`); failed != "" {
		t.Error(failed)
	}
	c.Share("OPEN", true)
	c.hearsOf("Target.attachedToTarget", `"type":"tab"`)
}
