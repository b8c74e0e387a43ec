//go:build e2e

package tools

import (
	"fmt"
	"strings"
)

// The labels are written after Accessible Name and Description Computation 1.2 and HTML-AAM: kinds of elements in every
// way in which they can be named, and what the specifications say about single ones. ◆ stands in the tag of the element
// that is named, # for the number of the case.

// ways name any element: by a reference, an attribute, or both.
var ways = []string{
	`<span id=r#>Reference #</span> %[1]s`,
	`<span id=a#>First #</span><span id=b#>Second #</span> %[2]s`,
	`<span id=r# hidden>Hidden reference #</span> %[1]s`,
	`<span id=r#>Outer <b>bold #</b> <span hidden>not this</span></span> %[1]s`,
	`<span id=r# aria-label="Label of the reference #">content</span> %[1]s`,
	`<div id=r#><p>Block #</p><p>another</p></div> %[1]s`,
	`<img id=r# alt="Picture #" src="data:,"> %[1]s`,
	`<input id=r# value="Typed #" aria-label=Field> %[1]s`,
	`<select id=r# aria-label=List><option>One<option selected>Chosen #</select> %[1]s`,
	`<span id=r# title="Tip of the reference #"></span> %[1]s`,
	`<span id=r#>Only <span aria-hidden=true>icon</span> words #</span> %[1]s`,
	`%[3]s`,
	`<span id=r#></span> %[4]s`,
	`%[5]s`,
}

// kinds are elements with a place for what names them.
var kinds = []string{
	`<button ◆ {}>x</button>`, `<a href=/x# ◆ {}>x</a>`, `<input ◆ {}>`, `<input type=checkbox ◆ {}>`,
	`<input type=range ◆ {}>`, `<textarea ◆ {}></textarea>`,
	`<select ◆ {}><option>x</select>`, `<h2 ◆ {}>x</h2>`, `<img src="data:," ◆ {}>`, `<nav ◆ {}>x</nav>`,
	`<div role=dialog ◆ {}>x</div>`,
	`<div role=tablist aria-label=t><div role=tab ◆ {} tabindex=0>x</div></div>`,
	`<div role=menu aria-label=m><div role=menuitem ◆ {} tabindex=0>x</div></div>`,
	`<div role=listbox aria-label=l><div role=option ◆ {} tabindex=0>x</div></div>`,
	`<div role=switch aria-checked=true tabindex=0 ◆ {}>x</div>`,
	`<div role=slider tabindex=0 aria-valuenow=3 ◆ {}></div>`, `<fieldset ◆ {}><input aria-label=x></fieldset>`,
	`<table ◆ {}><tr><th>x<th>y<tr><td>1<td>2</table>`,
	`<div role=textbox contenteditable ◆ {}></div>`,
	`<div role=tree aria-label=t><div role=treeitem tabindex=0 ◆ {}>x</div></div>`,
}

// contents are what a name is made of where content names.
var contents = []string{
	`Plain #`, `  Spaces   around #  `, `A <b>bold</b> word #`, `A<i>B</i>C#`, `Line<br>break #`,
	`<span>Two</span><span>spans #</span>`, `<div>Two</div><div>blocks #</div>`, `Text<div>block #</div>more`,
	`<img src="data:," alt="Picture"> beside #`, `<img src="data:," alt="">decorated #`,
	`<img src="data:," alt="Only picture #">`, `<img src="data:," title="Titled picture #">`,
	`<svg width=9 height=9><title>Drawn #</title><path d="M0 0h9v9"/></svg>`,
	`<svg width=9 height=9 role=img aria-label="Labelled drawing #"></svg>`,
	`<svg width=9 height=9 aria-hidden=true><path d="M0 0"/></svg> shown #`,
	`<span aria-label="Inner label #">ignored</span>`, `Before <span aria-label="inner #">ignored</span> after`,
	`Seen <span hidden>unseen</span> #`, `Seen <span style="display:none">unseen</span> #`,
	`Seen <span style="visibility:hidden">unseen</span> #`, `Seen <span aria-hidden=true>unseen</span> #`,
	`<span style="visibility:hidden">no <b style="visibility:visible">yes #</b></span>`,
	`<span style="display:inline-block">boxed</span>word #`, `<span style="display:flex"><b>A</b><b>B#</b></span>`,
	`<span style="display:contents">contents #</span>`, `A&nbsp;B #`, `<q>Quoted #</q>`,
	`<del>old</del> <ins>new #</ins>`,
	`H<sub>2</sub>O #`, `<abbr title="Long form">LF</abbr> #`, `<time datetime=2026-01-01>New year #</time>`,
	`<code>code #</code>`, `<ruby>漢<rt>kan</rt></ruby> #`, `word<wbr>break #`,
	`<span style="text-transform:uppercase">loud #</span>`, `<span role=presentation>role none #</span>`,
	`<span style="position:absolute;clip:rect(0 0 0 0)">For readers #</span>`, `👍 thumbs #`,
	`<span class=before>after the sign #</span>`, `<span class=after>before the sign #</span>`,
	`<span class=alt>with an alternative #</span>`, `<span class=open>in quotes #</span>`,
}

