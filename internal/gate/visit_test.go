package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/journal"
	"cove/internal/policy"
)

// notes is a journal in memory.
type notes struct {
	mu      sync.Mutex
	entries []journal.Entry
}

func (n *notes) Record(e journal.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.entries = append(n.entries, e)
}

// await waits for an entry of that name.
func (n *notes) await(t *testing.T, name string) journal.Entry {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		n.mu.Lock()
		i := slices.IndexFunc(n.entries, func(e journal.Entry) bool { return e.Name == name })
		if i >= 0 {
			defer n.mu.Unlock()
			return n.entries[i]
		}
		n.mu.Unlock()
	}
	t.Fatalf("the journal has no %s", name)
	return journal.Entry{}
}

// room is a gate with a desk, a journal and a fake browser.
type room struct {
	*Server
	t       *testing.T
	browser *browser
	desk    *policy.Enforcer
	notes   *notes
}

func newRoom(t *testing.T, p policy.Policy) *room {
	t.Helper()
	r := &room{t: t, browser: newFastBrowser(t), desk: policy.NewEnforcer(p), notes: &notes{}}
	var err error
	r.Server, err = Listen(r.browser.mux, Version{}, Rules{Home: "/data of/mine", Enforcer: r.desk, Journal: r.notes, Token: func(_ context.Context, token string) bool { return token == "right" },
		Who: func(netip.AddrPort, netip.AddrPort) (string, int) { return "tester", 42 }}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// guest is a raw client.
type guest struct {
	t   *testing.T
	ws  *websocket.Conn
	in  chan string
	end error // after in is closed
}

func (r *room) guest() *guest {
	g := &guest{t: r.t, ws: dial(r.t, r.Server), in: make(chan string, 1000)}
	go func() {
		defer close(g.in)
		for {
			_, raw, err := g.ws.Read(context.Background())
			if err != nil {
				g.end = err
				return
			}
			g.in <- string(raw)
		}
	}()
	return g
}

func (g *guest) send(raw string) {
	g.t.Helper()
	if err := g.ws.Write(g.t.Context(), websocket.MessageText, []byte(raw)); err != nil {
		g.t.Fatal(err)
	}
}

// hear is the next message.
func (g *guest) hear() string {
	g.t.Helper()
	select {
	case raw, ok := <-g.in:
		if !ok {
			g.t.Fatal(g.end)
		}
		return raw
	case <-time.After(time.Minute):
		g.t.Fatal("nothing comes")
		return ""
	}
}

// ask sends a command and returns the answer to it; events before it are dropped.
func (g *guest) ask(id int, method, params string) string {
	g.t.Helper()
	g.send(fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, id, method, params))
	for {
		if got := g.hear(); strings.Contains(got, fmt.Sprintf(`"id":%d,`, id)) || strings.Contains(got, fmt.Sprintf(`"id":%d}`, id)) {
			return got
		}
	}
}

// closed waits for the end of the connection and returns the reason.
func (g *guest) closed() string {
	g.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case _, ok := <-g.in:
			if !ok {
				return g.end.Error()
			}
		case <-limit:
			g.t.Fatal("the connection stays open")
		}
	}
}

func rights(c policy.Class, a policy.Answer) map[policy.Class]policy.Answer {
	return map[policy.Class]policy.Answer{c: a}
}

