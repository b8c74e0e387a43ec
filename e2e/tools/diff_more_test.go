//go:build e2e

package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// saysSame wants the same words in both answers.
func saysSame(words ...string) func(t *testing.T, theirs, ours harness.Said) {
	return func(t *testing.T, theirs, ours harness.Said) {
		t.Helper()
		for _, w := range words {
			if a, b := strings.Contains(theirs.Text, w), strings.Contains(ours.Text, w); !a || !b {
				t.Errorf("%q: upstream says it %v, ours %v\n--- upstream\n%s\n--- ours\n%s", w, a, b, brief(theirs),
					brief(ours))
			}
		}
	}
}

// sameResult wants the same JSON from a script.
func sameResult(t *testing.T, theirs, ours harness.Said) {
	t.Helper()
	read := func(s harness.Said) string {
		_, rest, _ := strings.Cut(s.Text, "```json\n")
		raw, _, _ := strings.Cut(rest, "\n```")
		var v any
		if json.Unmarshal([]byte(raw), &v) != nil {
			return raw
		}
		clean, _ := json.Marshal(v)
		return string(clean)
	}
	if a, b := read(theirs), read(ours); a != b {
		t.Errorf("the results differ\nupstream: %s\nours:     %s", a, b)
	}
}

func script(function string) step {
	return step{tool: "evaluate_script", args: harness.Object{"function": function}, both: sameResult}
}

func fails(function string) step {
	return step{tool: "evaluate_script", args: harness.Object{"function": function}}
}

func scriptScenarios(dir string) []scenario {
	source := filepath.Join(dir, "script.js")
	_ = os.WriteFile(source, []byte("() => document.title + ' from a file'"), 0o600)
	result := filepath.Join(dir, "{{side}}.json")
	return []scenario{{"scripts", `<button id=b>Plain</button><p>Late</p><output id=o></output>`, []step{
		script("() => document.title"), script("() => ({a: [1, 2, {b: 'x'}], t: document.title})"),
		script("() => undefined"), script("() => null"), script("async () => { await 0; return [1.5, true, null] }"),
		script("() => 'text with \"quotes\" and \\n lines'"), script("() => new Map([[1, 2]])"),
		script("() => new Date(0)"),
		script("() => [new Date(1e12), {at: new Date(NaN), u: undefined}, undefined, () => 1, new URL('http://x/y')]"),
		script("() => new DOMRect(1, 2, 3, 4)"), script("() => ({toJSON: () => undefined})"), script("() => () => 1"),
		{tool: "evaluate_script", args: harness.Object{"function": "new Date(0)", "format": "script"},
			both: sameResult}, script("function () { return this === window }"), script("async function named() { return 3 }"),
		{tool: "evaluate_script", args: harness.Object{"function": "(el) => el.outerHTML",
			"args": harness.UIDs{`button "Plain"`}}, both: sameResult},
		{tool: "evaluate_script", args: harness.Object{"function": "(a, b) => a === b",
			"args": harness.UIDs{`button "Plain"`, `button "Plain"`}}, both: sameResult},
		{tool: "evaluate_script", args: harness.Object{"function": "1+1", "format": "script"}, both: sameResult},
		{tool: "evaluate_script", args: harness.Object{"sourcePath": source}, both: sameResult},
		{tool: "evaluate_script", args: harness.Object{"function": "() => 42", "filePath": result}},
		fails("() => { throw new Error('bad') }"), fails("() => {"), fails("() => Promise.reject(new Error('late'))"),
		fails("() => { const a = {}; a.a = a; return a }"), fails("() => nothing.at.all"), fails(""),
		{tool: "evaluate_script", args: harness.Object{"function": "(el) => 1", "args": harness.UIDs{`=99_99`}}},
		fails("() => document.body").but("error", "ours says that an element is no JSON"),
		{tool: "wait_for", args: harness.Object{"text": []string{"Late", "Never"}}},
		{tool: "wait_for", args: harness.Object{"text": []string{"Never appears"}, "timeout": 800}},
		{tool: "get_css_styles", args: harness.Object{"uid": `button "Plain"`}},
		{tool: "get_css_styles", args: harness.Object{"uid": `=99_99`}},
		script("() => { location.href = '/second' }").but("shape", "").check(sayHas("/second")),
	}}}
}

