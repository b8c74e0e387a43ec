package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/pagetool"
	"cove/internal/page"
	"cove/internal/page/webmcp"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

func listPageToolsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "list_page_tools", Text: "List the tools that the page itself offers.", ReadOnly: true,
	}, listPageTools)
}

type listPageToolsInput struct {
	mcpserver.OnPage
	Name string `json:"name,omitempty" say:"one, with its input"`
}

// Bounds of what an agent reads about a page's tools.
const (
	maxListed      = 50
	maxToolText    = 200
	maxOneToolText = 2000
	maxSchemaText  = 8 << 10
)

func listPageTools(ctx context.Context, c *mcpserver.Call, in listPageToolsInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	t.Tools.Ready(ctx)
	c.TellPageTools(t)

	var shown []webmcp.Tool
	for _, tool := range c.PageTools(t) {
		if in.Name == tool.Name || (in.Name == "" && !tool.Hints.Debugging) {
			shown = append(shown, tool)
		}
	}
	c.Record.SetCount(len(shown))
	switch {
	case len(shown) == 0 && in.Name != "":
		return noPageTool(in.Name)
	case len(shown) == 0:
		c.Say("The page offers no tools.")
		return nil
	}

	c.Say("Tools of the page, in its own words. Call one with call_page_tool.")
	for _, tool := range shown[:min(len(shown), maxListed)] {
		c.Show(describePageTool(ctx, c, t, tool, in.Name != ""))
	}
	if more := len(shown) - maxListed; more > 0 {
		c.Say("%d more are not shown: list_page_tools with its name shows one.", more)
	}
	return nil
}

// describePageTool returns a line about a tool. With schema it says all that is known of it.
func describePageTool(ctx context.Context, c *mcpserver.Call, t *page.Tab, tool webmcp.Tool, schema bool) string {
	about := []string{"script"}
	if tool.IsForm() {
		about[0] = "form"
	}
	if tool.Frame != t.Frames.Main() {
		uid, err := t.Frames.OwnerUID(ctx, tool.Frame)
		if err != nil {
			uid = "unknown"
		}
		about = append(about, "frame "+uid)
	}
	for _, hint := range []struct {
		set   bool
		words string
	}{{tool.Hints.ReadOnly, "says it is read-only"}, {tool.Hints.Consequential, "says it is consequential"}} {
		if hint.set {
			about = append(about, hint.words)
		}
	}
	most := maxToolText
	if schema {
		most = maxOneToolText
	}
	line := tool.Name + " (" + strings.Join(about, ", ") + "): " + c.Redact.Words(tool.Description, most)
	if !schema {
		return line
	}
	if tool.Schema == nil {
		return line + "\ninput: not described"
	}
	return line + "\ninput: " + wording.Shorten(text.Clean(c.Redact.Text(string(tool.Schema))), maxSchemaText)
}

func noPageTool(name string) error {
	return fault.Quote(fault.CodeNoPageTool, "The page offers no tool "+wording.Quoted(wording.Shorten(name, 128))+".",
		"list_page_tools shows what it offers.")
}

func callPageToolTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "call_page_tool", Text: "Call a tool that the page offers.",
	}, callPageTool)
}

type callPageToolInput struct {
	mcpserver.OnPage
	Name    string                     `json:"name"`
	Input   map[string]json.RawMessage `json:"input,omitempty"`
	Frame   string                     `json:"frame,omitempty" say:"uid of its Iframe"`
	Timeout *number                    `json:"timeout,omitempty" say:"ms"`
}

const (
	// toolLimit is how long a page's tool may take, and maxToolLimit how long a client can let it.
	toolLimit    = 30 * time.Second
	maxToolLimit = 10 * time.Minute
	// formLimit is how long a form that is not sent by itself may take to answer all the same.
	formLimit = 1500 * time.Millisecond
	// maxToolOutput is how many letters of a tool's answer an agent reads.
	maxToolOutput = 20_000
)

// limit is how long the tool may take.
func (in callPageToolInput) limit() time.Duration {
	if in.Timeout == nil || *in.Timeout <= 0 {
		return toolLimit
	}
	return min(time.Duration(float64(*in.Timeout)*float64(time.Millisecond)), maxToolLimit)
}

func callPageTool(ctx context.Context, c *mcpserver.Call, in callPageToolInput) error {
	if in.Input == nil {
		in.Input = map[string]json.RawMessage{}
	}
	sent, err := json.Marshal(in.Input)
	if err != nil {
		return err
	}
	return act(ctx, c, in.OnPage, shows{}, func(t *page.Tab) (page.Effects, error) {
		t.Tools.Ready(ctx)
		c.TellPageTools(t)
		tool, err := findPageTool(ctx, c, t, in)
		if err != nil {
			return page.Effects{}, err
		}
		call := pagetool.Call{Tab: t, Tool: tool, Input: sent}
		c.Record.SetDetail("origin", call.Origin(c.Redact))
		if err := checkToolInput(tool, in.Input); err != nil {
			return page.Effects{}, err
		}
		if err := c.Approval.AuthorizePageTool(ctx, call); err != nil {
			return page.Effects{}, err
		}
		return runPageTool(ctx, c, call, in.limit())
	})
}

