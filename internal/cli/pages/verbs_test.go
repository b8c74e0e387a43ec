package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/answer"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// planOf returns the calls of a command line, as JSON.
func planOf(t *testing.T, line string) (string, error) {
	t.Helper()
	w, err := newRunner(&command.Env{In: strings.NewReader("1 + 1")}).parseStep(line)
	if err != nil {
		return "", err
	}
	var calls []string
	for _, s := range w.plan.steps {
		raw, err := json.Marshal(s.args)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, s.tool+string(raw))
	}
	return strings.Join(calls, " "), nil
}

func TestWhatCommandsCall(t *testing.T) {
	for line, want := range map[string]string{
		"open https://a.example":      `navigate_page{"url":"https://a.example"}`,
		"goto shop.example/x":         `navigate_page{"url":"https://shop.example/x"}`,
		"open localhost:3000":         `navigate_page{"url":"http://localhost:3000"}`,
		"open about:blank":            `navigate_page{"url":"about:blank"}`,
		"open a.example --new":        `new_page{"url":"https://a.example"}`,
		"open a.example --context b":  `new_page{"isolatedContext":"b","url":"https://a.example"}`,
		"open a.example --timeout 2s": `navigate_page{"timeout":2000,"url":"https://a.example"}`,
		"back":                        `navigate_page{"type":"back"}`,
		"reload --no-cache":           `navigate_page{"ignoreCache":true,"type":"reload"}`,
		"snapshot -i -u @k4 -m 500":   `take_snapshot{"interactiveOnly":true,"maxTokens":500,"uid":"k4"}`,
		"snapshot -c":                 `take_snapshot{"since":0}`,
		"find 'Order 17'":             `take_snapshot{"query":"Order 17"}`,
		"click @k7 --double":          `click{"dblClick":true,"uid":"k7"}`,
		"drag k1 k2":                  `drag{"from_uid":"k1","to_uid":"k2"}`,
		"fill k4=a=b":                 `fill{"uid":"k4","value":"a=b"}`,
		"fill k4 'a=b c'":             `fill{"uid":"k4","value":"a=b c"}`,
		"fill k4= k5=x --enter": `fill_form{"elements":[{"uid":"k4","value":""},{"uid":"k5","value":"x"}]} ` +
			`press_key{"key":"Enter"}`,
		"select k6 Green":                `fill{"options":["Green"],"uid":"k6"}`,
		"select k6 Red Blue":             `fill{"options":["Red","Blue"],"uid":"k6"}`,
		"check k8":                       `fill{"uid":"k8","value":"true"}`,
		"uncheck k8":                     `fill{"uid":"k8","value":"false"}`,
		`type "it's"`:                    `type_text{"text":"it's"}`,
		`type "C:\new\$1"`:               `type_text{"text":"C:\\new$1"}`,
		`type C:\new`:                    `type_text{"text":"C:new"}`,
		"upload k3 a.pdf b.pdf":          `upload_file{"filePaths":["a.pdf","b.pdf"],"uid":"k3"}`,
		"wait One Two":                   `wait_for{"text":["One","Two"]}`,
		"eval document.title":            `evaluate_script{"dialogAction":"dismiss","function":"async () =\u003e (document.title\n)"}`,
		"eval --dialog accept '() => 1'": `evaluate_script{"dialogAction":"accept","function":"() =\u003e 1"}`,
		"eval '() => 1'":                 `evaluate_script{"dialogAction":"dismiss","function":"() =\u003e 1"}`,
		"eval -":                         `evaluate_script{"dialogAction":"dismiss","function":"async () =\u003e (1 + 1\n)"}`,
		"eval --on k4 el.value":          `evaluate_script{"args":["k4"],"dialogAction":"dismiss","function":"async (el) =\u003e (el.value\n)"}`,
		"console --type error,warn":      `list_console_messages{"types":["error","warn"]}`,
		"console 12":                     `get_console_message{"msgid":12}`,
		"requests 7 --body x.json":       `get_network_request{"reqid":7,"responseFilePath":"x.json"}`,
		"screenshot -o a.jpg --full":     `take_screenshot{"filePath":"a.jpg","format":"jpeg","fullPage":true}`,
		"tab 4 --take":                   `select_page{"pageId":4,"take":true}`,
		"close":                          `close_page{}`,
		"close 4":                        `close_page{"pageId":4}`,
		"dialog accept 'a name'":         `handle_dialog{"action":"accept","promptText":"a name"}`,
		"resize 1280 800":                `resize_page{"height":800,"width":1280}`,
		"tools call add '{\"id\":7}'":    `call_page_tool{"input":{"id":7},"name":"add"}`,
		"tools call add --frame @k4":     `call_page_tool{"frame":"k4","name":"add"}`,
		"ask 'Which?' --choose a,b":      `ask_person{"kind":"choose","message":"Which?","options":["a","b"]}`,
		"ask --wait 3-4711 --timeout 5s": `ask_person{"request":"3-4711","wait":5}`,
		"ask Code --code @k4":            `ask_person{"kind":"code","message":"Code","uid":"k4"}`,
		"trace start --no-reload":        `performance_start_trace{"autoStop":true,"reload":false}`,
	} {
		if got, err := planOf(t, line); err != nil || got != want {
			t.Errorf("%s:\n%s (%v), not\n%s", line, got, err, want)
		}
	}
}

