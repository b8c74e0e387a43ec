package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/devlog"
	"cove/internal/policy"
	"cove/internal/snapshot"
)

type evaluateInput struct {
	onPage
	Function         string   `json:"function,omitempty" say:"a function: () => document.title, (el) => el.innerText"`
	SourcePath       string   `json:"sourcePath,omitempty" say:"file with it"`
	Format           string   `json:"format,omitempty" enum:"function|script"`
	Args             []string `json:"args,omitempty" say:"uids, passed as elements"`
	Frame            string   `json:"frame,omitempty" say:"uid of an Iframe to run in"`
	FilePath         string   `json:"filePath,omitempty" say:"save the result"`
	DialogAction     string   `json:"dialogAction,omitempty" say:"accept, dismiss or a prompt's text"`
	WaitForStableDom *bool    `json:"waitForStableDom,omitempty"`
}

const (
	scriptLimit = 30 * time.Second
	maxResult   = 100_000
)

var evaluateScript = define("evaluate_script", "Run JavaScript in the page; the result must be JSON.",
	func(ctx context.Context, c *call, in evaluateInput) error {
		source := in.Function
		if in.SourcePath != "" && in.Function != "" {
			return fault.Invalidf("Invalid arguments for tool evaluate_script: function and sourcePath exclude each other.")
		}
		if in.SourcePath != "" {
			raw, err := c.read(ctx, in.SourcePath)
			if err != nil {
				return err
			}
			source = string(raw)
		}
		if strings.TrimSpace(source) == "" {
			return fault.Invalidf("Invalid arguments for tool evaluate_script: function or sourcePath is required.")
		}
		if in.DialogAction == "" {
			in.DialogAction = "accept" // the script goes on only when its dialog is answered
		}
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		value, e, err := t.Evaluate(ctx, page.Script{Source: source, Plain: in.Format == "script", UIDs: in.Args, Frame: in.Frame, Dialog: in.DialogAction, Limit: scriptLimit,
			Settle: in.WaitForStableDom != nil && *in.WaitForStableDom})
		if err != nil {
			return err
		}
		if in.FilePath != "" {
			full, err := c.save(ctx, in.FilePath, []byte(value))
			if err != nil {
				return err
			}
			c.say("Script ran on page. Saved the result to %s.", full)
		} else {
			c.say("Script ran on page and returned:")
			c.show("```json\n" + page.Pretty(value, maxResult) + "\n```")
		}
		c.effects(ctx, e)
		return nil
	}).needs(policy.Script, func(raw json.RawMessage) string {
	var in evaluateInput
	_ = json.Unmarshal(raw, &in)
	return "run a script of its own (" + quoted(clip(strings.Join(strings.Fields(in.Function+in.SourcePath), " "), 300)) + ")"
})

// paged is the input of a tool that lists in pages.
type paged struct {
	PageSize *number `json:"pageSize,omitempty"`
	PageIdx  *number `json:"pageIdx,omitempty" say:"from 0"`
}

// cut takes one page of a list and tells where it is.
func (c *call) cut(p paged, total, usual int) (from, to int, err error) {
	size := usual
	if p.PageSize != nil {
		if size = int(min(*p.PageSize, 1<<30)); size <= 0 {
			return 0, 0, fault.Invalidf("pageSize is 1 or more.")
		}
	}
	pages := max((total+size-1)/size, 1)
	idx := 0
	if p.PageIdx != nil {
		idx = int(min(*p.PageIdx, 1<<30))
	}
	if idx < 0 || idx >= pages {
		return 0, 0, fault.Invalidf("There is no page %d of this list.", idx).WithHint(fmt.Sprintf("pageIdx is 0 to %d.", pages-1))
	}
	from, to = idx*size, min((idx+1)*size, total)
	if total > 0 {
		c.say("Showing %d-%d of %d (Page %d of %d).", from+1, to, total, idx+1, pages)
	}
	if idx+1 < pages {
		c.say("Next page: %d", idx+1)
	}
	return from, to, nil
}

type consoleInput struct {
	onPage
	paged
	Types                    []string `json:"types,omitempty" enum:"log|debug|info|error|warn|dir|dirxml|table|trace|clear|startGroup|startGroupCollapsed|endGroup|assert|profile|profileEnd|count|timeEnd|verbose|issue"`
	IncludePreservedMessages bool     `json:"includePreservedMessages,omitempty" say:"of the last 3 navigations too"`
	IncludeStackTraces       bool     `json:"includeStackTraces,omitempty"`
	ServiceWorkerID          string   `json:"serviceWorkerId,omitempty"`
}

