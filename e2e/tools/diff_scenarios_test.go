//go:build e2e

package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// framePages are what the scenarios' frames show.
var framePages = map[string]string{
	"inner": `<button id=ib onclick="io.textContent='clicked'">Inner button</button><input id=ii aria-label="Inner field"><select id=is aria-label="Inner select"><option>One<option>Two</select><input type=checkbox id=ic aria-label="Inner check"><output id=io></output>`,
	"deep":  `<iframe id=down src="/frame/inner?as=deep"></iframe><button id=db>Middle button</button>`,
	"far":   `<div style="height:2000px"></div><button id=fb onclick="io.textContent='far'">Far button</button><output id=io></output>`,
}

func sayHas(words ...string) func(*testing.T, harness.Said) {
	return func(t *testing.T, s harness.Said) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(s.Text, w) {
				t.Errorf("ours does not say %q:\n%s", w, brief(s))
			}
		}
	}
}

func clickOn(what string) step { return step{tool: "click", args: harness.Object{"uid": what}} }

func fillWith(what, value string) step {
	return step{tool: "fill", args: harness.Object{"uid": what, "value": value}}
}

func (s step) but(what, why string) step {
	if s.differs == nil {
		s.differs = map[string]string{}
	}
	s.differs[what] = why
	return s
}

// untrue marks a step where upstream does something wrong.
func untrue(s step, why string) step {
	for _, what := range []string{"error", "shape", "state", "focus", "log"} {
		s = s.but(what, why)
	}
	return s
}

func (s step) check(ours func(*testing.T, harness.Said)) step { s.ours = ours; return s }

func scenarios(t *testing.T) (all []scenario) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "up.txt")
	if err := os.WriteFile(file, []byte("uploaded"), 0o600); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(clickScenarios(), fillScenarios(), keyScenarios(), moveScenarios(), fileScenarios(file),
		dialogScenarios(), scriptScenarios(dir), listScenarios(dir), pageScenarios(), pictureScenarios(dir),
		emulationScenarios(), recordScenarios(dir))
}

// selectFocus: ours leaves the focus where a person's choice would; upstream leaves it where it was.
const selectFocus = "ours moves the focus to the select, as a person does"

func clickScenarios() []scenario {
	return []scenario{
		{"clicks", `<button id=b onclick="o.textContent+='x'">Plain</button><a id=l href="#frag">Fragment</a><button id=d disabled>Disabled</button>
<details id=de><summary id=su>More</summary><p>Inside</p></details><input type=checkbox id=c><label for=c id=lc>Check me</label><button id=aria aria-disabled=true>Aria off</button>
<div id=role role=button tabindex=0 onclick="o.textContent+='r'">Role</div><output id=o></output>`, []step{
			clickOn(`button "Plain"`),
			{tool: "click", args: harness.Object{"uid": `button "Plain"`, "dblClick": true}},
			{tool: "click", args: harness.Object{"uid": `button "Plain"`, "includeSnapshot": true}},
			clickOn(`link "Fragment"`),
			clickOn(`button "Disabled"`),
			clickOn(`DisclosureTriangle "More"`),
			clickOn(`checkbox "Check me"`),
			clickOn(`button "Role"`),
			clickOn(`=99_99`),
			{tool: "click"},
			{tool: "click", args: harness.Object{"uid": `button "Plain"`, "bogus": 1}},
			{tool: "click", args: harness.Object{"uid": `button "Plain"`, "pageId": 77}},
			step{tool: "click", args: harness.Object{"uid": `button "Plain"`, "pageId": nil}}.but("error",
				"ours takes the selected page").but("state", "and clicks").but("focus", "and clicks").but("log",
				"and clicks"),
			step{tool: "nonexistent_tool"}.but("state", "from the step before").but("focus", "the same"),
		}},
		{"frames", `<iframe id=same src="/frame/inner?as=same"></iframe><iframe id=other src="{{other}}/frame/inner?as=other"></iframe><iframe id=nest src="/frame/deep?as=nest"></iframe><iframe id=low src="/frame/far?as=low"></iframe>`, []step{
			clickOn(`button "Inner button"`),
			clickOn(`button "Inner button"#2`),
			clickOn(`button "Inner button"#3`),
			clickOn(`button "Middle button"`),
			clickOn(`button "Far button"`),
			fillWith(`textbox "Inner field"`, "abc"),
			fillWith(`textbox "Inner field"#2`, "def"),
			fillWith(`combobox "Inner select"#2`, "Two").but("focus", selectFocus).but("log", selectFocus),
			fillWith(`checkbox "Inner check"#2`, "true").but("log", selectFocus),
			step{tool: "press_key", args: harness.Object{"key": "Tab"}}.but("log",
				"the key may go up before the focus has reached the other process"),
			{tool: "evaluate_script", args: harness.Object{"function": "(el) => el.ownerDocument.title + el.id",
				"args": harness.UIDs{`button "Inner button"`}}},
			{tool: "evaluate_script", args: harness.Object{"function": "(el) => el.ownerDocument.title + el.id",
				"args": harness.UIDs{`button "Inner button"#2`}}},
		}},
		{"shadow roots", `<div id=open></div><div id=closed></div><output id=o></output><script>
for (const mode of ['open', 'closed']) { const r = document.getElementById(mode).attachShadow({mode}); r.innerHTML = '<button id=sb>Button ' + mode + '</button><input id=si aria-label="Field ' + mode + '"><slot></slot>';
r.getElementById('sb').onclick = () => { o.textContent += mode; }; r.getElementById('si').oninput = (e) => { o.textContent = mode + '=' + e.target.value; }; }</script>`, []step{
			clickOn(`button "Button open"`), clickOn(`button "Button closed"`), fillWith(`textbox "Field open"`, "one"),
			fillWith(`textbox "Field closed"`, "two"),
			{tool: "evaluate_script", args: harness.Object{"function": "(el) => el.outerHTML",
				"args": harness.UIDs{`button "Button open"`}}},
		}},
		{"scrolling", `<div style="height:3000px">tall</div><div id=box style="height:100px;overflow:auto"><div style="height:800px"></div><button id=b onclick="o.textContent='deep'">Deep</button></div><button id=r style="position:relative;left:3000px" onclick="o.textContent='right'">Right</button><output id=o></output>`, []step{
			clickOn(`button "Deep"`), clickOn(`button "Right"`),
		}},
	}
}