// wraps take their names from their content.
var wraps = []string{`<button ◆>{}</button>`, `<a href=/x# ◆>{}</a>`, `<h3 ◆>{}</h3>`,
	`<div role=checkbox aria-checked=false tabindex=0 ◆>{}</div>`,
	`<div role=listbox aria-label=l><div role=option tabindex=0 ◆>{}</div></div>`}

// single are cases of their own.
var single = strings.Split(strings.TrimSpace(`
<label for=f#>Label for #</label><input id=f# ◆>
<label>Wrapping # <input ◆></label>
<label>Before # <input ◆> after</label>
<label for=f#>One #</label><label for=f#>two</label><input id=f# ◆>
<label for=f#>Outer #</label><label>inner <input id=f# ◆></label>
<label hidden for=f#>Hidden label #</label><input id=f# ◆ title="Title #">
<label for=f# aria-label="Label's own label #">text</label><input id=f# ◆>
<label for=f#><img src="data:," alt="Label picture #"></label><input id=f# ◆>
<label for=f#>Flash the screen <input value=3 aria-label=n> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <select aria-label=n><option>one<option selected>two</select> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <input type=range aria-label=n value=4 max=9> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <span role=textbox contenteditable>seven</span> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <span role=slider aria-valuenow=5 aria-valuetext=five tabindex=0></span> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <span role=spinbutton aria-valuenow=6 tabindex=0></span> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <textarea aria-label=n>eight</textarea> times #</label><input type=checkbox id=f# ◆>
<label for=f#>Flash <button>Now</button> times #</label><input type=checkbox id=f# ◆>
<label><input type=radio name=r# ◆> Radio #</label>
<label>Check # <input type=checkbox ◆></label>
<label>Select # <select ◆><option>x</select></label>
<label>Area # <textarea ◆>text</textarea></label>
<label>Number # <input type=number value=3 ◆></label>
<label>Date # <input type=date ◆></label>
<label>Time # <input type=time ◆></label>
<label>Colour # <input type=color ◆></label>
<label>File # <input type=file ◆></label>
<label>Search # <input type=search ◆></label>
<label>Mail # <input type=email ◆></label>
<label>Phone # <input type=tel ◆></label>
<label>Password # <input type=password ◆></label>
<label>Range # <input type=range ◆></label>
<label>Meter # <meter value=3 max=9 ◆></meter></label>
<label>Progress # <progress value=3 max=9 ◆></progress></label>
<label>Output # <output ◆>x</output></label>
<label>Button # <button ◆>inside</button></label>
<label>Listed # <input list=d# ◆></label><datalist id=d#><option>x</datalist>
<input placeholder="Placeholder #" ◆>
<input placeholder="Placeholder" title="Title first #" ◆>
<textarea placeholder="Area placeholder #" ◆></textarea>
<input type=search placeholder="Search placeholder #" ◆>
<input type=password placeholder="Password placeholder #" ◆>
<div role=textbox contenteditable aria-placeholder="Aria placeholder #" ◆></div>
<input type=submit ◆>
<input type=submit value="Send #" ◆>
<input type=reset ◆>
<input type=reset value="Clear #" ◆>
<input type=button value="Push #" ◆>
<input type=button value="Push" aria-label="Labelled push #" ◆>
<input type=button title="Titled push #" ◆>
<input type=image alt="Image alt #" src="data:," ◆>
<input type=image title="Image title #" src="data:," ◆>
<input type=image src="data:," ◆>
<input type=image value="Image value #" src="data:," ◆>
<input type=file ◆>
<button title="Only a title #" ◆></button>
<button title="Title" ◆>Text before title #</button>
<button ◆><span aria-hidden=true>×</span><span style="position:absolute;left:-9999px">Close #</span></button>
<button aria-label="" ◆>Empty label #</button>
<button aria-label="   " ◆>Blank label #</button>
<button aria-labelledby=nowhere# ◆>Reference to nothing #</button>
<button aria-labelledby="nowhere# r#" ◆>x</button><span id=r#>Half a reference #</span>
<button id=s# aria-label="Itself #" aria-labelledby="s# r#" ◆>x</button><span id=r#>and more</span>
<span id=r#>Return #</span><div role=spinbutton id=s# aria-valuenow=1 aria-valuetext="1 - January" aria-label="month, " aria-labelledby="s# r#" tabindex=0 contenteditable ◆>1</div>
<span id=r#>Return #</span><input id=s# value=V aria-label=Own aria-labelledby="s# r#" ◆>
<span id=r#>Return #</span><input id=s# value=V aria-labelledby="s# r#" ◆>
<span id=r#>Return #</span><select id=s# aria-label=Own aria-labelledby="s# r#" ◆><option>One</select>
<span id=r#>Return #</span><div role=slider id=s# aria-valuenow=3 aria-labelledby="s# r#" tabindex=0 ◆></div>
<span id=r#>Return #</span><label for=s#>Label</label><input id=s# value=V aria-labelledby="r# s#" ◆>
<label for=s#>Label #</label><button id=s#>Text</button><div role=group aria-labelledby=s# ◆><input aria-label=x></div>
<label for=s#>Label #</label><input type=checkbox id=s#><div role=group aria-labelledby=s# ◆><input aria-label=x></div>
<label for=s#>Label #</label><output id=s#>out</output><div role=group aria-labelledby=s# ◆><input aria-label=x></div>
<span id=t#>inner</span><span id=r#>Within <button aria-labelledby=t#>words #</button> end</span><div role=group aria-labelledby=r# ◆><input aria-label=x></div>
<span id=t#>inner</span><span id=r#>Within <input aria-labelledby=t# value="words #"> end</span><div role=group aria-labelledby=r# ◆><input aria-label=x></div>
<span id=t#>followed #</span><label for=s#>Label <span aria-labelledby=t#>not</span> end</label><input id=s# ◆>
<a href=/x# ◆>See <label for=s#>label</label><button id=s#>button</button> end #</a>
<button id=s# aria-labelledby="r# s#" ◆>Own words #</button><span id=r#>Label and</span>
<label id=l# for=s#>Label #</label><button id=s# aria-labelledby="l# s#" ◆>Chosen value</button>
<span id=a# aria-labelledby=b#>Not followed #</span><span id=b#>twice</span><button aria-labelledby=a# ◆>x</button>
<button aria-labelledby=r# aria-label=other ◆>x</button><span id=r#>Reference before label #</span>
<span id=r#>Nested <span aria-labelledby=q#>not</span> reference #</span><span id=q#>inner</span><button aria-labelledby=r# ◆>x</button>
<span id=r#><input type=checkbox checked aria-label="Box #"></span><button aria-labelledby=r# ◆>x</button>
<div id=r# style="display:none">Not displayed # <span style="display:none">inner</span></div><button aria-labelledby=r# ◆>x</button>
<div id=r# style="visibility:hidden">Invisible reference #</div><button aria-labelledby=r# ◆>x</button>
<div hidden><span id=r#>In something hidden #</span></div><button aria-labelledby=r# ◆>x</button>
<div id=r# aria-hidden=true>Aria-hidden reference #</div><button aria-labelledby=r# ◆>x</button>
<table id=r#><caption>Caption #</caption><tr><td>cell</table><div role=group aria-labelledby=r# ◆><input aria-label=x></div>
<ul id=r#><li>One<li>two #</ul><div role=group aria-labelledby=r# ◆><input aria-label=x></div>
<h3 id=r#>Heading of a dialog #</h3><div role=dialog aria-labelledby=r# ◆>x</div>
<dialog open aria-label="Open dialog #" ◆>x</dialog>
<div role=alertdialog aria-label="Alert dialog #" ◆>x</div>
<fieldset ◆><legend>Legend #</legend><input aria-label=x></fieldset>
<fieldset ◆><legend>Legend <b>bold #</b></legend><input aria-label=x></fieldset>
<fieldset title="Title of a group #" ◆><input aria-label=x></fieldset>
<fieldset aria-label="Label before legend #" ◆><legend>Legend</legend><input aria-label=x></fieldset>
<div role=radiogroup aria-label="Radio group #" ◆><input type=radio aria-label=x></div>
<figure aria-label="Figure #" ◆><img src="data:," alt=x></figure>
<figure ◆><img src="data:," alt=x><figcaption>Caption of a figure #</figcaption></figure>
<table ◆><caption>Caption of a table #</caption><tr><th>x<tr><td>1</table>
<table ◆><caption>Caption <b>bold #</b></caption><tr><th>x<tr><td>1</table>
<table title="Title of a table #" ◆><tr><th>x<tr><td>1</table>
<table summary="Summary of a table #" ◆><tr><th>x<tr><td>1</table>
<table><tr><th ◆>Column #<th>y<tr><td>1<td>2</table>
<table><tr><th>x<th>y<tr><th scope=row ◆>Row header #<td>2</table>
<table><tr><th>x<th>y<tr><td ◆ tabindex=0>Cell #<td>2</table>
<div role=grid aria-label=g><div role=row><div role=columnheader tabindex=0 ◆>Header cell #</div></div></div>
<div role=grid aria-label=g><div role=row><div role=gridcell tabindex=-1 ◆>Grid cell #</div><div role=gridcell>x</div></div></div>
<div role=grid aria-label=g><div role=row><button role=gridcell tabindex=-1 ◆>Button cell #</button></div></div>
<div role=grid aria-label=g><div role=row><div role=gridcell tabindex=-1 aria-label="Labelled cell #" ◆>7</div></div></div>
<img src="data:," alt="Alt #" ◆>
<img src="data:," alt="Alt before title #" title=t ◆>
<img src="data:," title="Image's title #" ◆>
<img src="data:," alt="" aria-label="Label beats an empty alt #" ◆>
<div role=img aria-label="Role of an image #" ◆></div>
<svg width=20 height=20 ◆><title>Title of a drawing #</title><rect width=9 height=9 /></svg>
<svg width=20 height=20 aria-label="Label of a drawing #" ◆><rect width=9 height=9 /></svg>
<svg width=20 height=20 role=img aria-labelledby=t# ◆><title id=t#>Referenced title #</title><rect width=9 height=9 /></svg>
<svg width=50 height=20><a href=/s# ◆><text y=10>Link in a drawing #</text></a></svg>
<svg width=50 height=20><a href=/s# aria-label="Labelled link in a drawing #" ◆><text y=10>x</text></a></svg>
<img src="data:," usemap=#m# alt=map width=20 height=20><map name=m#><area href=/a# alt="Area #" shape=rect coords=0,0,9,9 ◆></map>
<iframe title="Frame #" srcdoc="<p>x" width=20 height=20 ◆></iframe>
<iframe aria-label="Labelled frame #" srcdoc="<p>x" width=20 height=20 ◆></iframe>
<details open><summary ◆>Summary #</summary>x</details>
<details><summary ◆>Closed <b>summary #</b></summary>x</details>
<details><summary aria-label="Labelled summary #" ◆>x</summary>y</details>
<select aria-label=s><optgroup label="Group of options #"><option ◆>Option in a group #</optgroup></select>
<select aria-label=s><option ◆>Option #</select>
<select aria-label=s><option label="Label of an option #" ◆>x</select>
<select multiple aria-label="Multiple #" ◆><option>x</select>
<meter value=1 aria-label="Labelled meter #" ◆></meter>
<progress aria-label="Labelled progress #" ◆></progress>
<progress title="Titled progress #" ◆></progress>
<div role=progressbar aria-valuenow=3 aria-label="Drawn progress #" ◆></div>
<div role=meter aria-valuenow=3 aria-label="Drawn meter #" ◆></div>
<div role=scrollbar aria-valuenow=3 aria-controls=x aria-label="Scrollbar #" tabindex=0 ◆></div>
<div role=spinbutton aria-valuenow=3 aria-label="Spinner #" tabindex=0 ◆></div>
<div role=searchbox contenteditable aria-label="Drawn search #" ◆></div>
<div role=combobox aria-expanded=false aria-label="Drawn combobox #" tabindex=0 ◆>x</div>
<div contenteditable aria-label="Editor #" ◆>text</div>
<nav title="Navigation's title #" ◆>x</nav>
<main aria-label="Main part #" ◆>x</main>
<aside aria-label="Aside #" ◆>x</aside>
<form aria-label="Form #" ◆><input aria-label=x></form>
<form title="Title of a form #" ◆><input aria-label=x></form>
<search aria-label="Search part #" ◆><input aria-label=x></search>
<div role=search aria-label="Drawn search part #" ◆><input aria-label=x></div>
<div role=toolbar aria-label="Toolbar #" ◆><button>x</button></div>
<div role=menubar aria-label="Menu bar #" ◆><div role=menuitem tabindex=0>x</div></div>
<div role=menu aria-label="Menu #" ◆><div role=menuitem tabindex=0>x</div></div>
<div role=menu aria-label=m><div role=menuitemcheckbox aria-checked=true tabindex=0 ◆>Checked item #</div></div>
<div role=menu aria-label=m><div role=menuitemradio aria-checked=true tabindex=0 ◆>Radio item #</div></div>
<div role=menu aria-label=m><div role=menuitem tabindex=0 ◆>Item with keys # <kbd>Ctrl+O</kbd></div></div>
<div role=tablist aria-label="Tabs #" ◆><div role=tab tabindex=0>x</div></div>
<div role=tabpanel aria-label="Panel #" ◆>x</div>
<div role=tree aria-label="Tree #" ◆><div role=treeitem tabindex=0>x</div></div>
<div role=tree aria-label=t><div role=treeitem tabindex=0 aria-expanded=true ◆>Parent # <div role=group><div role=treeitem tabindex=-1>child</div></div></div></div>
<div role=listbox aria-label="List box #" ◆><div role=option tabindex=0>x</div></div>
<div role=radio aria-checked=true tabindex=0 ◆>Drawn radio #</div>
<div role=button tabindex=0 ◆>Drawn button #</div>
<div role=link tabindex=0 ◆>Drawn link #</div>
<div role=heading aria-level=3 ◆>Drawn heading #</div>
<div role=tooltip ◆ aria-label="Tooltip #">x</div>
<div role=status aria-label="Status #" ◆>x</div>
<div role=alert aria-label="Alert #" ◆>x</div>
<div role=log aria-label="Log #" ◆>x</div>
<div role=application aria-label="Application #" ◆><button>x</button></div>
<div role=article aria-label="Article #" ◆>x</div>
<ul aria-label="List #" ◆><li>x<li>y</ul>
<h1 ◆>Heading one #</h1>
<h4 ◆>Heading <a href=/h#>with a link #</a></h4>
<h5 ◆>Heading <button>with a button #</button></h5>
<h6 title="Title of nothing #" ◆></h6>
<h2 ◆>Size <input value=5 aria-label=n> heading #</h2>
<a href=/x# ◆>Link <button tabindex=-1>with a button #</button></a>
<a href=/x# ◆>Pick <select aria-label=n><option>A<option selected>B</select> link #</a>
<a href=/x# ◆>Meter <meter value=3 max=9>three</meter> link #</a>
<a href=/x# ◆>Closed <details><summary>summary</summary>not this</details> link #</a>
<a href=/x# ◆><h3>Heading in a link #</h3><p>and text</p></a>
<a href=/x# ◆><ul><li>List</li><li>in a link #</li></ul></a>
<a href=/x# ◆><table><tr><td>Table</td><td>in a link #</td></tr></table></a>
<a href=/x# ◆><figure><img src="data:," alt="Figure in"><figcaption>a link #</figcaption></figure></a>
<a href=/x# title="Title of an empty link #" ◆></a>
<a href=/x# ◆><span title="Inner title #"></span></a>
<a href=/x# ◆><i class=icon></i> After an icon #</a>
<a href=/x# ◆>A<script>1</script><style>x{}</style><!-- c -->B #</a>
<a href=/x# ◆>A<template>T</template><noscript>N</noscript>B #</a>
<div><template shadowrootmode=open><button ◆><slot></slot></button></template>Slotted words #</div>
<div><template shadowrootmode=open><button ◆>Fallback <slot>of a slot #</slot></button></template></div>
<div><template shadowrootmode=open><button ◆><slot name=n></slot> and more #</button></template><span slot=n>Named slot</span></div>
<div><template shadowrootmode=open><label for=f>Label in a shadow #</label><input id=f ◆></template></div>
<div><template shadowrootmode=open><span id=r>Reference in a shadow #</span><button aria-labelledby=r ◆>x</button></template></div>
<button ◆><b><template shadowrootmode=open>not allowed</template>Light #</b></button>
<div role=group aria-label="Owner #" aria-owns=o# ◆><button>x</button></div><button id=o#>owned</button>
<div role=button tabindex=0 aria-owns=o# ◆>Owning </div><span id=o#>button #</span>
<button ◆><span role=none>None <b>within #</b></span></button>
<button ◆><div role=presentation aria-label=not>Presentation #</div></button>
<button ◆><span role=img aria-label="Image role"></span> word #</button>
<button ◆><math><mi>x</mi><mo>=</mo><mn>1</mn></math> #</button>
<math aria-label="Formula #" ◆><mi>x</mi></math>
<button ◆>A<hr>B #</button>
<button ◆><label>Label in a button #</label></button>
<button ◆><fieldset><legend>Legend in</legend>a button #</fieldset></button>
<button ◆><output>5</output> output #</button>
<button ◆ class=counter>Counted #</button>
<h3 ◆ class=counter>Counted heading #</h3>
<button ◆ class=both>Both signs #</button>
<button ◆><span class=block>Block sign #</span></button>
<button ◆><span class=gone>Sign that is gone #</span></button>
<button ◆><span class=image>Sign that is an image #</span></button>
<button ◆ disabled>Disabled #</button>
<button ◆ style="opacity:0">Clear #</button>
<button ◆ style="font-size:0">Tiny #</button>
<button ◆ accesskey=k>Access key #</button>
<button ◆ lang=de>Grüße #</button>
<button ◆ dir=rtl>שלום #</button>
<button ◆>日本語 #</button>
<button ◆>a
b #</button>
<button ◆>&lt;b&gt; "quoted" #</button>
<button ◆>back\slash | bar ^ caret #</button>
<video controls aria-label="Film #" width=50 height=20 ◆></video>
<audio controls aria-label="Sound #" ◆></audio>
<canvas aria-label="Canvas #" width=20 height=20 role=img ◆></canvas>
<object aria-label="Object #" role=img width=20 height=20 ◆></object>
<embed aria-label="Embedded #" role=img width=20 height=20 ◆>
<hr aria-label="Separator #" ◆>
<blockquote aria-label="Quotation #" ◆>x</blockquote>
<section aria-label="Section in a section #" ◆>x</section>
<div role=region aria-labelledby=r# ◆>x</div><h3 id=r#>Region by its heading #</h3>
<header aria-label="Page header #" role=banner ◆>x</header>
<footer aria-label="Page footer #" role=contentinfo ◆>x</footer>
`), "\n")

