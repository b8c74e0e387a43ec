package gate

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/policy"
)

func TestForbiddenCommandsAreRefused(t *testing.T) {
	for _, preset := range []policy.Preset{policy.Open, policy.Guarded} {
		g := newGate(t, policy.Policy{Preset: preset})
		p := g.client()
		quote := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
		nested := `{"sessionId":"S9","message":` +
			quote(`{"id":1,"method":"Target.createBrowserContext","params":{"proxyServer":"direct://"}}`) + `}`
		for name, c := range map[string][2]string{
			"a proxy of its own":       {"Target.createBrowserContext", `{"proxyServer":"direct://"}`},
			"an empty proxy":           {"Target.createBrowserContext", `{"proxyServer":""}`},
			"a bypass list":            {"Target.createBrowserContext", `{"proxyBypassList":"*"}`},
			"a proxy behind an escape": {"Target.createBrowserContext", `{"proxy\u0053erver":"direct://"}`},
			"a key twice": {"Target.createBrowserContext",
				`{"disposeOnDetach":true,"disposeOnDetach":true}`},
			"the protocol for a page": {"Target.exposeDevToolsProtocol", `{"targetId":"T"}`},
			"a page that nobody sees": {"Target.createTarget", `{"url":"about:blank","hidden":true}`},
			"other browsers":          {"Target.setRemoteLocations", `{"locations":[]}`},
			"an extension":            {"Extensions.loadUnpacked", `{"path":"/tmp"}`},
			"a file for a web app": {"PWA.launchFilesInApp",
				`{"manifestId":"https://a.example/","files":["/tmp/x"]}`},
			"a proxy inside a message": {"Target.sendMessageToTarget", nested},
			"a proxy two messages deep": {"Target.sendMessageToTarget", `{"sessionId":"S9","message":` +
				quote(`{"id":1,"method":"Target.sendMessageToTarget","params":`+nested+`}`) + `}`},
			"a message that cannot be read": {"Target.sendMessageToTarget", `{"sessionId":"S9","message":"{"}`},
			"a message with its method twice": {"Target.sendMessageToTarget", `{"sessionId":"S9","message":` +
				quote(`{"id":1,"method":"A.b","method":"Target.createBrowserContext"}`) + `}`},
		} {
			t.Run(string(preset)+": "+name, func(t *testing.T) {
				before := len(g.browser.Got(c[0]))
				if got := p.request(7, c[0], c[1]); !strings.Contains(got, `"code":-32000`) {
					t.Fatalf("heard %s", got)
				}
				if len(g.browser.Got(c[0])) != before {
					t.Fatal("it reached the browser")
				}
			})
		}
		if got := p.request(8, "Target.createBrowserContext", `{"disposeOnDetach":true}`); !strings.Contains(got,
			`"result"`) {
			t.Fatalf("a plain context: %s", got)
		}
	}
}