var listConsoleMessages = define("list_console_messages", "List console messages since the last navigation.",
	func(ctx context.Context, c *call, in consoleInput) error {
		if in.ServiceWorkerID != "" {
			return fault.Invalidf("Console messages of service workers are not collected.").WithHint("Leave serviceWorkerId out.")
		}
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		all := slices.DeleteFunc(t.Log.Messages(in.IncludePreservedMessages), func(m devlog.Message) bool { return len(in.Types) > 0 && !slices.Contains(in.Types, m.Type) })
		c.say("## Console messages")
		from, to, err := c.cut(in.paged, len(all), 100)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			c.say("<no console messages found>")
			return nil
		}
		var b strings.Builder
		for _, m := range all[from:to] {
			fmt.Fprintf(&b, "msgid=%d [%s] %s (%d args)", m.ID, m.Type, c.words(m.Text, 500), len(m.Args))
			if m.Times > 1 {
				fmt.Fprintf(&b, " [%d times]", m.Times)
			}
			b.WriteByte('\n')
			if in.IncludeStackTraces {
				for _, line := range m.Stack {
					b.WriteString("  " + snapshot.Clean(line) + "\n")
				}
			}
		}
		c.show(b.String())
		return nil
	}).reads()

type messageInput struct {
	onPage
	MsgID number `json:"msgid"`
}

var getConsoleMessage = define("get_console_message", "Show one console message with its arguments and stack.",
	func(ctx context.Context, c *call, in messageInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		m, ok := t.Log.Message(int(in.MsgID))
		if !ok {
			return fault.New(fault.NotFound, "E_MESSAGE", fmt.Sprintf("There is no console message %d on this page.", int(in.MsgID)), "list_console_messages shows what there is.")
		}
		c.say("ID: %d", m.ID)
		var b strings.Builder
		fmt.Fprintf(&b, "Message: %s> %s\n", m.Type, m.Text)
		if len(m.Args) > 0 {
			b.WriteString("### Arguments\n")
			for i, a := range m.Args {
				fmt.Fprintf(&b, "Arg #%d: %s\n", i, a)
			}
		}
		if len(m.Stack) > 0 {
			b.WriteString("### Stack trace\n" + strings.Join(m.Stack, "\n") + "\n")
		}
		c.show(b.String())
		return nil
	}).reads()

type networkInput struct {
	onPage
	paged
	ResourceTypes            []string `json:"resourceTypes,omitempty" enum:"document|stylesheet|image|media|font|script|texttrack|xhr|fetch|prefetch|eventsource|websocket|manifest|signedexchange|ping|cspviolationreport|preflight|fedcm|other"`
	IncludePreservedRequests bool     `json:"includePreservedRequests,omitempty" say:"of the last 3 navigations too"`
}

var listNetworkRequests = define("list_network_requests", "List requests since the last navigation.",
	func(ctx context.Context, c *call, in networkInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		all := slices.DeleteFunc(t.Log.Requests(in.IncludePreservedRequests), func(r devlog.Request) bool {
			return len(in.ResourceTypes) > 0 && !slices.Contains(in.ResourceTypes, r.Kind)
		})
		c.say("## Network requests")
		from, to, err := c.cut(in.paged, len(all), 100)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			c.say("No requests found.")
			return nil
		}
		var b strings.Builder
		for _, r := range all[from:to] {
			fmt.Fprintf(&b, "reqid=%d %s %s [%s]\n", r.ID, r.Method, clip(c.address(r.URL), 300), statusText(r))
		}
		c.show(b.String())
		return nil
	}).reads()

func statusText(r devlog.Request) string {
	switch {
	case r.Failure != "" && (r.Status == 0 || r.Failure != "net::ERR_ABORTED"): // the browser gives up a style sheet that is none, and an empty answer
		return r.Failure
	case r.Status != 0:
		return fmt.Sprint(r.Status)
	}
	return "pending"
}

type requestInput struct {
	onPage
	ReqID            *number `json:"reqid,omitempty"`
	RequestFilePath  string  `json:"requestFilePath,omitempty" say:"save the request's body"`
	ResponseFilePath string  `json:"responseFilePath,omitempty" say:"save the response's body"`
}

// maxBody is how much of a body goes to the model.
const maxBody = 10_000

