//go:build e2e

package tools

import (
	"fmt"
	"testing"

	"cove/e2e/harness"
)

// selectLike is a select whose placeholder lies over the input that takes the keys. %s are attributes of the input and
// what stands beside it.
const selectLike = `<div id=sel style="width:240px;height:38px;border:1px solid;display:grid;position:relative">
<div id=ph style="grid-area:1/1;padding:8px;z-index:1">Pick a fruit</div><div style="grid-area:1/1;padding:8px"><input id=i aria-label=Fruit role=combobox aria-haspopup=listbox aria-expanded=false style="width:60px;border:0" %s></div>%s</div><output id=o></output>`

// portal makes the select open a list at the end of the page when it is pressed, and choose from it.
const portal = `<script>
const pick = (text) => { i.value = text; ph.textContent = ''; o.textContent += text + ';'; document.getElementById('list').remove(); i.setAttribute('aria-expanded', 'false'); };
sel.addEventListener('mousedown', (e) => { e.preventDefault(); i.focus(); if (document.getElementById('list')) return; i.setAttribute('aria-expanded', 'true'); const l = document.createElement('div'); l.id = 'list'; l.style.cssText = 'width:240px;max-height:120px;overflow:auto;border:1px solid'; document.body.append(l); fillList(l); });
</script>`

// slider is one of the page's own making: its smallest value, its largest, where it is, its step, and the keys that it
// goes up with.
func slider(low, high, now, step int, up string) string {
	down := map[string]string{"ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown", "ArrowLeft": "ArrowRight"}[up]
	return fmt.Sprintf(`<div id=s role=slider tabindex=0 aria-label=Level aria-valuemin=%d aria-valuemax=%d aria-valuenow=%d style="width:100px;height:20px">x</div><output id=o>0</output><script>
s.onkeydown = (e) => { const now = Number(s.getAttribute('aria-valuenow')), next = { %s: now + %d, %s: now - %d, Home: %d, End: %d }[e.key]; if (next === undefined) return; o.textContent++; setTimeout(() => s.setAttribute('aria-valuenow', Math.max(%d, Math.min(%d, next)))); };</script>`, low, high, now, up, step, down, step, low, high, low, high)
}

// codeEditor draws its text in lines and takes keys in a textarea that nobody sees, as code editors do. A press of
// Control+A selects all of it, and nothing else does.
const codeEditor = `<div class=ace_editor id=ed style="position:relative;width:300px;height:100px;border:1px solid"><textarea id=k aria-label=Code style="position:absolute;opacity:0;width:10px;height:10px"></textarea><div id=lines></div></div><script>
let text = 'SELECT 1;\nSELECT 2;', all = false;
const draw = () => { lines.innerHTML = ''; for (const line of text.split('\n')) { const d = document.createElement('div'); d.className = 'ace_line'; d.textContent = line; lines.append(d); } };
k.onkeydown = (e) => { if (e.ctrlKey && e.key === 'a') { all = true; e.preventDefault(); } else if (e.key === 'Delete' && all) { text = ''; all = false; draw(); } };
k.oninput = () => { text = all ? k.value : text + k.value; all = false; k.value = ''; draw(); };
draw();</script>`

