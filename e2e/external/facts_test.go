//go:build e2e

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// These tests hold what Cove relies on in a browser that it does not start. When one of them fails, the browser has
// changed, and internal/external has to be looked at.

// devtools is a connection to a person's browser without Cove.
type devtools struct {
	t    *testing.T
	ws   *websocket.Conn
	next int
	seen func(raw []byte) // is given every message, if it is not nil
}

type object = map[string]any

func (d *devtools) call(session, method string, params object) (result object, err error) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), harness.Patience)
	defer cancel()
	return d.callUntil(ctx, session, method, params)
}

func (d *devtools) callUntil(
	ctx context.Context, session, method string, params object,
) (result object, err error) {
	d.next++
	if params == nil {
		params = object{}
	}
	message := object{"id": d.next, "method": method, "params": params}
	if session != "" {
		message["sessionId"] = session
	}
	raw, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	if err := d.ws.Write(ctx, websocket.MessageText, raw); err != nil {
		return nil, err
	}
	for {
		_, raw, err := d.ws.Read(ctx)
		if err != nil {
			return nil, err
		}
		if d.seen != nil {
			d.seen(raw)
		}
		var got struct {
			ID     int
			Result object
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			return nil, err
		}
		switch {
		case got.ID != d.next:
		case got.Error != nil:
			return nil, errors.New(got.Error.Message)
		default:
			return got.Result, nil
		}
	}
}

func (d *devtools) must(session, method string, params object) object {
	d.t.Helper()
	got, err := d.call(session, method, params)
	if err != nil {
		d.t.Fatalf("%s: %v", method, err)
	}
	return got
}

// attach returns a session of a tab.
func (d *devtools) attach(target any) string {
	d.t.Helper()
	return fmt.Sprint(d.must("", "Target.attachToTarget", object{"targetId": target, "flatten": true})["sessionId"])
}

// pages returns the tabs whose addresses have a text.
func (d *devtools) pages(text string) (found []object) {
	d.t.Helper()
	all, _ := d.must("", "Target.getTargets", nil)["targetInfos"].([]any)
	for _, one := range all {
		info, _ := one.(object)
		if info["type"] == "page" && strings.Contains(fmt.Sprint(info["url"]), text) {
			found = append(found, info)
		}
	}
	return found
}

// values returns the cookies that a command of a session reads.
func (d *devtools) values(session, method string) string {
	d.t.Helper()
	raw, err := json.Marshal(d.must(session, method, nil))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(raw)
}

func port(p *harness.Person) string {
	p.T.Helper()
	raw, err := os.ReadFile(filepath.Join(p.DataDir, "DevToolsActivePort"))
	if err != nil {
		p.T.Fatal(err)
	}
	at, _, _ := strings.Cut(string(raw), "\n")
	return at
}

// dial asks the browser for a connection.
func dial(ctx context.Context, p *harness.Person, path string, header http.Header) (*websocket.Conn, int, error) {
	ws, r, err := websocket.Dial(ctx, "ws://127.0.0.1:"+port(p)+path, &websocket.DialOptions{HTTPHeader: header})
	status := 0
	if r != nil {
		status = r.StatusCode
	}
	if ws != nil {
		ws.SetReadLimit(-1)
	}
	return ws, status, err
}

// connect asks the browser for a connection, and the person answers.
func connect(p *harness.Person, answer func()) (*devtools, int) {
	p.T.Helper()
	var ws *websocket.Conn
	var status int
	done := make(chan struct{})
	go func() {
		defer close(done)
		ws, status, _ = dial(p.T.Context(), p, "/devtools/browser/any-name", nil)
	}()
	answer()
	<-done
	if ws == nil {
		return nil, status
	}
	p.T.Cleanup(func() { _ = ws.CloseNow() })
	return &devtools{t: p.T, ws: ws}, status
}

func TestFactsOfTheBrowsersQuestion(t *testing.T) {
	p := harness.NewPerson(t)
	for path, want := range map[string]int{"/json/version": 404, "/json/list": 404, "/": 404} {
		r, err := http.Get("http://127.0.0.1:" + port(p) + path) //nolint:noctx // a test
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("GET %s: %d", path, r.StatusCode)
		}
	}
	if _, status, err := dial(t.Context(), p, "/devtools/browser", http.Header{"Origin": {"https://a.test"}}); err == nil ||
		status != 403 {
		t.Errorf("a page: %d %v", status, err)
	}
	if _, status, err := dial(t.Context(), p, "/devtools/page/x", nil); err == nil || status != 403 {
		t.Errorf("a tab: %d %v", status, err)
	}
	if p.Asked() {
		t.Error("the browser asks for what it refuses")
	}
	if d, status := connect(p, p.Refuse); d != nil || status != 403 {
		t.Errorf("refused: %d", status)
	}

	// The name in the address is not checked. One consent serves many.
	d, _ := connect(p, p.Allow)
	if d == nil {
		t.Fatal("no connection")
	}
	for range 20 {
		session := fmt.Sprint(d.must("", "Target.attachToBrowserTarget", nil)["sessionId"])
		d.must(session, "Browser.getVersion", nil)
	}
	// Another connection is another question, also beside an open one. One that nobody waits for any more stays.
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = dial(ctx, p, "/devtools/browser", nil)
	}()
	harness.Wait(t, "a second question", p.Asked)
	cancel()
	<-done
	harness.Never(t, time.Second, func() string {
		if p.Asked() {
			return ""
		}
		return "the question has gone with the connection that asked"
	})
	p.Refuse()

	// The end of a connection is not the end of the browser. Browser.close is.
	if err := d.ws.CloseNow(); err != nil {
		t.Error(err)
	}
	d, _ = connect(p, p.Allow)
	if d == nil || !p.Open() {
		t.Fatal("no connection after the first one")
	}
	if _, err := d.call("", "Browser.close", nil); err != nil && !strings.Contains(err.Error(), "EOF") {
		t.Log(err)
	}
	harness.Wait(t, "the browser to quit", func() bool { return !p.Open() })
}

