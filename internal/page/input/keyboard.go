package input

import (
	"context"
	"runtime"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
)

// Press presses a key, alone or with others held down: "Enter", "Control+A".
func (in *Input) Press(ctx context.Context, combination string) (page.Effects, error) {
	strokes, err := keyboard.Parse(combination)
	if err != nil {
		return page.Effects{}, err
	}
	return in.typing(ctx, func() []*cdp.Pending { return in.send(strokes) }, scrolls(strokes))
}

// scrolls reports whether keys may scroll a page. A page scrolls over several frames, so that has to be waited for.
func scrolls(strokes []keyboard.Stroke) bool {
	return slices.ContainsFunc(strokes, func(s keyboard.Stroke) bool {
		switch s.Key.Code {
		case "PageUp", "PageDown", "Home", "End", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight":
			return true
		}
		return false
	})
}

// Type types text where the focus is, then presses the key submit unless it is empty. secret reports that the field is
// one whose value agents must not see, such as a password, or could not be read.
func (in *Input) Type(ctx context.Context, text, submit string) (effects page.Effects, secret bool, err error) {
	var last []keyboard.Stroke
	if submit != "" {
		if last, err = keyboard.Parse(submit); err != nil {
			return page.Effects{}, false, err
		}
	}
	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	nowhere, role, name := false, "", ""
	secret = true // until the page has said which field has the focus
	if e, err := in.frames.Focused(ctx); err == nil {
		if nowhere = e.ID == 0; !nowhere {
			role, name, _ = e.Document.Describe(e.UID())
		}
		_ = in.frames.Run(ctx, e.World, &secret, "function(){return act.secret()}")
	}

	effects, err = in.typing(ctx, func() []*cdp.Pending { return append(in.write(text), in.send(last)...) }, false)
	effects.Open, effects.Nowhere, effects.Role, effects.Name = !secret, nowhere, role, name
	return effects, secret, err
}

// scrollLimit bounds how long a key may take to scroll the page.
const scrollLimit = 3 * time.Second

// typing runs an action of the keyboard: it calls do to send the input, and waits for the effects. scrolls says that
// the input may scroll the page.
func (in *Input) typing(ctx context.Context, do func() []*cdp.Pending, scrolls bool) (page.Effects, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, err
	}
	defer cancel()
	w, err := in.frames.EnterMain(ctx)
	if err != nil {
		return page.Effects{}, err
	}
	in.emulateFocus()
	stop := in.target.InterceptChooser()
	defer stop()
	if err := in.frames.Run(ctx, w, nil, "function(){act.watch();return 0}"); err != nil {
		return page.Effects{}, err
	}

	before := in.tab.Mark()
	processed := in.target.AwaitInput(ctx, do())
	if scrolls && !in.target.Interrupted() && !in.tab.Navigating(before) {
		limited, cancel := context.WithTimeout(ctx, scrollLimit)
		_ = in.frames.Run(limited, w, nil, "function(){return act.scrolls()}")
		cancel()
	}
	effects, err := in.tab.Settle(ctx, before, dom.Element{World: w})
	in.checkHanging(ctx, processed, before, &effects)
	return effects, err
}

// send sends keys to the page.
func (in *Input) send(strokes []keyboard.Stroke) (sent []*cdp.Pending) {
	for _, s := range strokes {
		params := object{"type": "keyUp", "key": s.Key.Name, "code": s.Key.Code, "windowsVirtualKeyCode": s.Key.VK,
			"modifiers": s.Modifiers, "location": s.Key.Location, "isKeypad": s.Key.Location == 3}
		if s.Down {
			params["type"] = "rawKeyDown"
			if s.Text != "" {
				params["type"], params["text"], params["unmodifiedText"] = "keyDown", s.Text, s.Text
			}
			if c := s.Commands(); c != nil {
				params["commands"] = c
			}
		}
		sent = append(sent, in.start("Input.dispatchKeyEvent", params))
	}
	return sent
}

// selectAll presses the keys that select everything where the cursor is.
func (in *Input) selectAll() []*cdp.Pending {
	keys := "Control+A"
	if runtime.GOOS == "darwin" {
		keys = "Meta+A"
	}
	strokes, _ := keyboard.Parse(keys)
	return in.send(strokes)
}

// longText is how many characters write types key by key at most. It inserts longer text as a whole, as from the
// clipboard.
const longText = 300

// write types text key by key. It inserts characters that no key writes.
func (in *Input) write(text string) (sent []*cdp.Pending) {
	runes := []rune(text)
	if len(runes) > longText {
		return []*cdp.Pending{in.start("Input.insertText", object{"text": text})}
	}
	for _, r := range runes {
		if r == '\r' {
			continue
		}
		k, ok := keyboard.Writing(r)
		if !ok {
			sent = append(sent, in.start("Input.insertText", object{"text": string(r)}))
			continue
		}
		sent = append(sent, in.send(k.Strokes())...)
	}
	return sent
}
