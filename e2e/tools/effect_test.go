//go:build e2e

package tools

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// effect is an action and what must be true after it: either the effect is there and the answer says so, or the answer
// is an error that names the reason.
type effect struct {
	name string
	html string
	// before runs in the page between the snapshot and the action.
	before string
	tool   string
	args   harness.Object
	// refused are words of the error; without them the action must work.
	refused []string
	// says are words of the answer, silent such as it must not have.
	says, silent []string
	// then is an expression that is true in the page afterwards.
	then string
}

// effects need no upstream: they say what ours promises.
var effects = []effect{
	{name: "a covered element is named with its cover",
		html: `<button style="position:absolute;left:20px;top:20px" onclick="o.textContent='hit'">Under</button><div id=veil style="position:fixed;inset:0;background:#fff8">Accept cookies</div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Under"`}, refused: []string{"covered", "veil"},
		then: `o.textContent === ''`},
	{name: "an overlay that lets clicks through is no cover",
		html: `<button style="position:absolute;left:20px;top:20px" onclick="o.textContent='hit'">Under</button><div style="position:fixed;inset:0;pointer-events:none"></div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Under"`}, then: `o.textContent === 'hit'`},
	{name: "an element that ignores the pointer itself",
		html: `<div style="width:300px;height:100px" onclick="o.textContent='behind'"><button style="pointer-events:none" onclick="o.textContent='hit'">Deaf</button></div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Deaf"`}, refused: []string{"Deaf"},
		then: `o.textContent === ''`},
	{name: "a half covered element is clicked where it is free",
		html: `<button id=b style="position:absolute;left:20px;top:20px;width:200px;height:40px" onclick="o.textContent='hit'">Half</button><div style="position:absolute;left:90px;top:0;width:300px;height:100px;background:red"></div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Half"`}, then: `o.textContent === 'hit'`},
	{name: "a re-rendered element is found again",
		html:   `<div id=r><button onclick="o.textContent='old'">Save</button></div><output id=o></output>`,
		before: `r.innerHTML = '<button onclick="o.textContent=\'new\'">Save</button>'`,
		tool:   "click", args: harness.Object{"uid": `button "Save"`}, then: `o.textContent === 'new'`},
	{name: "a re-rendered element of a name that two have is not guessed",
		html:   `<div id=r><button>Save</button></div><output id=o></output>`,
		before: `r.innerHTML = '<button onclick="o.textContent=1">Save</button><button onclick="o.textContent=2">Save</button>'`,
		tool:   "click", args: harness.Object{"uid": `button "Save"`}, refused: []string{"no longer"},
		then: `o.textContent === ''`},
	{name: "one of two of a name that is gone is not the other",
		html: `<div id=r><button id=x onclick="o.textContent='x'">Save</button><button id=y onclick="o.textContent='y'">Save</button></div><output id=o></output>`, before: `x.remove()`,
		tool: "click", args: harness.Object{"uid": `button "Save"`}, refused: []string{"no longer"},
		then: `o.textContent === ''`},
	{name: "an element that has gone", html: `<button id=b>Save</button>`, before: `b.remove()`, tool: "click",
		args: harness.Object{"uid": `button "Save"`}, refused: []string{"no longer"}},
	{name: "an element that was hidden", html: `<button id=b>Save</button>`, before: `b.style.display = 'none'`,
		tool: "click", args: harness.Object{"uid": `button "Save"`}, refused: []string{"not visible"}},
	{name: "an old uid after a navigation", html: `<a href="/second">Go</a>`, before: `location.href = '/second'`,
		tool: "click", args: harness.Object{"uid": `link "Go"`}, refused: []string{"no longer"}},
	{name: "a mask on input events",
		html: `<input id=i aria-label=Phone oninput="let d=this.value.replace(/\D/g,'').slice(0,10);this.value=d.length>6?'('+d.slice(0,3)+') '+d.slice(3,6)+'-'+d.slice(6):d.length>3?'('+d.slice(0,3)+') '+d.slice(3):d">`,
		tool: "fill", args: harness.Object{"uid": `textbox "Phone"`, "value": "5550101234"},
		says: []string{"(555) 010-1234"}, then: `i.value === '(555) 010-1234'`},
	{name: "a mask on keydown",
		html: `<input id=i aria-label=Card><script>i.addEventListener('keydown', (e) => { if (e.key.length !== 1) return; e.preventDefault(); if (!/\d/.test(e.key)) return; const all = i.selectionStart === 0 && i.selectionEnd === i.value.length; const d = ((all ? '' : i.value).replace(/\D/g, '') + e.key).slice(0, 8); i.value = d.replace(/(.{4})(?=.)/g, '$1 '); i.setSelectionRange(i.value.length, i.value.length); });</script>`,
		tool: "fill", args: harness.Object{"uid": `textbox "Card"`, "value": "12345678"},
		says: []string{"1234 5678"}, then: `i.value === '1234 5678'`},
	{name: "a controlled input that tracks its value", html: `<input id=i aria-label=Name><output id=o></output><script>
const proto = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = ''; Object.defineProperty(i, 'value', { configurable: true, get() { return proto.get.call(this); }, set(v) { tracked = '' + v; proto.set.call(this, v); } });
i.addEventListener('input', () => { const now = proto.get.call(i); if (now === tracked) return; tracked = now; o.textContent = now; });</script>`,
		tool: "fill", args: harness.Object{"uid": `textbox "Name"`, "value": "Alice"},
		then: `o.textContent === 'Alice'`},
	{name: "a controlled date that tracks its value",
		html: `<input id=i type=date aria-label=Day><output id=o></output><script>
const proto = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = ''; Object.defineProperty(i, 'value', { configurable: true, get() { return proto.get.call(this); }, set(v) { tracked = '' + v; proto.set.call(this, v); } });
i.addEventListener('input', () => { const now = proto.get.call(i); if (now === tracked) return; tracked = now; o.textContent = now; });</script>`,
		tool: "fill", args: harness.Object{"uid": `Date "Day"`, "value": "2026-03-04"},
		then: `o.textContent === '2026-03-04'`},
	{name: "a controlled input that puts its value back",
		html: `<input id=i aria-label=Fixed value=mine oninput="this.value='mine'">`, tool: "fill",
		args: harness.Object{"uid": `textbox "Fixed"`, "value": "other"}, refused: []string{"did not take", "mine"}},
	{name: "an input whose framework puts the value back a moment later",
		html: `<input id=i aria-label=Fixed value=mine oninput="setTimeout(() => { this.value='mine' })">`,
		tool: "fill", args: harness.Object{"uid": `textbox "Fixed"`, "value": "other"},
		refused: []string{"did not take", "mine"}},
	{name: "a read-only field", html: `<input id=i readonly value=x aria-label=Fixed>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Fixed"`, "value": "y"}, refused: []string{"read-only"},
		then: `i.value === 'x'`},
	{name: "a field in a disabled fieldset", html: `<fieldset disabled><input id=i aria-label=Off></fieldset>`,
		tool: "fill", args: harness.Object{"uid": `textbox "Off"`, "value": "y"}, refused: []string{"disabled"},
		then: `i.value === ''`},
	{name: "a click on a button in a disabled fieldset",
		html: `<fieldset disabled><button onclick="o.textContent='hit'">Off</button></fieldset><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Off"`}, refused: []string{"disabled"},
		then: `o.textContent === ''`},
	{name: "a text longer than the field takes", html: `<input id=i maxlength=5 aria-label=Short>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Short"`, "value": "1234567890"}, refused: []string{"12345"}},
	{name: "letters in a number field", html: `<input id=i type=number aria-label=Age>`, tool: "fill",
		args: harness.Object{"uid": `spinbutton "Age"`, "value": "abc"}, refused: []string{"Age"},
		then: `i.value === ''`},
	{name: "a number", html: `<input id=i type=number aria-label=Age value=3>`, tool: "fill",
		args: harness.Object{"uid": `spinbutton "Age"`, "value": "-4.5"}, then: `i.value === '-4.5'`},
	{name: "a date that is none", html: `<input id=i type=date aria-label=Day>`, tool: "fill",
		args: harness.Object{"uid": `Date "Day"`, "value": "tomorrow"}, refused: []string{"2026-"},
		then: `i.value === ''`},
	{name: "a slider beyond its end", html: `<input id=i type=range min=0 max=10 aria-label=Level>`, tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "99"}, refused: []string{"10"}},
	{name: "an option in a group",
		html: `<select id=s aria-label=Car><optgroup label=A><option>Volvo</optgroup><optgroup label=B><option value=bmw>BMW</optgroup></select>`, tool: "fill", args: harness.Object{"uid": `combobox "Car"`, "value": "BMW"}, then: `s.value === 'bmw'`},
	{name: "an option that is disabled", html: `<select id=s aria-label=Car><option>Volvo<option disabled>BMW</select>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Car"`, "value": "BMW"}, refused: []string{"disabled"},
		then: `s.value === 'Volvo'`},
	{name: "a select that puts its choice back",
		html: `<select id=s aria-label=Car onchange="this.value='Volvo'"><option>Volvo<option>BMW</select>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Car"`, "value": "BMW"},
		refused: []string{"did not take"}},
	{name: "a combobox that the page has made",
		html: `<button id=b role=combobox aria-haspopup=listbox aria-expanded=false aria-label=Fruit onclick="l.hidden=!l.hidden;this.setAttribute('aria-expanded',!l.hidden)">Apple</button><ul id=l role=listbox hidden><li role=option onclick="b.textContent=this.textContent;l.hidden=true">Apple<li role=option onclick="b.textContent=this.textContent;l.hidden=true">Pear</ul>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Pear"},
		then: `b.textContent === 'Pear'`},
	{name: "a combobox without that option",
		html: `<button id=b role=combobox aria-haspopup=listbox aria-expanded=false aria-label=Fruit onclick="l.hidden=!l.hidden">Apple</button><ul id=l role=listbox hidden><li role=option>Apple</ul>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Plum"}, refused: []string{"Plum"}},
	{name: "a text field with a date picker",
		html: `<input id=i aria-label=When onfocus="p.hidden=false" onblur="setTimeout(()=>{p.hidden=true})"><div id=p hidden style="position:absolute;background:#eee;padding:40px">picker</div>`, tool: "fill", args: harness.Object{"uid": `textbox "When"`, "value": "01/02/2026"}, then: `i.value === '01/02/2026'`},
	{name: "a checkbox whose click is prevented",
		html: `<input id=c type=checkbox aria-label=Terms onclick="event.preventDefault()">`, tool: "fill",
		args: harness.Object{"uid": `checkbox "Terms"`, "value": "true"}, refused: []string{"did not take"},
		then: `!c.checked`},
	{name: "a hidden checkbox in a label",
		html: `<label style="display:inline-block;padding:5px"><input id=c type=checkbox style="display:none"><span style="display:inline-block;width:20px;height:20px;border:1px solid"></span> Fancy</label>`, tool: "fill", args: harness.Object{"uid": `LabelText "Fancy"`, "value": "true"}, then: `c.checked`},
	{name: "a checkbox of no opacity in a label",
		html: `<label style="position:relative;display:inline-block"><input id=c type=checkbox style="opacity:0;position:absolute;width:0;height:0"><span style="display:inline-block;width:20px;height:20px;border:1px solid"></span> Fancy</label>`, tool: "click", args: harness.Object{"uid": `checkbox "Fancy"`}, then: `c.checked`},
	{name: "a radio of its own making",
		html: `<div role=radiogroup><div id=r role=radio tabindex=0 aria-checked=false onclick="this.setAttribute('aria-checked','true')">One</div></div>`, tool: "fill", args: harness.Object{"uid": `radio "One"`, "value": "true"}, then: `r.getAttribute('aria-checked') === 'true'`},
	{name: "a switch that does nothing", html: `<div id=r role=switch tabindex=0 aria-checked=false>Dead</div>`,
		tool: "fill", args: harness.Object{"uid": `switch "Dead"`, "value": "true"},
		refused: []string{"did not take"}},
	{name: "an element that slides in",
		html:   `<style>@keyframes in{from{transform:translateX(-600px)}}#b{position:absolute;left:300px;top:40px;animation:in 400ms linear}</style><script>document.write('<button id=b onclick="o.textContent=1">Slides</button><output id=o></output>')</script>`,
		before: `b.style.animation = 'none'; b.offsetWidth; b.style.animation = ''`, tool: "click",
		args: harness.Object{"uid": `button "Slides"`}, then: `o.textContent === '1'`},
	{name: "an element in scrolled containers",
		html: `<div style="height:200px;overflow:auto"><div style="height:1500px"></div><div style="height:150px;overflow:auto"><div style="height:900px"></div><button onclick="o.textContent='hit'">Deep</button></div><div style="height:500px"></div></div><output id=o></output>`, tool: "click", args: harness.Object{"uid": `button "Deep"`}, then: `o.textContent === 'hit'`},
	{name: "an element in a frame below the fold",
		html: `<div style="height:3000px"></div><iframe id=f style="height:300px" src="/frame/far"></iframe>`,
		tool: "click", args: harness.Object{"uid": `button "Far button"`},
		then: `f.contentDocument.getElementById('io').textContent === 'far'`},
	{name: "an element in a frame of another site below the fold",
		html: `<div style="height:3000px"></div><iframe style="height:300px" src="{{other}}/frame/far?as=other"></iframe>`, tool: "click", args: harness.Object{"uid": `button "Far button"`}, then: `__log.some((l) => l.startsWith('other:click fb'))`},
	{name: "a frame that is covered",
		html: `<iframe id=f style="height:300px" src="/frame/inner"></iframe><div id=veil style="position:fixed;inset:0;background:#0005"></div>`, tool: "click", args: harness.Object{"uid": `button "Inner button"`}, refused: []string{"covered", "veil"}},
	{name: "a frame that is scaled",
		html: `<iframe id=f style="height:300px;transform:scale(.5);border:7px solid;padding:9px" src="/frame/inner"></iframe>`, tool: "click", args: harness.Object{"uid": `button "Inner button"`}, then: `f.contentDocument.getElementById('io').textContent === 'clicked'`},
	{name: "an element that a sticky header would cover",
		html: `<div style="position:fixed;top:0;left:0;right:0;height:45vh;background:#ccc">Header</div><div style="height:1200px"></div><button onclick="o.textContent='hit'">Row</button><div style="height:3000px"></div><output id=o></output>`, before: `scrollTo(0, 1190)`, tool: "click", args: harness.Object{"uid": `button "Row"`}, then: `o.textContent === 'hit'`},
	{name: "a zoomed element",
		html: `<div style="zoom:2.5"><button onclick="o.textContent='hit'">Zoomed</button></div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Zoomed"`}, then: `o.textContent === 'hit'`},
	{name: "a turned element",
		html: `<div style="padding:150px"><button style="width:250px;height:14px;transform:rotate(45deg)" onclick="o.textContent='hit'">Turned</button></div><output id=o></output>`, tool: "click", args: harness.Object{"uid": `button "Turned"`}, then: `o.textContent === 'hit'`},
	{name: "a link over two lines",
		html: `<div style="width:120px">some words and then <a href="#x" onclick="o.textContent='hit'">a link that goes over lines</a> and more</div><output id=o></output>`, tool: "click", args: harness.Object{"uid": `link "a link that goes over lines"`}, then: `o.textContent === 'hit'`},
	{name: "an element of display contents",
		html: `<div role=button tabindex=0 style="display:contents" onclick="o.textContent='hit'"><span>Contents</span></div><output id=o></output>`, tool: "click", args: harness.Object{"uid": `button "Contents"`}, then: `o.textContent === 'hit'`},
	{name: "a part of an image map",
		html: `<map name=m><area shape=rect coords="0,0,50,50" href="#area" alt=Corner onclick="o.textContent='hit'"></map><img usemap="#m" width=100 height=100 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"><output id=o></output>`, tool: "click", args: harness.Object{"uid": `link "Corner"`}, then: `o.textContent === 'hit'`},
	{name: "a click that moves the address without a navigation",
		html: `<button onclick="history.pushState({}, '', '/pushed')">Push</button>`, tool: "click",
		args: harness.Object{"uid": `button "Push"`}, says: []string{"/pushed"},
		then: `location.pathname === '/pushed'`},
	{name: "a click that navigates", html: `<a href="/second">Go</a>`, tool: "click",
		args: harness.Object{"uid": `link "Go"`}, says: []string{"navigated to", "/second"},
		then: `location.pathname === '/second' && document.readyState === 'complete'`},
	{name: "a click that opens a window", html: `<button onclick="window.open('/third')">Open</button>`, tool: "click",
		args: harness.Object{"uid": `button "Open"`}, says: []string{"Opened page", "/third"}},
	{name: "a link to a new tab without an opener", html: `<a href="/third" target=_blank rel=noopener>Blank</a>`,
		tool: "click", args: harness.Object{"uid": `link "Blank"`}, says: []string{"Opened page", "/third"}},
	{name: "a click that fetches a file", html: `<a href="/file.bin" download>Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "file.bin", "1000 bytes"}},
	{name: "a click that fetches a file slowly", html: `<a href="/slow.bin" download>Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "slow.bin"}},
	{name: "a link that turns out to be a file", html: `<a href="/slow.bin">Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "slow.bin"}},
	{name: "a link that turns out to be a file, at once", html: `<a href="/file.bin">Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "file.bin"}},
	{name: "a file in a new tab", html: `<a href="/file.bin" target=_blank>Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "file.bin"}},
	{name: "a file in a frame", html: `<iframe name=f></iframe><a href="/slow.bin" target=f>Get</a>`, tool: "click",
		args: harness.Object{"uid": `link "Get"`}, says: []string{"Download completed", "slow.bin"}},
	{name: "a file that a script asks for", html: `<button onclick="location.href='/file.bin'">Get</button>`,
		tool: "click", args: harness.Object{"uid": `button "Get"`},
		says: []string{"Download completed", "file.bin"}},
	{name: "a file that a form sends for", html: `<form action="/file.bin" method=post><button>Get</button></form>`,
		tool: "click", args: harness.Object{"uid": `button "Get"`},
		says: []string{"Download completed", "file.bin"}},
	{name: "a file that a script has made",
		html: `<button onclick="const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['x']));a.download='made.txt';document.body.append(a);a.click();a.remove()">Make</button>`, tool: "click", args: harness.Object{"uid": `button "Make"`}, says: []string{"Download completed", "made.txt"}},
	{name: "a click that asks",
		html: `<button onclick="o.textContent=confirm('Really?')">Ask</button><output id=o></output>`, tool: "click",
		args: harness.Object{"uid": `button "Ask"`}, says: []string{"# Open dialog", "Really?"}},
	{name: "a click that waits for a request",
		html: `<button onclick="fetch('/api/late').then((r) => r.text()).then((t) => { o.textContent = t; })">Load</button><output id=o></output>`, tool: "click", args: harness.Object{"uid": `button "Load"`}, then: `o.textContent === 'late'`},
	{name: "text into an editor of its own making",
		html: `<div id=e contenteditable role=textbox aria-label=Post><p>old</p></div>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Post"`, "value": "new words"},
		then: `e.innerText.trim() === 'new words'`},
	{name: "lines into an editor", html: `<div id=e contenteditable role=textbox aria-label=Post></div>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Post"`, "value": "one\ntwo"}, then: `/one\s+two/.test(e.innerText)`},
	{name: "an editor that takes nothing",
		html: `<div id=e contenteditable role=textbox aria-label=Post>kept</div><script>e.addEventListener('beforeinput', (v) => v.preventDefault())</script>`, tool: "fill", args: harness.Object{"uid": `textbox "Post"`, "value": "new"}, refused: []string{"did not take"}},
	{name: "a field that is emptied", html: `<input id=i aria-label=Name value=old>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Name"`, "value": ""}, then: `i.value === ''`},
	{name: "a text much longer than one types", html: `<textarea id=i aria-label=Notes></textarea>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Notes"`, "value": strings.Repeat("words and\nlines ", 200)},
		then: `i.value.length === 3200`},
	{name: "a password is not repeated", html: `<input id=i type=password aria-label=Secret maxlength=4>`, tool: "fill",
		args: harness.Object{"uid": `textbox "Secret"`, "value": "hunter22"}, refused: []string{"Secret"}},
	{name: "a heading does not take a value", html: `<button>Push</button>`, tool: "fill",
		args: harness.Object{"uid": `button "Push"`, "value": "x"}, refused: []string{"does not take a value"}},
}