func listScenarios(dir string) []scenario {
	return []scenario{
		{"console", `<input><script>console.log('hello log', {a: 1, b: [1, 2]}, 42); console.info('info msg'); console.warn('warn msg'); console.error('error msg'); console.debug('debug msg'); console.table([[1]]); for (let i = 0; i < 3; i++) console.log('dup');
console.error(new Error('stack error')); console.assert(false, 'assertion'); console.trace('traced'); console.dir({x: 1}); console.count('counted'); setTimeout(() => missing_function()); Promise.reject(new Error('rejected'));</script><button id=b>Button</button>`, []step{
			{tool: "list_console_messages", both: saysSame("hello log", "[info] info msg", "[warn] warn msg",
				"[error] error msg", "[debug] debug msg", "[table]", "dup", "stack error", "assertion", "traced",
				"missing_function")},
			{tool: "list_console_messages", args: harness.Object{"types": []string{"error", "warn"}, "pageSize": 2,
				"pageIdx": 0}, both: saysSame("Showing 1-2 of", "Next page: 1", "warn msg", "error msg")},
			{tool: "list_console_messages", args: harness.Object{"types": []string{"error"},
				"includeStackTraces": true}, both: saysSame("stack error", "  at ")},
			{tool: "list_console_messages", args: harness.Object{"types": []string{"issue"}},
				both: saysSame("[issue]")},
			{tool: "list_console_messages", args: harness.Object{"types": []string{"bogus"}}},
			step{tool: "list_console_messages", args: harness.Object{"pageSize": 5, "pageIdx": 99}}.but("error",
				"ours says that there is no such page").but("shape", "and shows none"),
			{tool: "get_console_message", args: harness.Object{"msgid": 99999}},
			{tool: "list_console_messages", args: harness.Object{"includePreservedMessages": true},
				both: saysSame("hello log")},
		}},
		{"network", `<link rel=icon href="data:,"><script>fetch('/api/json').then((r) => r.text()); fetch('/api/missing').then((r) => r.text()); fetch('/api/post', {method: 'POST', headers: {Authorization: 'Bearer verysecret', 'Content-Type': 'application/json'}, body: '{"q":1}'}).then((r) => r.text());</script><button id=b>Button</button>`, []step{
			{tool: "list_network_requests", both: saysSame("/api/json [200]", "/api/missing [404]", "POST ",
				"/api/post [200]")},
			{tool: "list_network_requests", args: harness.Object{"resourceTypes": []string{"fetch"}, "pageSize": 2,
				"pageIdx": 0}, both: saysSame("Showing 1-2 of 3", "Next page: 1")},
			{tool: "list_network_requests", args: harness.Object{"resourceTypes": []string{"document"}},
				both: saysSame("/page/")},
			{tool: "list_network_requests", args: harness.Object{"resourceTypes": []string{"bogus"}}},
			{tool: "get_network_request", args: harness.Object{"reqid": 99999}},
			{tool: "get_network_request"},
			{tool: "list_network_requests", args: harness.Object{"includePreservedRequests": true},
				both: saysSame("/api/post")},
		}},
	}
}

