package page

import (
	"context"
	"runtime"
	"slices"

	"cove/internal/cdp"
)

// Press presses a key, alone or with others held down: "Enter", "Control+A".
func (t *Tab) Press(ctx context.Context, combination string) (Effects, error) {
	strokes, err := parseKeys(combination)
	if err != nil {
		return Effects{}, err
	}
	return t.typed(ctx, func() []*cdp.Pending { return t.send(strokes) }, scrolls(strokes))
}

// scrolls tells whether keys may scroll a page, which it does over several pictures.
func scrolls(strokes []stroke) bool {
	return slices.ContainsFunc(strokes, func(s stroke) bool {
		switch s.key.code {
		case "PageUp", "PageDown", "Home", "End", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight":
			return true
		}
		return false
	})
}

// Type types text where the focus is, then presses a key if one is given. secret tells that a password was typed.
func (t *Tab) Type(ctx context.Context, text, submit string) (effects Effects, secret bool, err error) {
	var last []stroke
	if submit != "" {
		if last, err = parseKeys(submit); err != nil {
			return Effects{}, false, err
		}
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	nowhere := false
	if e, err := t.focused(ctx); err == nil {
		nowhere = e.id == 0
		_ = t.run(ctx, e.place, &secret, "function(){return act.secret()}")
	}
	effects, err = t.typed(ctx, func() []*cdp.Pending { return append(t.write(text), t.send(last)...) }, false)
	effects.Open, effects.Nowhere = !secret, nowhere
	return effects, secret, err
}

// typed runs an action of the keyboard, which may scroll the page.
func (t *Tab) typed(ctx context.Context, do func() []*cdp.Pending, scrolls bool) (Effects, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	p, err := t.enter(ctx, t.main)
	if err != nil {
		return Effects{}, err
	}
	t.focus()
	disarm := t.armChooser()
	defer disarm()
	if err := t.run(ctx, p, nil, "function(){act.watch();return 0}"); err != nil {
		return Effects{}, err
	}
	before := t.mark()
	taken := t.await(ctx, do())
	if scrolls && !t.interrupted() && !t.navigating(before) {
		limited, cancel := context.WithTimeout(ctx, quietLimit)
		_ = t.run(limited, p, nil, "function(){return act.scrolls()}")
		cancel()
	}
	effects, err := t.settle(ctx, before, p)
	t.hangs(ctx, taken, before, &effects)
	return effects, err
}

// stroke is one key going down or up.
type stroke struct {
	key       key
	down      bool
	modifiers int
	text      string
}

func (t *Tab) send(strokes []stroke) (sent []*cdp.Pending) {
	for _, s := range strokes {
		params := object{"type": "keyUp", "key": s.key.key, "code": s.key.code, "windowsVirtualKeyCode": s.key.vk, "modifiers": s.modifiers, "location": s.key.location, "isKeypad": s.key.location == 3}
		if s.down {
			params["type"] = "rawKeyDown"
			if s.text != "" {
				params["type"], params["text"], params["unmodifiedText"] = "keyDown", s.text, s.text
			}
			if c := s.commands(); c != nil {
				params["commands"] = c
			}
		}
		sent = append(sent, t.b.conn.Start(t.session, "Input.dispatchKeyEvent", params))
	}
	return sent
}

// selectAll presses what selects everything where the cursor is.
func (t *Tab) selectAll() []*cdp.Pending {
	keys := "Control+A"
	if runtime.GOOS == "darwin" {
		keys = "Meta+A"
	}
	strokes, _ := parseKeys(keys)
	return t.send(strokes)
}

// longText is more than a person types: it goes in as a whole, as from the clipboard.
const longText = 300

// write types text key by key.
func (t *Tab) write(text string) (sent []*cdp.Pending) {
	runes := []rune(text)
	if len(runes) > longText {
		return []*cdp.Pending{t.b.conn.Start(t.session, "Input.insertText", object{"text": text})}
	}
	for _, r := range runes {
		if r == '\r' {
			continue
		}
		k, ok := keyOf(r)
		if !ok {
			sent = append(sent, t.b.conn.Start(t.session, "Input.insertText", object{"text": string(r)}))
			continue
		}
		sent = append(sent, t.send(k.strokes())...)
	}
	return sent
}