func TestOpenIsAsWithChrome(t *testing.T) {
	g := newGate(t, policy.Policy{})
	p := g.client()
	for _, method := range []string{"Runtime.evaluate", "Some.thing", "Storage.getCookies",
		"Browser.setDownloadBehavior",
		"DOM.setFileInputFiles"} {
		if got := p.request(1, method, `{}`); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := p.request(2, "Target.sendMessageToTarget",
		`{"sessionId":"S9","message":"{\"id\":1,\"method\":\"Runtime.evaluate\"}"}`); !strings.Contains(got,
		`"result"`) {
		t.Errorf("a session inside a session: %s", got)
	}
	if got := p.request(3, "Page.navigate", `{"url":"file:///etc/passwd"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a file: %s", got)
	}
}

func TestUnderRulesForSitesTheBrowsersOwnPagesAreClosed(t *testing.T) {
	g := newGate(t, policy.Policy{Sites: policy.Sites{Block: []string{"bad.example"}}})
	p := g.client()
	for _, address := range []string{"chrome://extensions", "devtools://devtools/bundled/inspector.html",
		"chrome-extension://abc/x.html"} {
		if got := p.request(1, "Page.navigate", `{"url":"`+address+`"}`); !strings.Contains(got, "was not opened") {
			t.Errorf("%s: %s", address, got)
		}
	}
	if got := p.request(2, "Page.navigate", `{"url":"https://good.example/"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a site: %s", got)
	}
	// The same holds for a command inside another one.
	session := g.browser.LastSession()
	for name, url := range map[string]string{"GOOD": "https://good.example/", "BAD": "chrome://settings/"} {
		g.browser.Event(session, "Target.attachedToTarget",
			map[string]any{"sessionId": name,
				"targetInfo": map[string]any{"targetId": "T" + name, "type": "page", "url": url}})
		p.hear()
	}
	for _, c := range []struct{ session, message, says string }{
		{"GOOD", `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`, `"result"`},
		{"GOOD", `{"id":1,"method":"Page.navigate","params":{"url":"https://good.example/2"}}`, `"result"`},
		{"GOOD", `{"id":1,"method":"Page.navigate","params":{"url":"chrome://extensions"}}`, "was not opened"},
		{"GOOD", `{"id":1,"method":"Target.createTarget","params":{"url":"chrome://extensions"}}`, "was not opened"},
		{"BAD", `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`, "is closed to agents"},
		{"BAD", `{"id":1,"method":"Page.navigate","params":{"url":"https://good.example/"}}`, `"result"`},
		{"UNKNOWN", `{"id":1,"method":"Runtime.evaluate"}`, "Sessions inside sessions"},
		{"GOOD", `{"id":1,"method":"Target.sendMessageToTarget",
			"params":{"sessionId":"x","message":"{\"id\":1,\"method\":\"Runtime.evaluate\"}"}}`,
			"Sessions inside sessions"},
	} {
		params, _ := json.Marshal(map[string]string{"sessionId": c.session, "message": c.message})
		if got := p.request(3, "Target.sendMessageToTarget", string(params)); !strings.Contains(got, c.says) {
			t.Errorf("%s inside %s: %s", c.message, c.session, got)
		}
	}
}

func TestGuardedAllowsAList(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Allow: []string{"good.example"}}})
	p := g.client()
	for _, c := range []struct{ method, params, says string }{
		{"Page.navigate", `{"url":"https://good.example/"}`, ""},
		{"Page.navigate", `{"url":"about:blank"}`, ""},
		{"Page.navigate", `{"url":"https://bad.example/"}`, "allows only"},
		{"Page.navigate", `{"url":"file:///etc/passwd"}`, "was not opened"},
		{"Page.navigate", `{"url":"\tfile:///etc/passwd"}`, "was not opened"},
		{"Page.navigate", `{"url":"fi\nle:///etc/passwd"}`, "was not opened"},
		{"Page.navigate", `{"url":"chrome://settings"}`, "was not opened"},
		{"Page.navigate", `{"url":"view-source:https://good.example/"}`, "was not opened"},
		{"Page.navigate", `{"url":"javascript:alert(1)"}`, "run scripts"},
		{"Page.navigate", `{"url":"data:text/html,<script>1</script>"}`, "run scripts"},
		{"Page.navigate", `{"url":"https://good.example/","url":"file:///"}`, "twice"},
		{"Page.navigate", `{"url":"https://good.example/","u\u0072l":"file:///"}`, "escape"},
		{"Target.createTarget", `{"url":"file:///"}`, "was not opened"},
		{"Target.createTarget", `{"url":"https://good.example/"}`, ""},
		{"Runtime.evaluate", `{"expression":"1"}`, "run scripts"},
		{"Runtime.callFunctionOn", `{}`, "run scripts"},
		{"Page.addScriptToEvaluateOnNewDocument", `{"source":"alert(1)"}`, "run scripts"},
		{"Page.addScriptToEvaluateOnNewDocument", `{"source":"//# sourceURL=x\nalert(1)"}`, "run scripts"},
		{"Page.addScriptToEvaluateOnNewDocument", `{"source":"//# sourceURL=pptr:internal","worldName":"w"}`, ""},
		{"Page.reload", `{}`, ""},
		{"Page.reload", `{"scriptToEvaluateOnLoad":"1"}`, "run scripts"},
		{"Target.attachToBrowserTarget", `{}`, "is not open to programs"},
		{"Target.attachToTarget", `{"targetId":"T"}`, "flatten"},
		{"Target.attachToTarget", `{"targetId":"T","flatten":false}`, "flatten"},
		{"Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":false}`, "flatten"},
		{"Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":false,"flatten":true}`, ""},
		{"Target.createBrowserContext", `{"originsWithUniversalNetworkAccess":["https://a"]}`, "access"},
		{"Target.sendMessageToTarget", `{"sessionId":"x","message":"{\"id\":1,\"method\":\"A.b\"}"}`,
			"is not open to programs"},
		{"Fetch.enable", `{}`, "run scripts"},
		{"Fetch.disable", `{}`, ""},
		{"Fetch.continueRequest", `{"requestId":"1"}`, ""},
		{"Fetch.continueRequest", `{"requestId":"1","url":"https://bad.example/"}`, "run scripts"},
		{"Storage.getCookies", `{}`, ""},
		{"DOMStorage.getDOMStorageItems", `{}`, "stored data"},
		{"Network.setCookie", `{}`, "stored data"},
		{"DOM.querySelector", `{"selector":"input[type=password]"}`, ""},
		{"DOM.querySelector", `{"selector":"input[value^=a]"}`, "run scripts"},
		{"DOM.querySelector", `{"selector":"input[v\\61lue^=a]"}`, "run scripts"},
		{"DOM.performSearch", `{"query":"a"}`, "run scripts"},
		{"DOM.getOuterHTML", `{}`, "run scripts"},
		{"DOM.setAttributeValue", `{}`, "run scripts"},
		{"Network.loadNetworkResource", `{}`, "run scripts"},
		{"Browser.setDownloadBehavior", `{"behavior":"deny"}`, ""},
		{"Browser.crash", `{}`, "is not open to programs"},
		{"SystemInfo.getInfo", `{}`, "is not open to programs"},
		{"Tethering.bind", `{"port":1}`, "is not open to programs"},
		{"page.navigate", `{"url":"file:///"}`, "is not open to programs"},
		{"Page.Navigate", `{"url":"file:///"}`, "is not open to programs"},
		{"Unknown.method", `{}`, "Unknown.method is not open to programs in this profile: its policy is guarded"},
		{"Input.dispatchMouseEvent", `{"type":"mouseMoved","x":1,"y":1}`, ""},
		{"Input.dispatchDragEvent", `{"type":"drop","x":1,"y":1,"data":{"items":[],"dragOperationsMask":1}}`, ""},
		{"Page.captureScreenshot", `{}`, ""},
	} {
		t.Run(c.method+" "+c.params, func(t *testing.T) {
			before := len(g.browser.Got(c.method))
			got := p.request(7, c.method, c.params)
			if c.says == "" {
				if !strings.Contains(got, `"result"`) {
					t.Fatalf("heard %s", got)
				}
				return
			}
			if !strings.Contains(got, c.says) || !strings.Contains(got, `"error"`) {
				t.Fatalf("heard %s", got)
			}
			if len(g.browser.Got(c.method)) != before {
				t.Fatal("it reached the browser")
			}
		})
	}
	t.Run("a method behind an escape is the same method", func(t *testing.T) {
		p.send(`{"id":9,"method":"Runtime.eval\u0075ate","params":{"expression":"1"}}`)
		if got := p.hear(); !strings.Contains(got, "run scripts") {
			t.Fatalf("heard %s", got)
		}
	})
	t.Run("the method twice", func(t *testing.T) {
		p.send(`{"id":9,"method":"Page.enable","method":"Runtime.evaluate"}`)
		if got := p.hear(); !strings.Contains(got, "twice") {
			t.Fatalf("heard %s", got)
		}
	})
}

