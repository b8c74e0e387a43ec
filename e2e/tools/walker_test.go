//go:build e2e

package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cove/internal/page/dom"
)

// outline writes a walk as indented text: * can be acted on, then role, name, value and states.
func outline(n *told) string {
	var b strings.Builder
	var write func(n *told, depth int)
	write = func(n *told, depth int) {
		b.WriteString(strings.Repeat("  ", depth))
		switch {
		case n.Role == "text":
			fmt.Fprintf(&b, "%q", n.Text)
		case n.Acts:
			b.WriteString("*" + n.Role)
		default:
			b.WriteString(n.Role)
		}
		if n.Name != "" {
			fmt.Fprintf(&b, " %q", n.Name)
		}
		if n.Value != "" {
			fmt.Fprintf(&b, " = %q", n.Value)
		}
		if n.Description != "" {
			fmt.Fprintf(&b, " (%s)", n.Description)
		}
		if n.Frame {
			b.WriteString(" frame")
		}
		for _, name := range slices.Sorted(maps.Keys(n.States)) {
			fmt.Fprintf(&b, " %s:%v", name, n.States[name])
		}
		b.WriteString("\n")
		for _, c := range n.Children {
			write(c, depth+1)
		}
	}
	if n == nil {
		return ""
	}
	for _, c := range n.Children {
		write(c, 0)
	}
	return b.String()
}

func dedent(s string) string {
	return strings.ReplaceAll(strings.TrimLeft(s, "\n"), "\t", "")
}