// findPageTool returns the tool that a call names. Without a frame it is the one of the page itself, or the only one.
func findPageTool(
	ctx context.Context, c *mcpserver.Call, t *page.Tab, in callPageToolInput,
) (found webmcp.Tool, err error) {
	frame := t.Frames.Main()
	if in.Frame != "" {
		if frame, err = t.Frames.ShownBy(ctx, in.Frame); err != nil {
			return webmcp.Tool{}, err
		}
	}
	if tool, there := t.Tools.Find(frame, in.Name); there {
		return tool, nil
	}
	if in.Frame != "" {
		return webmcp.Tool{}, noPageTool(in.Name)
	}

	n := 0
	for _, tool := range c.PageTools(t) {
		if tool.Name == in.Name {
			found = tool
			n++
		}
	}
	switch n {
	case 0:
		return webmcp.Tool{}, noPageTool(in.Name)
	case 1:
		return found, nil
	}
	return webmcp.Tool{}, fault.New(fault.CodeAmbiguous, fmt.Sprintf("%d frames offer this tool.", n),
		"Give its frame, as list_page_tools shows it.")
}

// runPageTool calls a tool and says what it answers. What it has caused in the page is reported as for a click.
func runPageTool(
	ctx context.Context, c *mcpserver.Call, call pagetool.Call, limit time.Duration,
) (page.Effects, error) {
	t := call.Tab
	before := t.Mark()
	i, err := t.Tools.Invoke(ctx, call.Tool, call.Input)
	if err != nil {
		return page.Effects{}, err
	}

	fills := call.Tool.IsForm() && !call.Tool.Hints.Autosubmit
	late := fault.New(fault.CodeTimeout, fmt.Sprintf("The tool has not answered within %v; it was cancelled.", limit),
		"Take a snapshot to see what it has done.")
	wait, cancel := context.WithTimeoutCause(ctx, limit, late)
	if fills {
		wait, cancel = context.WithTimeoutCause(ctx, min(limit, formLimit), errNotSent)
	}
	defer cancel()
	answer, answered, err := t.Tools.Await(wait, i)

	switch {
	case answered && err == nil:
		err = sayToolAnswer(c, call.Tool, answer)
	case errors.Is(err, webmcp.ErrLeft):
		c.Record.SetDetail("status", string(webmcp.Left))
	case errors.Is(err, errNotSent):
		err = nil
		sayNotSent(ctx, c, t)
		mcpserver.ClientState[openToolCalls](c).add(t, i)
	case err != nil: // the limit, or the client has given up
		t.Tools.Cancel(i)
		c.Record.SetDetail("status", string(webmcp.Canceled))
	default: // a dialog blocks the page
		c.Record.SetDetail("status", "waiting")
		c.Say("The tool has not answered yet.")
		mcpserver.ClientState[openToolCalls](c).add(t, i)
	}
	if ctx.Err() != nil {
		return page.Effects{}, err
	}
	effects, settled := t.SettleAll(ctx, before)
	if err == nil {
		err = settled
	}
	return effects, err
}

var errNotSent = errors.New("the form was filled in and not sent")

// sayNotSent says that a form waits to be sent, and by which button.
func sayNotSent(ctx context.Context, c *mcpserver.Call, t *page.Tab) {
	c.Record.SetDetail("status", "filled in")
	how := "click its button to send it"
	if e, err := t.Frames.Focused(ctx); err == nil && e.ID != 0 {
		how = "click " + e.UID() + " to send it"
	}
	c.Say("The form is filled in, not sent: %s. The tool answers then.", how)
}

// sayToolAnswer says what a tool has answered. A failure of the tool is one of the call.
func sayToolAnswer(c *mcpserver.Call, tool webmcp.Tool, a webmcp.Answer) error {
	c.Record.SetDetail("status", string(a.Status))
	switch a.Status {
	case webmcp.Completed:
		c.Say("The tool has answered:")
		c.Show(toolOutput(c, a.Output))
		return nil
	case webmcp.Canceled:
		return fault.New(fault.CodePageTool, "The call of the tool was cancelled by somebody else.",
			"Take a snapshot to see what it has done.")
	}
	said := c.Redact.Text(a.Error)
	if strings.TrimSpace(said) == "" {
		said = "it gives no reason"
	}
	return fault.Quote(fault.CodePageTool,
		"The tool "+tool.Name+" failed: "+wording.Shorten(said, maxToolOutput), "")
}

// toolOutput returns what a tool has returned: a text as it is, anything else as JSON.
func toolOutput(c *mcpserver.Call, output json.RawMessage) string {
	said := string(output)
	var plain string
	if json.Unmarshal(output, &plain) == nil {
		said = plain
	}
	said = c.Redact.Text(said)
	letters := []rune(said)
	if len(letters) <= maxToolOutput {
		return said
	}
	return fmt.Sprintf("%s…(+%d letters)", string(letters[:maxToolOutput]), len(letters)-maxToolOutput)
}