func TestReadOnlyLooks(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.ReadOnly})
	p := g.client()
	for method, ok := range map[string]bool{"Page.captureScreenshot": true, "DOM.getDocument": true,
		"Accessibility.getFullAXTree": true, "Page.getFrameTree": true,
		"Emulation.setDeviceMetricsOverride": true, "Page.navigate": false, "Input.insertText": false,
		"Page.close":          false,
		"Target.createTarget": false} {
		if got := p.request(1, method, `{"url":"about:blank","text":"x"}`); strings.Contains(got, `"result"`) != ok {
			t.Errorf("%s: %s", method, got)
		}
	}
	t.Run("Browser.close ends the program's own connection", func(t *testing.T) {
		if got := p.request(2, "Browser.close", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("heard %s", got)
		}
		if why := p.closed(); !strings.Contains(why, "stays open") {
			t.Fatalf("it ended with %s", why)
		}
		select {
		case <-g.browser.closed:
			t.Fatal("the profile closes")
		default:
		}
	})
}

// Emulation, which pages notice, is not passed on if programs may only look. Clients that use it on every page still
// work.
func TestWhoeverLooksLeavesThePageAlone(t *testing.T) {
	dressing := []string{"Emulation.setDeviceMetricsOverride", "Emulation.clearDeviceMetricsOverride",
		"Emulation.setEmulatedMedia", "Emulation.setFocusEmulationEnabled", "Emulation.setScrollbarsHidden",
		"Emulation.setTouchEmulationEnabled", "Emulation.setVisibleSize"}
	for preset, passed := range map[policy.Preset]int{policy.ReadOnly: 0, policy.Guarded: 1} {
		g := newGate(t, policy.Policy{Preset: preset})
		p := g.client()
		for i, method := range dressing {
			if got := p.request(i, method, `{}`); !strings.Contains(got, `"result"`) ||
				len(g.browser.Got(method)) != passed {
				t.Errorf("%s: %s: %s, passed on %d times", preset, method, got, len(g.browser.Got(method)))
			}
		}
		for i, c := range [][2]string{{"Page.printToPDF", `{}`}, {"Browser.setWindowBounds", `{}`},
			{"Browser.setContentsSize", `{}`}, {"Page.captureScreenshot", `{"captureBeyondViewport":true}`}} {
			if got := p.request(20+i, c[0], c[1]); strings.Contains(got, `"result"`) != (passed == 1) ||
				len(g.browser.Got(c[0])) != passed {
				t.Errorf("%s: %s: %s", preset, c[0], got)
			}
		}
		if got := p.request(30, "Page.captureScreenshot",
			`{"captureBeyondViewport":false,"clip":{"x":0,"y":0,"width":9,"height":9,"scale":1}}`); !strings.Contains(
			got,
			`"result"`) {
			t.Errorf("%s: a picture: %s", preset, got)
		}
	}
}

