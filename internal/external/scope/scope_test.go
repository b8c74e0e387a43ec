package scope

import (
	"encoding/json"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/cdp"
)

// fake is a browser with some tabs. It obeys commands about them and answers everything else with {}.
type fake struct {
	t    *testing.T
	said chan []byte // what the Browser reads

	mu       sync.Mutex
	commands []string // what it got, without ids
	tabs     map[string]info
	shows    map[string]string // the address of what a tab shows, if that is another one than its own
	of       map[string]string // the targets of sessions
	sessions int
	watchers []string
	foreign  bool                     // the window of another profile is in front
	mute     string                   // the command that it does not answer
	hold     map[string]chan struct{} // commands that it answers later
	during   func()                   // called when it gets a screenshot to make
	gone     chan struct{}
}

const ours, theirs = "CTX-OURS", "CTX-THEIRS"

func newFake(t *testing.T, tabs ...info) *fake {
	f := &fake{t: t, said: make(chan []byte, 1000), tabs: map[string]info{}, gone: make(chan struct{}),
		shows: map[string]string{}, of: map[string]string{}}
	for _, i := range tabs {
		f.tabs[i.ID] = i
	}
	t.Cleanup(func() { close(f.gone) })
	return f
}

func (f *fake) Read() ([]byte, error) {
	select {
	case raw := <-f.said:
		return raw, nil
	case <-f.gone:
		return nil, io.EOF
	}
}

func (f *fake) say(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		f.t.Error(err)
	}
	f.said <- raw
}

type event struct {
	Method  string `json:"method"`
	Params  any    `json:"params"`
	Session string `json:"sessionId,omitempty"`
}

func (f *fake) Write(terminated []byte) error {
	var c struct {
		ID      int32          `json:"id"`
		Method  string         `json:"method"`
		Params  map[string]any `json:"params"`
		Session string         `json:"sessionId"`
	}
	if err := json.Unmarshal(terminated[:len(terminated)-1], &c); err != nil {
		f.t.Error(err)
	}
	raw, err := json.Marshal(c.Params)
	if err != nil {
		f.t.Error(err)
	}
	f.mu.Lock()
	during := f.during
	f.mu.Unlock()
	if c.Method == "Page.captureScreenshot" && during != nil {
		during()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, c.Method+" "+string(raw))
	if c.Method == f.mute {
		return nil
	}
	if until := f.hold[c.Method]; until != nil {
		go func() {
			<-until
			f.answer(c.ID, c.Session, c.Method, c.Params)
		}()
		return nil
	}
	f.answerLocked(c.ID, c.Session, c.Method, c.Params)
	return nil
}

func (f *fake) answer(id int32, session, method string, params map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answerLocked(id, session, method, params)
}

func (f *fake) answerLocked(id int32, session, method string, params map[string]any) {
	result, refused := f.obey(method, session, params)
	answer := map[string]any{"id": id, "result": result}
	if refused != "" {
		answer = map[string]any{"id": id, "error": map[string]any{"code": -32000, "message": refused}}
	}
	if session != "" {
		answer["sessionId"] = session
	}
	f.say(answer)
}