// A browser shows two profiles and a window without one: what a command reads that names none of them depends on the
// window in front.
func TestFactsOfSeveralProfiles(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.NewWindow("--profile-directory=Profile 1", "about:blank")
	s.login(p, "Profile 1", "bob")
	p.NewWindow("--profile-directory=Default", "--incognito", "data:text/html,nobody")
	p.Focus(0)
	d, _ := connect(p, p.Allow)
	if d == nil {
		t.Fatal("no connection")
	}
	tabs := d.pages("s1.localhost")
	if len(tabs) != 2 || tabs[0]["browserContextId"] == tabs[1]["browserContextId"] {
		t.Fatalf("the tabs are %v", tabs)
	}
	contexts := map[string]any{}
	for _, tab := range tabs {
		session := d.attach(tab["targetId"])
		own := d.values(session, "Network.getAllCookies")
		ann, bob := strings.Contains(own, "secret-ann"), strings.Contains(own, "secret-bob")
		if ann == bob {
			t.Fatalf("a tab reads the cookies of %v and %v", ann, bob)
		}
		contexts[map[bool]string{true: "ann", false: "bob"}[ann]] = tab["browserContextId"]
	}
	for window, one := range []struct{ profile, user, other string }{
		{"Default", "ann", "bob"}, {"Profile 1", "bob", "ann"},
	} {
		p.Focus(window)
		harness.Wait(t, "the window of "+one.user+" in front", func() bool {
			return d.must("", "Target.getBrowserContexts", nil)["defaultBrowserContextId"] == contexts[one.user]
		})
		for _, tab := range tabs { // whichever tab asks
			got := d.values(d.attach(tab["targetId"]), "Storage.getCookies")
			if !strings.Contains(got, "secret-"+one.user) || strings.Contains(got, "secret-"+one.other) {
				t.Errorf("with %s in front, Storage.getCookies reads the other profile", one.user)
			}
		}
		hidden := func(context any) (object, error) {
			return d.call("", "Target.createTarget",
				object{"url": "chrome://version", "browserContextId": context, "hidden": true})
		}
		if _, err := hidden(contexts[one.other]); err == nil {
			t.Error("a tab opens in the profile that is not in front")
		}
		made, err := hidden(contexts[one.user])
		if err != nil {
			t.Fatal(err)
		}
		session := d.attach(made["targetId"])
		harness.Wait(t, "the folder of the profile", func() bool {
			got := d.must(session, "Runtime.evaluate", object{"expression": "document.getElementById('profile_path')?.textContent"})
			return strings.HasSuffix(fmt.Sprint(got["result"].(object)["value"]), "/"+one.profile)
		})
		d.must("", "Target.closeTarget", object{"targetId": made["targetId"]})
	}
	got := d.must(d.attach(tabs[0]["targetId"]), "Runtime.evaluate", object{"expression": "navigator.webdriver"})
	if got["result"].(object)["value"] != false {
		t.Errorf("navigator.webdriver is %v", got)
	}
}

// Pages of one process share the numbers of their nodes, and only DOM.resolveNode looks in which page a node is.
func TestFactsOfNodesInOneProcess(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/open"))
	d, _ := connect(p, p.Allow)
	harness.Wait(t, "the tab", func() bool { return len(d.pages("/open")) == 1 })
	here := d.attach(d.pages("/open")[0]["targetId"])
	d.must(here, "Runtime.evaluate", object{"expression": `window.open("/secret-tab").document`, "userGesture": true})
	harness.Wait(t, "the other tab", func() bool { return len(d.pages("/secret-tab")) == 1 })
	there := d.attach(d.pages("/secret-tab")[0]["targetId"])
	node := d.nodeOf(there)
	d.must(here, "DOM.getDocument", nil)

	got := d.must(here, "DOM.getOuterHTML", object{"backendNodeId": node})
	if !strings.Contains(fmt.Sprint(got), "secret-tab") {
		t.Errorf("DOM.getOuterHTML looks where a node is: %v", got)
	}
	pushed, err := d.call(here, "DOM.pushNodesByBackendIdsToFrontend", object{"backendNodeIds": []any{node}})
	t.Logf("DOM.pushNodesByBackendIdsToFrontend: %v %v", pushed, err)
	if got, err := d.call(here, "DOM.resolveNode", object{"backendNodeId": node}); err == nil {
		t.Errorf("DOM.resolveNode finds a node of another page: %v", got)
	}
}

// nodeOf returns the number of the node of a page's text.
func (d *devtools) nodeOf(session string) any {
	d.t.Helper()
	var root object
	harness.Wait(d.t, "the page", func() bool {
		root = d.must(session, "DOM.getDocument", object{"depth": 0})["root"].(object)
		found, err := d.call(session, "DOM.querySelector", object{"nodeId": root["nodeId"], "selector": "p"})
		if err != nil || found["nodeId"] == 0.0 {
			return false
		}
		root = d.must(session, "DOM.describeNode", object{"nodeId": found["nodeId"]})["node"].(object)
		return true
	})
	return root["backendNodeId"]
}
