package step

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func event(name, args string) Facts {
	return Facts{Name: name, Event: true, Args: json.RawMessage(args)}
}

func TestAStepIsASentence(t *testing.T) {
	refund := &Element{Role: "button", Name: "Refund order"}
	for _, c := range []struct {
		name    string
		facts   Facts
		text    string
		summary string // "" where it is the text
		kind    Kind
	}{
		{name: "a click", facts: Facts{Name: "click", Args: json.RawMessage(`{"uid":"f10"}`), Element: refund},
			text: `Clicked the button "Refund order"`, kind: Act},
		{name: "a click of an old line", facts: Facts{Name: "click", Args: json.RawMessage(`{"uid":"f10"}`)},
			text: "Clicked an element", kind: Act},
		{name: "a double click on an element without a name", facts: Facts{Name: "click",
			Args: json.RawMessage(`{"uid":"f10","dblClick":true}`), Element: &Element{Role: "image"}},
			text: "Clicked a picture twice", kind: Act},
		{name: "a click that is going on", facts: Facts{Name: "click", Element: refund, Outcome: Going},
			text: `Clicking the button "Refund order"…`, kind: Act},
		{name: "a click that failed", facts: Facts{Name: "click", Element: refund, Outcome: Failed,
			Reason: "The element with uid f10 is covered by a dialog."},
			text:    `Could not click the button "Refund order": the element is covered by a dialog`,
			summary: `Could not click the button "Refund order"`, kind: Act},
		{name: "a click that was denied", facts: Facts{Name: "click", Element: refund, Outcome: Refused,
			Reason: "The user denied this: click it. Nothing was done.", Brief: "you said no"},
			text:    `Denied: click the button "Refund order" – you said no`,
			summary: `Denied: click the button "Refund order"`, kind: Act},
		{name: "a page's tool", facts: Facts{Name: "call_page_tool",
			Args: json.RawMessage(`{"name":"add_to_cart","input":{"id":7}}`)},
			text: `Called the page's tool "add_to_cart"`, kind: Act},
		{name: "a page's tool that a program called", facts: event("page tool", `{"name":"x","status":"Left"}`),
			text: `A program called the page's tool "x", and the page went elsewhere`, kind: Record},
		{name: "a form that was called again", facts: event("page tool", `{"name":"x","status":"Replaced"}`),
			text: `A program called the page's tool "x", a form that was called again before it was sent`, kind: Record},
		{name: "an address that was denied", facts: Facts{Name: "navigate_page", Outcome: Refused,
			Args: json.RawMessage(`{"url":"https://bank.example/pay"}`), Reason: "The address was not opened.",
			Brief: "bank.example is not on the allow list"},
			text:    "Denied: bank.example is not on the allow list",
			summary: "Denied: open bank.example/pay", kind: Act},
		{name: "a form", facts: Facts{Name: "fill_form", Count: 3, Secrets: 1},
			text: "Filled 3 fields (1 secret)", kind: Act},
		{name: "a form of an old line", facts: Facts{Name: "fill_form",
			Args: json.RawMessage(`{"elements":[{"uid":"a1"},{"uid":"a2"}]}`)}, text: "Filled 2 fields", kind: Act},
		{name: "a secret", facts: Facts{Name: "fill", Element: &Element{Role: "textbox", Name: "PIN"}, Secrets: 1},
			text: `Filled the field "PIN" with a secret`, kind: Act},
		{name: "a look at the page", facts: Facts{Name: "take_snapshot", Count: 412},
			text: "Read the page (412 elements)", kind: Read},
		{name: "a drag", facts: Facts{Name: "drag", Element: &Element{Role: "listitem", Name: "A"},
			Onto: &Element{Role: "list"}}, text: `Dragged the list item "A" onto a list`, kind: Act},
		{name: "a character is not named", facts: Facts{Name: "press_key", Args: json.RawMessage(`{"key":"x"}`)},
			text: "Pressed a key", kind: Act},
		{name: "a key", facts: Facts{Name: "press_key", Args: json.RawMessage(`{"key":"Enter"}`)},
			text: "Pressed Enter", kind: Act},
		{name: "arguments of another type", facts: Facts{Name: "navigate_page", Args: json.RawMessage(`{"url":7}`)},
			text: "Opened a page", kind: Act},
		{name: "a program's script", facts: Facts{Name: "Runtime.evaluate"}, text: "Ran a script in the page", kind: Act},
		{name: "a program's mouse", facts: Facts{Name: "Input.dispatchMouseEvent", Outcome: Refused, Brief: "no"},
			text: "Denied: use the mouse – no", summary: "Denied: use the mouse", kind: Act},
		{name: "what a program read", facts: Facts{Name: "looked",
			Args: json.RawMessage(`{"DOM.getDocument":2,"Page.getLayoutMetrics":1}`)},
			text: "Read the page (3 commands)", kind: Read},
		{name: "a command without words", facts: Facts{Name: "Foo.bar"}, text: "Sent the browser command Foo.bar",
			kind: Act},
		{name: "a person's yes", facts: Facts{Name: "allowed", Event: true,
			Args: json.RawMessage(`{"agent":"codex 1.0","what":"run a script","by":"person","always":true}`)},
			text: "You allowed, for this session: run a script (codex 1.0)", kind: Person},
		{name: "a person's no is not a tool", facts: Facts{Name: "refused", Event: true,
			Args: json.RawMessage(`{"agent":"codex","what":"pay","by":"codex"}`)},
			text: "You denied: pay (codex), answered in codex", kind: Person},
		{name: "a yes for a site", facts: event("allowed",
			`{"kind":"approve","agent":"codex","what":"run a script","by":"person","scope":"site"}`),
			text: "You allowed, always on this site: run a script (codex)", kind: Person},
		{name: "a yes for a session", facts: event("allowed",
			`{"agent":"codex","what":"run a script","by":"person","scope":"session","always":true}`),
			text: "You allowed, for this session: run a script (codex)", kind: Person},
		{name: "a no with a note", facts: event("refused",
			`{"agent":"codex","what":"pay","by":"person","note":"Too much."}`),
			text: "You denied: pay (codex). Your note: Too much", summary: "You denied: pay (codex)", kind: Person},
		{name: "a tab that is shared", facts: event("shared", `{}`), text: "You shared a tab with agents", kind: Person},
		{name: "a tab that is hidden", facts: event("unshared", `{}`), text: "You hid a tab from agents", kind: Person},
		{name: "a browser that was let go", facts: event("closed", `{"end":"let-go"}`),
			text: "Cove let go of your browser", kind: Record},
		{name: "a browser that was not allowed", facts: event("closed", `{"end":"refused"}`),
			text: "You pressed Cancel in your browser, so it was not shared", kind: Record},
		{name: "a browser without debugging", facts: event("closed", `{"end":"switched-off"}`),
			text: "Sharing ended: remote debugging was turned off in your browser", kind: Record},
		{name: "a shared browser that was closed", facts: event("closed", `{"end":"browser-quit"}`),
			text: "Sharing ended: your browser was closed", kind: Record},
		{name: "a lost connection", facts: event("closed", `{"end":"keeper-ended"}`),
			text: "Sharing ended: the connection to your browser was lost", kind: Record},
		{name: "a browser that crashed", facts: event("closed", `{"end":"crashed"}`), text: "The browser crashed",
			kind: Record},
		{name: "a profile that was closed", facts: event("closed", `{"end":"stopped"}`), text: "Closed", kind: Record},
		{name: "a page taken from another agent", facts: event("tab_owner", `{"agent":"codex 1","from":"claude-code"}`),
			text: "codex 1 took a page from claude-code", kind: Record},
		{name: "a profile handed back", facts: event("giveback", `{"note":"Please email them."}`),
			text:    "You handed control back. Message to agents: Please email them",
			summary: "You handed control back", kind: Person},
		{name: "a yes by new permissions", facts: event("allowed",
			`{"agent":"codex","what":"run a script","by":"policy"}`),
			text: "The new agent permissions allowed: run a script (codex)", kind: Person},
		{name: "a request for help", facts: event("asked",
			`{"request":"4","kind":"do","agent":"codex","what":"Solve the captcha."}`),
			text: "codex asked you to do something: Solve the captcha", kind: Record},
		{name: "a request for a yes", facts: event("asked", `{"kind":"approve","agent":"codex","what":"pay"}`),
			text: "codex asked for your approval: pay", kind: Record},
		{name: "a request for a code", facts: event("asked", `{"kind":"code","agent":"codex","what":"From your phone"}`),
			text: "codex asked you for a code: From your phone", kind: Record},
		{name: "a request for a choice", facts: event("asked", `{"kind":"choose","agent":"codex","what":"Which size?"}`),
			text: "codex asked you to choose: Which size?", kind: Record},
		{name: "a request for words", facts: event("asked", `{"kind":"text","agent":"codex","what":"Which address?"}`),
			text: "codex asked you a question: Which address?", kind: Record},
		{name: "a request of which nothing is known", facts: event("asked", `{}`), text: "An agent asked you", kind: Record},
		{name: "a request that was seen", facts: event("seen", `{"agent":"codex 1.0","what":"pay"}`),
			text: "You saw the request of codex 1.0: pay", kind: Record},
		{name: "a request that the person works on", facts: event("working", `{"agent":"codex","what":"Log in"}`),
			text: "You started on the request of codex: Log in", kind: Person},
		{name: "done, with a note", facts: event("answered",
			`{"kind":"do","agent":"codex","what":"Log in","by":"person","answer":"done","note":"Use the left one."}`),
			text:    "You answered codex: done. Your note: Use the left one",
			summary: "You answered codex: done", kind: Person},
		{name: "a choice in a client", facts: event("answered",
			`{"kind":"choose","agent":"codex","what":"Which?","by":"codex","answer":"\"L\""}`),
			text: `You answered codex: "'L'", in codex`, kind: Person},
		{name: "a code", facts: event("answered", `{"kind":"code","agent":"codex","by":"person","answer":"typed"}`),
			text: "You gave codex a code, which Cove typed", kind: Person},
		{name: "an answer in words", facts: event("answered", `{"agent":"codex","by":"person","answer":"text"}`),
			text: "You answered codex in words", kind: Person},
		{name: "help that nobody gives", facts: event("answered",
			`{"kind":"do","agent":"codex","what":"Log in","by":"person","answer":"declined","note":"No."}`),
			text:    "You told codex that you can't do this: Log in. Your note: No",
			summary: "You told codex that you can't do this: Log in", kind: Person},
		{name: "a request that nobody answered", facts: event("expired", `{"agent":"codex","what":"Log in"}`),
			text: "Nobody answered codex in time: Log in", kind: Record},
		{name: "a request that was withdrawn", facts: event("withdrawn", `{"agent":"codex","what":"Log in"}`),
			text: "codex withdrew its request: Log in", kind: Record},
		{name: "a request that was cut", facts: event("cut", `{"agent":"codex","what":"Log in"}`),
			text: "The request of codex ended without an answer: Log in", kind: Record},
		{name: "an agent that asks", facts: Facts{Name: "ask_person", Outcome: Going,
			Args: json.RawMessage(`{"message":"Solve the captcha"}`)},
			text: `Asking you: "Solve the captcha"…`, kind: Read},
		{name: "one agent paused", facts: Facts{Name: "paused", Event: true, Args: json.RawMessage(`{"agent":"codex 1.0"}`)},
			text: "You paused codex 1.0", kind: Person},
		{name: "one agent resumed", facts: Facts{Name: "resumed", Event: true,
			Args: json.RawMessage(`{"agent":"codex 1.0"}`)}, text: "You let codex 1.0 continue", kind: Person},
		{name: "one agent disconnected", facts: Facts{Name: "disconnected", Event: true},
			text: "You disconnected an agent", kind: Person},
		{name: "an event without words", facts: Facts{Name: "renamed", Event: true}, text: "Renamed", kind: Record},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Of(c.facts)
			if c.summary == "" {
				c.summary = c.text
			}
			if want := (Words{c.text, c.summary, c.kind}); got != want {
				t.Errorf("%+v, not %+v", got, want)
			}
		})
	}
}