// labels are all cases.
func labels() (all []string) {
	add := func(html string) {
		all = append(all, strings.NewReplacer("◆", fmt.Sprintf(`data-label=%d`, len(all)), "usemap=#", "usemap=#", "#",
			fmt.Sprint(len(all))).Replace(html))
	}
	for _, kind := range kinds {
		for _, way := range ways {
			put := func(attributes string) string { return strings.Replace(kind, "{}", attributes, 1) }
			add(fmt.Sprintf(way, put(`aria-labelledby=r#`), put(`aria-labelledby="b# a#"`), put(`aria-label="Label #"`),
				put(`aria-labelledby=r# aria-label="Label after an empty reference #"`), put(`title="Title #"`)))
		}
	}
	for _, wrap := range wraps {
		for _, content := range contents {
			add(strings.Replace(wrap, "{}", content, 1))
		}
	}
	for _, html := range single {
		add(html)
	}
	return all
}

const labelStyle = `<style>.before::before{content:"→ "}.after::after{content:" ←"}.alt::before{content:"★" / "star "}.open::before{content:open-quote}.open::after{content:close-quote}
	body{counter-reset:n}.counter::before{counter-increment:n;content:counter(n) ". "}.both::before{content:"[ "}.both::after{content:" ]"}.block::before{content:"Sign";display:block}.gone::before{content:"no";display:none}.image::before{content:url(data:,)}</style>`