func pageScenarios() []scenario {
	return []scenario{
		{"navigation", `<h1>One</h1><a href="/second">Second</a>`, []step{
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/second"}},
			{tool: "navigate_page", args: harness.Object{"type": "back"}},
			{tool: "navigate_page", args: harness.Object{"type": "forward"}},
			{tool: "navigate_page", args: harness.Object{"type": "reload"}},
			{tool: "navigate_page", args: harness.Object{"type": "reload", "ignoreCache": true}},
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/redirect"}},
			step{tool: "navigate_page", args: harness.Object{"url": "http://127.0.0.1:1/"}}.but("shape",
				"the title of an error page changes while it loads").check(sayHas("Unable to navigate")),
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/second"}},
			{tool: "navigate_page", args: harness.Object{"url": "not a url"}},
			{tool: "navigate_page", args: harness.Object{"url": "chrome://version"}},
			{tool: "navigate_page", args: harness.Object{"type": "bogus"}},
			{tool: "navigate_page"},
			step{tool: "navigate_page", args: harness.Object{"url": "{{site}}/slow", "timeout": 500}}.but("shape",
				"upstream lists the address that never came").but("state", "the same"),
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/second",
				"initScript": "window.__init = 1"}},
			script("() => window.__init"),
			{tool: "navigate_page", args: harness.Object{"type": "reload"}},
			script("() => typeof window.__init"),
			step{tool: "navigate_page", args: harness.Object{"url": "{{site}}/file.bin"}}.but("shape",
				"ours tells the address that is shown"),
		}},
		{"leaving", `<input id=i aria-label=Text><script>addEventListener('beforeunload', (e) => { e.preventDefault(); });</script>`, []step{
			fillWith(`textbox "Text"`, "dirty"),
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/second", "handleBeforeUnload": "dismiss"}},
			{tool: "navigate_page", args: harness.Object{"url": "{{site}}/second", "handleBeforeUnload": "accept"}},
		}},
		{"pages", `<h1>Start</h1><a id=t href="/third" target=_blank>New tab</a>`, []step{
			{tool: "new_page", args: harness.Object{"url": "{{site}}/second"}},
			{tool: "new_page", args: harness.Object{"url": "{{site}}/third", "background": true,
				"isolatedContext": "ctxA"}},
			{tool: "list_pages"},
			{tool: "new_page", args: harness.Object{"url": "nonsense"}},
			step{tool: "new_page", args: harness.Object{"url": "http://127.0.0.1:1/"}}.check(sayHas("net::ERR_UNSAFE_PORT")),
			{tool: "close_page", args: harness.Object{"pageId": "{{last}}"}},
			{tool: "select_page", args: harness.Object{"pageId": 999}},
			{tool: "close_page", args: harness.Object{"pageId": 999}},
			{tool: "select_page", args: harness.Object{"pageId": "{{first}}", "bringToFront": true}},
			{tool: "close_page", args: harness.Object{"pageId": "{{last}}"}},
			{tool: "close_page", args: harness.Object{"pageId": "{{last}}"}},
			{tool: "close_page", args: harness.Object{"pageId": "{{first}}"}},
			{tool: "resize_page", args: harness.Object{"width": 900, "height": 700}},
			script("() => [innerWidth, innerHeight]"),
			{tool: "resize_page", args: harness.Object{"width": -1, "height": 700}},
			{tool: "emulate"},
		}},
	}
}

func pictureScenarios(dir string) []scenario {
	file := filepath.Join(dir, "{{side}}.png")
	text := filepath.Join(dir, "{{side}}.txt")
	return []scenario{{"pictures",
		`<body style="margin:0"><div style="height:1500px">tall</div><button id=b style="width:120px;height:40px;position:absolute;left:10px;top:10px">Button</button>`, []step{
			{tool: "resize_page", args: harness.Object{"width": 800, "height": 600}},
			step{tool: "take_screenshot"}.but("shape", "ours leaves the scroll bar out"),
			{tool: "take_screenshot", args: harness.Object{"fullPage": true, "format": "jpeg", "quality": 50}},
			{tool: "take_screenshot", args: harness.Object{"format": "webp"}},
			{tool: "take_screenshot", args: harness.Object{"uid": `button "Button"`}},
			{tool: "take_screenshot", args: harness.Object{"uid": `button "Button"`, "fullPage": true}},
			{tool: "take_screenshot", args: harness.Object{"uid": `=99_99`}},
			{tool: "take_screenshot", args: harness.Object{"format": "gif"}},
			{tool: "take_screenshot", args: harness.Object{"filePath": file}},
			{tool: "take_screenshot", args: harness.Object{"filePath": "/etc/shot.png"}},
			{tool: "take_snapshot", args: harness.Object{"filePath": text}},
			{tool: "take_snapshot", args: harness.Object{"verbose": true}},
			{tool: "emulate"},
		}}}
}

const media = `() => ({ dark: matchMedia('(prefers-color-scheme: dark)').matches, forced: matchMedia('(forced-colors: active)').matches, contrast: matchMedia('(prefers-contrast: more)').matches, still: matchMedia('(prefers-reduced-motion: reduce)').matches, size: [innerWidth, innerHeight, devicePixelRatio], touch: navigator.maxTouchPoints > 0, agent: navigator.userAgent.includes('UA/1'), online: navigator.onLine })`