func TestAlwaysRefused(t *testing.T) {
	for _, preset := range []policy.Preset{policy.Open, policy.Guarded} {
		r := newRoom(t, policy.Policy{Preset: preset})
		g := r.guest()
		quote := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
		nested := `{"sessionId":"S9","message":` + quote(`{"id":1,"method":"Target.createBrowserContext","params":{"proxyServer":"direct://"}}`) + `}`
		for name, c := range map[string][2]string{
			"a proxy of its own":              {"Target.createBrowserContext", `{"proxyServer":"direct://"}`},
			"an empty proxy":                  {"Target.createBrowserContext", `{"proxyServer":""}`},
			"a bypass list":                   {"Target.createBrowserContext", `{"proxyBypassList":"*"}`},
			"a proxy behind an escape":        {"Target.createBrowserContext", `{"proxy\u0053erver":"direct://"}`},
			"a key twice":                     {"Target.createBrowserContext", `{"disposeOnDetach":true,"disposeOnDetach":true}`},
			"the protocol for a page":         {"Target.exposeDevToolsProtocol", `{"targetId":"T"}`},
			"a page that nobody sees":         {"Target.createTarget", `{"url":"about:blank","hidden":true}`},
			"other browsers":                  {"Target.setRemoteLocations", `{"locations":[]}`},
			"an extension":                    {"Extensions.loadUnpacked", `{"path":"/tmp"}`},
			"a file for a web app":            {"PWA.launchFilesInApp", `{"manifestId":"https://a.example/","files":["/tmp/x"]}`},
			"a proxy inside a message":        {"Target.sendMessageToTarget", nested},
			"a proxy two messages deep":       {"Target.sendMessageToTarget", `{"sessionId":"S9","message":` + quote(`{"id":1,"method":"Target.sendMessageToTarget","params":`+nested+`}`) + `}`},
			"a message that cannot be read":   {"Target.sendMessageToTarget", `{"sessionId":"S9","message":"{"}`},
			"a message with its method twice": {"Target.sendMessageToTarget", `{"sessionId":"S9","message":` + quote(`{"id":1,"method":"A.b","method":"Target.createBrowserContext"}`) + `}`},
		} {
			t.Run(string(preset)+": "+name, func(t *testing.T) {
				before := len(r.browser.got(c[0]))
				if got := g.ask(7, c[0], c[1]); !strings.Contains(got, `"code":-32000`) {
					t.Fatalf("heard %s", got)
				}
				if len(r.browser.got(c[0])) != before {
					t.Fatal("it reached the browser")
				}
			})
		}
		if got := g.ask(8, "Target.createBrowserContext", `{"disposeOnDetach":true}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("a plain context: %s", got)
		}
	}
}

func TestOpenIsAsWithChrome(t *testing.T) {
	r := newRoom(t, policy.Policy{})
	g := r.guest()
	for _, method := range []string{"Runtime.evaluate", "Some.thing", "Storage.getCookies", "Browser.setDownloadBehavior", "DOM.setFileInputFiles"} {
		if got := g.ask(1, method, `{}`); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := g.ask(2, "Target.sendMessageToTarget", `{"sessionId":"S9","message":"{\"id\":1,\"method\":\"Runtime.evaluate\"}"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a session inside a session: %s", got)
	}
	if got := g.ask(3, "Page.navigate", `{"url":"file:///etc/passwd"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a file: %s", got)
	}
}

func TestUnderRulesForSitesTheBrowsersOwnPagesAreClosed(t *testing.T) {
	r := newRoom(t, policy.Policy{Sites: policy.Sites{Block: []string{"bad.example"}}})
	g := r.guest()
	for _, address := range []string{"chrome://extensions", "devtools://devtools/bundled/inspector.html", "chrome-extension://abc/x.html"} {
		if got := g.ask(1, "Page.navigate", `{"url":"`+address+`"}`); !strings.Contains(got, "was not opened") {
			t.Errorf("%s: %s", address, got)
		}
	}
	if got := g.ask(2, "Page.navigate", `{"url":"https://good.example/"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a site: %s", got)
	}
	// Nor inside another command.
	r.browser.mu.Lock()
	session := fmt.Sprintf("S%d", r.browser.attached)
	r.browser.mu.Unlock()
	for name, url := range map[string]string{"GOOD": "https://good.example/", "BAD": "chrome://settings/"} {
		r.browser.event(session, "Target.attachedToTarget", map[string]any{"sessionId": name, "targetInfo": map[string]any{"targetId": "T" + name, "type": "page", "url": url}})
		g.hear()
	}
	for _, c := range []struct{ session, message, says string }{
		{"GOOD", `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`, `"result"`},
		{"GOOD", `{"id":1,"method":"Page.navigate","params":{"url":"https://good.example/2"}}`, `"result"`},
		{"GOOD", `{"id":1,"method":"Page.navigate","params":{"url":"chrome://extensions"}}`, "was not opened"},
		{"GOOD", `{"id":1,"method":"Target.createTarget","params":{"url":"chrome://extensions"}}`, "was not opened"},
		{"BAD", `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`, "is closed to agents"},
		{"BAD", `{"id":1,"method":"Page.navigate","params":{"url":"https://good.example/"}}`, `"result"`},
		{"UNKNOWN", `{"id":1,"method":"Runtime.evaluate"}`, "Sessions inside sessions"},
		{"GOOD", `{"id":1,"method":"Target.sendMessageToTarget","params":{"sessionId":"x","message":"{\"id\":1,\"method\":\"Runtime.evaluate\"}"}}`, "Sessions inside sessions"},
	} {
		params, _ := json.Marshal(map[string]string{"sessionId": c.session, "message": c.message})
		if got := g.ask(3, "Target.sendMessageToTarget", string(params)); !strings.Contains(got, c.says) {
			t.Errorf("%s inside %s: %s", c.message, c.session, got)
		}
	}
}

func TestGuardedAllowsAList(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Allow: []string{"good.example"}}})
	g := r.guest()
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
		{"Target.sendMessageToTarget", `{"sessionId":"x","message":"{\"id\":1,\"method\":\"A.b\"}"}`, "is not open to programs"},
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
			before := len(r.browser.got(c.method))
			got := g.ask(7, c.method, c.params)
			if c.says == "" {
				if !strings.Contains(got, `"result"`) {
					t.Fatalf("heard %s", got)
				}
				return
			}
			if !strings.Contains(got, c.says) || !strings.Contains(got, `"error"`) {
				t.Fatalf("heard %s", got)
			}
			if len(r.browser.got(c.method)) != before {
				t.Fatal("it reached the browser")
			}
		})
	}
	t.Run("a method behind an escape is the same method", func(t *testing.T) {
		g.send(`{"id":9,"method":"Runtime.eval\u0075ate","params":{"expression":"1"}}`)
		if got := g.hear(); !strings.Contains(got, "run scripts") {
			t.Fatalf("heard %s", got)
		}
	})
	t.Run("the method twice", func(t *testing.T) {
		g.send(`{"id":9,"method":"Page.enable","method":"Runtime.evaluate"}`)
		if got := g.hear(); !strings.Contains(got, "twice") {
			t.Fatalf("heard %s", got)
		}
	})
}