// What a page calls its elements is on one line, short, and cannot pass for words of ours.
func TestThePagesWordsStayInTheirQuotes(t *testing.T) {
	long := strings.Repeat("x", 500)
	for name, want := range map[string]string{
		"Pay\n\tnow\x1b[31m":            `Clicked the button "Pay now [31m"`,
		`a" – you said yes "`:           `Clicked the button "a' – you said yes '"`,
		"one\u202etwo\u200b\u2066three": `Clicked the button "onetwothree"`,
		long:                            `Clicked the button "` + strings.Repeat("x", maxQuote-1) + `…"`,
		"\xff\xfe":                      "Clicked a button",
	} {
		got := Of(Facts{Name: "click", Element: &Element{Role: "button", Name: name}})
		if got.Text != want {
			t.Errorf("%q became %s, not %s", name, got.Text, want)
		}
	}
	if e := Clean(Element{Role: "button", Name: long + "\n"}); len([]rune(e.Name)) != MaxName {
		t.Errorf("a name of %d characters is kept", len([]rune(e.Name)))
	}
	if Clean(Element{Name: "x"}) != nil {
		t.Error("an element of no role is kept")
	}
}

func FuzzOf(f *testing.F) {
	f.Add("click", `{"uid":"a1","url":"http://x/"}`, "why", "button", "name", true)
	f.Add("allowed", `{"what":["x"]}`, "", "", "", false)
	f.Fuzz(func(t *testing.T, name, args, reason, role, called string, event bool) {
		for _, outcome := range []string{OK, Failed, Refused, Going} {
			w := Of(Facts{Name: name, Event: event, Args: json.RawMessage(args), Outcome: outcome, Reason: reason,
				Element: &Element{Role: role, Name: called}})
			if utf8.RuneCountInString(w.Text) > maxText || utf8.RuneCountInString(w.Summary) > maxSummary ||
				strings.ContainsAny(w.Text+w.Summary, "\n\r\x1b\x00") || !utf8.ValidString(w.Text) {
				t.Errorf("%q, %q", w.Text, w.Summary)
			}
		}
	})
}

func TestControlOfAPageInWords(t *testing.T) {
	for args, want := range map[string]string{
		`{"clicks":1,"keys":2,"pages":0,"why":"handed back","note":"done."}`: "You handed the page back " +
			"(1 click, 2 keystrokes, 0 new pages). Message to agents: done",
		`{"clicks":0,"keys":0,"pages":1,"why":"window gone"}`: "Handed a page back, because its live view was closed " +
			"(0 clicks, 0 keystrokes, 1 new page)",
		`{"why":"tab closed"}`: "The page that you controlled was closed (0 clicks, 0 keystrokes, 0 new pages)",
		`{"why":"stopped"}`:    "Your control of a page ended (0 clicks, 0 keystrokes, 0 new pages)",
	} {
		if got := Of(Facts{Name: "control ended", Event: true, Args: []byte(args), Outcome: OK}); got.Text != want {
			t.Errorf("%s: %q", args, got.Text)
		}
	}
}
