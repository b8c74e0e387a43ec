package step

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"cove/internal/wording"
)

// said returns words that do not depend on the step.
func said(words string) func(Facts) string { return func(Facts) string { return words } }

// onElement returns words about the step's element.
func onElement(before string) func(Facts) string {
	return func(f Facts) string { return strings.TrimSpace(before + " " + f.Element.String()) }
}

// counted returns words with the step's count behind them, where there is one: the page (412 elements).
func counted(words, noun string) func(Facts) string {
	return func(f Facts) string {
		if f.Count <= 0 {
			return words
		}
		return words + " (" + wording.Count(f.Count, noun) + ")"
	}
}

func act(base, past, going string, what func(Facts) string) phrase {
	return phrase{kind: Act, base: base, past: past, going: going, what: what}
}

func read(base, past, going string, what func(Facts) string) phrase {
	return phrase{kind: Read, base: base, past: past, going: going, what: what}
}

// opens is a step that goes to an address, which the reason of a refusal names.
func opens(what func(Facts) string) phrase {
	p := act("open", "Opened", "Opening", what)
	p.namesAddress = true
	return p
}

// tools are the words for the tools of the MCP server.
var tools = sync.OnceValue(func() map[string]phrase {
	return map[string]phrase{
		"click":       act("click", "Clicked", "Clicking", clicked),
		"click_at":    act("click", "Clicked", "Clicking", clickedAt),
		"hover":       act("move", "Moved", "Moving", onElement("the mouse over")),
		"drag":        act("drag", "Dragged", "Dragging", dragged),
		"fill":        act("fill", "Filled", "Filling", filled),
		"fill_form":   act("fill", "Filled", "Filling", filledFields),
		"type_text":   act("type", "Typed", "Typing", typed),
		"press_key":   act("press", "Pressed", "Pressing", pressed),
		"upload_file": act("give", "Gave", "Giving", uploaded),

		"navigate_page": opens(navigated),
		"new_page":      opens(newTab),
		"close_page":    act("close", "Closed", "Closing", said("a tab")),
		"select_page":   read("switch", "Switched", "Switching", said("to another tab")),
		"list_pages":    read("list", "Listed", "Listing", counted("the tabs", "tab")),

		"take_snapshot":   read("read", "Read", "Reading", snapshot),
		"take_screenshot": read("take", "Took", "Taking", screenshot),
		"wait_for":        read("wait", "Waited", "Waiting", waited),
		"get_css_styles":  read("read", "Read", "Reading", onElement("the styles of")),

		"list_console_messages": read("read", "Read", "Reading", counted("the console", "message")),
		"get_console_message":   read("read", "Read", "Reading", said("a message of the console")),
		"list_network_requests": read("read", "Read", "Reading", counted("the list of requests", "request")),
		"get_network_request":   read("read", "Read", "Reading", said("a request of the page")),
		"list_downloads":        read("list", "Listed", "Listing", counted("the downloads", "download")),

		"set_logpoints":   act("log", "Logged", "Logging", counted("values of the page's scripts", "place")),
		"export_har":      read("save", "Saved", "Saving", counted("the page's requests", "request")),
		"list_websockets": read("read", "Read", "Reading", said("what came and went through WebSockets")),
		"mock_requests":   act("answer", "Answered", "Answering", counted("requests of the page itself", "rule")),

		"list_cookies":       read("list", "Listed", "Listing", counted("the site's cookies", "cookie")),
		"save_storage_state": read("save", "Saved", "Saving", counted("the site's cookies and stored data", "cookie")),
		"load_storage_state": act("set", "Set", "Setting", counted("the site's cookies and stored data", "cookie")),

		"list_page_tools": read("list", "Listed", "Listing", counted("the page's own tools", "tool")),
		"call_page_tool":  act("call", "Called", "Calling", calledTool),

		"ask_person": read("ask", "Asked", "Asking", helpFromPerson),

		"evaluate_script":  act("run", "Ran", "Running", said("a script in the page")),
		"handle_dialog":    act("answer", "Answered", "Answering", dialog),
		"emulate":          act("change", "Changed", "Changing", said("the emulated device, network or place")),
		"resize_page":      act("resize", "Resized", "Resizing", resized),
		"save_pdf":         act("save", "Saved", "Saving", said("the page as a PDF")),
		"lighthouse_audit": act("audit", "Audited", "Auditing", said("the page with Lighthouse")),
		"batch":            act("run", "Ran", "Running", batch),

		"performance_start_trace":     act("record", "Recorded", "Recording", said("a performance trace")),
		"performance_stop_trace":      act("end", "Ended", "Ending", said("the performance trace")),
		"performance_analyze_insight": read("read", "Read", "Reading", said("an insight of the performance trace")),
		"take_heapsnapshot":           act("save", "Saved", "Saving", said("the memory of the page")),
		"screencast_start":            act("start", "Started", "Starting", said("a recording of the page")),
		"screencast_stop":             act("stop", "Stopped", "Stopping", said("the recording of the page")),
	}
})

// arguments are the arguments that words are made of. Typed texts are not among them.
type arguments struct {
	URL       string            `json:"url"`
	Type      string            `json:"type"`
	Key       string            `json:"key"`
	SubmitKey string            `json:"submitKey"`
	Query     string            `json:"query"`
	UID       string            `json:"uid"`
	FullPage  bool              `json:"fullPage"`
	DblClick  bool              `json:"dblClick"`
	Action    string            `json:"action"`
	Width     float64           `json:"width"`
	Height    float64           `json:"height"`
	Elements  []json.RawMessage `json:"elements"`
	FilePaths []json.RawMessage `json:"filePaths"`
	Calls     []json.RawMessage `json:"calls"`
	Value     string            `json:"value"`
	Message   string            `json:"message"`
	Name      string            `json:"name"`
	Status    string            `json:"status"`
}