func (f *fake) obey(method, session string, params map[string]any) (result any, refused string) {
	target, _ := params["targetId"].(string)
	switch method {
	case "Target.attachToBrowserTarget", "Target.attachToTarget":
		f.sessions++
		id := "S" + strconv.Itoa(f.sessions)
		about := info{ID: "browser", Type: "browser"}
		if target != "" {
			about, f.of[id] = f.tabs[target], target
		}
		f.say(event{"Target.attachedToTarget", object{"sessionId": id, "targetInfo": about, "waitingForDebugger": false},
			session})
		return object{"sessionId": id}, ""
	case "Target.setDiscoverTargets":
		f.watchers = append(f.watchers, session)
		for _, i := range f.tabs {
			f.say(event{"Target.targetCreated", object{"targetInfo": i}, session})
		}
	case "Target.getTargets":
		list := []info{}
		for _, i := range f.tabs {
			list = append(list, i)
		}
		return object{"targetInfos": list}, ""
	case "Target.createTarget":
		if f.foreign {
			return nil, "Failed to find browser context"
		}
		f.open(info{ID: "NEW", Type: "page", URL: "about:blank", Context: ours})
		return object{"targetId": "NEW"}, ""
	case "Target.detachFromTarget":
		f.say(event{"Target.detachedFromTarget", object{"sessionId": params["sessionId"]}, session})
	case "Page.createIsolatedWorld":
		return object{"executionContextId": 7}, ""
	case "DOMDebugger.getEventListeners":
		return object{"listeners": []object{{"type": "click", "handler": object{"objectId": "h"}}}}, ""
	case "Page.getFrameTree":
		of := func(id, url, origin string) object {
			return object{"frame": object{"id": id, "url": url, "securityOrigin": origin}}
		}
		tree := of("OPEN", "https://a.test/x", "https://a.test")
		tree["childFrames"] = []object{of("SUB", "https://b.a.test/", "https://b.a.test"),
			of("EXT", "chrome-extension://x/", "chrome-extension://x"), of("INLINE", "about:srcdoc", "://")}
		return object{"frameTree": tree}, ""
	case "DOM.resolveNode":
		if params["backendNodeId"] == 66.0 {
			return nil, "Node with given id does not belong to the document"
		}
		return object{"object": object{"objectId": "o"}}, ""
	case "Page.getNavigationHistory":
		shown, other := f.shows[f.of[session]]
		if !other {
			shown = f.tabs[f.of[session]].URL
		}
		return object{"currentIndex": 1, "entries": []object{
			{"id": 1, "url": "chrome://settings/", "title": "secret"}, {"id": 2, "url": shown}}}, ""
	}
	return object{}, ""
}

// open tells of a tab, new or changed.
func (f *fake) open(i info) {
	method := "Target.targetCreated"
	if _, there := f.tabs[i.ID]; there {
		method = "Target.targetInfoChanged"
	}
	f.tabs[i.ID] = i
	for _, at := range f.watchers {
		f.say(event{method, object{"targetInfo": i}, at})
	}
}

// change is open for a test.
func (f *fake) change(i info) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open(i)
}

func (f *fake) got(command string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.commands {
		if strings.HasPrefix(c, command) {
			return true
		}
	}
	return false
}

// client talks to a Browser as the mux does.
type client struct {
	*Browser
	t    *testing.T
	last int32
	// heard are the events since the last call, as JSON.
	heard []string
}

func start(t *testing.T, f *fake) *client {
	t.Helper()
	b := New(f, slog.New(slog.DiscardHandler))
	if err := b.Start(t.Context(), ours); err != nil {
		t.Fatal(err)
	}
	return &client{Browser: b, t: t}
}