var getNetworkRequest = define("get_network_request", "Show one request with headers and bodies. Credentials are left out.",
	func(ctx context.Context, c *call, in requestInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		if in.ReqID == nil {
			c.say("No request was named: list_network_requests shows their reqid.")
			return nil
		}
		r, ok := t.Log.Request(int(*in.ReqID))
		if !ok {
			return fault.New(fault.NotFound, "E_REQUEST", fmt.Sprintf("There is no request %d on this page.", int(*in.ReqID)), "list_network_requests shows what there is.")
		}
		c.show("## Request " + c.address(r.URL) + "\nStatus: " + statusText(r) + "\n### Request Headers\n" + c.headerText(r.RequestHeaders))
		if body := redactBody(t.Log.RequestBody(ctx, r)); body != "" {
			if err := c.body(ctx, "### Request Body", []byte(body), in.RequestFilePath); err != nil {
				return err
			}
		} else if in.RequestFilePath != "" {
			c.say("The request has no body: nothing was saved for it.")
		}
		if r.ResponseHeaders != nil {
			c.show("### Response Headers\n" + c.headerText(r.ResponseHeaders))
		}
		missing := ""
		var body []byte
		switch {
		case !r.Finished:
			missing = "still coming"
		case r.Failure != "" || (r.Status >= 300 && r.Status < 400):
			missing = "none"
		default:
			if body, err = t.Log.ResponseBody(ctx, r); err != nil { // the browser keeps bodies for a while only, and no large ones
				missing = "not kept by the browser"
			}
		}
		switch {
		case missing != "" && in.ResponseFilePath != "":
			return fault.New(fault.NotFound, "E_BODY", "The response's body was not saved: "+missing+".", "Go on without it, or fetch the address with evaluate_script and filePath.")
		case missing == "none":
			return nil
		case missing != "":
			c.say("### Response Body\n<%s>", missing)
			return nil
		}
		return c.body(ctx, "### Response Body", body, in.ResponseFilePath)
	}).reads()

func (c *call) body(ctx context.Context, title string, data []byte, file string) error {
	if file != "" {
		full, err := c.save(ctx, file, data)
		if err != nil {
			return err
		}
		c.say("%s\nSaved to %s.", title, full)
		return nil
	}
	c.say("%s", title)
	data = c.server.hider().Bytes(data) // before it is cut
	switch {
	case len(data) == 0:
		c.say("<empty>")
	case !utf8.Valid(data[:min(len(data), 1000)]) && !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		c.say("<binary, %d bytes; give a file path to save it>", len(data))
	case len(data) > maxBody:
		c.show(strings.ToValidUTF8(string(data[:maxBody]), "") + fmt.Sprintf("\n…(+%d bytes; give a file path to save all)", len(data)-maxBody))
	default:
		c.show(string(data))
	}
	return nil
}

// secretHeaders carry credentials: agents see that they are there, and nothing of them.
var secretHeaders = []string{"cookie", "set-cookie", "authorization", "proxy-authorization", "x-api-key", "x-auth-token", "x-csrf-token", "x-xsrf-token"}

func (c *call) headerText(h map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		value := h[name]
		if slices.Contains(secretHeaders, name) {
			value = hidden
		} else if name == "referer" || name == "location" || name == ":path" {
			value = RedactURL(value)
		}
		b.WriteString("- " + name + ":" + c.words(value, 1000) + "\n")
	}
	return b.String()
}

type cssInput struct {
	onElement
	paged
}

var getCSSStyles = define("get_css_styles", "List the CSS rules of an element, the strongest first.",
	func(ctx context.Context, c *call, in cssInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		rules, err := t.Frames.Styles(ctx, in.UID)
		if err != nil {
			return err
		}
		c.say("## CSS rules")
		from, to, err := c.cut(in.paged, len(rules), 10)
		if err != nil {
			return err
		}
		if len(rules) == 0 {
			c.say("No rule matches.")
			return nil
		}
		var b strings.Builder
		for _, r := range rules[from:to] {
			fmt.Fprintf(&b, "%s {", c.words(r.Selector, 300))
			if r.Origin == "user-agent" {
				b.WriteString(" /* browser's own */")
			}
			if r.From != "" {
				b.WriteString(" /* inherited from " + r.From + " */")
			}
			b.WriteByte('\n')
			for _, d := range r.Declarations {
				fmt.Fprintf(&b, "  %s: %s", d.Name, c.words(d.Value, 300))
				if d.Important {
					b.WriteString(" !important")
				}
				b.WriteByte(';')
				if d.Overridden {
					b.WriteString(" /* overridden */")
				}
				b.WriteByte('\n')
			}
			b.WriteString("}\n")
		}
		c.show(b.String())
		return nil
	}).reads()
