//go:build e2e

package e2e

import (
	"fmt"
	"testing"
)

// selectLike is a select whose placeholder lies over the input that takes the keys. %s are attributes of the input and what stands
// beside it.
const selectLike = `<div id=sel style="width:240px;height:38px;border:1px solid;display:grid;position:relative">
<div id=ph style="grid-area:1/1;padding:8px;z-index:1">Pick a fruit</div><div style="grid-area:1/1;padding:8px"><input id=i aria-label=Fruit role=combobox aria-haspopup=listbox aria-expanded=false style="width:60px;border:0" %s></div>%s</div><output id=o></output>`

// portal makes the select open a list at the end of the page when it is pressed, and choose from it.
const portal = `<script>
const pick = (text) => { i.value = text; ph.textContent = ''; o.textContent += text + ';'; document.getElementById('list').remove(); i.setAttribute('aria-expanded', 'false'); };
sel.addEventListener('mousedown', (e) => { e.preventDefault(); i.focus(); if (document.getElementById('list')) return; i.setAttribute('aria-expanded', 'true'); const l = document.createElement('div'); l.id = 'list'; l.style.cssText = 'width:240px;max-height:120px;overflow:auto;border:1px solid'; document.body.append(l); fillList(l); });
</script>`

// widgetPages are parts of pages as libraries of components make them.
var widgetPages = []effect{
	{name: "a placeholder over its own input is no cover", html: fmt.Sprintf(selectLike, "", "") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); }</script>`,
		tool: "click", args: arguments{"uid": `combobox "Fruit"`}, then: `document.activeElement === i && i.getAttribute('aria-expanded') === 'true'`},
	{name: "a veil inside the widget takes the press, which is told", html: fmt.Sprintf(selectLike, "", `<div id=veil style="position:absolute;inset:0;z-index:2;background:#fff8" onmousedown="event.preventDefault()"></div>`),
		tool: "click", args: arguments{"uid": `combobox "Fruit"`}, refused: []string{"veil"}},
	{name: "a button over a field is a cover", html: `<div style="position:relative;width:200px;height:40px"><input id=i aria-label=Name style="width:190px;height:30px"><button id=b style="position:absolute;inset:0" onclick="o.textContent='hit'">Clear</button></div><output id=o></output>`,
		tool: "click", args: arguments{"uid": `textbox "Name"`}, refused: []string{"covered", "Clear"}, then: `o.textContent === ''`},
	{name: "a banner over a field is a cover", html: `<div id=app style="height:200px"><input id=i aria-label=Name><div id=banner style="position:fixed;inset:0;background:#fff">We use cookies</div></div>`,
		tool: "click", args: arguments{"uid": `textbox "Name"`}, refused: []string{"covered", "banner"}},
	{name: "a read-only select is opened and chosen from", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option onclick="pick(this.textContent)">Apple</div><div role=option onclick="pick(this.textContent)">Pear</div>'; }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `o.textContent === 'Pear;'`},
	{name: "a list that nothing connects to its select", html: fmt.Sprintf(selectLike, "readonly", "") + portal + `<ul role=listbox><li role=option onclick="o.textContent='wrong'">Pear</ul><script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option onpointerup="pick(this.textContent)">Apple</div><div role=option onpointerup="pick(this.textContent)">Pear</div>'; }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "pear"}, then: `o.textContent === 'Pear;'`},
	{name: "options that have no role", html: fmt.Sprintf(selectLike, "readonly aria-controls=hidden", "") + portal + `<div id=hidden role=listbox style="width:0;height:0;overflow:hidden;position:absolute"><div role=option>Pear</div></div><script>function fillList(l) { l.innerHTML = '<div onclick="pick(this.textContent)"><span>Apple</span></div><div onclick="pick(this.textContent)"><span>Pear</span></div>'; }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `o.textContent === 'Pear;'`},
	{name: "options that have to be loaded", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.textContent = 'Loading'; setTimeout(() => { l.innerHTML = '<div role=option onclick="pick(this.textContent)">Apple</div><div role=option onclick="pick(this.textContent)">Pear</div>'; }, 1200); }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `o.textContent === 'Pear;'`},
	{name: "a list that draws only what is seen of it", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); const draw = () => { const from = Math.floor(l.scrollTop / 20); l.innerHTML = '<div style="height:' + 400 * 20 + 'px;position:relative">' + Array.from({ length: 8 }, (_, k) => from + k).filter((n) => n < 400).map((n) => '<div role=option style="position:absolute;height:20px;top:' + n * 20 + 'px" onclick="pick(this.textContent)">Item ' + n + '</div>').join('') + '</div>'; }; draw(); l.addEventListener('scroll', draw); }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "Item 123"}, then: `o.textContent === 'Item 123;'`},
	{name: "a read-only select without that option says what it has", html: fmt.Sprintf(selectLike, "readonly aria-controls=list", "") + portal + `<script>function fillList(l) { l.setAttribute('role', 'listbox'); l.innerHTML = '<div role=option>Apple</div><div role=option>Pear</div>'; }</script>`,
		tool: "fill", args: arguments{"uid": `combobox "Fruit"`, "value": "Plum"}, refused: []string{"Plum", "Apple, Pear"}},
	{name: "a list that is deaf while it scrolls", html: `<div id=l style="height:100px;overflow:auto"><div style="height:2000px"></div><button onclick="o.textContent='hit'">Far</button><div style="height:500px"></div></div><output id=o></output><script>let t; l.addEventListener('scroll', () => { l.style.pointerEvents = 'none'; clearTimeout(t); t = setTimeout(() => { l.style.pointerEvents = ''; }, 150); });</script>`,
		tool: "click", args: arguments{"uid": `button "Far"`}, then: `o.textContent === 'hit'`},
	{name: "a list that was deaf when the click came", html: `<div id=l style="height:100px;overflow:auto"><button onclick="o.textContent='hit'">Near</button></div><output id=o></output>`, before: `l.style.pointerEvents = 'none'; setTimeout(() => { l.style.pointerEvents = ''; }, 250)`,
		tool: "click", args: arguments{"uid": `button "Near"`}, then: `o.textContent === 'hit'`},
	{name: "a veil that fades away", html: `<style>@keyframes out { to { opacity: 0 } }</style><button style="position:absolute;left:20px;top:20px" onclick="o.textContent='hit'">Under</button><div id=v style="position:fixed;inset:0;background:#000;visibility:hidden"></div><output id=o></output>`, before: `v.style.visibility = 'visible'; v.style.animation = 'out 250ms'; v.onanimationend = () => v.remove()`,
		tool: "click", args: arguments{"uid": `button "Under"`}, then: `o.textContent === 'hit'`},
}

func TestWidgetsAsLibrariesMakeThem(t *testing.T) {
	var pages []scenario
	for _, e := range widgetPages {
		pages = append(pages, scenario{name: "page", html: e.html})
	}
	a := start(t)
	web, g := diffSite(t, pages), newOurs(t, a, 1)
	for i, e := range widgetPages {
		t.Run(e.name, func(t *testing.T) { e.run(t, g, fmt.Sprintf("%s/page/%d", web.URL, i)) })
	}
}
