package tools

import (
	"context"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/page/risk"
	"cove/internal/secret"
	"cove/internal/wording"
)

func pressKeyTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "press_key", Text: "Press a key or a combination where the focus is.",
	}, pressKey)
}

type keyInput struct {
	mcpserver.OnPage
	Key string `json:"key" say:"Enter, Control+A, …"`
	shows
}

func pressKey(ctx context.Context, c *mcpserver.Call, in keyInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		how := "press " + wording.Shorten(redaction.URLText(in.Key), 40) + " in"
		if err := authorizeKeys(ctx, c, t, how, "", in.Key); err != nil {
			return page.Effects{}, err
		}

		e, err := input.On(t).Press(ctx, in.Key)
		if err == nil {
			c.Done("Successfully pressed key: %s", in.Key)
		}
		return e, err
	})
}

// authorizeKeys asks before keys that may send a form with a password or a payment field.
func authorizeKeys(ctx context.Context, c *mcpserver.Call, t *page.Tab, how, text, keys string) error {
	return c.Approval.AuthorizeSubmit(ctx, mcpserver.Subject{Tab: t}, how, func() (risk.Submit, error) {
		return risk.In(t).OfKeys(ctx, text, keys)
	})
}

func typeTextTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "type_text", Text: "Type text where the focus is.", Types: true,
	}, typeText)
}

type typeInput struct {
	mcpserver.OnPage
	Text      string `json:"text"`
	SubmitKey string `json:"submitKey,omitempty" say:"pressed after it"`
}

func typeText(ctx context.Context, c *mcpserver.Call, in typeInput) error {
	return act(ctx, c, in.OnPage, shows{}, func(t *page.Tab) (page.Effects, error) {
		if err := authorizeKeys(ctx, c, t, "type in", in.Text, in.SubmitKey); err != nil {
			return page.Effects{}, err
		}
		if secret.HasMark(in.Text) {
			return typeSecret(ctx, c, t, in)
		}

		e, isSecret, err := input.On(t).Type(ctx, in.Text, in.SubmitKey)
		c.Record.SetElement(e.Role, e.Name)
		if err != nil {
			return e, err
		}
		c.Record.AllowTyped(!isSecret)
		sayTyped(c, in, isSecret)
		if e.Nowhere {
			c.Say("No field had the focus: click one first, unless the page itself listens to keys.")
		}
		return e, nil
	})
}

func sayTyped(c *mcpserver.Call, in typeInput, isSecret bool) {
	text := in.Text
	if isSecret {
		text = "(not shown)"
	}
	if in.SubmitKey != "" {
		text += " + " + in.SubmitKey
	}
	c.Done("Typed text %s", wording.Quoted(wording.Shorten(text, 200)))
}

// typeSecret writes a secret where the focus is, then presses the key.
func typeSecret(ctx context.Context, c *mcpserver.Call, t *page.Tab, in typeInput) (page.Effects, error) {
	e, err := fillSecret(ctx, c, t, "", in.Text)
	if err != nil {
		return e, err
	}
	c.Done("Typed text %s", wording.Quoted(wording.Shorten(in.Text, 200)))
	if in.SubmitKey == "" || e.Dialog != nil || e.Closed || e.Navigated != "" {
		return e, nil
	}

	after, err := input.On(t).Press(ctx, in.SubmitKey)
	return merge(e, after), err
}
