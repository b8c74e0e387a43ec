package page

import (
	"context"
	"fmt"
	"slices"
)

// Stakes is what a click or a key may send.
type Stakes struct {
	// Holds is "password" or "payment" when a form with such a field may be sent, "" when not.
	Holds string
	// What is the element, in words; Action the address that its form goes to.
	What, Action string
	// Frame is the address of the document that it is in.
	Frame string
}

type weighed struct {
	Gone, Field bool
	Form        string
	Role, Name  string
	Action      string
}

// Weigh tells what a click on an element may send. What a page does with its own scripts when nobody clicks cannot be known.
func (t *Tab) Weigh(ctx context.Context, uid string) (Stakes, error) {
	return t.weigh(ctx, uid, "function(id){return act.weigh(id)}")
}

// WeighFill tells the same of filling it: a switch or a list of the page's own making is clicked.
func (t *Tab) WeighFill(ctx context.Context, uid string) (Stakes, error) {
	return t.weigh(ctx, uid, "function(id){return act.weighFill(id)}")
}

func (t *Tab) weigh(ctx context.Context, uid, how string) (Stakes, error) {
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.find(ctx, uid)
	if err != nil {
		return Stakes{}, err
	}
	var w weighed
	if err := t.run(ctx, e.place, &w, how, e.id); err != nil {
		return Stakes{}, left(uid, err)
	}
	if w.Field { // a click puts the cursor there
		return Stakes{}, nil
	}
	return t.stakes(ctx, e, w), nil
}

// WeighKeys tells what typing this may send: Enter sends the form that the focus is in, and a button is pressed by Space too.
func (t *Tab) WeighKeys(ctx context.Context, text, combination string) (Stakes, error) {
	strokes, err := parseKeys(combination)
	if combination != "" && err != nil {
		return Stakes{}, err
	}
	enter := slices.ContainsFunc([]rune(text), func(r rune) bool { return r == '\n' || r == '\r' })
	space := slices.Contains([]rune(text), ' ')
	for _, s := range strokes {
		enter, space = enter || s.key.vk == 13, space || s.key.vk == 32
	}
	if !enter && !space {
		return Stakes{}, nil
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.focused(ctx)
	if err != nil {
		return Stakes{}, err
	}
	var w weighed
	if err := t.run(ctx, e.place, &w, "function(){return act.weighKey()}"); err != nil {
		return Stakes{}, err
	}
	if w.Gone || (w.Field && !enter) {
		return Stakes{}, nil
	}
	return t.stakes(ctx, e, w), nil
}

// stakes adds what the page holds elsewhere: any button can send a field that is filled, of any frame.
func (t *Tab) stakes(ctx context.Context, e element, w weighed) Stakes {
	s := Stakes{Holds: w.Form, What: w.Role, Action: w.Action}
	if w.Name != "" {
		s.What = fmt.Sprintf("%s %q", w.Role, short(w.Name, 80))
	}
	t.mu.Lock()
	if f := t.frames[e.frame]; f != nil {
		s.Frame = f.url
	}
	ids := make([]string, 0, len(t.frames))
	for id := range t.frames {
		ids = append(ids, id)
	}
	t.mu.Unlock()
	for _, id := range ids {
		if s.Holds != "" {
			break
		}
		p, err := t.enter(ctx, id)
		if err == nil {
			_ = t.run(ctx, p, &s.Holds, "function(){return act.loaded()}")
		}
	}
	return s
}

// focused is the element that has the focus, in whatever frame it is; its id is 0 when only the frame has it.
func (t *Tab) focused(ctx context.Context) (element, error) {
	frameID := t.main
	for range maxFrameDepth {
		p, err := t.enter(ctx, frameID)
		if err != nil {
			return element{}, err
		}
		e := element{place: p, frame: frameID}
		if err := t.run(ctx, p, &e.id, "function(){return act.focused()}"); err != nil || e.id == 0 {
			return e, err
		}
		inner := ""
		t.mu.Lock()
		var children []string
		for id, f := range t.frames {
			if f.parent == frameID && id != frameID {
				children = append(children, id)
			}
		}
		t.mu.Unlock()
		for _, id := range children {
			if owner, err := t.ownerOf(ctx, id); err == nil && owner == e.id {
				inner = id
			}
		}
		if inner == "" {
			return e, nil
		}
		frameID = inner
	}
	return element{}, errFrameGone
}