var walks = []struct{ name, html, want string }{
	{"inline text is one run and a link ends it",
		`<p>Hello <b>world</b>. This is a paragraph with a <a href=#x>link</a>.</p><p>Next</p>`, `
		"Hello world. This is a paragraph with a"
		*link "link"
		"."
		"Next"
	`},
	{"a password is told without anything of its value",
		`<label>Password <input type=password value=hunter2></label><input type=password aria-labelledby=pw><span id=pw>Again</span>`, `
		*textbox "Password"
		*textbox "Again"
		"Again"
	`},
	{"what nobody sees is left out",
		`<p hidden>a</p><p style="display:none">b</p><p style="visibility:hidden">c <b style="visibility:visible">shown</b></p><div inert>d<button>e</button></div>
		<div aria-hidden=true>f<button>g</button></div><details><summary>More</summary>h</details><div hidden=until-found>i</div><div style="content-visibility:hidden">j<button>k</button></div>`, `
		"shown"
		*DisclosureTriangle "More" expandable:true
	`},
	{"text that cannot be read is no text",
		`<p style="opacity:0">opacity</p><p style="font-size:0">size</p><p style="color:transparent">colour</p>
		<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">clipped <b>deep</b></span><p style="position:absolute;left:-9999px">away</p>
		<div style="max-height:0;overflow:hidden"><p>folded</p></div><p>seen</p>`, `
		"seen"
	`},
	{"what is just being faded in is told",
		`<style>@keyframes in { from { opacity: 0 } }</style><div style="animation: in 1000s steps(1, end)"><p>soon</p><select aria-label=Month><option>May</select></div><p style="opacity:0;animation: in 1s steps(1, end) infinite">never</p>`, `
		"soon"
		*combobox "Month" = "May" expandable:true haspopup:menu
		  *option "May" selected:true
	`},
	{"what can be acted on stays where its text is unreadable",
		`<a href=#x style="position:absolute;left:-9999px">Skip to content</a><button style="opacity:0">Clear</button><button><span style="position:absolute;clip:rect(0 0 0 0)">Close</span></button>`, `
		*link "Skip to content"
		*button "Clear"
		*button "Close"
	`},
	{"a modal dialog is all there is",
		`<p>outside</p><button>outside</button><dialog id=d aria-label=Sure><p>Delete?</p><button>Yes</button></dialog><script>d.showModal()</script>`, `
		dialog "Sure" modal:true
		  "Delete?"
		  *button "Yes" focusable:true focused:true
	`},
	{"the upper of two modal dialogs is all there is",
		`<dialog id=b><button>Upper</button></dialog><dialog id=a><button>Lower</button></dialog><script>a.showModal(); b.showModal()</script>`, `
		dialog modal:true
		  *button "Upper" focusable:true focused:true
	`},
	{"boxes that only a hand cursor makes clickable",
		`<style>.card{cursor:pointer}</style><div class=card>Card <b>one</b></div><div class=card>Two <button>Buy</button></div><div onclick="1">Old</div><a href=#x><div class=card>in a link</div></a>`, `
		*generic "Card one"
		*generic
		  "Two"
		  *button "Buy"
		*generic "Old"
		*link "in a link"
	`},
	{"file inputs that pages hide",
		`<input type=file hidden><div style="display:none"><input type=file aria-label=Deep multiple></div><label for=u>Upload</label><input id=u type=file style="opacity:0">`, `
		*button "Choose File" = "No file chosen" hidden:true
		*button "Deep" = "No file chosen" hidden:true multiselectable:true
		*LabelText "Upload"
		*button "Upload" = "No file chosen" hidden:true
	`},
	{"a label that stands for a hidden control",
		`<label><input type=checkbox style="position:absolute;opacity:0">Fancy</label><label>Plain <input type=checkbox checked></label>`, `
		*LabelText "Fancy"
		  *checkbox "Fancy"
		*checkbox "Plain" checked:true
	`},
	{"open shadow trees and slots",
		`<div><template shadowrootmode=open><h2><slot name=t>none</slot></h2><slot></slot><button>In</button></template>light <b>text</b><span slot=t>Title</span></div>
		<div><template shadowrootmode=open><p>shadow only</p></template><button>never shown</button></div>`, `
		heading "Title" level:2
		"light text"
		*button "In"
		"shadow only"
	`},
	{"aria-owns moves elements",
		`<div role=group aria-label=Owner aria-owns=o><button>first</button></div><p>between</p><button id=o>owned</button>`, `
		group "Owner"
		  *button "first"
		  *button "owned"
		"between"
	`},
	{"a name that repeats its content takes its place",
		`<h2>Head <i>ing</i></h2><h2>With <a href=#x>link</a></h2><button><img alt=Icon src="data:,"> Go</button><fieldset><legend>Legend</legend><input aria-label=x></fieldset>`, `
		heading "Head ing" level:2
		heading "With link" level:2
		  "With"
		  *link "link"
		*button "Icon Go"
		group "Legend"
		  *textbox "x"
	`},
	{"values and states of controls",
		`<input aria-label=a value=v required readonly><select aria-label=s><option>One<option selected>Two</select><input type=range aria-label=r max=10 value=3><input type=number aria-label=n min=1 max=5 value=2>
		<textarea aria-label=t>long</textarea><input type=date aria-label=d value=2026-01-02><input type=color aria-label=c value=#112233><button disabled>off</button><button aria-expanded=true aria-haspopup=menu>menu</button><button aria-pressed=true>bold</button>
		<div role=switch aria-checked=true tabindex=0>wifi</div><input type=checkbox aria-label=m id=m><script>m.indeterminate = true</script>`, `
		*textbox "a" = "v" readonly:true required:true
		*combobox "s" = "Two" expandable:true haspopup:menu
		  *option "One"
		  *option "Two" selected:true
		*slider "r" = "3" orientation:horizontal valuemax:10 valuemin:0
		*spinbutton "n" = "2" valuemax:5 valuemin:1
		*textbox "t" = "long" multiline:true
		*Date "d" = "2026-01-02"
		*ColorWell "c" = "#112233"
		*button "off" disabled:true
		*button "menu" expandable:true expanded:true haspopup:menu
		*button "bold" pressed:true
		*switch "wifi" checked:true
		*checkbox "m" checked:mixed
	`},
	{"tables and lists keep their shape",
		`<table><caption>Prices</caption><tr><th>Item<th>Price<tr><td>Apple<td>1.00 <a href=#x>buy</a></table><ul><li>One<li>Two <a href=#x>more</a></ul>`, `
		table "Prices"
		  row
		    columnheader "Item"
		    columnheader "Price"
		  row
		    cell "Apple"
		    cell
		      "1.00"
		      *link "buy"
		list
		  listitem "One"
		  listitem
		    "Two"
		    *link "more"
	`},
	{"a list of links is told without its items",
		`<nav><ul><li><a href=#1>One</a></li><li><a href=#2>Two</a></li></ul></nav>`, `
		navigation
		  list
		    *link "One"
		    *link "Two"
	`},
	{"nobody hides the page or what has the focus",
		`<body aria-hidden=true><div aria-hidden=true><button id=f>Focused</button><p>beside</p></div><div aria-hidden=true>hidden</div><script>f.focus()</script>`, `
		*button "Focused" focusable:true focused:true
		"beside"
	`},
	{"text as style attributes draw it",
		`<button style="text-transform: uppercase">inline</button><div style="TEXT-TRANSFORM:uppercase"><a href=/a>around</a></div>`, `
		*button "INLINE"
		*link "AROUND"
	`},
	{"text as a shadow root's sheet draws it", `<p>plain <button>before</button></p><div id=h></div>
	<script>h.attachShadow({mode: 'open'}).innerHTML = '<style>button{text-transform:uppercase}button::before{content:"+ "}</style><button>in it</button>'</script>`, `
		"plain"
		*button "before"
		*button "+ IN IT"
	`},
	{"text as a sheet draws it that a script has filled",
		`<style id=s>p{color:red}</style><button>scripted</button><script>s.sheet.insertRule('button{text-transform:uppercase}')</script>`, `
		*button "SCRIPTED"
	`},
	{"text as it is drawn", `<style>.u{text-transform:uppercase}</style><p class=u>shout <b>loud</b></p><button class=u>go</button><p>a   b
		c</p><pre>x
  y</pre><p>one<br>two <span style="display:inline-block">three</span>four</p><p>He said <q>hi</q></p><math><mi>x</mi><mo>+</mo><mn>1</mn></math>`, `
		"SHOUT LOUD"
		*button "GO"
		"a b c"
		"x\n  y"
		"one"
		"two three four"
		"He said “hi”"
		"x+1"
	`},
	{"what is scrolled past is still told",
		`<div id=s style="height:100px;overflow:auto"><div style="height:3000px;position:relative"><p style="position:absolute;top:0">first</p><p style="position:absolute;top:2000px">later</p></div></div><script>s.scrollTop = 2000</script>`, `
		"first"
		"later"
	`},
	{"live regions and descriptions",
		`<div role=alert>Failed</div><div role=status></div><input aria-label=Mail aria-describedby=h><p id=h>We never share it</p><a href=#x title="More of it">it</a>`, `
		alert atomic:true live:assertive relevant:additions text
		  "Failed"
		status atomic:true live:polite relevant:additions text
		*textbox "Mail" (We never share it)
		"We never share it"
		*link "it" (More of it)
	`},
	{"frames are marked for whoever stitches them", `<iframe title=Inner srcdoc="<p>x"></iframe>`, `
		Iframe "Inner" frame
	`},
	{"what stands on an element that is called something else",
		`<button aria-label="Choose a month">Jan</button><button aria-label="Close dialog">Close</button><button aria-label=Close>×</button><button aria-label=Delete><i>delete_icon</i></button>`, `
		*button "Choose a month" text:Jan
		*button "Close dialog"
		*button "Close"
		*button "Delete"
	`},
	{"a button that its label names", `<label for=b>Start</label><button id=b>10 January</button>`, `
		*button "Start" text:10 January
	`},
	{"a clickable box around one control or icon is no element of its own",
		`<style>.p{cursor:pointer}</style><div class=p><input type=checkbox aria-label=One></div><span class=p><img alt=Open src="data:,"></span>`, `
		*checkbox "One"
		*image "Open"
	`},
	{"what a drawn control keeps for forms and the focus",
		`<style>.gone{position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden}</style><div class=gone><input readonly aria-label=Fruit></div>
		<div class=gone><select tabindex=-1 aria-label=Behind><option>One</select></div><button>Select</button>`, `
		*button "Select"
	`},
	{"counters are told beside the name, which has none",
		`<style>body{counter-reset:n}h3{counter-increment:n;counter-reset:s}h3::before{content:counter(n) ". "}a::before{counter-increment:s;content:counter(n) "." counter(s, lower-alpha) " "}
		ol{counter-reset:i}li{counter-increment:i}li b::before{content:counters(i, "-", upper-roman) ": "}</style><h3>One</h3><a href=#x>x</a><a href=#y>y</a><h3>Two</h3><a href=#z>z</a>
		<ol><li><button><b>p</b></button><ol><li><button><b>q</b></button></ol><li><button><b>r</b></button></ol>`, `
		heading ". One" level:3 text:1. One
		*link ". x" text:1.a x
		*link ". y" text:1.b y
		heading ". Two" level:3 text:2. Two
		*link ". z" text:2.a z
		list
		  listitem
		    *button ": p" text:I: p
		    list
		      *button ": q" text:I-I: q
		  *button ": r" text:II: r
	`},
	{"a native select behind a drawn one",
		`<style>.gone{position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden;border:0;padding:0}</style><select class=gone tabindex=-1 aria-label=Behind><option>One</select>
		<select class=gone aria-label=Reached><option>One</select><div style="position:relative"><select style="opacity:0" aria-label=Over><option>One</select></div>`, `
		*combobox "Reached" = "One" expandable:true haspopup:menu
		*combobox "Over" = "One" expandable:true haspopup:menu
		  *option "One" selected:true
	`},
	{"icons are no part of what is told",
		`<button> Save</button><button class=icon-gear></button><div role=tree><div role=treeitem><span role=img aria-label=caret-down class="anticon"><svg></svg></span>Company</div></div>`, `
		*button "Save"
		*button class:icon-gear
		tree
		  *treeitem "Company"
	`},
	{"a control in a component is called by the component's label",
		`<label><x-check></x-check> Gift wrap</label><script>customElements.define('x-check', class extends HTMLElement {
		static formAssociated = true; constructor() { super(); this.attachInternals(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type=checkbox>' } })</script>`, `
		*checkbox "Gift wrap"
		"Gift wrap"
	`},
	{"editable roots and draggable boxes",
		`<div contenteditable aria-label=Editor>Edit <b>me</b></div><div draggable=true>Drag</div><div role=textbox contenteditable aria-label=Box>typed</div>`, `
		*generic "Editor" editable:true
		  "Edit me"
		*group "Drag"
		*textbox "Box" = "typed"
	`},
}

