package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy"
)

// onElement is the input of a tool that acts on one element.
type onElement struct {
	onPage
	UID string `json:"uid"`
}

// shows is the input of a tool that may add a snapshot to its answer.
type shows struct {
	IncludeSnapshot bool `json:"includeSnapshot,omitempty"`
}

// act runs an action on a page and tells what it has set off.
func (c *call) act(ctx context.Context, p onPage, s shows, do func(t *page.Tab) (page.Effects, error)) error {
	t, unlock, err := c.acting(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := do(t)
	c.effects(ctx, e) // of a call that went wrong, too: the page may have acted
	if err != nil {
		return err
	}
	if s.IncludeSnapshot && e.Dialog == nil && !e.Closed {
		return c.snapshot(ctx, t, snapshotInput{again: true})
	}
	return nil
}

type clickInput struct {
	onElement
	DblClick bool `json:"dblClick,omitempty"`
	shows
}

var click = define("click", "Click an element.",
	func(ctx context.Context, c *call, in clickInput) error {
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			if err := c.maySend(ctx, t, in.UID, "click", func() (input.SubmitRisk, error) { return input.On(t).AssessClick(ctx, in.UID) }); err != nil {
				return page.Effects{}, err
			}
			e, _, err := input.On(t).Click(ctx, in.UID, in.DblClick)
			if err == nil && in.DblClick {
				c.say("Successfully double clicked on the element")
			} else if err == nil {
				c.say("Successfully clicked on the element")
			}
			return e, err
		})
	})

type hoverInput struct {
	onElement
	shows
}

var hover = define("hover", "Move the mouse over an element.",
	func(ctx context.Context, c *call, in hoverInput) error {
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			e, _, err := input.On(t).Hover(ctx, in.UID)
			if err == nil {
				c.say("Successfully hovered over the element")
			}
			return e, err
		})
	})

type dragInput struct {
	onPage
	From string `json:"from_uid"`
	To   string `json:"to_uid"`
	shows
}

var drag = define("drag", "Drag one element onto another.",
	func(ctx context.Context, c *call, in dragInput) error {
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			for _, uid := range []string{in.From, in.To} {
				if err := c.maySend(ctx, t, uid, "drag to or from", func() (input.SubmitRisk, error) { return input.On(t).AssessClick(ctx, uid) }); err != nil {
					return page.Effects{}, err
				}
			}
			e, err := input.On(t).Drag(ctx, in.From, in.To)
			switch {
			case err != nil:
			case e.Nothing:
				c.say("The element was dragged, but nothing seems to have taken it.")
			default:
				c.say("Successfully dragged an element")
			}
			return e, err
		})
	})

type fillInput struct {
	onElement
	Value string `json:"value"`
	shows
}

var fill = define("fill", `Give a field, select, checkbox ("true"/"false"), slider, date or editable element a value.`,
	func(ctx context.Context, c *call, in fillInput) error {
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			c.diary.told = true
			e, now, err := c.fill(ctx, t, in.UID, in.Value)
			if err != nil {
				return e, err
			}
			c.say("Successfully filled out the element")
			if now != "" && now != in.Value {
				c.say("It holds now:")
				c.show(clip(c.server.scrub(now), 200))
			}
			return e, nil
		})
	}).types()

type formInput struct {
	onPage
	Elements []formElement `json:"elements"`
	shows
}

type formElement struct {
	UID   string  `json:"uid"`
	Value *string `json:"value"`
}

var fillForm = define("fill_form", "Fill several elements, as fill does. Stops at the first that fails.",
	func(ctx context.Context, c *call, in formInput) error {
		if len(in.Elements) == 0 {
			return fault.Invalidf("No elements were given.")
		}
		for i, f := range in.Elements { // before the first is filled: without a value a field would be emptied
			if f.UID == "" || f.Value == nil {
				return fault.Invalidf("Element %d needs a uid and a value.", i+1).WithHint(`An empty value "" empties a field.`)
			}
		}
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (all page.Effects, err error) {
			c.diary.told = true
			for i, f := range in.Elements {
				c.tell(ctx, float64(i), float64(len(in.Elements)), "Filling")
				e, _, err := c.fill(ctx, t, f.UID, *f.Value)
				if err != nil {
					if i > 0 {
						c.say("Filled %d of %d elements.", i, len(in.Elements))
					}
					return merge(all, e), err
				}
				all = merge(all, e)
				if e.Dialog != nil || e.Closed {
					c.say("Filled %d of %d elements.", i+1, len(in.Elements))
					return all, nil
				}
			}
			c.say("Successfully filled out the form")
			return all, nil
		})
	}).types()