func TestPagesThatAreClosedToAgents(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Block: []string{"bad.example"}}})
	p := g.client()
	p.request(1, "Page.enable", `{}`)
	g.showPage(p, "CHILD", "T", "https://good.example/")
	request := func(method string) string {
		t.Helper()
		p.send(`{"id":5,"method":"` + method + `","sessionId":"CHILD","params":{"url":"about:blank"}}`)
		return p.hear()
	}
	if got := request("DOM.getDocument"); !strings.Contains(got, `"result"`) {
		t.Fatalf("a good page: %s", got)
	}
	for _, address := range []string{"chrome://settings/", "file:///etc/passwd", "https://bad.example/"} {
		g.movePage("T", address)
		g.awaitPage("T", address)
		for _, method := range []string{"DOM.getDocument", "Page.captureScreenshot", "Input.insertText",
			"Accessibility.getFullAXTree"} {
			if got := request(method); !strings.Contains(got, "is closed to agents") {
				t.Errorf("%s on %s: %s", method, address, got)
			}
		}
		for _, method := range []string{"Page.navigate", "Page.getFrameTree", "Runtime.runIfWaitingForDebugger"} {
			if got := request(method); !strings.Contains(got, `"result"`) {
				t.Errorf("%s on %s: %s", method, address, got)
			}
		}
	}
}