func TestNoAnswerSaysSuccessWithoutTheEffect(t *testing.T) {
	var pages []scenario
	for _, e := range effects {
		pages = append(pages, scenario{name: "page", html: e.html})
	}
	a := harness.Start(t, harness.With("HOME="+t.TempDir())) // for downloads
	web, g := diffSite(t, pages), harness.NewOurs(t, a, 1)
	for i, e := range effects {
		t.Run(e.name, func(t *testing.T) { e.run(t, g, fmt.Sprintf("%s/page/%d", web.URL, i)) })
	}
}

func (e effect) run(t *testing.T, g *harness.Agent, url string) {
	t.Helper()
	var b bool
	if s := g.Call("navigate_page", harness.Object{"url": url}); s.Outcome() != "ok" {
		t.Fatalf("navigate: %v %s", s.Err, s.Text)
	}
	g.Fresh = false
	if err := g.Look(); err != nil {
		t.Fatal(err)
	}
	if e.before != "" {
		if err := g.Eval("() => { "+e.before+"; return true }", &b); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	s := g.Do(e.tool, e.args)
	took := time.Since(began)
	if strings.Contains(s.Text, "# Open dialog") {
		defer g.Call("handle_dialog", harness.Object{"action": "accept"})
	}
	switch {
	case s.Err != nil:
		t.Fatal(s.Err)
	case e.refused == nil && s.Failed:
		t.Errorf("failed: %s", s.Text)
	case e.refused != nil && !s.Failed:
		t.Errorf("says success: %s", s.Text)
	}
	for _, w := range append(e.refused, e.says...) {
		if !strings.Contains(s.Text, w) {
			t.Errorf("does not say %q: %s", w, s.Text)
		}
	}
	for _, w := range e.silent {
		if strings.Contains(s.Text, w) {
			t.Errorf("says %q: %s", w, s.Text)
		}
	}
	if value, _ := e.args["value"].(string); value == "hunter22" && strings.Contains(s.Text, "hunt") {
		t.Errorf("repeats a password: %s", s.Text)
	}
	if e.then != "" {
		if err := g.Eval("() => !!("+e.then+")", &b); err != nil || !b {
			var now string
			_ = g.Eval("() => document.body.innerHTML.slice(0, 1500)", &now)
			t.Errorf("%s is not true after: %s\n%v\n%s", e.then, s.Text, err, now)
		}
	}
	t.Logf("%v %s", took.Round(time.Millisecond), strings.ReplaceAll(strings.TrimSpace(s.Text), "\n", " / "))
}

// A page whose load event never comes, one that goes away a moment after the click, and a tab that nobody looks at.
func TestActionsDoNotWaitForWhatNeverComes(t *testing.T) {
	a := harness.Start(t)
	mux := http.NewServeMux()
	stop := make(chan struct{})
	html := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>page</title>"+body)
		}
	}
	mux.HandleFunc("/hang", html(`<button onclick="o.textContent='hit'">Hit</button><output id=o></output><a href="/hang">Again</a><img src="/never">`))
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/soon", html(`<button onclick="setTimeout(() => { location.href = '/there' }, 300)">Leave</button>`))
	mux.HandleFunc("/there", html(`<h1>There</h1>`))
	mux.HandleFunc("/hidden",
		html(`<button onclick="o.textContent='hit'">Hit</button><input id=i aria-label=Field><input type=checkbox id=c aria-label=Box><output id=o></output>`))
	web := httptest.NewServer(mux)
	t.Cleanup(func() { close(stop); web.Close() })
	g := harness.NewOurs(t, a, 1)

	t.Run("a page that never has loaded", func(t *testing.T) {
		began := time.Now()
		s := g.Call("navigate_page", harness.Object{"url": web.URL + "/hang"})
		if s.Failed || !strings.Contains(s.Text, "still loading") || time.Since(began) > harness.Patience {
			t.Errorf("%v: %s", time.Since(began), s.Text)
		}
		g.Fresh = false
		if s := g.Do("click", harness.Object{"uid": `button "Hit"`}); s.Outcome() != "ok" {
			t.Error(s.Err, s.Text)
		}
		if s := g.Do("click", harness.Object{"uid": `link "Again"`}); s.Outcome() != "ok" ||
			!strings.Contains(s.Text, "navigated") {
			t.Error(s.Err, s.Text)
		}
	})
	t.Run("a page that leaves a moment after the click", func(t *testing.T) {
		g.Call("navigate_page", harness.Object{"url": web.URL + "/soon"})
		g.Seen, g.Fresh = nil, false
		s := g.Do("click", harness.Object{"uid": `button "Leave"`})
		if s.Outcome() != "ok" {
			t.Fatal(s.Err, s.Text)
		}
		// The answer need not know of it, but the old uid must not act on the new page.
		uid, _ := g.UID(`button "Leave"`)
		if w := g.Call("wait_for", harness.Object{"text": []string{"There"}}); w.Failed {
			t.Fatal(w.Text)
		}
		if s := g.Call("click", harness.Object{"uid": uid}); !s.Failed {
			t.Errorf("an old uid: %s", s.Text)
		}
	})
	t.Run("a tab that nobody looks at", func(t *testing.T) {
		g.Call("navigate_page", harness.Object{"url": web.URL + "/hidden"})
		front := g.Page
		g.Call("new_page", harness.Object{"url": "about:blank"})
		g.Seen, g.Fresh = nil, false
		for _, step := range []struct {
			tool string
			args harness.Object
		}{{"click", harness.Object{"uid": `button "Hit"`}}, {"fill",
			harness.Object{"uid": `textbox "Field"`, "value": "typed"}}, {"fill",
			harness.Object{"uid": `checkbox "Box"`, "value": "true"}}, {"press_key",
			harness.Object{"key": "Tab"}}, {"hover", harness.Object{"uid": `button "Hit"`}}} {
			g.Page = front
			if s := g.Do(step.tool, step.args); s.Outcome() != "ok" {
				t.Error(step.tool, s.Err, s.Text)
			}
		}
		var got string
		if err := g.Eval("() => o.textContent + i.value + c.checked", &got); err != nil || got != "hittypedtrue" {
			t.Errorf("%q %v", got, err)
		}
	})
}