func TestReadOnlyLooks(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.ReadOnly})
	g := r.guest()
	for method, ok := range map[string]bool{"Page.captureScreenshot": true, "DOM.getDocument": true, "Accessibility.getFullAXTree": true, "Page.getFrameTree": true,
		"Emulation.setDeviceMetricsOverride": true, "Page.navigate": false, "Input.insertText": false, "Page.close": false, "Target.createTarget": false} {
		if got := g.ask(1, method, `{"url":"about:blank","text":"x"}`); strings.Contains(got, `"result"`) != ok {
			t.Errorf("%s: %s", method, got)
		}
	}
	t.Run("Browser.close ends the program's own connection", func(t *testing.T) {
		if got := g.ask(2, "Browser.close", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("heard %s", got)
		}
		if why := g.closed(); !strings.Contains(why, "stays open") {
			t.Fatalf("it ended with %s", why)
		}
		select {
		case <-r.browser.closed:
			t.Fatal("the profile closes")
		default:
		}
	})
}

// What a page notices is not passed on where programs may only look; clients that do it with every page work all the same.
func TestWhoeverLooksLeavesThePageAlone(t *testing.T) {
	dressing := []string{"Emulation.setDeviceMetricsOverride", "Emulation.clearDeviceMetricsOverride", "Emulation.setEmulatedMedia", "Emulation.setFocusEmulationEnabled", "Emulation.setScrollbarsHidden", "Emulation.setTouchEmulationEnabled", "Emulation.setVisibleSize"}
	for preset, passed := range map[policy.Preset]int{policy.ReadOnly: 0, policy.Guarded: 1} {
		r := newRoom(t, policy.Policy{Preset: preset})
		g := r.guest()
		for i, method := range dressing {
			if got := g.ask(i, method, `{}`); !strings.Contains(got, `"result"`) || len(r.browser.got(method)) != passed {
				t.Errorf("%s: %s: %s, passed on %d times", preset, method, got, len(r.browser.got(method)))
			}
		}
		for i, c := range [][2]string{{"Page.printToPDF", `{}`}, {"Browser.setWindowBounds", `{}`}, {"Browser.setContentsSize", `{}`}, {"Page.captureScreenshot", `{"captureBeyondViewport":true}`}} {
			if got := g.ask(20+i, c[0], c[1]); strings.Contains(got, `"result"`) != (passed == 1) || len(r.browser.got(c[0])) != passed {
				t.Errorf("%s: %s: %s", preset, c[0], got)
			}
		}
		if got := g.ask(30, "Page.captureScreenshot", `{"captureBeyondViewport":false,"clip":{"x":0,"y":0,"width":9,"height":9,"scale":1}}`); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: a picture: %s", preset, got)
		}
	}
}