func fillScenarios() []scenario {
	const form = `<form id=f onsubmit="return false">`
	labelled := func(types ...string) (html string) {
		for _, typ := range types {
			html += fmt.Sprintf("<label>The %s <input type=%s id=%s></label>\n", typ, typ, typ)
		}
		return html
	}
	return []scenario{
		{"text fields", form + labelled("text", "email", "password", "search", "tel", "url", "number") +
			`<label>Area <textarea id=area>old text</textarea></label><label>Old <input id=old value="old"></label><label>Long <input id=long></label></form>`, []step{
			fillWith(`textbox "The text"`, "Alice"), fillWith(`textbox "The email"`, "a@b.org"),
			fillWith(`textbox "The password"`, "s3cret"), fillWith(`searchbox "The search"`, "words here"),
			fillWith(`textbox "The tel"`, "+1 (555) 010"), fillWith(`textbox "The url"`, "https://example.org/?a=b"),
			fillWith(`spinbutton "The number"`, "42"),
			fillWith(`textbox "Area"`, "line one\nline two"), fillWith(`textbox "Old"`, "new"),
			fillWith(`textbox "Old"`, "").but("log",
				"ours presses Delete, upstream changes the value without an event"), fillWith(`textbox "The text"`,
				"Ünïcödé ☃ 日本").but("log", "the page hears of the change before, see there"),
			fillWith(`textbox "Long"`, strings.Repeat("long ", 100)).but("log",
				"how long texts are put in is each server's own business"),
		}},
		{"pickers", form + labelled("date", "time", "datetime-local", "month", "week", "color", "range") + `</form>`,
			[]step{
				fillWith(`Date "The date"`, "2026-01-02"), fillWith(`InputTime "The time"`, "13:45"),
				fillWith(`DateTime "The datetime-local"`, "2026-01-02T13:45"),
				fillWith(`DateTime "The month"`, "2026-03"),
				fillWith(`DateTime "The week"`, "2026-W07"), fillWith(`ColorWell "The color"`, "#112233"),
				fillWith(`slider "The range"`, "7"),
			}},
		{"choices", form + `<label><input type=checkbox id=c> Check</label><label><input type=radio name=r id=r1> Radio one</label><label><input type=radio name=r id=r2> Radio two</label>
<label>Colour <select id=s><option>Red<option value=g>Green<optgroup label=Dark><option>Black<option disabled>Navy</optgroup></select></label><label>Many <select id=m multiple><option>A<option>B<option>C</select></label>
<div role=switch tabindex=0 aria-checked=false id=sw onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Switch</div></form>`, []step{
			fillWith(`checkbox "Check"`, "true"), fillWith(`checkbox "Check"`, "true"),
			fillWith(`checkbox "Check"`, "false"), fillWith(`checkbox "Check"`, "yes"),
			fillWith(`radio "Radio two"`, "true"), fillWith(`combobox "Colour"`, "Green").but("focus", selectFocus),
			fillWith(`combobox "Colour"`, "Black").but("focus", selectFocus),
			fillWith(`combobox "Colour"`, "Purple").but("focus", selectFocus),
			fillWith(`listbox "Many"`, "B").but("focus", selectFocus), fillWith(`switch "Switch"`, "true"),
		}},
		{"editable", `<div id=e contenteditable aria-label=Editor role=textbox>old <b>rich</b> text</div><div id=p contenteditable=plaintext-only aria-label=Notes role=textbox></div><input id=ro readonly value=fixed aria-label="Read only"><fieldset disabled><input id=off aria-label=Off></fieldset>`, []step{
			fillWith(`textbox "Editor"`, "edited").but("log", editorKeys),
			fillWith(`textbox "Notes"`, "a note").but("log", editorKeys),
			untrue(fillWith(`textbox "Read only"`, "changed"),
				"upstream empties a read-only field and says success").check(sayHas("read-only")),
			untrue(fillWith(`textbox "Off"`, "x"),
				"upstream types into whatever has the focus and says success").check(sayHas("disabled")),
		}},
		{"forms", form + `<label>Name <input id=n></label><label>Mail <input id=m type=email></label><label><input type=checkbox id=c> Agree</label><label>Colour <select id=s><option>Red<option>Blue</select></label><button id=go>Send</button></form><output id=o></output><script>f.onsubmit = () => { o.textContent = 'sent'; return false; };</script>`, []step{
			step{tool: "fill_form", args: harness.Object{"elements": harness.Elements{{`textbox "Name"`, "Bob"},
				{`textbox "Mail"`, "b@x.org"}, {`checkbox "Agree"`, "true"},
				{`combobox "Colour"`, "Blue"}}}}.but("focus", selectFocus),
			step{tool: "fill_form", args: harness.Object{"elements": harness.Elements{{`textbox "Name"`, "Bob2"}},
				"includeSnapshot": true}}.but("log", "upstream adds to what is there where it can"),
			{tool: "fill_form", args: harness.Object{"elements": harness.Elements{{`textbox "Name"`, "Bob3"},
				{`=99_1`, "x"}}}},
			clickOn(`button "Send"`),
		}},
	}
}