func TestWalkerTells(t *testing.T) {
	w := newWalked(t)
	for _, c := range walks {
		t.Run(c.name, func(t *testing.T) {
			w.t = t
			w.show("<title>T</title>" + c.html)
			if got, want := outline(w.walk("").Node), dedent(c.want); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
	w.t = t
}

func TestWalkerTellsASubtreeAndStopsAtTheLimit(t *testing.T) {
	w := newWalked(t)
	w.show(`<title>  A  title </title><nav><a href=#1>one</a></nav><main><h1>Head</h1><button>B</button></main>`)
	all := w.walk("{}")
	if all.Title != "A title" || all.Node.Name != "A title" || all.Node.Role != "RootWebArea" ||
		all.URL != w.site.URL+"/show/0" {
		t.Errorf("the root is %+v of %+v", all.Node, all)
	}
	nav := all.Node.Children[0]
	part := w.walk(fmt.Sprintf("{root: %d}", nav.ID))
	if part.Node == nil || part.Node.Role != "navigation" || part.Node.ID != nav.ID || len(part.Node.Children) != 1 {
		t.Errorf("the part is %+v", part.Node)
	}
	w.show(`<ul><li>One<li>Two <a href=#x>more</a></ul><table><tr><th>Item<tr><td>Apple</table>`)
	if got, want := outline(w.walk("{flat: true}").Node), "\"One\"\n\"Two\"\n*link \"more\"\n\"Item\"\n\"Apple\"\n"; got != want {
		t.Errorf("flat is\n%s", got)
	}
	if gone := w.walk("{root: 999999}"); gone.Node != nil {
		t.Errorf("an unknown root gives %+v", gone.Node)
	}
	w.show("<body><script>for (let i = 0; i < 3000; i++) document.body.append(Object.assign(document.createElement('button'), {textContent: i}))</script>")
	cut := w.walk("{limit: 100}")
	if n := len(cut.Node.Children); n > 100 || n < 90 || cut.Missing < 2800 {
		t.Errorf("with a limit of 100: %d told, %d missing", n, cut.Missing)
	}
}

func TestWalkerKeepsIds(t *testing.T) {
	w := newWalked(t)
	w.show(`<button id=a>A</button><button id=b>B</button>`)
	first := w.walk("").Node.Children
	w.page("b.before(Object.assign(document.createElement('button'), {textContent: 'New'})); a.remove()", nil)
	second := w.walk("").Node.Children
	if len(second) != 2 || second[1].ID != first[1].ID || second[0].ID <= first[1].ID {
		t.Errorf("ids %d, %d became %d, %d", first[0].ID, first[1].ID, second[0].ID, second[1].ID)
	}
	var got []any
	w.in(fmt.Sprintf("[cove.get(%d), cove.get(%d).id, cove.get(12345), cove.id(document.getElementById('b'))]",
		first[0].ID, first[1].ID), &got)
	if got[0] != nil || got[1] != "b" || got[2] != nil || got[3] != float64(first[1].ID) {
		t.Errorf("get and id say %v", got)
	}
	var found []int
	w.in("cove.find('button', 'B')", &found)
	if !slices.Equal(found, []int{first[1].ID}) {
		t.Errorf("find says %v", found)
	}
	w.in(`cove.find('button', 'A')`, &found)
	if len(found) != 0 {
		t.Errorf("find finds %v, which has left", found)
	}
	var again bool
	w.in("(() => { const was = cove; "+dom.Walker()+"; return was === cove })()", &again)
	if !again {
		t.Error("the second run of the script replaces the first")
	}
}

func TestWalkerDescribesAndFinds(t *testing.T) {
	w := newWalked(t)
	w.show(`<style>.c{cursor:pointer}</style><input id=i type=email aria-label=Mail value=a@b disabled><input id=p type=password aria-label=Secret value=hunter2><div class=c id=d>Add to cart</div><button hidden id=h>Gone</button>
		<div id=s><template shadowrootmode=open><button>Deep</button></template></div><select id=m multiple aria-label=Many><option>1</select>`)
	var got map[string]map[string]any
	w.in(`Object.fromEntries(['i', 'p', 'd', 'h', 'm'].map(id => [id, cove.describe(cove.id(document.getElementById(id)))]))`, &got)
	for _, c := range []struct {
		id, key string
		want    any
	}{
		{"i", "role", "textbox"}, {"i", "name", "Mail"}, {"i", "tag", "input"}, {"i", "type", "email"},
		{"i", "disabled", true}, {"i", "value", "a@b"}, {"i", "shown", true}, {"i", "acts", true},
		{"p", "name", "Secret"}, {"p", "value", nil}, {"p", "type", "password"},
		{"d", "role", "generic"}, {"d", "name", ""}, {"d", "text", "Add to cart"},
		{"h", "shown", false}, {"m", "multiple", true}, {"m", "role", "listbox"},
	} {
		if got[c.id][c.key] != c.want {
			t.Errorf("%s of %s is %v, not %v", c.key, c.id, got[c.id][c.key], c.want)
		}
	}
	var found []int
	w.in(`['Mail', 'Add to cart', 'Gone', 'Deep'].map((name, i) => cove.find(['textbox', 'generic', 'button', 'button'][i], name).length)`, &found)
	if !slices.Equal(found, []int{1, 1, 0, 1}) {
		t.Errorf("find counts %v", found)
	}
}

func TestWalkerAdoptsClosedRoots(t *testing.T) {
	w := newWalked(t)
	w.show(`<x-card id=x></x-card><div id=plain style="height:20px"></div><x-empty></x-empty><p>text</p><script>
		for (const el of [x, plain]) { const r = el.attachShadow({mode: 'closed'}); r.innerHTML = '<button>In ' + el.id + '</button>'; window['root_' + el.id] = r; }</script>`)
	first := w.walk("")
	if len(first.Closed) != 3 || outline(first.Node) != "\"text\"\n" {
		t.Fatalf("closed %v, tree\n%s", first.Closed, outline(first.Node))
	}
	for _, id := range first.Closed {
		w.adopt(id)
	}
	w.in(fmt.Sprintf("cove.asked([%d, %d, %d])", first.Closed[0], first.Closed[1], first.Closed[2]), nil)
	second := w.walk("")
	if want := "*button \"In x\"\n*button \"In plain\"\n\"text\"\n"; outline(second.Node) != want ||
		len(second.Closed) != 0 {
		t.Errorf("then closed %v, tree\n%s", second.Closed, outline(second.Node))
	}
	before := w.version()
	w.page("root_x.firstChild.textContent = 'Changed'", nil)
	if w.version() == before || !strings.Contains(outline(w.walk("").Node), "Changed") {
		t.Error("a change in a closed root goes unseen")
	}
	w.page("document.querySelector('x-empty').setAttribute('a', 1)", nil)
	if third := w.walk(""); len(third.Closed) != 1 {
		t.Errorf("an element that changed is not asked about again: %v", third.Closed)
	}
}

// adopt hands a closed root in as the keeper does.
func (w *walked) adopt(id int) {
	w.t.Helper()
	var host struct{ Result struct{ ObjectID string } }
	w.call("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("cove.get(%d)", id), "contextId": w.world},
		&host)
	var described struct {
		Node struct{ ShadowRoots []struct{ BackendNodeID int } }
	}
	w.call("DOM.describeNode", map[string]any{"objectId": host.Result.ObjectID, "depth": 1, "pierce": true}, &described)
	for _, root := range described.Node.ShadowRoots {
		var resolved struct{ Object struct{ ObjectID string } }
		w.call("DOM.resolveNode", map[string]any{"backendNodeId": root.BackendNodeID, "executionContextId": w.world},
			&resolved)
		w.call("Runtime.callFunctionOn",
			map[string]any{"functionDeclaration": "function (root) { cove.adopt(this, root) }",
				"objectId":  host.Result.ObjectID,
				"arguments": []any{map[string]any{"objectId": resolved.Object.ObjectID}}}, nil)
	}
}

const versionPage = `<title>v</title><p id=p>text</p><input id=i><input type=checkbox id=c><select id=s><option>1<option>2</select><textarea id=a></textarea><input type=password id=pw value=one>
<details id=d><summary>s</summary>x</details><div id=pop popover>p</div><button id=b>b</button><div id=h></div><x-late id=late></x-late><dialog id=dlg><button>in</button></dialog>
<script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=in><p>in shadow</p>'</script>`

var changes = []struct {
	name, script string
	seen         bool
}{
	{"nothing", `0`, false},
	{"reading the page", `document.body.offsetHeight + getComputedStyle(p).color`, false},
	{"scrolling", `scrollTo(0, 1); document.dispatchEvent(new Event('scroll'))`, false},
	{"an element comes", `document.body.append(document.createElement('hr'))`, true},
	{"an element goes", `document.querySelector('hr').remove()`, true},
	{"an attribute", `p.title = 'x'`, true},
	{"text", `p.firstChild.data = 'other'`, true},
	{"text in a shadow tree", `h.shadowRoot.querySelector('p').textContent = 'new'`, true},
	{"a value, without an event", `i.value = 'x'`, true},
	{"the same value again", `i.value = 'x'`, false},
	{"a value in a shadow tree", `h.shadowRoot.querySelector('input').value = 'x'`, true},
	{"a box checked, without an event", `c.checked = true`, true},
	{"a box half checked", `c.indeterminate = true`, true},
	{"an option chosen, without an event", `s.selectedIndex = 1`, true},
	{"a textarea's value", `a.value = 'x'`, true},
	{"a password's value", `pw.value = 'two'`, true},
	{"an input event", `i.dispatchEvent(new Event('input', {bubbles: true}))`, true},
	{"focus", `b.focus()`, true},
	{"focus lost", `b.blur()`, true},
	{"a disclosure", `d.open = true`, true},
	{"a popover", `pop.showPopover()`, true},
	{"a modal dialog", `dlg.showModal()`, true},
	{"a modal dialog closed", `dlg.close()`, true},
	{"the address", `history.pushState(null, '', '?q')`, true},
	{"the title", `document.title = 'w'`, true},
	{"a late open shadow root", `late.attachShadow({mode: 'open'}).innerHTML = '<p>late</p>'`, true},
}

func TestWalkerSeesChanges(t *testing.T) {
	w := newWalked(t)
	w.show(versionPage)
	w.settle()
	w.walk("")
	for _, c := range changes {
		before := w.version()
		if again := w.version(); again != before {
			t.Errorf("before %s: %d becomes %d by itself", c.name, before, again)
		}
		w.page("(() => { "+c.script+" })()", nil)
		w.settle()
		if after := w.version(); (after != before) != c.seen {
			t.Errorf("%s: seen is %v", c.name, after != before)
		}
		w.settle()
	}
	if v := w.walk("").Version; v != w.version() {
		t.Errorf("a walk says version %d, then it is %d", v, w.version())
	}
}

// Listeners are asked for when the shape has changed.
func TestWalkerTellsWhenOtherElementsMayListen(t *testing.T) {
	w := newWalked(t)
	w.show(versionPage)
	w.settle()
	for _, c := range []struct {
		name, script string
		changes      bool
	}{
		{"nothing", `0`, false},
		{"text", `p.textContent = 'other'`, false},
		{"a value", `i.value = 'x'`, false},
		{"an element comes", `document.body.append(document.createElement('hr'))`, true},
		{"an element goes", `document.querySelector('hr').remove()`, true},
		{"an attribute", `p.title = 'x'`, true},
		{"a late open shadow root", `late.attachShadow({mode: 'open'}).innerHTML = '<p>late</p>'`, true},
		{"a script has come", `b.dispatchEvent(new Event('load'))`, true},
	} {
		before := w.walk("").Shape
		w.page("(() => { "+c.script+" })()", nil)
		w.settle()
		w.walk("") // what it finds is told with the next one
		if after := w.walk("").Shape; (after != before) != c.changes {
			t.Errorf("%s: the shape goes from %d to %d", c.name, before, after)
		}
	}
}

func TestWalkerSeesRulesThatComeLater(t *testing.T) {
	w := newWalked(t)
	w.show(`<style id=s>p { color: red } @media all { b { color: red } } @media print { a::after { color: red } }</style><button>plain</button><button id=host></button><x-host id=h></x-host>
		<script>h.attachShadow({ mode: 'open' }).innerHTML = '<style></style><button>inner</button>'; inner = h.shadowRoot.querySelector('style')</script>`)
	told := func() string { return outline(w.walk("").Node) }
	if text := told(); !strings.Contains(text, `"plain"`) || !strings.Contains(text, `"inner"`) {
		t.Fatal(text)
	}
	w.page(`inner.sheet.insertRule('button { text-transform: uppercase }')`, nil)
	if text := told(); !strings.Contains(text, `"plain"`) || !strings.Contains(text, `"INNER"`) {
		t.Errorf("a rule in a shadow root:\n%s", text)
	}
	w.page(`inner.sheet.deleteRule(0)`, nil)
	w.page(`s.sheet.cssRules[1].insertRule('button { text-transform: uppercase }')`, nil)
	if text := told(); !strings.Contains(text, `"PLAIN"`) {
		t.Errorf("a rule in a group:\n%s", text)
	}
}

// A field that was a password's is one for good, whatever the page makes of it; one whose type is only written again is
// none.
func TestWalkerKeepsPasswordsAndNothingElse(t *testing.T) {
	w := newWalked(t)
	w.show(`<input id=plain aria-label=Plain value=one><input id=typed type=text aria-label=Typed value=two><input id=shown type=password aria-label=Shown value=SECRET>
		<input id=once type=text aria-label=Once value=SECRET><input id=bare type=password aria-label=Bare value=SECRET><input id=mail type=text aria-label=Mail value=me@here>`)
	w.walk("")
	w.page(`(() => { plain.type = 'text'; typed.setAttribute('type', 'text'); typed.type = 'text'; shown.type = 'text'; once.type = 'password'; once.type = 'text'; bare.removeAttribute('type'); mail.type = 'email' })()`, nil)
	w.settle()
	text := outline(w.walk("").Node)
	for _, value := range []string{"one", "two", "me@here"} {
		if !strings.Contains(text, value) {
			t.Errorf("%q is no password's, and is not told:\n%s", value, text)
		}
	}
	if strings.Contains(text, "SECRET") {
		t.Errorf("a password is told:\n%s", text)
	}
}

func TestWalkerIsNotFooledByNamedElements(t *testing.T) {
	w := newWalked(t)
	names := strings.Fields(`
		children childNodes firstChild nextSibling parentNode attributes getAttribute hasAttribute localName tagName
		id nodeType shadowRoot checkVisibility matches closest title value type namespaceURI isConnected getRootNode
		textContent action elements length contains querySelectorAll`)
	var form strings.Builder
	for _, n := range names {
		fmt.Fprintf(&form, "<input name=%s aria-label=%s>", n, n)
	}
	w.show(`<title>Real</title><img name=body><img name=title><img name=activeElement><img name=documentElement><img name=querySelectorAll><img name=styleSheets><img name=elementFromPoint><embed name=getElementById>
		<div id=cove></div><div id=location></div><div id=getComputedStyle></div><div id=WeakRef></div><div id=innerWidth></div><a id=scrollX></a><form aria-label=Form>` + form.String() + `<button>Send</button></form>`)
	answer := w.walk("")
	if answer.Title != "Real" {
		t.Errorf("the title is %q", answer.Title)
	}
	text := outline(answer.Node)
	for _, n := range names {
		if !strings.Contains(text, fmt.Sprintf("*textbox %q", n)) {
			t.Errorf("%s is not told:\n%s", n, text)
		}
	}
	if !strings.Contains(text, "form \"Form\"\n") || !strings.Contains(text, "  *button \"Send\"\n") {
		t.Errorf("the form is not told:\n%s", text)
	}
	w.version()
}

func TestWalkerNeverThrows(t *testing.T) {
	w := newWalked(t)
	for _, html := range []string{
		``, `<frameset cols=50%,50%><frame src=about:blank><frame src=about:blank></frameset>`,
		`<script>document.documentElement.remove()</script>`,
		`<script>document.documentElement.replaceWith(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))</script>`,
		`<svg><input/><select/><a/><textarea/><label/></svg><math><mi>x</mi></math><button aria-labelledby="b" id=b></button>`,
		`<div id=d></div><script>let e = d; for (let i = 0; i < 1500; i++) e = e.appendChild(document.createElement('div')); e.textContent = 'deep'</script>`,
		`<div id=d></div><script>let e = d; for (let i = 0; i < 200; i++) e = e.appendChild(document.createElement('button')); e.textContent = 'deep'</script>`,
		`<div role=list aria-owns=b id=a><div id=b aria-owns=a>x</div></div><label for=q aria-labelledby=q>l<input id=q aria-labelledby=q></label>`,
		`<table><tr role=row><td role=none><th role=cell></table><td>loose<tr><option>loose<optgroup><summary>loose<legend>loose<area href=#><source><param><rt>x`,
	} {
		w.show(html)
		w.walk("")
		w.in("[cove.version(), cove.find('button', 'x'), cove.describe(1), cove.describe(99999)]", nil)
		w.in("Array.from(document.querySelectorAll('*')).slice(0, 300).map(e => cove.describe(cove.id(e))).length", nil)
	}
	w.in("cove.describe(cove.id(document.createElement('p')))", nil)
}

func TestWalkerIsFast(t *testing.T) {
	w := newWalked(t)
	var article, large strings.Builder
	for i := range 300 {
		fmt.Fprintf(&article, "<p>Some words of text that go on <b>for</b> a while and lead to <a href=/w%d title=T>link %d</a>, then <i>on</i>.</p>", i, i)
	}
	for i := range 1250 {
		fmt.Fprintf(&large, "<div>Row %d <a href=/r%d>Link %d</a> <button>Button %d</button> <input placeholder=F%d></div>", i, i, i, i, i)
	}
	for _, p := range []struct{ name, html string }{{"an article with 300 links", article.String()},
		{"5,000 elements", large.String()}} {
		w.show(p.html)
		w.call("Page.bringToFront", nil, nil) // the system gives a hidden tab's process less of the processor
		var ms []float64
		w.in(`Array.from({length: 15}, () => { const t = performance.now(); cove.walk(); return performance.now() - t })`, &ms)
		var version float64
		w.in(`(() => { const t = performance.now(); for (let i = 0; i < 50; i++) cove.version(); return (performance.now() - t) / 50 })()`, &version)
		first := ms[0]
		slices.Sort(ms)
		t.Logf("%s: first walk %.1f ms, median %.1f ms, best %.1f ms; version %.3f ms", p.name, first, ms[len(ms)/2],
			ms[0], version)
		if walk := ms[len(ms)/2]; version*2 > walk { // it is asked for in place of a walk
			t.Errorf("%s: asking for the version takes %.3f ms, a walk %.1f ms", p.name, version, walk)
		}
	}
}
