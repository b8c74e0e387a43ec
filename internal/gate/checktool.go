package gate

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/gate/formguard"
	"cove/internal/policy"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// pageTool describes the call that the command makes. A tool that Cove does not know is refused: nobody could say what
// a person allows with it.
func (c *command) pageTool() (PageTool, error) {
	name := c.textParam("toolName")
	if c.config.PageTools != nil {
		t, ok := c.config.PageTools.Tool(tabOf(c.mux, c.target()), c.textParam("frameId"), name, c.params["input"])
		if ok {
			return t, nil
		}
	}

	return PageTool{}, fault.New(fault.CodeNoPageTool,
		"The page offers no tool "+wording.Quoted(wording.Shorten(name, 128))+" that Cove knows.",
		"List its tools again (WebMCP.enable), then try again.")
}

// toolLimit is how long the call of a tool that Cove does not know waits: the program may have heard of it first.
const toolLimit = 2 * time.Second

// awaitPageTool is pageTool for a tool that may have come just now.
func (c *command) awaitPageTool(ctx context.Context) (PageTool, error) {
	ctx, cancel := context.WithTimeout(ctx, toolLimit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		t, err := c.pageTool()
		if err == nil {
			return t, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return t, err
		}
	}
}

// checkPageTool judges the call of a page's tool. It may send a form: the tool's own, or for a script one whose fields
// are filled.
func (c *command) checkPageTool(ctx context.Context) error {
	tool, err := c.awaitPageTool(ctx)
	if err != nil {
		return err
	}
	c.tool, c.what = &tool, tool.What
	if c.rules.Right(policy.Submit) == policy.Yes {
		return nil
	}

	ctx, cancel := context.WithTimeout(ctx, formguard.ReadLimit)
	defer cancel()
	kind := c.forms.FilledKind(ctx, c.session)
	if kind == sensitive.None && c.config.PageTools != nil {
		tab := tabOf(c.mux, c.target())
		kind = c.config.PageTools.Risk(ctx, tab, c.textParam("frameId"), c.textParam("toolName"))
	}
	if kind != sensitive.None {
		c.need(policy.Submit, tool.What+", on a page "+formWords(kind))
	}

	return nil
}

// formWords returns the words that tell the person which kind of field is on a page.
func formWords(kind sensitive.Kind) string {
	switch kind {
	case sensitive.Password:
		return "with a password field"
	case sensitive.Code:
		return "with a one-time code field"
	case sensitive.Payment:
		return "with a payment field"
	}

	return "that may have a password or payment field (Cove could not check the page)"
}

// checkCancelTool allows a program to cancel its own calls, without a question: that stops what was allowed. It knows
// of no others.
func (c *command) checkCancelTool(context.Context) error {
	if !c.calls.owns(c.textParam("invocationId")) {
		return refused("This program has not made that call of a page's tool.", "A program cancels its own calls.")
	}
	c.needs = nil

	return nil
}

// checkToolAgain refuses a call whose tool is another one than the person was asked about.
func (c *command) checkToolAgain() error {
	if c.tool == nil {
		return nil
	}
	if now, err := c.pageTool(); err == nil && now.Version == c.tool.Version {
		return nil
	}

	return fault.New(fault.CodeToolChanged,
		"The page has changed this tool while the person was asked. Nothing was done.", "Look at its tools again.")
}