// arguments reads the arguments. What cannot be read is as if it were not there.
func (f Facts) arguments() (a arguments) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(f.Args, &fields)
	for name, to := range map[string]any{
		"url": &a.URL, "type": &a.Type, "key": &a.Key, "submitKey": &a.SubmitKey, "query": &a.Query, "uid": &a.UID,
		"fullPage": &a.FullPage, "dblClick": &a.DblClick, "action": &a.Action, "width": &a.Width, "height": &a.Height,
		"elements": &a.Elements, "filePaths": &a.FilePaths, "calls": &a.Calls, "value": &a.Value,
		"message": &a.Message, "name": &a.Name, "status": &a.Status,
	} {
		if raw, ok := fields[name]; ok {
			_ = json.Unmarshal(raw, to)
		}
	}
	return a
}

// addressOf returns the address that a step opens, without its scheme and what follows its path.
func addressOf(f Facts) string { return shortAddress(f.arguments().URL) }

func shortAddress(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return oneLine(address, maxAddress)
	}
	return oneLine(u.Host+strings.TrimSuffix(u.EscapedPath(), "/"), maxAddress)
}

func newTab(f Facts) string {
	if address := addressOf(f); address != "" {
		return "a new tab: " + address
	}
	return "a new tab"
}

func clicked(f Facts) string {
	if f.arguments().DblClick {
		return f.Element.String() + " twice"
	}
	return f.Element.String()
}

func clickedAt(f Facts) string {
	what := "a place on the screenshot"
	if f.Element != nil {
		what = f.Element.String() + " on the screenshot"
	}
	if f.arguments().DblClick {
		what += " twice"
	}
	return what
}

func dragged(f Facts) string { return f.Element.String() + " onto " + f.Onto.String() }

func filled(f Facts) string {
	what := f.Element.String()
	if f.Element == nil {
		what = "a field"
	}
	switch value := f.arguments().Value; {
	case strings.HasPrefix(value, "{{totp:"):
		what += " with a one-time code"
	case f.Secrets > 0 || strings.Contains(value, "{{secret:"):
		what += " with a secret"
	}
	return what
}

func filledFields(f Facts) string {
	n := f.Count
	if n == 0 {
		n = len(f.arguments().Elements)
	}
	if n == 0 {
		return "a form"
	}

	what := wording.Count(n, "field")
	if f.Secrets > 0 {
		what += " (" + wording.Count(f.Secrets, "secret") + ")"
	}
	return what
}

func typed(f Facts) string {
	what := "text"
	if f.Secrets > 0 {
		what = "a secret"
	}
	if f.Element != nil {
		what += " into " + f.Element.String()
	}
	if key := keyName(f.arguments().SubmitKey); key != "" {
		what += ", then " + key
	}
	return what
}

func pressed(f Facts) string {
	key := keyName(f.arguments().Key)
	if key == "" {
		key = "a key"
	}
	if f.Element != nil {
		key += " in " + f.Element.String()
	}
	return key
}

// keyName returns the name of a key or of a combination. A single character may be a part of what is typed.
func keyName(key string) string {
	if key = oneLine(key, 40); len([]rune(key)) <= 1 {
		return ""
	}
	return key
}

func uploaded(f Facts) string {
	n := max(f.Count, len(f.arguments().FilePaths), 1)
	return f.Element.String() + " " + wording.Count(n, "file") + " of this computer"
}

func navigated(f Facts) string {
	switch a := f.arguments(); a.Type {
	case "back":
		return "the page before"
	case "forward":
		return "the page after"
	case "reload":
		return "the page again"
	default:
		if a.URL == "" {
			return "a page"
		}
	}
	return addressOf(f)
}

func snapshot(f Facts) string {
	a, what := f.arguments(), "the page"
	switch {
	case a.Query != "":
		what = "what the page says of " + quote(a.Query)
	case a.UID != "":
		what = f.Element.String()
		if f.Element == nil {
			what = "a part of the page"
		}
	}
	return counted(what, "element")(f)
}

func screenshot(f Facts) string {
	switch a := f.arguments(); {
	case a.UID != "":
		return "a screenshot of " + f.Element.String()
	case a.FullPage:
		return "a screenshot of the whole page"
	}
	return "a screenshot"
}

func waited(f Facts) string {
	var in struct {
		Text []string `json:"text"`
	}
	_ = json.Unmarshal(f.Args, &in)
	if len(in.Text) == 0 || quote(in.Text[0]) == "" {
		return "for a text on the page"
	}
	return "for the text " + quote(in.Text[0])
}

func calledTool(f Facts) string {
	if name := quote(f.arguments().Name); name != "" {
		return "the page's tool " + name
	}
	return "a tool of the page"
}

func helpFromPerson(f Facts) string {
	if message := quote(f.arguments().Message); message != "" {
		return "you: " + message
	}
	return "you for help"
}

func dialog(f Facts) string {
	switch f.arguments().Action {
	case "accept":
		return "the page's dialog with yes"
	case "dismiss":
		return "the page's dialog with no"
	}
	return "the page's dialog"
}

func resized(f Facts) string {
	a := f.arguments()
	if a.Width < 1 || a.Height < 1 {
		return "the page"
	}
	return "the page to " + strconv.Itoa(int(a.Width)) + " × " + strconv.Itoa(int(a.Height))
}

func batch(f Facts) string {
	if n := max(f.Count, len(f.arguments().Calls)); n > 0 {
		return wording.Count(n, "step")
	}
	return "several steps"
}
