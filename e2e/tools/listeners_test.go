//go:build e2e

package tools

import (
	"regexp"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// heardPages have elements that nothing but a listener makes clickable.
var heardPages = map[string]string{
	"/alone": `<title>alone</title><div id=d>Press here</div><span id=s>Or here</span><p id=p>Only text</p><div id=w><button>Known</button></div>
		<script>const say = (e) => { document.title = e.currentTarget.id; }; d.addEventListener('click', say); s.addEventListener('pointerdown', say); w.addEventListener('click', () => 0)</script>`,
	"/late": `<title>late</title><div id=host></div><script>setTimeout(() => { const d = document.createElement('div'); d.textContent = 'Came later';
		d.addEventListener('mousedown', () => { document.title = 'later' }); host.append(d) }, 100)</script>`,
	"/list": `<title>list</title><div id=menu><div>Cut</div><div>Copy</div><div>Paste</div></div><script>menu.addEventListener('click', (e) => { document.title = e.target.textContent })</script>`,
	"/days": `<title>days</title><div id=picker><div class=head>Su Mo Tu</div><div class=grid><span class="cell day prev" data-date=1>29</span><span class="cell day" data-date=2>30</span><span class="cell day focused" data-date=3>1</span><span class="cell day" data-date=4>2</span><span class="cell day next" data-date=5>3</span></div></div>
		<script>picker.addEventListener('click', (e) => { document.title = e.target.dataset.date })</script>`,
	"/root": `<title>root</title><div id=root><div>Static one</div><p>Static two</p></div><script>
		for (const name of 'click dblclick mousedown mouseup pointerdown pointerup keydown keyup focusin focusout drag drop dragover dragenter dragleave input change submit reset touchstart touchend wheel scroll'.split(' ')) root.addEventListener(name, () => 0)</script>`,
	"/shadow": `<title>shadow</title><div id=host></div><script>const r = host.attachShadow({ mode: 'open' }); r.innerHTML = '<div>Within</div>';
		r.firstChild.addEventListener('click', () => { document.title = 'within' })</script>`,
	"/board": `<title>board</title><section aria-label=Todo><ul><li draggable=true>Write</li><li draggable=true>Read</li></ul></section><section aria-label=Done><ul><li>Sleep</li></ul></section>
		<div id=bin style="height:40px">Bin</div><script>bin.addEventListener('dragover', (e) => e.preventDefault()); bin.addEventListener('drop', () => { document.title = 'dropped' })</script>`,
	"/sortable": `<title>sortable</title><div><div role=button tabindex=0 aria-roledescription=sortable>One</div></div><div class=cdk-drop-list style="height:30px"></div>`,
}

func TestElementsThatOnlyListenHaveUIDs(t *testing.T) {
	base := host(t, routes(heardPages))
	g := harness.NewDriver(t, harness.Start(t))
	open := func(path string) string {
		t.Helper()
		g.Works("navigate_page", harness.Object{"url": base + path})
		return g.Works("take_snapshot", nil)
	}
	// click clicks what stands under these words and tells what the page has made of it.
	click := func(text, words string) string {
		t.Helper()
		m := regexp.MustCompile(`uid=(\S+) \w+ "` + words + `"`).FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s has no uid: %s", words, text)
			return ""
		}
		g.Works("click", harness.Object{"uid": m[1]})
		return strings.Trim(g.Eval("() => document.title", nil), `"`)
	}
	text := open("/alone")
	for words, id := range map[string]string{"Press here": "d", "Or here": "s"} {
		if got := click(text, words); got != id {
			t.Errorf("after a click on %s the page is called %q", words, got)
		}
	}
	says(t, text, `"Only text"`, `!paragraph`)
	if n := strings.Count(text, "uid="); n != 4 { // the page, the two and the button
		t.Errorf("%d uids in %s", n, text)
	}
	open("/late")
	g.Works("wait_for", harness.Object{"text": []string{"Came later"}})
	if got := click(g.Works("take_snapshot", nil), "Came later"); got != "later" {
		t.Errorf("the page is called %q", got)
	}
	if got := click(open("/list"), "Copy"); got != "Copy" {
		t.Errorf("the page is called %q", got)
	}
	if got := click(open("/days"), "30"); got != "2" {
		t.Errorf("the page is called %q", got)
	}
	if got := click(open("/shadow"), "Within"); got != "within" {
		t.Errorf("the page is called %q", got)
	}
	if text := open("/root"); strings.Count(text, "uid=") != 1 {
		t.Errorf("the root of a library is told as clickable, or what is in it: %s", text)
	}
}

func TestDropTargetsHaveUIDs(t *testing.T) {
	base := host(t, routes(heardPages))
	g := harness.NewDriver(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base + "/board"})
	text := g.Works("take_snapshot", nil)
	for _, line := range []string{`region "Todo"`, `region "Done"`, `listitem "Write"`, `listitem "Sleep"`,
		`generic "Bin"`} {
		if !regexp.MustCompile(`uid=\S+ ` + line).MatchString(text) {
			t.Errorf("%s has no uid in %s", line, text)
		}
	}
	g.Works("navigate_page", harness.Object{"url": base + "/sortable"})
	says(t, g.Works("take_snapshot", nil), `sortable`, `cdk-drop-list`)
}