func TestAPersonIsAsked(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded})
	g := r.guest()
	decide := func(yes bool) policy.Request {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if all := r.desk.State().Requests; len(all) == 1 {
				if err := r.desk.Decide(all[0].ID, yes, false); err != nil {
					t.Fatal(err)
				}
				return all[0]
			}
			if time.Now().After(deadline) {
				t.Fatal("nobody asks")
			}
		}
	}
	g.send(`{"id":1,"method":"DOM.setFileInputFiles","params":{"files":["/etc/passwd"],"backendNodeId":3}}`)
	g.send(`{"id":2,"method":"Page.getFrameTree"}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := g.ws.Ping(ctx); err != nil {
		t.Fatalf("while a command waits nobody answers pings: %v", err)
	}
	asked := decide(true)
	if asked.Class != policy.Upload || !strings.Contains(asked.What, "/etc/passwd") || asked.Agent.Name != "tester" || asked.Agent.PID != 42 {
		t.Fatalf("asked %+v", asked)
	}
	if one, two := g.hear(), g.hear(); !strings.Contains(one, `"id":1`) || !strings.Contains(one, `"result"`) || !strings.Contains(two, `"id":2`) {
		t.Fatalf("heard %s and %s", one, two)
	}
	g.send(`{"id":3,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/tmp"}}`)
	decide(false)
	if got := g.hear(); !strings.Contains(got, "has refused") {
		t.Fatalf("heard %s", got)
	}
	if len(r.browser.got("Browser.setDownloadBehavior")) > 0 {
		t.Fatal("it reached the browser")
	}
}

func TestTheDeskHoldsPrograms(t *testing.T) {
	t.Run("taken over: commands wait in order, and nobody else waits for them", func(t *testing.T) {
		r := newRoom(t, policy.Policy{})
		g := r.guest()
		g.ask(1, "Page.enable", `{}`)
		r.desk.TakeOver()
		for i := range 20 {
			g.send(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"n":%d}}`, 10+i, i))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := g.ws.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-g.in:
			t.Fatalf("it went on: %s", got)
		case <-time.After(50 * time.Millisecond):
		}
		if n := len(r.browser.got("Runtime.evaluate")); n > 0 {
			t.Fatalf("%d commands reached the browser", n)
		}
		r.desk.GiveBack("")
		for i := range 20 {
			if got := g.hear(); !strings.HasPrefix(got, fmt.Sprintf(`{"id":%d,`, 10+i)) {
				t.Fatalf("heard %s in place %d", got, i)
			}
		}
		for i, c := range r.browser.got("Runtime.evaluate") {
			if string(c.Params) != fmt.Sprintf(`{"n":%d}`, i) {
				t.Fatalf("in place %d the browser got %s", i, c.Params)
			}
		}
	})
	t.Run("a target that waits for a program that has to wait is let go", func(t *testing.T) {
		r := newRoom(t, policy.Policy{})
		g := r.guest()
		g.ask(1, "Page.enable", `{}`)
		r.browser.mu.Lock()
		session := fmt.Sprintf("S%d", r.browser.attached)
		r.browser.mu.Unlock()
		r.desk.TakeOver()
		g.send(`{"id":2,"method":"Page.reload"}`)
		r.browser.event(session, "Target.attachedToTarget", map[string]any{"sessionId": "CHILD", "waitingForDebugger": true})
		g.hear()
		g.send(`{"id":3,"method":"Page.enable","sessionId":"CHILD"}`)
		for deadline := time.Now().Add(time.Minute); len(r.browser.got("Runtime.runIfWaitingForDebugger")) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("it waits")
			}
		}
		r.desk.GiveBack("")
	})
	t.Run("panic cuts and keeps out", func(t *testing.T) {
		r := newRoom(t, policy.Policy{})
		g := r.guest()
		g.ask(1, "Page.enable", `{}`)
		r.desk.Suspend(true)
		if why := g.closed(); !strings.Contains(why, "has cut off every agent") {
			t.Fatalf("it ended with %s", why)
		}
		if status, body := r.http("GET", "/json/version", ""); status != 403 || !strings.Contains(body, "cut off") {
			t.Fatalf("%d %s", status, body)
		}
		if status, body := r.upgrade(r.Path(), ""); status != 403 || !strings.Contains(body, "cut off") {
			t.Fatalf("%d %s", status, body)
		}
		for deadline := time.Now().Add(time.Minute); len(r.browser.got("Target.detachFromTarget")) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("its session is still attached")
			}
		}
		r.desk.Suspend(false)
		r.guest().ask(1, "Page.enable", `{}`)
	})
	t.Run("off cuts, also one who waits", func(t *testing.T) {
		r := newRoom(t, policy.Policy{})
		g := r.guest()
		r.desk.TakeOver()
		g.send(`{"id":1,"method":"Page.reload"}`)
		r.desk.Set(policy.Policy{Preset: policy.Off})
		if why := g.closed(); !strings.Contains(why, "not allowed in this profile") {
			t.Fatalf("it ended with %s", why)
		}
		if len(r.browser.got("Page.reload")) > 0 {
			t.Fatal("it reached the browser")
		}
	})
	t.Run("a tighter policy ends a connection, a looser one does not", func(t *testing.T) {
		r := newRoom(t, policy.Policy{})
		g := r.guest()
		g.ask(1, "Runtime.evaluate", `{}`)
		r.desk.Set(policy.Policy{Preset: policy.Guarded})
		if why := g.closed(); !strings.Contains(why, "changed what agents may do") {
			t.Fatalf("it ended with %s", why)
		}
		g = r.guest()
		if got := g.ask(1, "Runtime.evaluate", `{}`); !strings.Contains(got, "run scripts") {
			t.Fatalf("heard %s", got)
		}
		r.desk.Set(policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Script, policy.Yes)})
		if got := g.ask(2, "Runtime.evaluate", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("heard %s", got)
		}
	})
	t.Run("one driver at a time", func(t *testing.T) {
		r := newRoom(t, policy.Policy{OneDriver: true})
		one, two := r.guest(), r.guest()
		one.ask(1, "Page.reload", `{}`)
		if got := two.ask(1, "Page.getFrameTree", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("looking: %s", got)
		}
		two.send(`{"id":2,"method":"Page.reload"}`)
		select {
		case got := <-two.in:
			t.Fatalf("the second one acts: %s", got)
		case <-time.After(50 * time.Millisecond):
		}
		_ = one.ws.CloseNow()
		if got := two.hear(); !strings.Contains(got, `"result"`) {
			t.Fatalf("after the first has gone: %s", got)
		}
	})
}

func (r *room) http(method, path, token string) (int, string) {
	return r.request(method, path, token, nil)
}

func (r *room) upgrade(path, token string) (int, string) {
	return r.request("GET", path, token, http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}})
}

func (r *room) request(method, path, token string, header http.Header) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, fmt.Sprintf("http://127.0.0.1:%d%s", r.Port(), path), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusSwitchingProtocols {
		return res.StatusCode, ""
	}
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

func TestAGuardedPortNeedsACredential(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Block: []string{"bad.example"}}})
	for _, path := range []string{"/json/version", "/json", "/json/list", "/json/new?about:blank", "/json/close/T", "/json/activate/T", "/json/protocol"} {
		for _, token := range []string{"", "wrong"} {
			status, body := r.http("PUT", path, token)
			if status != 401 || strings.Contains(body, r.Path()) || !strings.Contains(body, "owner.token") || !strings.Contains(body, "A start that carries it") ||
				!strings.Contains(body, "cove token create NAME --home '/data of/mine'") {
				t.Errorf("%s with %q: %d %s", path, token, status, body)
			}
			if told := strings.Contains(body, "is not one of Cove's"); told != (token != "") {
				t.Errorf("%s with %q: a wrong token is told from none: %s", path, token, body)
			}
		}
	}
	if status, _ := r.upgrade("/devtools/page/T", ""); status != 401 {
		t.Errorf("a page's socket: %d", status)
	}
	if status, body := r.http("GET", "/json/version", "right"); status != 200 || !strings.Contains(body, r.Path()) {
		t.Errorf("with the token: %d %s", status, body)
	}
	if status, _ := r.upgrade(r.Path(), ""); status != 101 {
		t.Errorf("the browser's own path: %d", status)
	}
	for path, want := range map[string]int{"/json/new?file:///etc/passwd": 403, "/json/new?https://bad.example/": 403, "/json/new?about:blank": 200} {
		if status, body := r.http("PUT", path, "right"); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	r.desk.Set(policy.Policy{Preset: policy.ReadOnly})
	if status, body := r.http("PUT", "/json/new?about:blank", "right"); status != 403 || !strings.Contains(body, "click, type and navigate") {
		t.Errorf("acting under read-only: %d %s", status, body)
	}
}

func TestTheJournalHasWhatProgramsDo(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded})
	g := r.guest()
	g.ask(1, "Input.insertText", `{"text":"hunter2"}`)
	g.ask(2, "Runtime.evaluate", `{"expression":"1+1"}`)
	g.ask(3, "Page.getFrameTree", `{}`)
	g.ask(4, "Page.navigate", `{"url":"https://me:hunter2@a.example/?q=1"}`)
	g.ask(5, "Network.setExtraHTTPHeaders", `{"headers":{"Authorization":"hunter2"}}`)
	_ = g.ws.CloseNow()
	last := r.notes.await(t, "disconnected")
	if last.Agent.Name != "tester" || last.Agent.PID != 42 || last.Agent.Kind != policy.Program {
		t.Errorf("who: %+v", last.Agent)
	}
	var names []string
	for _, e := range r.notes.entries {
		names = append(names, e.Name+" "+e.Outcome)
		if raw, _ := json.Marshal(e); strings.Contains(string(raw), "hunter2") {
			t.Errorf("it tells a secret: %s", raw)
		}
	}
	want := []string{"connected ok", "Input.insertText ok", "Runtime.evaluate refused", "Page.navigate ok", "Network.setExtraHTTPHeaders ok", "looked ok", "disconnected ok"}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "looked ok" })
	want = slices.DeleteFunc(want, func(n string) bool { return n == "looked ok" })
	if !slices.Equal(names, want) {
		t.Errorf("got %v", names)
	}
	if e := r.notes.await(t, "looked"); string(e.Args) != `{"Page.getFrameTree":1}` {
		t.Errorf("looked: %s", e.Args)
	}
	if e := r.notes.await(t, "Runtime.evaluate"); !strings.Contains(string(e.Args), "1+1") || e.Error == "" || e.Took <= 0 {
		t.Errorf("refused: %+v", e)
	}
}

func TestPagesThatAreClosedToAgents(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Block: []string{"bad.example"}}})
	g := r.guest()
	g.ask(1, "Page.enable", `{}`)
	r.browser.mu.Lock()
	watching, session := "S1", fmt.Sprintf("S%d", r.browser.attached)
	r.browser.mu.Unlock()
	r.browser.event(session, "Target.attachedToTarget", map[string]any{"sessionId": "CHILD", "targetInfo": map[string]any{"targetId": "T", "type": "page", "url": "https://good.example/"}})
	g.hear()
	ask := func(method string) string {
		t.Helper()
		g.send(`{"id":5,"method":"` + method + `","sessionId":"CHILD","params":{"url":"about:blank"}}`)
		return g.hear()
	}
	if got := ask("DOM.getDocument"); !strings.Contains(got, `"result"`) {
		t.Fatalf("a good page: %s", got)
	}
	for _, address := range []string{"chrome://settings/", "file:///etc/passwd", "https://bad.example/"} {
		r.browser.event(watching, "Target.targetInfoChanged", map[string]any{"targetInfo": map[string]any{"targetId": "T", "type": "page", "url": address}})
		for deadline := time.Now().Add(time.Minute); r.mux.target("T").URL != address; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the gate does not know where the page is")
			}
		}
		for _, method := range []string{"DOM.getDocument", "Page.captureScreenshot", "Input.insertText", "Accessibility.getFullAXTree"} {
			if got := ask(method); !strings.Contains(got, "is closed to agents") {
				t.Errorf("%s on %s: %s", method, address, got)
			}
		}
		for _, method := range []string{"Page.navigate", "Page.getFrameTree", "Runtime.runIfWaitingForDebugger"} {
			if got := ask(method); !strings.Contains(got, `"result"`) {
				t.Errorf("%s on %s: %s", method, address, got)
			}
		}
	}
}

func TestAFilledPasswordFieldMakesPressesAsk(t *testing.T) {
	attributes := func(pairs ...string) (texts []string, list []int) {
		for i, s := range pairs {
			texts, list = append(texts, s), append(list, i)
		}
		return texts, list
	}
	for _, c := range []struct {
		pairs []string
		want  bool
	}{
		{[]string{"TYPE", " Password "}, true},
		{[]string{"autocomplete", "section-a cc-number"}, true},
		{[]string{"autocomplete", "current-password"}, true},
		{[]string{"type", "text", "name", "password"}, true},
		{[]string{"id", "cardNumber"}, true},
		{[]string{"type", "checkbox", "name", "show_password"}, false},
		{[]string{"type", "text", "name", "user"}, false},
	} {
		texts, list := attributes(c.pairs...)
		if got := delicate(list, func(i int) string { return texts[i] }); got != c.want {
			t.Errorf("%v: %v", c.pairs, got)
		}
	}
	r := newRoom(t, policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Submit, policy.No)})
	r.browser.mu.Lock()
	r.browser.filled = true
	r.browser.mu.Unlock()
	g := r.guest()
	for params, asks := range map[string]bool{
		`{"type":"mousePressed","x":1,"y":1}`:                       true,
		`{"type":"mouseMoved","x":1,"y":1}`:                         false,
		`{"type":"keyDown","key":"a","text":"a"}`:                   false,
		`{"type":"keyDown","key":"Enter"}`:                          true,
		`{"type":"rawKeyDown","windowsVirtualKeyCode":13}`:          true,
		`{"type":"char","text":"\r"}`:                               true,
		`{"type":"keyDown","key":"a","commands":["insertNewline"]}`: true,
		`{"type":"keyDown","key":"s","modifiers":1}`:                true,
		`{"type":"keyUp","key":"Enter"}`:                            false,
		`{"type":"keyUp","code":"Space"}`:                           true,
		`{"type":"rawKeyDown","windowsVirtualKeyCode":1.3e1}`:       true,
		`{"type":"keyDown","code":"NumpadEnter"}`:                   true,
		`{"type":"mouseReleased","x":1,"y":1}`:                      true,
		`{"text":"one\nline"}`:                                      true,
		`{"text":"one line"}`:                                       false,
	} {
		method := "Input.dispatchKeyEvent"
		switch {
		case strings.Contains(params, "mouse"):
			method = "Input.dispatchMouseEvent"
		case strings.HasPrefix(params, `{"text"`):
			method = "Input.insertText"
		}
		if got := g.ask(1, method, params); strings.Contains(got, "password or a payment") != asks {
			t.Errorf("%s: %s", params, got)
		}
	}
	if got := g.ask(2, "Network.replayXHR", `{"requestId":"1"}`); !strings.Contains(got, "password or a payment") {
		t.Errorf("sending it again: %s", got)
	}
	field := func(filled, shown bool) {
		r.browser.mu.Lock()
		defer r.browser.mu.Unlock()
		r.browser.filled, r.browser.shown = filled, shown
	}
	passes := func(what, params string) {
		t.Helper()
		if got := g.ask(2, "Input.dispatchMouseEvent", params); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: %s", what, got)
		}
	}
	refused := func(what, params string) {
		t.Helper()
		if got := g.ask(2, "Input.dispatchMouseEvent", params); !strings.Contains(got, "password or a payment") {
			t.Errorf("%s: %s", what, got)
		}
	}
	const press, release = `{"type":"mousePressed","x":1,"y":1}`, `{"type":"mouseReleased","x":1,"y":1}`
	field(false, false)
	passes("nothing is filled", press)
	field(true, false)
	refused("filled between the press and its release", release)
	field(true, true)
	refused("a field that has been for a password", press)
	r.desk.Set(policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Submit, policy.Yes)})
	passes("with the right", press)
}

// A press that the person has allowed is released without another question.
func TestAPressIsAskedAboutOnce(t *testing.T) {
	r := newRoom(t, policy.Policy{Preset: policy.Guarded})
	r.browser.mu.Lock()
	r.browser.filled = true
	r.browser.mu.Unlock()
	g := r.guest()
	for range 2 {
		g.send(`{"id":1,"method":"Input.dispatchMouseEvent","params":{"type":"mousePressed","x":1,"y":1}}`)
		for deadline := time.Now().Add(time.Minute); len(r.desk.State().Requests) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nobody is asked")
			}
		}
		if err := r.desk.Decide(r.desk.State().Requests[0].ID, true, false); err != nil {
			t.Fatal(err)
		}
		if got := g.hear(); !strings.Contains(got, `"result"`) {
			t.Fatalf("the press: %s", got)
		}
		if got := g.ask(2, "Input.dispatchMouseEvent", `{"type":"mouseReleased","x":1,"y":1}`); !strings.Contains(got, `"result"`) {
			t.Errorf("the release: %s", got)
		}
	}
}

// What a page tells by itself is not passed on while it is closed, but for where it is on its way.
func TestEventsOfClosedPagesAreNotTold(t *testing.T) {
	for _, p := range []policy.Policy{{Preset: policy.Guarded}, {Preset: policy.ReadOnly}, {Sites: policy.Sites{Block: []string{"bad.example"}}}} {
		r := newRoom(t, p)
		g := r.guest()
		g.ask(1, "Target.getTargets", `{}`)
		r.browser.mu.Lock()
		watching, session := "S1", fmt.Sprintf("S%d", r.browser.attached)
		r.browser.mu.Unlock()
		r.browser.event(session, "Target.attachedToTarget", map[string]any{"sessionId": "CHILD", "targetInfo": map[string]any{"targetId": "T", "type": "page", "url": "https://good.example/"}})
		g.hear()
		for address, told := range map[string]bool{"https://good.example/": true, "chrome://settings/": false} {
			r.browser.event(watching, "Target.targetInfoChanged", map[string]any{"targetInfo": map[string]any{"targetId": "T", "type": "page", "url": address}})
			for _, method := range []string{"Page.screencastFrame", "Runtime.consoleAPICalled", "DOM.setChildNodes", "Accessibility.loadComplete", "Page.frameNavigated"} {
				r.browser.event("CHILD", method, map[string]any{"sessionId": 4, "data": "words of the page"})
			}
			heard := ""
			for !strings.Contains(heard, "Page.frameNavigated") {
				heard += g.hear()
			}
			for _, method := range []string{"Page.screencastFrame", "Runtime.consoleAPICalled", "DOM.setChildNodes", "Accessibility.loadComplete"} {
				if strings.Contains(heard, method) != told {
					t.Errorf("%s of %s under %s: %s", method, address, p.Preset, heard)
				}
			}
		}
		for deadline := time.Now().Add(time.Minute); len(r.browser.got("Page.screencastFrameAck")) != 1; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the browser waits until somebody has seen the picture")
			}
		}
	}
}