// call sends a command and returns the answer. Errors are texts.
func (c *client) call(session, method, params string) (result, failed string) {
	c.t.Helper()
	c.last++
	m := `{"id":` + string('0'+c.last%10) + `,"method":"` + method + `","params":` + params
	if session != "" {
		m += `,"sessionId":"` + session + `"`
	}
	if err := c.Write([]byte(m + "}\x00")); err != nil {
		c.t.Fatal(err)
	}
	for {
		raw, err := c.Read()
		if err != nil {
			c.t.Fatal(err)
		}
		var r struct {
			ID     *int32          `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *cdp.Error      `json:"error"`
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			c.t.Fatal(err)
		}
		switch {
		case r.ID == nil:
			c.heard = append(c.heard, string(raw))
		case *r.ID != c.last%10:
		case r.Error != nil:
			return "", r.Error.Message
		default:
			return string(r.Result), ""
		}
	}
}

// send sends a command whose answer hearsOf reads.
func (c *client) send(id int, session, method, params string) {
	c.t.Helper()
	m := `{"id":` + strconv.Itoa(id) + `,"method":"` + method + `","params":` + params + `,"sessionId":"` + session + `"}`
	if err := c.Write([]byte(m + "\x00")); err != nil {
		c.t.Fatal(err)
	}
}

// hearsOf reads messages until one has all the words.
func (c *client) hearsOf(words ...string) string {
	c.t.Helper()
	fits := func(raw string) bool {
		for _, w := range words {
			if !strings.Contains(raw, w) {
				return false
			}
		}
		return true
	}
	for i, raw := range c.heard {
		if fits(raw) {
			c.heard = c.heard[i+1:]
			return raw
		}
	}
	for {
		raw, err := c.Read()
		if err != nil {
			c.t.Fatalf("%v before %q", err, words)
		}
		if fits(string(raw)) {
			return string(raw)
		}
	}
}

func sessionIn(t *testing.T, raw string) string {
	t.Helper()
	var e struct {
		Params struct {
			SessionID string `json:"sessionId"`
		} `json:"params"`
	}
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		t.Fatal(err)
	}
	return e.Params.SessionID
}

var (
	mine   = info{ID: "MINE", Type: "page", Title: "secret", URL: "https://bank.test/secret", Context: ours}
	open   = info{ID: "OPEN", Type: "page", Title: "open", URL: "https://a.test/x", Context: ours}
	other  = info{ID: "OTHER", Type: "page", Title: "secret", URL: "https://c.test/secret", Context: theirs}
	inside = info{ID: "UI", Type: "browser_ui", URL: "chrome://secret", Context: ours}
)

func TestOnlySharedTabsExist(t *testing.T) {
	f := newFake(t, mine, open, other, inside)
	c := start(t, f)
	if list := c.Tabs(); len(list) != 2 {
		t.Errorf("the person can share %v", list)
	}
	if c.Share("OTHER", true) || c.Share("UI", true) || c.Share("none", true) || !c.Share("OPEN", true) {
		t.Error("the wrong tabs can be shared")
	}
	everything := ""
	for _, call := range [][2]string{
		{"Target.setDiscoverTargets", `{"discover":true,"filter":[{}]}`},
		{"Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true,"filter":[{}]}`},
		{"Target.getTargets", `{"filter":[{}]}`}, {"Target.getBrowserContexts", `{}`},
	} {
		got, failed := c.call("", call[0], call[1])
		everything += got
		if failed != "" {
			t.Errorf("%s: %s", call[0], failed)
		}
	}
	f.change(info{ID: "MINE", Type: "page", Title: "secret 2", URL: "https://bank.test/secret2", Context: ours})
	f.change(info{ID: "LATER", Type: "page", Title: "secret", URL: "https://d.test/secret", Context: ours})
	f.change(info{ID: "OPEN", Type: "page", Title: "changed", URL: "https://a.test/y", Context: ours})
	everything += strings.Join(c.heard, "") + c.hearsOf("Target.targetInfoChanged", "changed", `"page"`)
	if strings.Contains(everything, "secret") || !strings.Contains(everything, `"OPEN"`) {
		t.Error(everything)
	}
	for _, id := range []string{"MINE", "OTHER", "UI", "LATER", "none"} {
		for _, method := range []string{"Target.attachToTarget", "Target.getTargetInfo", "Target.closeTarget",
			"Target.activateTarget", "Browser.getWindowForTarget"} {
			if _, failed := c.call("", method, `{"targetId":"`+id+`","flatten":true}`); failed != errTarget.Message {
				t.Errorf("%s of %s: %q", method, id, failed)
			}
		}
	}
	for _, forbidden := range []string{"Target.setAutoAttach", "Target.closeTarget", "Browser.close"} {
		if f.got(forbidden) {
			t.Errorf("the browser got %s", forbidden)
		}
	}
}