func TestTheInputOfAToolStaysAsItIs(t *testing.T) {
	const input = `{"id":9007199254740993}`
	r := newRunner(&command.Env{In: strings.NewReader(input)})
	for _, line := range []string{"tools call add -", "tools call add '" + input + "'"} {
		w, err := r.parseStep(line)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(w.plan.steps[0].args["input"])
		if string(raw) != input {
			t.Errorf("%s: %s", line, raw)
		}
	}
}

func TestWhatIsNotUnderstoodIsRefused(t *testing.T) {
	for _, line := range []string{
		"", "bogus", "click", "click k1 k2", "fill k4", "fill =x", "console x", "tab", "tab x", "resize 1", "ask",
		"tools call", "tools call x 5", "tools call x null", "tools call x -",
		"tools a --frame k1", "tools a b", "trace", "trace stop now", "click 'k1", "click k1 --bogus", "do 'back'", "back -p 2",
		"back --json", "ask hello --wait 3-1", "wait ''", "wait a ''",
	} {
		if got, err := planOf(t, line); err == nil {
			t.Errorf("%q is %s", line, got)
		}
	}
}

// Sentences of tools name other tools. In a shell they name commands, and each of these exists.
func TestEveryCommandThatATextNamesIsThere(t *testing.T) {
	group := newRunner(&command.Env{}).group()
	for tool, text := range commandOf() {
		words := strings.Fields(strings.TrimPrefix(text, "cove page "))
		if found, _, err := group.Find(words[:1]); err != nil || found == group {
			t.Errorf("%s: there is no command %s", tool, text)
		}
	}
}

func TestWhatASourceIs(t *testing.T) {
	for source, want := range map[string]string{
		"document.title":                       "expression",
		"fetch('/').then(r => r.status);":      "expression",
		"(async () => 7)()":                    "expression",
		"({a: 1})":                             "expression",
		"() => 1":                              "function",
		"async el => el.value":                 "function",
		"(a, b) => { return a }":               "function",
		"function () { return 1 }":             "function",
		"function f() { return 9 }; f()":       "script",
		"const a = 1; a + 1":                   "script",
		"for (const a of []) {}":               "script",
		"document.title = 'x'; 5":              "script",
		"'a; b'.length":                        "script", // it runs, too
		"document.querySelector('a') // a ; b": "script",
	} {
		a := scriptOf(source, "")
		got := "function"
		switch {
		case a["format"] == "script":
			got = "script"
		case a["function"] != source:
			got = "expression"
		}
		if got != want {
			t.Errorf("%s is a %s", source, got)
		}
	}
}

// An agent that waits for a yes in the middle of several steps must not act twice in those before it.
func TestOnlyTheStepThatWaitsIsRepeated(t *testing.T) {
	for hint, want := range map[string]string{
		"Do the same again to wait on, or continue.": "The steps before it were done: " +
			"run only this step and those after it again to wait on, or continue.",
		"It is allowed: do the same again.": "It is allowed: run only this step and those after it again, " +
			"as those before it were done.",
		"Wait on: cove page ask --wait 1-2": "Wait on: cove page ask --wait 1-2",
	} {
		got := onlyRest(answer.Answer{Error: fault.New(fault.CodeNotApproved, "Not yet.", hint)})
		if got.Error.Hint != want || got.Error.Text != "Not yet." {
			t.Errorf("%s: %+v", hint, got.Error)
		}
	}
}
