package tools

import (
	"context"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/page/risk"
	"cove/internal/secret"
	"cove/internal/wording"
)

func fillTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:  "fill",
		Text:  `Give a field, select, checkbox ("true"/"false"), slider, date or editable element a value.`,
		Types: true,
	}, fill)
}

type fillInput struct {
	onElement
	Value   *string  `json:"value,omitempty"`
	Options []string `json:"options,omitempty" say:"choose these"`
	shows
}

func fill(ctx context.Context, c *mcpserver.Call, in fillInput) error {
	switch {
	case (in.Value == nil) == (len(in.Options) == 0): // without a value a field would be emptied
		return fault.Invalidf("Invalid arguments for tool fill: give value or options.").
			WithHint(`An empty value "" empties a field.`)
	case in.Value == nil:
		return choose(ctx, c, in)
	}
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		e, now, public, err := fillElement(ctx, c, t, in.UID, *in.Value)
		c.Record.AllowTyped(public)
		if err != nil {
			return e, err
		}

		c.Done("Successfully filled out the element")
		if now != "" && now != *in.Value {
			c.Say("It holds now:")
			c.Show(wording.Shorten(c.Redact.Text(now), 200))
		}
		return e, nil
	})
}

// choose picks options of a list.
func choose(ctx context.Context, c *mcpserver.Call, in fillInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		on := mcpserver.Subject{Tab: t, UID: in.UID}
		assess := func() (risk.Submit, error) { return risk.In(t).OfClick(ctx, in.UID) }
		if err := c.Approval.AuthorizeSubmit(ctx, on, "choose in", assess); err != nil {
			return page.Effects{}, err
		}
		e, _, err := input.On(t).Choose(ctx, in.UID, in.Options)
		c.Record.AllowTyped(err == nil)
		if err == nil {
			c.Done("Successfully chose %s", strings.Join(in.Options, ", "))
		}
		return e, err
	})
}

// fillElement gives an element a value, in which {{secret:NAME}} or {{totp:NAME}} stands for a secret. It returns the
// value that the element has then, and whether the journal may hold what was typed.
func fillElement(
	ctx context.Context, c *mcpserver.Call, t *page.Tab, uid, value string,
) (e page.Effects, now string, public bool, err error) {
	if secret.HasMark(value) {
		e, err = fillSecret(ctx, c, t, uid, value)
		return e, "", true, err // the journal has only the name of the secret
	}

	on := mcpserver.Subject{Tab: t, UID: uid}
	assess := func() (risk.Submit, error) { return risk.In(t).OfFill(ctx, uid) }
	if err := c.Approval.AuthorizeSubmit(ctx, on, "fill", assess); err != nil {
		return page.Effects{}, "", true, err
	}
	e, now, err = input.On(t).Fill(ctx, uid, value)
	return e, now, e.Open, err
}

// fillSecret gives an element a value with secrets in it; with an empty uid the element that has the focus.
func fillSecret(ctx context.Context, c *mcpserver.Call, t *page.Tab, uid, text string) (page.Effects, error) {
	s, err := c.Secret(t, text)
	if err != nil {
		return page.Effects{}, err
	}
	c.Record.AddSecret()
	e, err := input.On(t).FillSecret(ctx, uid, s.Input())
	if err == nil {
		s.ReportClock()
	}
	return e, err
}

func fillFormTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:  "fill_form",
		Text:  "Fill several elements, as fill does.",
		Types: true,
	}, fillForm)
}

type formInput struct {
	mcpserver.OnPage
	Elements []formElement `json:"elements"`
	shows
}

type formElement struct {
	UID   string  `json:"uid"`
	Value *string `json:"value"`
}

func fillForm(ctx context.Context, c *mcpserver.Call, in formInput) error {
	if len(in.Elements) == 0 {
		return fault.Invalidf("No elements were given.")
	}
	for i, f := range in.Elements { // before the first is filled: without a value a field would be emptied
		if f.UID == "" || f.Value == nil {
			return fault.Invalidf("Element %d needs a uid and a value.", i+1).
				WithHint(`An empty value "" empties a field.`)
		}
	}
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		return fillElements(ctx, c, t, in.Elements)
	})
}

func fillElements(
	ctx context.Context, c *mcpserver.Call, t *page.Tab, elements []formElement,
) (all page.Effects, err error) {
	allPublic := true
	c.Record.AllowTyped(true)
	for i, f := range elements {
		c.ReportProgress(ctx, float64(i), float64(len(elements)), "Filling")
		e, _, public, err := fillElement(ctx, c, t, f.UID, *f.Value)
		if err == nil {
			c.Record.SetCount(i + 1)
		}
		allPublic = allPublic && public
		c.Record.AllowTyped(allPublic)
		all = merge(all, e)

		if err != nil {
			if i > 0 {
				c.Say("Filled %d of %d elements.", i, len(elements))
			}
			return all, err
		}
		if e.Dialog != nil || e.Closed {
			c.Say("Filled %d of %d elements.", i+1, len(elements))
			return all, nil
		}
	}
	c.Done("Successfully filled out the form")
	return all, nil
}