func TestATabComesAndGoes(t *testing.T) {
	f := newFake(t, mine, open)
	c := start(t, f)
	c.call("", "Target.setDiscoverTargets", `{"discover":true}`)
	c.call("", "Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true}`)
	c.Share("OPEN", true)
	c.hearsOf("Target.targetCreated", "OPEN")
	at := sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
	if _, failed := c.call(at, "Runtime.enable", `{}`); failed != "" {
		t.Error(failed)
	}

	// While it shows a page of the browser's own it is gone.
	settings := open
	settings.URL, settings.Title = "chrome://settings/", "secret"
	f.change(settings)
	c.hearsOf("Target.targetDestroyed", "OPEN")
	c.hearsOf("Target.detachedFromTarget", at)
	if _, failed := c.call(at, "Runtime.enable", `{}`); failed == "" {
		t.Error("a command reaches the browser's settings")
	}
	f.change(open)
	at = sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))

	// What it opens is seen, and can be closed by nobody but the person.
	f.change(info{ID: "POP", Type: "page", URL: "https://a.test/pop", Opener: "OPEN", Context: ours})
	c.hearsOf("Target.attachedToTarget", "POP")
	c.call("", "Target.closeTarget", `{"targetId":"POP"}`)
	c.hearsOf("Target.targetDestroyed", "POP")
	f.change(info{ID: "POP2", Type: "page", URL: "https://c.test/", Opener: "MINE", Context: ours})
	c.Share("OPEN", false)
	c.hearsOf("Target.detachedFromTarget", at)
	if got, _ := c.call("", "Target.getTargets", `{}`); got != `{"targetInfos":[]}` {
		t.Error(got)
	}
	if f.got("Target.closeTarget") {
		t.Error("a tab of the person was closed")
	}
}

