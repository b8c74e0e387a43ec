//go:build e2e

package tools

import (
	"fmt"
	"os"
	"testing"

	"cove/e2e/harness"
)

// sitePages are pages as frameworks and sites make them; what is said of each must be true.
var sitePages = []effect{
	{name: "a select whose framework puts the choice back a moment later", html: `<select id=s aria-label=Car onchange="setTimeout(() => { this.value='Volvo' })"><option>Volvo<option>BMW</select>`, tool: "fill", args: harness.Arguments{"uid": `combobox "Car"`, "value": "BMW"}, refused: []string{"did not take", "Volvo"}, then: `s.value === 'Volvo'`},
	{name: "a date whose framework puts it back a moment later", html: `<input id=d type=date aria-label=Day oninput="setTimeout(() => { this.value='' })">`, tool: "fill", args: harness.Arguments{"uid": `Date "Day"`, "value": "2026-03-04"}, refused: []string{"did not take"}, then: `d.value === ''`},
	{name: "a checkbox that is drawn anew as it was", html: `<div id=w></div><script>function draw() { w.innerHTML = '<input type=checkbox aria-label=Terms>'; w.firstChild.onclick = () => setTimeout(draw); } draw();</script>`, tool: "fill", args: harness.Arguments{"uid": `checkbox "Terms"`, "value": "true"}, refused: []string{"did not take"}},
	{name: "a field that is drawn anew when it gets the focus", html: `<div id=w><input aria-label=Name onfocus="draw()"></div><script>let n = 0; function draw() { if (n++ < 1) w.innerHTML = '<input aria-label=Name onfocus="draw()">'; }</script>`, tool: "fill", args: harness.Arguments{"uid": `textbox "Name"`, "value": "hello"}, then: `w.firstChild.value === 'hello'`},
	{name: "a field that loses the focus with each key", html: `<div id=w></div><script>let v = ''; function draw() { w.innerHTML = '<input aria-label=Name>'; w.firstChild.value = v; w.firstChild.oninput = (e) => { v = e.target.value; draw(); }; } draw();</script>`, tool: "fill", args: harness.Arguments{"uid": `textbox "Name"`, "value": "hello"}, refused: []string{"did not take"}},
	{name: "a field that gives the focus away", html: `<input id=a aria-label=First onfocus="b.focus()"><input id=b aria-label=Second>`, tool: "fill", args: harness.Arguments{"uid": `textbox "First"`, "value": "hello"}, refused: []string{"moves it elsewhere"}, then: `b.value === ''`},
	{name: "signs that a field does not take", html: `<input id=i aria-label=Name oninput="this.value = this.value.replace(/[^ -~]/gu, '')">`, tool: "fill", args: harness.Arguments{"uid": `textbox "Name"`, "value": "😀☃"}, refused: []string{"did not take"}},
	{name: "a field that keeps a value which holds the new one", html: `<input id=i aria-label=Fruit value=Banana oninput="this.value='Banana'">`, tool: "fill", args: harness.Arguments{"uid": `textbox "Fruit"`, "value": "a"}, refused: []string{"did not take", "Banana"}},
	{name: "a comma in a number", html: `<input id=i type=number step=any aria-label=Price>`, tool: "fill", args: harness.Arguments{"uid": `spinbutton "Price"`, "value": "1,5"}, refused: []string{"did not take"}},
	{name: "a colour by its name", html: `<input id=i type=color aria-label=Ink>`, tool: "fill", args: harness.Arguments{"uid": `ColorWell "Ink"`, "value": "red"}, says: []string{"#ff0000"}, then: `i.value === '#ff0000'`},
	{name: "a colour that is none", html: `<input id=i type=color aria-label=Ink value="#112233">`, tool: "fill", args: harness.Arguments{"uid": `ColorWell "Ink"`, "value": "reddish"}, refused: []string{"did not take"}},
	{name: "a time with a blank", html: `<input id=i type=datetime-local aria-label=When>`, tool: "fill", args: harness.Arguments{"uid": `DateTime "When"`, "value": "2026-01-02 13:45"}, then: `i.value === '2026-01-02T13:45'`},
	{name: "tabs in a text", html: `<textarea id=i aria-label=Code></textarea><input id=next aria-label=Next>`, tool: "fill", args: harness.Arguments{"uid": `textbox "Code"`, "value": "a\tb\nc"}, then: `i.value === 'a\tb\nc' && next.value === ''`},
	{name: "a listbox", html: `<ul id=l role=listbox aria-label=Size tabindex=0><li role=option aria-selected=false>S<li role=option aria-selected=false>M<li role=option aria-selected=false>L</ul><output id=o></output><script>for (const li of l.children) li.onclick = () => { o.textContent += li.textContent; for (const x of l.children) x.setAttribute('aria-selected', x === li); };</script>`,
		tool: "fill", args: harness.Arguments{"uid": `listbox "Size"`, "value": "L"}, then: `o.textContent === 'L'`},
	{name: "an option that another list has too", html: `<ul role=listbox aria-label=Other><li role=option onclick="o.textContent='other'">Pear</ul><button id=b role=combobox aria-controls=l aria-haspopup=listbox aria-expanded=false aria-label=Fruit onclick="l.hidden=!l.hidden">Apple</button><ul id=l role=listbox hidden><li role=option onclick="b.textContent='Pear';l.hidden=true">Pear</ul><output id=o></output>`,
		tool: "fill", args: harness.Arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `b.textContent === 'Pear' && o.textContent === ''`},
	{name: "a list that is open already", html: `<button id=b role=combobox aria-haspopup=listbox aria-expanded=true aria-label=Fruit onclick="l.hidden=!l.hidden">Apple</button><ul id=l role=listbox><li role=option onclick="b.textContent='Pear';l.hidden=true">Pear</ul>`,
		tool: "fill", args: harness.Arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `b.textContent === 'Pear'`},
	{name: "a list that comes late", html: `<button id=b role=combobox aria-haspopup=listbox aria-expanded=false aria-label=Fruit onclick="setTimeout(() => { l.innerHTML='<li role=option onclick=pick(this)>Apple<li role=option onclick=pick(this)>Pear'; l.hidden=false }, 400)">Apple</button><ul id=l role=listbox hidden></ul><script>function pick(e) { b.textContent = e.textContent; l.hidden = true; }</script>`,
		tool: "fill", args: harness.Arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, then: `b.textContent === 'Pear'`},
	{name: "an option that does nothing", html: `<button id=b role=combobox aria-haspopup=listbox aria-controls=l aria-label=Fruit onclick="l.hidden=false">Apple</button><ul id=l role=listbox hidden><li role=option>Apple<li role=option>Pear</ul>`,
		tool: "fill", args: harness.Arguments{"uid": `combobox "Fruit"`, "value": "Pear"}, refused: []string{"does not show"}},
	{name: "a list without that option says what it has", html: `<button id=b role=combobox aria-haspopup=listbox aria-controls=l aria-label=Fruit onclick="l.hidden=false">Apple</button><ul id=l role=listbox hidden><li role=option>Apple<li role=option>Pear</ul>`,
		tool: "fill", args: harness.Arguments{"uid": `combobox "Fruit"`, "value": "Plum"}, refused: []string{"Plum", "Apple, Pear"}},
	{name: "a slider that knows no keys", html: `<div role=slider tabindex=0 aria-label=Volume aria-valuenow=5 aria-valuemin=0 aria-valuemax=10>5</div>`, tool: "fill", args: harness.Arguments{"uid": `slider "Volume"`, "value": "8"}, refused: []string{"did not take", "5"}},
	{name: "a frame in a box that is scrolled", html: `<div style="height:300px;overflow:auto"><div style="height:1500px"></div><iframe id=f style="height:200px" src="/frame/inner"></iframe><div style="height:800px"></div></div>`, tool: "click", args: harness.Arguments{"uid": `button "Inner button"`}, then: `f.contentDocument.getElementById('io').textContent === 'clicked'`},
	{name: "a frame of another site in a box that is scrolled", html: `<div style="height:300px;overflow:auto"><div style="height:1500px"></div><iframe style="height:200px" src="{{other}}/frame/inner?as=other"></iframe><div style="height:800px"></div></div>`, tool: "click", args: harness.Arguments{"uid": `button "Inner button"`}, then: `__log.some((l) => l.startsWith('other:click ib'))`},
	{name: "a button that runs away from the mouse", html: `<button id=b style="position:absolute;left:20px;top:20px" onmouseover="this.style.left='400px'" onclick="o.textContent='hit'">Shy</button><output id=o></output>`, tool: "click", args: harness.Arguments{"uid": `button "Shy"`}, refused: []string{"hit an empty part of the page instead", "the page moved or covered it"}, then: `o.textContent === ''`},
	{name: "a cover that comes with the mouse", html: `<div style="position:absolute;left:20px;top:20px;width:200px;height:100px" onmouseover="v.hidden=false"><button style="margin:30px">Card</button><a id=v hidden href="#v" style="position:absolute;inset:0;background:#fff">Quick view</a></div>`, tool: "click", args: harness.Arguments{"uid": `button "Card"`}, refused: []string{"Quick view"}},
	{name: "a button that is drawn anew when it is pressed", html: `<div id=w></div><output id=o>0</output><script>function draw() { w.innerHTML = '<button>Menu</button>'; w.firstChild.onmousedown = () => { o.textContent++; Promise.resolve().then(draw); }; } draw();</script>`, tool: "click", args: harness.Arguments{"uid": `button "Menu"`}, then: `o.textContent === '1'`},
	{name: "a button in a closed shadow root", html: `<div id=h></div><output id=o></output><script>h.attachShadow({ mode: 'closed' }).innerHTML = '<p><button onclick="o.textContent=1">Inside</button></p>';</script>`, tool: "click", args: harness.Arguments{"uid": `button "Inside"`}, then: `o.textContent === '1'`},
	{name: "a button in a slot", html: `<div id=h><button onclick="o.textContent=1"><span>Given</span></button></div><output id=o></output><script>h.attachShadow({ mode: 'open' }).innerHTML = '<p><slot></slot></p>';</script>`, tool: "click", args: harness.Arguments{"uid": `button "Given"`}, then: `o.textContent === '1'`},
	{name: "a drop that nobody takes", html: `<div draggable=true role=button style="width:100px;height:40px">Gift</div><div role=button style="margin-top:60px;height:50px">Wall</div>`, tool: "drag", args: harness.Arguments{"from_uid": `button "Gift"`, "to_uid": `button "Wall"`}, refused: []string{"does not take it"}},
	{name: "a drop that changes the order", html: `<ul id=u role=listbox></ul><script>let held; for (const name of 'ABC') { const li = document.createElement('li'); li.draggable = true; li.textContent = name; li.setAttribute('role', 'option'); li.ondragstart = () => { held = li; }; li.ondragover = (e) => e.preventDefault(); li.ondrop = (e) => { e.preventDefault(); u.insertBefore(held, li); }; u.append(li); }</script>`,
		tool: "drag", args: harness.Arguments{"from_uid": `option "C"`, "to_uid": `option "A"`}, then: `u.textContent === 'CAB'`},
	{name: "a drag onto what is covered", html: `<div draggable=true role=button style="width:100px;height:40px">Gift</div><div role=button style="position:absolute;top:100px;left:0;width:200px;height:50px">Box</div><div id=veil style="position:absolute;top:80px;left:0;width:400px;height:200px;background:#ccc"></div>`, tool: "drag", args: harness.Arguments{"from_uid": `button "Gift"`, "to_uid": `button "Box"`}, refused: []string{"covered", "veil"}},
	{name: "typing into nothing", html: `<input id=i aria-label=Name>`, tool: "type_text", args: harness.Arguments{"text": "abc"}, says: []string{"No field had the focus"}, then: `i.value === ''`},
	{name: "a key that loads more", html: `<div id=l></div><div id=s>end</div><script>let n = 0; function add() { for (let i = 0; i < 60; i++) { const p = document.createElement('p'); p.textContent = 'Item ' + n++; l.append(p); } } add(); new IntersectionObserver((e) => e[0].isIntersecting && add()).observe(s);</script>`,
		tool: "press_key", args: harness.Arguments{"key": "End"}, then: `n > 60`},
	{name: "keys in small letters", html: `<textarea id=i aria-label=Text autofocus>some words</textarea><script>i.focus(); i.onkeydown = (e) => { if (e.ctrlKey && e.key === 'a') document.title = 'all'; };</script>`, tool: "press_key", args: harness.Arguments{"key": "ctrl + a"}, then: `document.title === 'all' && getSelection().toString() === 'some words'`},
	{name: "a text in a shadow root", html: `<div id=h></div><script>const r = h.attachShadow({ mode: 'open' }); setTimeout(() => { r.innerHTML = '<div id=in></div>'; r.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<p>Deep words</p>'; }, 300);</script>`, tool: "wait_for", args: harness.Arguments{"text": []string{"Deep words"}}},
	{name: "a text in a closed shadow root", html: `<div id=h></div><script>const r = h.attachShadow({ mode: 'closed' }); setTimeout(() => { r.innerHTML = '<p>Hidden words</p>'; }, 300);</script>`, tool: "wait_for", args: harness.Arguments{"text": []string{"Hidden words"}}},
	{name: "the value of a field in a shadow root", html: `<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<input value="held here">';</script>`, tool: "wait_for", args: harness.Arguments{"text": []string{"held here"}}},
	{name: "texts of blocks without white space between them", html: `<div>Price</div><div>$5</div><p>First<br>second</p>`, tool: "take_snapshot", says: []string{"Price $5 First second"}},
	{name: "a number that is drawn as dots", html: `<input style="-webkit-text-security:disc" aria-label=Pin value=4321>`, tool: "wait_for", args: harness.Arguments{"text": []string{"4321"}, "timeout": 300}, refused: []string{"Timed out"}},
	{name: "a menu that only the mouse over it shows", html: `<style>#s{display:none}li:hover>#s{display:block}</style><ul><li>Products<ul id=s><li><a href=#a>Alpha</a></ul><li>Plain</ul>`, tool: "hover", args: harness.Arguments{"uid": `listitem "Products"`}, then: `getComputedStyle(s).display === 'block'`},
	{name: "a menu of boxes that only the mouse over it shows", html: `<style>#s{visibility:hidden}div:hover>#s{visibility:visible}</style><div>More<div id=s><button>Act</button></div></div>`, tool: "hover", args: harness.Arguments{"uid": `generic "More"`}, then: `getComputedStyle(s).visibility === 'visible'`},
	{name: "a column of a board that is empty", html: `<style>.c{width:200px;height:100px;border:1px solid}</style><div class=c role=list aria-label=Todo><div id=k draggable=true role=listitem>Card</div></div><div class=c id=d role=list aria-label=Done></div><script>for (const c of document.querySelectorAll('.c')) { c.ondragover = (e) => e.preventDefault(); c.ondrop = (e) => { e.preventDefault(); c.append(k); }; }</script>`,
		tool: "drag", args: harness.Arguments{"from_uid": `listitem "Card"`, "to_uid": `list "Done"`}, then: `k.parentNode === d`},
	{name: "code keeps its lines", html: "<pre>def f(x):\n    return \"x\"\n\n\nf(1)</pre>", tool: "take_snapshot", says: []string{`"def f(x):\n    return \"x\"\n\nf(1)"`}},
	{name: "a box that one types into says so", html: `<div contenteditable><p>Hello</p></div>`, tool: "take_snapshot", says: []string{`generic "Hello" editable`}},
	{name: "a sign is told with its tooltip", html: `<button title="Delete forever">×</button><button title="Save it">Save</button>`, tool: "take_snapshot", says: []string{`button "×" description="Delete forever"`, "button \"Save\"\n"}},
	{name: "what the browser tells about a field", html: `<form><input required aria-label=Mail><button>Send</button></form>`, tool: "click", args: harness.Arguments{"uid": `button "Send"`, "includeSnapshot": true}, says: []string{`required invalid="Please fill`}},
	{name: "a canvas that listens to the mouse", html: `<canvas id=c width=200 height=100></canvas><output id=o></output><script>c.addEventListener('click', (e) => { o.textContent = e.offsetX; });</script>`, tool: "click", args: harness.Arguments{"uid": `Canvas`}, then: `o.textContent === '100'`},
	{name: "a shortcut as people write it", html: `<output id=o></output><script>onkeydown = (e) => { if (e.ctrlKey && e.key === 'k') o.textContent = 'palette'; };</script>`, tool: "press_key", args: harness.Arguments{"key": "Control+K"}, then: `o.textContent === 'palette'`},
	{name: "a file that only a person can choose", html: `<button onclick="showOpenFilePicker().catch(() => {})">Pick</button>`, tool: "upload_file", args: harness.Arguments{"uid": `button "Pick"`, "filePaths": []string{os.Args[0]}}, refused: []string{"showOpenFilePicker"}},
}

func TestPagesAsSitesMakeThem(t *testing.T) {
	var pages []scenario
	for _, e := range sitePages {
		pages = append(pages, scenario{name: "page", html: e.html})
	}
	a := harness.Start(t)
	web, g := diffSite(t, pages), harness.NewOurs(t, a, 1)
	for i, e := range sitePages {
		t.Run(e.name, func(t *testing.T) { e.run(t, g, fmt.Sprintf("%s/page/%d", web.URL, i)) })
	}
}
