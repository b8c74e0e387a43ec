package inspect

import (
	"context"
	"fmt"
	"strings"

	"cove/internal/mcpserver"
	"cove/internal/page/dom"
)

// GetCSSStylesTool returns the tool get_css_styles.
func GetCSSStylesTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "get_css_styles", Text: "List the CSS rules of an element, the strongest first.", ReadOnly: true,
	}, getCSSStyles)
}

type cssInput struct {
	mcpserver.OnPage
	UID string `json:"uid"`
	paged
}

// usualRules is how many rules a page of the list has when the agent does not say.
const usualRules = 10

func getCSSStyles(ctx context.Context, c *mcpserver.Call, in cssInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	rules, err := t.Frames.Styles(ctx, in.UID)
	if err != nil {
		return err
	}

	c.Head("## CSS rules")
	from, to, err := in.bounds(c, len(rules), usualRules)
	if err != nil {
		return err
	}
	if len(rules) == 0 {
		c.Say("No rule matches.")
		return nil
	}
	var b strings.Builder
	for _, r := range rules[from:to] {
		writeRule(&b, c, r)
	}
	c.Show(b.String())
	return nil
}

func writeRule(b *strings.Builder, c *mcpserver.Call, r dom.Rule) {
	fmt.Fprintf(b, "%s {", c.Redact.Words(r.Selector, 300))
	if r.Origin == "user-agent" {
		b.WriteString(" /* browser's own */")
	}
	if r.From != "" {
		b.WriteString(" /* inherited from " + r.From + " */")
	}
	b.WriteByte('\n')

	for _, d := range r.Declarations {
		fmt.Fprintf(b, "  %s: %s", d.Name, c.Redact.Words(d.Value, 300))
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