func TestAgentsOpenTabsInWindowsOfTheirOwn(t *testing.T) {
	f := newFake(t, mine)
	c := start(t, f)
	c.call("", "Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true}`)
	go func() { // a client that wants to see the beginning
		for !f.got("Target.attachToTarget") {
			<-time.After(time.Millisecond)
		}
	}()
	made, failed := c.call("", "Target.createTarget", `{"url":"about:blank","width":300}`)
	if made != `{"targetId":"NEW"}` || failed != "" {
		t.Fatal(made, failed)
	}
	if want := `Target.createTarget {"background":true,"browserContextId":"CTX-OURS","newWindow":true,` +
		`"url":"about:blank","width":300}`; !f.got(want) {
		t.Error(f.commands)
	}
	at := sessionIn(t, c.hearsOf("Target.attachedToTarget", "NEW"))
	c.call("", "Target.closeTarget", `{"targetId":"NEW"}`)
	if !f.got(`Target.closeTarget {"targetId":"NEW"}`) {
		t.Error("an agent's own tab stays")
	}
	_ = at
	for _, params := range []string{`{"url":"chrome://settings"}`, `{"url":"file:///etc/passwd"}`,
		`{"url":"https://a.test","hidden":true}`, `{"url":"https://a.test","browserContextId":"CTX-THEIRS"}`,
		`{"url":"chrome-extension://x/y.html"}`, `{"url":"view-source:https://a.test"}`} {
		if _, failed := c.call("", "Target.createTarget", params); failed == "" {
			t.Errorf("%s opens", params)
		}
	}
	f.foreign = true
	_, failed = c.call("", "Target.createTarget", `{"url":"https://a.test"}`)
	if !strings.Contains(failed, "another profile") {
		t.Error(failed)
	}
}

func TestCommandsOfASharedTab(t *testing.T) {
	f := newFake(t, open)
	c := start(t, f)
	c.Share("OPEN", true)
	c.call("", "Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`)
	at := sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
	f.say(event{"Runtime.executionContextCreated", object{"context": object{"id": 1, "uniqueId": "1.1",
		"origin": "https://a.test"}}, at})
	f.say(event{"Runtime.executionContextCreated", object{"context": object{"id": 2, "uniqueId": "2.2",
		"origin": "chrome-extension://secret"}}, at})
	f.say(event{"Page.loadEventFired", object{}, at})
	c.hearsOf("executionContextCreated")
	if raw := c.hearsOf(`"method"`); !strings.Contains(raw, "loadEventFired") {
		t.Errorf("an extension's scripts are told of: %s", raw)
	}
	for _, row := range []struct {
		method, params string
		ok             bool
	}{
		{"Runtime.evaluate", `{"expression":"1"}`, true},
		{"Runtime.evaluate", `{"expression":"1","contextId":1}`, true},
		{"Runtime.evaluate", `{"expression":"1","uniqueContextId":"1.1"}`, true},
		{"Runtime.evaluate", `{"expression":"1","contextId":2}`, false},
		{"Runtime.evaluate", `{"expression":"1","uniqueContextId":"2.2"}`, false},
		{"Runtime.callFunctionOn", `{"functionDeclaration":"f","executionContextId":3}`, false},
		{"DOM.resolveNode", `{"backendNodeId":5,"executionContextId":2}`, false},
		{"DOM.getOuterHTML", `{"backendNodeId":5}`, true},
		{"DOM.getOuterHTML", `{"backendNodeId":66}`, false},
		{"DOM.focus", `{"backendNodeId":66}`, false},
		{"DOM.setFileInputFiles", `{"files":[],"backendNodeId":66}`, false},
		{"Page.navigate", `{"url":"https://b.test"}`, true},
		{"Page.navigate", `{"url":"chrome://settings"}`, false},
		{"Page.navigate", `{"url":" file:///etc/passwd"}`, false},
		{"Page.navigate", `{"url":"javascript:alert(1)"}`, false},
		{"Page.navigate", `{"url":"blob:chrome-extension://x/y"}`, false},
		{"Page.navigateToHistoryEntry", `{"entryId":1}`, false},
		{"Page.navigateToHistoryEntry", `{"entryId":2}`, true},
		{"Page.captureScreenshot", `{}`, true},
		{"Page.captureScreenshot", `{"fromSurface":false}`, false},
		{"Network.getCookies", `{}`, true},
		{"Network.getCookies", `{"urls":["https://a.test/y"]}`, true},
		{"Network.getCookies", `{"urls":["https://a.test/y","https://bank.test/"]}`, false},
		{"Network.setCookie", `{"name":"a","value":"b"}`, true},
		{"Network.setCookie", `{"name":"a","value":"b","domain":".a.test"}`, true},
		{"Network.setCookie", `{"name":"a","value":"b","domain":"bank.test"}`, false},
		{"Network.setCookie", `{"name":"a","value":"b","url":"https://bank.test/"}`, false},
		{"Network.setCookies", `{"cookies":[{"name":"a","value":"b","domain":"bank.test"}]}`, false},
		{"Network.deleteCookies", `{"name":"a","url":"https://bank.test"}`, false},
		{"IndexedDB.requestDatabaseNames", `{"securityOrigin":"https://a.test"}`, true},
		{"IndexedDB.requestDatabaseNames", `{"storageKey":"https://bank.test/"}`, false},
		{"DOMStorage.getDOMStorageItems", `{"storageId":{"storageKey":"https://a.test/","isLocalStorage":true}}`, true},
		{"DOMStorage.getDOMStorageItems", `{"storageId":{"securityOrigin":"https://bank.test"}}`, false},
		{"Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`, false},
		{"Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":false}`, true},
		{"Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":false}`, false},
		{"Network.getAllCookies", `{}`, false}, {"Storage.getCookies", `{}`, false}, {"Tracing.start", `{}`, false},
		{"HeapProfiler.takeHeapSnapshot", `{}`, false}, {"Debugger.enable", `{}`, false},
		{"Emulation.setTimezoneOverride", `{"timezoneId":"UTC"}`, false},
		{"Future.command", `{}`, false}, {"Page.bringToFront", `{}`, true},
	} {
		if _, failed := c.call(at, row.method, row.params); (failed == "") != row.ok {
			t.Errorf("%s %s: %q", row.method, row.params, failed)
		}
	}
	if _, failed := c.call(at, "Page.createIsolatedWorld", `{"frameId":"OPEN","grantUniveralAccess":true}`); failed != "" {
		t.Error(failed)
	}
	if !f.got(`Page.createIsolatedWorld {"frameId":"OPEN"}`) || f.got("Page.bringToFront") {
		t.Error("a world gets access to other origins, or the focus moves")
	}
	for _, method := range []string{"Storage.getCookies", "Tracing.start", "Fetch.enable", "SystemInfo.getInfo",
		"Runtime.evaluate", "Browser.close", "Browser.grantPermissions", "Target.exposeDevToolsProtocol", "IO.read"} {
		if _, failed := c.call("", method, `{}`); failed == "" {
			t.Errorf("the browser's own session passes %s", method)
		}
	}
}

// Some clients find pages only below targets of the type tab.
func TestAPageIsFoundBelowItsTabTarget(t *testing.T) {
	f := newFake(t, open, mine)
	c := start(t, f)
	c.Share("OPEN", true)
	c.call("", "Target.setAutoAttach",
		`{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true,"filter":[{"type":"page","exclude":true},{}]}`)
	strip := sessionIn(t, c.hearsOf("Target.attachedToTarget", `"type":"tab"`))
	if all := strings.Join(c.heard, ""); strings.Contains(all, `"OPEN"`) {
		t.Errorf("the page was attached to: %s", all)
	}
	c.call(strip, "Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true,"filter":[{}]}`)
	raw := c.hearsOf("Target.attachedToTarget", `"OPEN"`)
	if !strings.HasSuffix(raw, `"sessionId":"`+strip+`"}`) {
		t.Errorf("it is told elsewhere: %s", raw)
	}
	page := sessionIn(t, raw)
	if _, failed := c.call(page, "Page.enable", `{}`); failed != "" {
		t.Error(failed)
	}

	// A command under way is answered, and the session of the page ends on that of its tab, before that ends itself.
	f.mu.Lock()
	f.mute = "Page.captureScreenshot"
	f.mu.Unlock()
	c.send(77, page, "Page.captureScreenshot", `{}`)
	c.Share("OPEN", false)
	c.hearsOf("Target.detachedFromTarget", page, `"sessionId":"`+strip+`"}`)
	c.hearsOf(`"id":77`, "not shared")
	c.hearsOf("Target.detachedFromTarget", `{"sessionId":"`+strip)
	c.Share("OPEN", true)
	again := sessionIn(t, c.hearsOf("Target.attachedToTarget", `"type":"tab"`))
	c.heard = nil
	c.Share("OPEN", false)
	if raw := c.hearsOf("Target.detachedFromTarget"); !strings.Contains(raw, again) {
		t.Errorf("a session ends a second time: %s", raw)
	}
}

// sites are rules without expressions.
func sites(permits func(address string) bool) Sites {
	return Sites{Permits: permits, Expressions: everywhere.Expressions}
}

func TestRulesHideTabsAndFrames(t *testing.T) {
	f := newFake(t, open, mine)
	c := start(t, f)
	c.call("", "Target.setDiscoverTargets", `{"discover":true}`)
	c.Share("OPEN", true)
	c.hearsOf("Target.targetCreated", "OPEN")
	c.call("", "Target.attachToTarget", `{"targetId":"OPEN","flatten":true}`)
	at := sessionIn(t, c.hearsOf("Target.attachedToTarget", "OPEN"))
	attach := func(session, target, address string) {
		f.say(event{"Target.attachedToTarget", object{"sessionId": session, "waitingForDebugger": false,
			"targetInfo": info{ID: target, Type: "iframe", URL: address}}, at})
	}
	attach("FRAME", "ADS", "https://ads.test/")
	c.hearsOf("Target.attachedToTarget", "ADS")

	c.Permit(sites(func(address string) bool { return strings.Contains(address, "a.test") }))
	if _, failed := c.call("FRAME", "DOM.getDocument", `{}`); !strings.Contains(failed, "closed to agents") {
		t.Errorf("a closed frame: %q", failed)
	}
	f.say(event{"Runtime.consoleAPICalled", object{"text": "secret"}, "FRAME"})
	attach("FRAME2", "ADS2", "https://ads.test/")
	f.say(event{"Page.loadEventFired", object{}, at})
	for raw := ""; !strings.Contains(raw, "loadEventFired"); {
		if raw = c.hearsOf(`"method"`); strings.Contains(raw, "secret") || strings.Contains(raw, "FRAME2") {
			t.Errorf("a closed frame tells %s", raw)
		}
	}
	for _, call := range [][2]string{{at, "Page.navigate"}, {"", "Target.createTarget"}} {
		_, failed := c.call(call[0], call[1], `{"url":"https://bank.test/"}`)
		if !strings.Contains(failed, "closed to agents") {
			t.Errorf("%s: %q", call[1], failed)
		}
	}
	if list := c.Tabs(); len(list) != 1 || list[0].ID != "OPEN" {
		t.Errorf("the person can share %v", list)
	}

	c.Permit(sites(func(string) bool { return false }))
	c.hearsOf("Target.targetDestroyed", "OPEN")
	c.Permit(sites(func(string) bool { return true }))
	c.hearsOf("Target.targetCreated", "OPEN")
}