// editorKeys: many editors keep a selection of their own and know only by keys that all of it is meant.
const editorKeys = "Control+A is pressed before the text in editors"

func keyScenarios() []scenario {
	var keys, combos []step
	for _, k := range []string{"Tab", "Enter", "Escape", "Space", "Backspace", "Delete", "Home", "End", "PageUp",
		"PageDown", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Insert", "F1", "F5", "F12", "a", "A", "5", "+", "/", "é", "Shift", "Control", "Alt", "Meta", "CapsLock", "ContextMenu", "NumpadEnter", "NumpadAdd", "KeyB", "Digit7", "Bogus"} {
		s := step{tool: "press_key", args: harness.Object{"key": k}}
		if strings.HasPrefix(k, "Numpad") {
			s = s.but("log", "upstream takes the key of the number pad for another when it goes up")
		}
		keys = append(keys, s)
	}
	for _, k := range []string{"Control+A", "Control+C", "Control+V", "Control+X", "Control+Z", "Shift+Tab",
		"Control+Shift+ArrowLeft", "Shift+ArrowRight", "Control+End", "Control+Home", "Shift+a", "Alt+b", "Control++", "Meta+k", "Control+Backspace", "Shift+Enter", "Control+Shift+R", "Bogus+A"} {
		s := step{tool: "press_key", args: harness.Object{"key": k}}
		if k == "Shift+a" {
			s = s.but("log", "a keyboard writes A then")
		} else if strings.HasPrefix(k, "Control+") && len(k) == len("Control+A") && k != "Control++" {
			s = s.but("log", "a keyboard writes a small letter without Shift")
		}
		combos = append(combos, s)
	}
	field := `<textarea id=a aria-label=Area autofocus>some words here</textarea><input id=b aria-label=Next>`
	return []scenario{
		{"keys", field, append([]step{clickOn(`textbox "Area"`)}, keys...)},
		{"combinations", field, append([]step{clickOn(`textbox "Area"`)}, combos...)},
		{"typing", `<form id=f onsubmit="o.textContent='sent';return false"><input id=a aria-label=First><input id=b aria-label=Second></form><textarea id=c aria-label=Area></textarea><output id=o></output>`, []step{
			clickOn(`textbox "First"`),
			{tool: "type_text", args: harness.Object{"text": "typed", "submitKey": "Tab"}},
			{tool: "type_text", args: harness.Object{"text": "More, with Ümläut & (signs)!", "submitKey": "Enter"}},
			clickOn(`textbox "Area"`),
			{tool: "type_text", args: harness.Object{"text": "one\ntwo"}},
			step{tool: "type_text", args: harness.Object{"text": "x", "submitKey": "Bogus"}}.but("state",
				"ours checks the key before it types").but("log", "the same"),
		}},
	}
}