func emulationScenarios() []scenario {
	on := func(args ...any) step {
		a := harness.Object{}
		for i := 0; i+1 < len(args); i += 2 {
			a[args[i].(string)] = args[i+1]
		}
		return step{tool: "emulate", args: a}
	}
	return []scenario{{"emulation", `<meta name=viewport content="width=device-width"><h1>Emulated</h1>`, []step{
		on("colorScheme", "dark"), script(media), on("colorScheme", "light", "forcedColors", "active"), script(media),
		on("prefersContrast", "more", "prefersReducedMotion", "reduce"), script(media),
		on("viewport", "400x800x2,mobile,touch"), script(media), on("viewport", "400x800x2,mobile,touch,landscape"),
		script(media), on("viewport", "nonsense"),
		on("userAgent", "UA/1"), script(media), script("async () => (await (await fetch('/api/echo')).json()).agent"),
		on("extraHttpHeaders", `{"X-Extra":"yes"}`),
		script("async () => (await (await fetch('/api/echo')).json()).extra"), on("extraHttpHeaders", `nonsense`),
		on("networkConditions", "Offline"), script(media),
		script("() => fetch('/api/echo').then(() => 'there', () => 'not there')"), on("networkConditions", "Slow 3G"),
		on("networkConditions", "Bogus"),
		on("cpuThrottlingRate", 4), on("cpuThrottlingRate", 100), on("geolocation", "10,20"),
		on("geolocation", "nowhere"), on(), script(media),
	}}}
}

func recordScenarios(dir string) []scenario {
	name := func(n string) string { return filepath.Join(dir, n) }
	isJSON := func(t *testing.T, _, _ harness.Said) {
		t.Helper()
		raw, err := os.ReadFile(name("ours.heapsnapshot"))
		if err != nil || !json.Valid(raw) {
			t.Errorf("the heap snapshot is no JSON: %v", err)
		}
	}
	set := func(t *testing.T, theirs, ours harness.Said) {
		t.Helper()
		id := regexp.MustCompile(`NAVIGATION_\d+`)
		if a, b := id.MatchString(theirs.Text), id.MatchString(ours.Text); a != b {
			t.Errorf("an insight set: upstream %v, ours %v\n%s\n%s", a, b, theirs.Text, ours.Text)
		}
	}
	return []scenario{{"recordings", `<h1>Recorded</h1><button id=b>Button</button>`, []step{
		{tool: "take_heapsnapshot", args: harness.Object{"filePath": name("{{side}}.heapsnapshot")}, both: isJSON},
		step{tool: "screencast_stop"}.but("error", "upstream says that it failed, but not as an error"),
		step{tool: "screencast_start", args: harness.Object{"filePath": name("{{side}}.webm")}}.but("error",
			"upstream needs ffmpeg"),
		step{tool: "screencast_start", args: harness.Object{"filePath": name("{{side}}2.webm")}}.but("error",
			"the same"),
		step{tool: "screencast_stop"}.but("error", "the same").check(func(t *testing.T, _ harness.Said) {
			t.Helper()
			if raw, err := os.ReadFile(name("ours.webm")); err != nil || len(raw) < 100 {
				t.Errorf("the screencast: %d bytes, %v", len(raw), err)
			}
		}),
		{tool: "performance_stop_trace"},
		{tool: "performance_start_trace", args: harness.Object{"reload": true, "autoStop": true}, both: set},
		{tool: "performance_analyze_insight", args: harness.Object{"insightSetId": "NAVIGATION_0",
			"insightName": "LCPBreakdown"}},
		{tool: "performance_analyze_insight", args: harness.Object{"insightSetId": "NOPE",
			"insightName": "LCPBreakdown"}},
		{tool: "performance_start_trace", args: harness.Object{"reload": false, "autoStop": false}},
		step{tool: "performance_start_trace", args: harness.Object{"reload": false, "autoStop": false}}.but("error",
			"upstream says that it failed, but not as an error"),
		{tool: "performance_stop_trace"},
	}}}
}
