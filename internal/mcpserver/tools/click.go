package tools

import (
	"context"

	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/page/risk"
)

func clickTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "click", Text: "Click an element."}, click)
}

type clickInput struct {
	onElement
	DblClick bool `json:"dblClick,omitempty"`
	shows
}

func click(ctx context.Context, c *mcpserver.Call, in clickInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		if err := authorizeClick(ctx, c, t, in.UID, "click"); err != nil {
			return page.Effects{}, err
		}

		e, _, err := input.On(t).Click(ctx, in.UID, in.DblClick)
		if err == nil && in.DblClick {
			c.Done("Successfully double clicked on the element")
		} else if err == nil {
			c.Done("Successfully clicked on the element")
		}
		return e, err
	})
}

// authorizeClick asks before a press of the mouse that may send a form with a password or a payment field.
func authorizeClick(ctx context.Context, c *mcpserver.Call, t *page.Tab, uid, how string) error {
	on := mcpserver.Subject{Tab: t, UID: uid}
	return c.Approval.AuthorizeSubmit(ctx, on, how,
		func() (risk.Submit, error) { return risk.In(t).OfClick(ctx, uid) })
}

func hoverTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "hover", Text: "Move the mouse over an element."}, hover)
}

type hoverInput struct {
	onElement
	shows
}

func hover(ctx context.Context, c *mcpserver.Call, in hoverInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		e, _, err := input.On(t).Hover(ctx, in.UID)
		if err == nil {
			c.Done("Successfully hovered over the element")
		}
		return e, err
	})
}

func dragTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "drag", Text: "Drag one element onto another."}, drag)
}

type dragInput struct {
	mcpserver.OnPage
	From string `json:"from_uid"`
	To   string `json:"to_uid"`
	shows
}

func drag(ctx context.Context, c *mcpserver.Call, in dragInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		for _, uid := range []string{in.From, in.To} {
			if err := authorizeClick(ctx, c, t, uid, "drag to or from"); err != nil {
				return page.Effects{}, err
			}
		}

		e, err := input.On(t).Drag(ctx, in.From, in.To)
		switch {
		case err != nil:
		case e.Nothing:
			c.Say("The element was dragged, but nothing seems to have taken it.")
		default:
			c.Done("Successfully dragged an element")
		}
		return e, err
	})
}