func moveScenarios() []scenario {
	return []scenario{
		{"hover", `<style>#menu ul{display:none}#menu:hover ul{display:block}</style><div id=menu><button id=mb>Menu</button><ul><li><a id=ma href="#item" onclick="o.textContent='item'">Item</a></ul></div><button id=h onmouseenter="o.textContent+='in'" onmouseleave="o.textContent+='out'">Hover me</button><output id=o></output>`, []step{
			{tool: "hover", args: harness.Object{"uid": `button "Hover me"`}},
			{tool: "hover", args: harness.Object{"uid": `button "Menu"`, "includeSnapshot": true}},
			clickOn(`link "Item"`),
		}},
		{"drag and drop", `<div id=from draggable=true role=button aria-label=Source style="width:100px;height:50px;background:red" ondragstart="event.dataTransfer.setData('text/plain','gift')">Source</div><div style="height:40px"></div><div id=to role=button aria-label=Target style="width:200px;height:80px;background:blue" ondragover="event.preventDefault()" ondrop="event.preventDefault();o.textContent='got '+event.dataTransfer.getData('text/plain')">Target</div><output id=o></output>`, []step{
			step{tool: "drag", args: harness.Object{"from_uid": `button "Source"`,
				"to_uid": `button "Target"`}}.but("log", "ours moves over what lies between"),
		}},
		{"pointer drag", `<div id=from role=button aria-label=Handle style="width:60px;height:40px;background:red;touch-action:none">H</div><div id=to role=button aria-label=Place style="width:200px;height:80px;margin-top:100px;background:blue">P</div><output id=o></output><script>
let on = false; from.onpointerdown = (e) => { on = true; }; addEventListener('pointerup', (e) => { if (on) o.textContent = 'dropped on ' + document.elementFromPoint(e.clientX, e.clientY).id; on = false; });</script>`, []step{
			{tool: "drag", args: harness.Object{"from_uid": `button "Handle"`, "to_uid": `button "Place"`}},
			{tool: "drag", args: harness.Object{"from_uid": `button "Handle"`, "to_uid": `=9_99`}},
		}},
	}
}

func fileScenarios(file string) []scenario {
	return []scenario{
		{"uploads", `<label>Visible <input type=file id=v></label><input type=file id=h hidden><button id=b onclick="h.click()">Choose file</button><label>Several <input type=file id=m multiple></label><button id=n>No chooser</button><output id=o></output>`, []step{
			{tool: "upload_file", args: harness.Object{"uid": `button "Visible"`, "filePaths": []string{file}}},
			{tool: "upload_file", args: harness.Object{"uid": `button "Choose file"`, "filePaths": []string{file}}},
			{tool: "upload_file", args: harness.Object{"uid": `button "Several"`,
				"filePaths": []string{file, file}}},
			{tool: "upload_file", args: harness.Object{"uid": `button "Visible"`,
				"filePaths": []string{"/etc/hostname"}}},
			{tool: "upload_file", args: harness.Object{"uid": `button "No chooser"`, "filePaths": []string{file}}},
		}},
	}
}

func dialogScenarios() []scenario {
	handle := func(action string, more ...string) step {
		args := harness.Object{"action": action}
		if len(more) > 0 {
			args["promptText"] = more[0]
		}
		return step{tool: "handle_dialog", args: args}
	}
	return []scenario{
		{"dialogs", `<button id=a onclick="alert('Hi');o.textContent='alerted'">Alert</button><button id=c onclick="o.textContent=confirm('Sure?')">Confirm</button><button id=p onclick="o.textContent=prompt('Name?','Bob')">Prompt</button><button id=t onclick="setTimeout(()=>{o.textContent=confirm('Later?')},0)">Later</button><button id=two onclick="alert('one');alert('two');o.textContent='both'">Two</button><output id=o></output>`, []step{
			clickOn(`button "Alert"`), {tool: "take_snapshot"}, {tool: "list_pages"}, handle("accept"),
			handle("accept"),
			clickOn(`button "Confirm"`), handle("dismiss"), clickOn(`button "Confirm"`), handle("accept"),
			clickOn(`button "Prompt"`), handle("accept", "Zed"), clickOn(`button "Prompt"`),
			handle("accept").but("state", "a person's OK sends the default of a prompt"),
			clickOn(`button "Prompt"`), handle("dismiss"),
			clickOn(`button "Later"`), handle("accept"),
		}},
	}
}