// widgetPages are parts of pages as libraries of components make them.
var widgetPages = []effect{
	{name: "a placeholder over its own input is no cover", html: fmt.Sprintf(selectLike, "", "") + portal +
		`<script>function fillList(l) { l.setAttribute('role', 'listbox'); }</script>`,
		tool: "click", args: harness.Object{"uid": `combobox "Fruit"`},
		then: `document.activeElement === i && i.getAttribute('aria-expanded') === 'true'`},
	{name: "a veil inside the widget takes the press, which is told",
		html: fmt.Sprintf(selectLike, "",
			`<div id=veil style="position:absolute;inset:0;z-index:2;background:#fff8" onmousedown="event.preventDefault()"></div>`),
		tool: "click", args: harness.Object{"uid": `combobox "Fruit"`}, refused: []string{"veil"}},
	{name: "a button over a field is a cover",
		html: `<div style="position:relative;width:200px;height:40px"><input id=i aria-label=Name style="width:190px;height:30px"><button id=b style="position:absolute;inset:0" onclick="o.textContent='hit'">Clear</button></div><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `textbox "Name"`}, refused: []string{"covered", "Clear"},
		then: `o.textContent === ''`},
	{name: "a banner over a field is a cover",
		html: `<div id=app style="height:200px"><input id=i aria-label=Name><div id=banner style="position:fixed;inset:0;background:#fff">We use cookies</div></div>`,
		tool: "click", args: harness.Object{"uid": `textbox "Name"`}, refused: []string{"covered", "banner"}},
	{name: "a read-only select is opened and chosen from", html: fmt.Sprintf(selectLike, "readonly aria-controls=list",
		"") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option onclick="pick(this.textContent)">Apple</div><div role=option onclick="pick(this.textContent)">Pear</div>'; }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Pear"},
		then: `o.textContent === 'Pear;'`},
	{name: "a list that nothing connects to its select", html: fmt.Sprintf(selectLike, "readonly", "") + portal +
		`<ul role=listbox><li role=option onclick="o.textContent='wrong'">Pear</ul><script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option onpointerup="pick(this.textContent)">Apple</div><div role=option onpointerup="pick(this.textContent)">Pear</div>'; }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "pear"},
		then: `o.textContent === 'Pear;'`},
	{name: "options that have no role", html: fmt.Sprintf(selectLike, "readonly aria-controls=hidden", "") + portal +
		`<div id=hidden role=listbox style="width:0;height:0;overflow:hidden;position:absolute"><div role=option>Pear</div></div><script>function fillList(l) { l.innerHTML = '<div onclick="pick(this.textContent)"><span>Apple</span></div><div onclick="pick(this.textContent)"><span>Pear</span></div>'; }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Pear"},
		then: `o.textContent === 'Pear;'`},
	{name: "options that have to be loaded", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal +
		`<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.textContent = 'Loading'; setTimeout(() => { l.innerHTML = '<div role=option onclick="pick(this.textContent)">Apple</div><div role=option onclick="pick(this.textContent)">Pear</div>'; }, 1200); }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Pear"},
		then: `o.textContent === 'Pear;'`},
	{name: "a list that draws only what is seen of it", html: fmt.Sprintf(selectLike, "readonly aria-controls=list",
		"") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); const draw = () => { const from = Math.floor(l.scrollTop / 20); l.innerHTML = '<div style="height:' + 400 * 20 + 'px;position:relative">' + Array.from({ length: 8 }, (_, k) => from + k).filter((n) => n < 400).map((n) => '<div role=option style="position:absolute;height:20px;top:' + n * 20 + 'px" onclick="pick(this.textContent)">Item ' + n + '</div>').join('') + '</div>'; }; draw(); l.addEventListener('scroll', draw); }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Item 123"},
		then: `o.textContent === 'Item 123;'`},
	{name: "a read-only select without that option says what it has",
		html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal +
			`<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option>Apple</div><div role=option>Pear</div>'; }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Plum"},
		refused: []string{"Plum", "Apple, Pear"}},
	{name: "a menu that opens on the press, under a veil",
		html: `<button id=b aria-haspopup=menu aria-expanded=false style="position:absolute;left:20px;top:20px">File</button><script>b.onpointerdown = () => { b.setAttribute('aria-expanded', 'true'); const v = document.createElement('div'); v.style.cssText = 'position:fixed;inset:0'; v.innerHTML = '<div role=menu style="margin:60px">Open</div>'; document.body.append(v); };</script>`,
		tool: "click", args: harness.Object{"uid": `button "File"`},
		then: `b.getAttribute('aria-expanded') === 'true'`},
	{name: "a select that opens on the press, under a veil",
		html: `<div id=b role=combobox tabindex=0 aria-haspopup=listbox aria-expanded=false aria-label=Age style="position:absolute;left:20px;top:20px;width:100px">Ten</div><script>b.onmousedown = () => { b.setAttribute('aria-expanded', 'true'); setTimeout(() => { const v = document.createElement('div'); v.style.cssText = 'position:fixed;inset:0'; v.innerHTML = '<ul role=listbox style="margin:60px"><li role=option>Ten<li role=option>Twenty</ul>'; document.body.append(v); v.onclick = (e) => { if (e.target.role === 'option') b.textContent = e.target.textContent; v.remove(); b.setAttribute('aria-expanded', 'false'); }; }); };</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Age"`, "value": "Twenty"},
		then: `b.textContent === 'Twenty'`},
	{name: "a slider is set with keys", html: slider(0, 100, 5, 1, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "73"},
		then: `s.getAttribute('aria-valuenow') === '73'`},
	{name: "a slider that goes in steps", html: slider(0, 100, 50, 5, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "15"},
		then: `s.getAttribute('aria-valuenow') === '15'`},
	{name: "a slider that stands upright", html: slider(0, 50, 5, 1, "ArrowUp"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "9"},
		then: `s.getAttribute('aria-valuenow') === '9'`},
	{name: "a slider from right to left", html: slider(0, 50, 5, 1, "ArrowLeft"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "9"},
		then: `s.getAttribute('aria-valuenow') === '9'`},
	{name: "the end of a slider", html: slider(0, 5000, 5, 1, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "5000"},
		then: `s.getAttribute('aria-valuenow') === '5000' && o.textContent === '1'`},
	{name: "a value between two steps", html: slider(0, 100, 0, 10, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "35"}, refused: []string{"did not take", "35"}},
	{name: "a value beyond the end", html: slider(0, 100, 0, 10, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "101"}, refused: []string{"0 to 100"},
		then: `o.textContent === '0'`},
	{name: "a word for a slider", html: slider(0, 100, 0, 10, "ArrowRight"), tool: "fill",
		args: harness.Object{"uid": `slider "Level"`, "value": "loud"}, refused: []string{"number"}},
	{name: "a drag that nobody hears of",
		html: `<div role=button style="width:100px;height:40px">Gift</div><div role=button style="margin-top:60px;height:50px">Wall</div>`, tool: "drag", args: harness.Object{"from_uid": `button "Gift"`, "to_uid": `button "Wall"`}, says: []string{"nothing seems to have taken it", "Nothing on the page has changed yet."}, silent: []string{"Successfully"}},
	{name: "a drag that is given up, and told to assistive technology",
		html: `<div id=g role=button style="width:100px;height:40px">Gift</div><div role=button style="margin-top:60px;height:50px">Wall</div><div id=l aria-live=assertive></div><script>g.onpointerdown = () => { onpointermove = (e) => { g.style.transform = 'translate(9px, ' + e.clientY + 'px)'; l.textContent = 'Moving'; }; onpointerup = () => { onpointermove = null; g.style.transition = 'transform 200ms'; g.style.transform = ''; l.textContent = 'Dragging was cancelled'; }; };</script>`,
		tool: "drag", args: harness.Object{"from_uid": `button "Gift"`, "to_uid": `button "Wall"`},
		says:   []string{"nothing seems to have taken it", "Nothing on the page has changed yet."},
		silent: []string{"Successfully"}},
	{name: "a drag that the page only writes down",
		html: `<div id=g role=button style="width:100px;height:40px">Gift</div><div id=w role=button style="margin-top:60px;height:50px">Wall</div><script>w.onpointerup = () => { fetch('/api/json'); };</script>`,
		tool: "drag", args: harness.Object{"from_uid": `button "Gift"`, "to_uid": `button "Wall"`},
		silent: []string{"nothing seems"}},
	{name: "a list that follows a drag slowly",
		html: `<ul id=u role=listbox style="width:200px"></ul><script>let held, over, t; for (const name of 'ABCD') { const li = document.createElement('li'); li.textContent = name; li.style.height = '40px'; li.setAttribute('role', 'option'); li.onpointerdown = () => { held = li; }; u.append(li); }
onpointermove = (e) => { const x = e.clientX, y = e.clientY; clearTimeout(t); t = setTimeout(() => requestAnimationFrame(() => { over = document.elementFromPoint(x, y); }), 40); };
onpointerup = () => { clearTimeout(t); if (held && over && over !== held && over.parentNode === u) over.after(held); held = null; };</script>`,
		tool: "drag", args: harness.Object{"from_uid": `option "A"`, "to_uid": `option "C"`},
		then: `u.textContent === 'BCAD'`},
	{name: "a handle that is dragged along",
		html: `<div id=h role=slider aria-label=Level aria-valuenow=0 style="position:absolute;left:10px;top:10px;width:20px;height:20px"></div><button style="position:absolute;left:200px;top:10px">Mark</button><script>h.onpointerdown = () => { onpointermove = (e) => { h.style.left = e.clientX - 30 + 'px'; h.style.pointerEvents = 'none'; }; onpointerup = () => { onpointermove = null; h.style.pointerEvents = ''; }; };</script>`,
		tool: "drag", args: harness.Object{"from_uid": `slider "Level"`, "to_uid": `button "Mark"`},
		then: `h.offsetLeft > 150`},
	{name: "a branch of a tree",
		html: `<ul role=tree><li id=b role=treeitem tabindex=0 aria-expanded=false aria-label=Files>Files</li></ul><script>b.onkeydown = (e) => { if (e.key === 'ArrowRight') b.setAttribute('aria-expanded', 'true'); if (e.key === 'ArrowLeft') b.setAttribute('aria-expanded', 'false'); };</script>`,
		tool: "fill", args: harness.Object{"uid": `treeitem "Files"`, "value": "true"},
		then: `b.getAttribute('aria-expanded') === 'true'`},
	{name: "a branch that keys do not open",
		html: `<ul role=tree><li id=b role=treeitem tabindex=0 aria-expanded=false aria-label=Files>Files</li></ul>`,
		tool: "fill", args: harness.Object{"uid": `treeitem "Files"`, "value": "true"},
		refused: []string{"did not open with ArrowRight", "click it"}},
	{name: "a code editor is written over", html: codeEditor, tool: "fill",
		args: harness.Object{"uid": `textbox "Code"`, "value": "SELECT name\nFROM people;"},
		then: `text === 'SELECT name\nFROM people;'`},
	{name: "a code editor is emptied", html: codeEditor, tool: "fill", args: harness.Object{"uid": `textbox "Code"`,
		"value": ""}, then: `text === ''`},
	{name: "a code editor that only adds",
		html: codeEditor + `<script>k.addEventListener('input', () => { text = 'old;\n' + text; draw(); })</script>`,
		tool: "fill", args: harness.Object{"uid": `textbox "Code"`, "value": "new;"},
		refused: []string{"did not take", "old;"}},
	{name: "an editor of several blocks is written over",
		html: `<div id=e contenteditable role=textbox aria-label=Post><h2>Title</h2><ul><li>one<li>two</ul><p>end</p></div>`, tool: "fill", args: harness.Object{"uid": `textbox "Post"`, "value": "A new beginning."}, then: `e.innerText.trim() === 'A new beginning.'`},
	{name: "an editor that keeps what was there",
		html: `<div id=e contenteditable role=textbox aria-label=Post>old</div><script>e.addEventListener('beforeinput', (v) => { v.preventDefault(); if (v.data) e.textContent += v.data; })</script>`, tool: "fill", args: harness.Object{"uid": `textbox "Post"`, "value": "new"}, refused: []string{"did not take", "oldnew\" now"}},
	{name: "a field that puts the cursor at its end",
		html: `<input id=i aria-label=Name value=old><script>i.addEventListener('keydown', () => { if (i.selectionStart === 0) i.setSelectionRange(9, 9); })</script>`, tool: "fill", args: harness.Object{"uid": `textbox "Name"`, "value": "new"}, then: `i.value === 'new'`},
	{name: "a button that slides away when the field before it loses the focus",
		html: `<input id=i aria-label=Mail onblur="e.style.height='80px'"><div id=e style="height:0">.</div><button onclick="o.textContent='sent'">Send</button><output id=o></output>`, before: `i.focus()`,
		tool: "click", args: harness.Object{"uid": `button "Send"`}, refused: []string{"pressed but not clicked"},
		then: `o.textContent === ''`},
	{name: "a slider that its own keys draw anew",
		html: `<div id=h></div><script>let now = 5; const draw = () => { h.innerHTML = '<div id=s role=slider tabindex=0 aria-label=Level aria-valuemin=0 aria-valuemax=100 style="width:100px">x</div>'; s.setAttribute('aria-valuenow', now); s.onkeydown = (e) => { const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key]; if (by) { now += by; draw(); } }; }; draw();</script>`,
		tool: "fill", args: harness.Object{"uid": `slider "Level"`, "value": "9"}, then: `now === 9`},
	{name: "a number with a code before it that stays",
		html: `<input id=i aria-label=Phone value=+49><script>i.addEventListener('input', () => { i.value = '+49 ' + i.value.replace(/^\+49 ?/, ''); })</script>`, tool: "fill", args: harness.Object{"uid": `textbox "Phone"`, "value": "170 1234"}, then: `i.value === '+49 170 1234'`},
	{name: "a branch whose child has the focus",
		html: `<ul role=tree><li id=b role=treeitem tabindex=-1 aria-expanded=true aria-label=Files>Files<ul role=group><li id=c role=treeitem tabindex=0 aria-expanded=true aria-label=Music>Music</ul></ul><script>for (const x of [b, c]) x.onkeydown = (e) => { if (e.key === 'ArrowLeft') x.setAttribute('aria-expanded', 'false'); e.stopPropagation(); };</script>`, before: `c.focus()`,
		tool: "fill", args: harness.Object{"uid": `treeitem "Files"`, "value": "false"},
		then: `b.getAttribute('aria-expanded') === 'false' && c.getAttribute('aria-expanded') === 'true'`},
	{name: "an option that is disabled", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal +
		`<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option>Apple</div><div role=option aria-disabled=true onclick="o.textContent=1">Pear</div>'; }</script>`,
		tool: "fill", args: harness.Object{"uid": `combobox "Fruit"`, "value": "Pear"},
		refused: []string{"Pear", "is disabled"}, then: `o.textContent === ''`},
	{name: "a click that changes nothing", html: `<button>Dead</button>`, tool: "click",
		args: harness.Object{"uid": `button "Dead"`}, says: []string{"Nothing on the page has changed yet."}},
	{name: "a click that changes something a moment later",
		html: `<button onclick="setTimeout(() => { o.textContent = 'later' }, 60)">Late</button><output id=o></output>`,
		tool: "click", args: harness.Object{"uid": `button "Late"`}, then: `o.textContent === 'later'`,
		silent: []string{"Nothing on the page"}},
	{name: "a click into a field", html: `<input aria-label=Name>`, tool: "click",
		args: harness.Object{"uid": `textbox "Name"`}, silent: []string{"Nothing on the page"}},
	{name: "a click on a checkbox", html: `<input type=checkbox aria-label=Terms>`, tool: "click",
		args: harness.Object{"uid": `checkbox "Terms"`}, silent: []string{"Nothing on the page"}},
	{name: "a click that changes a shadow root",
		html: `<div id=h></div><script>const r = h.attachShadow({ mode: 'open' }); r.innerHTML = '<button>Count</button><b>0</b>'; r.firstChild.onclick = () => { r.lastChild.textContent++; };</script>`, tool: "click", args: harness.Object{"uid": `button "Count"`}, silent: []string{"Nothing on the page"}},
	{name: "a click that scrolls",
		html: `<button onclick="window.scrollTo(0, 500)">Down</button><div style="height:3000px"></div>`, tool: "click",
		args: harness.Object{"uid": `button "Down"`}, silent: []string{"Nothing on the page"}},
	{name: "a click that only sends something", html: `<button onclick="fetch('/api/json')">Send</button>`,
		tool: "click", args: harness.Object{"uid": `button "Send"`}, silent: []string{"Nothing on the page"}},
	{name: "a click that leaves the page hanging",
		html: `<button onclick="for (const end = Date.now() + 6000; Date.now() < end;);">Hang</button>`, tool: "click",
		args: harness.Object{"uid": `button "Hang"`}, says: []string{"has not answered since"}},
	{name: "a list that is deaf while it scrolls",
		html: `<div id=l style="height:100px;overflow:auto"><div style="height:2000px"></div><button onclick="o.textContent='hit'">Far</button><div style="height:500px"></div></div><output id=o></output><script>let t; l.addEventListener('scroll', () => { l.style.pointerEvents = 'none'; clearTimeout(t); t = setTimeout(() => { l.style.pointerEvents = ''; }, 150); });</script>`,
		tool: "click", args: harness.Object{"uid": `button "Far"`}, then: `o.textContent === 'hit'`},
	{name: "a list that was deaf when the click came",
		html: `<div id=l style="height:100px;overflow:auto"><button onclick="o.textContent='hit'">Near</button></div><output id=o></output>`, before: `l.style.pointerEvents = 'none'; setTimeout(() => { l.style.pointerEvents = ''; }, 250)`,
		tool: "click", args: harness.Object{"uid": `button "Near"`}, then: `o.textContent === 'hit'`},
	{name: "a veil that fades away",
		html: `<style>@keyframes out { to { opacity: 0 } }</style><button style="position:absolute;left:20px;top:20px" onclick="o.textContent='hit'">Under</button><div id=v style="position:fixed;inset:0;background:#000;visibility:hidden"></div><output id=o></output>`, before: `v.style.visibility = 'visible'; v.style.animation = 'out 250ms'; v.onanimationend = () => v.remove()`,
		tool: "click", args: harness.Object{"uid": `button "Under"`}, then: `o.textContent === 'hit'`},
}

func TestWidgetsAsLibrariesMakeThem(t *testing.T) {
	var pages []scenario
	for _, e := range widgetPages {
		pages = append(pages, scenario{name: "page", html: e.html})
	}
	a := harness.Start(t)
	web, g := diffSite(t, pages), harness.NewOurs(t, a, 1)
	for i, e := range widgetPages {
		t.Run(e.name, func(t *testing.T) { e.run(t, g, fmt.Sprintf("%s/page/%d", web.URL, i)) })
	}
}