// merge joins the effects of two steps.
func merge(a, b page.Effects) page.Effects {
	if b.Navigated == "" {
		b.Navigated = a.Navigated
	}
	b.Opened = append(a.Opened, b.Opened...)
	b.Downloads = append(a.Downloads, b.Downloads...)
	return b
}

type keyInput struct {
	onPage
	Key string `json:"key" say:"Enter, Control+A, …"`
	shows
}

var pressKey = define("press_key", "Press a key or a combination where the focus is.",
	func(ctx context.Context, c *call, in keyInput) error {
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			if err := c.maySend(ctx, t, "", "press "+clip(urlText(in.Key), 40)+" in", func() (input.SubmitRisk, error) { return input.On(t).AssessKeys(ctx, "", in.Key) }); err != nil {
				return page.Effects{}, err
			}
			e, err := input.On(t).Press(ctx, in.Key)
			if err == nil {
				c.say("Successfully pressed key: %s", in.Key)
			}
			return e, err
		})
	})

type typeInput struct {
	onPage
	Text      string `json:"text"`
	SubmitKey string `json:"submitKey,omitempty" say:"pressed after it"`
}

var typeText = define("type_text", "Type text where the focus is.",
	func(ctx context.Context, c *call, in typeInput) error {
		return c.act(ctx, in.onPage, shows{}, func(t *page.Tab) (page.Effects, error) {
			if err := c.maySend(ctx, t, "", "type in", func() (input.SubmitRisk, error) { return input.On(t).AssessKeys(ctx, in.Text, in.SubmitKey) }); err != nil {
				return page.Effects{}, err
			}
			if marked(in.Text) {
				return c.typeSecret(ctx, t, in)
			}
			e, secret, err := input.On(t).Type(ctx, in.Text, in.SubmitKey)
			if err != nil {
				return e, err
			}
			c.diary.told = !secret
			told := in.Text
			if secret {
				told = "(a password)"
			}
			if in.SubmitKey != "" {
				told += " + " + in.SubmitKey
			}
			c.say("Typed text %s", quoted(clip(told, 200)))
			if e.Nowhere {
				c.say("No field had the focus: click one first, unless the page itself listens to keys.")
			}
			return e, nil
		})
	}).types()

// typeSecret writes a secret where the focus is, then presses the key.
func (c *call) typeSecret(ctx context.Context, t *page.Tab, in typeInput) (page.Effects, error) {
	e, err := c.conceal(ctx, t, "", in.Text)
	if err != nil {
		return e, err
	}
	c.say("Typed text %s", quoted(clip(in.Text, 200)))
	if in.SubmitKey == "" || e.Dialog != nil || e.Closed || e.Navigated != "" {
		return e, nil
	}
	after, err := input.On(t).Press(ctx, in.SubmitKey)
	return merge(e, after), err
}

type uploadInput struct {
	onElement
	FilePaths []string `json:"filePaths"`
	shows
}

var uploadFile = define("upload_file", "Put files into a file input, or into the one that the element asks for.",
	func(ctx context.Context, c *call, in uploadInput) error {
		if len(in.FilePaths) == 0 {
			return fault.Invalidf("No file was given.")
		}
		var files []string
		for _, name := range in.FilePaths {
			full, err := c.given(ctx, name)
			if err != nil {
				return err
			}
			files = append(files, full)
		}
		return c.act(ctx, in.onPage, in.shows, func(t *page.Tab) (page.Effects, error) {
			// What is no file input is clicked.
			if err := c.maySend(ctx, t, in.UID, "click", func() (input.SubmitRisk, error) { return input.On(t).AssessClick(ctx, in.UID) }); err != nil {
				return page.Effects{}, err
			}
			e, err := input.On(t).Upload(ctx, in.UID, files)
			if err == nil {
				c.say("File uploaded from %s.", strings.Join(files, ", "))
			}
			return e, err
		})
	}).needs(policy.Upload, func(raw json.RawMessage) string {
	var in uploadInput
	_ = json.Unmarshal(raw, &in)
	return "give the page the file " + clip(strings.Join(in.FilePaths, ", "), 500)
})
