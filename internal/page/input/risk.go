package input

import (
	"context"
	"fmt"
	"slices"

	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
	"cove/internal/wording"
)

// SubmitRisk is what a click or a key may send.
type SubmitRisk struct {
	// Kind is "password" or "payment" when a form with such a field may be sent, "" when not.
	Kind string
	// What names the element, Action is the address that its form goes to.
	What, Action string
	// Frame is the address of the document that it is in.
	Frame string
}

// assessment is what the page's own document says of an action.
type assessment struct {
	Gone, Field bool
	Form        string
	Role, Name  string
	Action      string
}

// AssessClick returns what a click on an element may send. What a page does by its own scripts when nobody clicks
// cannot be known.
func (in *Input) AssessClick(ctx context.Context, uid string) (SubmitRisk, error) {
	return in.assess(ctx, uid, "function(id){return act.assessClick(id)}")
}

// AssessFill returns the same for a value: a switch or a list of the page's own making is clicked.
func (in *Input) AssessFill(ctx context.Context, uid string) (SubmitRisk, error) {
	return in.assess(ctx, uid, "function(id){return act.assessFill(id)}")
}

func (in *Input) assess(ctx context.Context, uid, function string) (SubmitRisk, error) {
	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	e, err := in.frames.Find(ctx, uid)
	if err != nil {
		return SubmitRisk{}, err
	}
	var a assessment
	if err := in.frames.Run(ctx, e.World, &a, function, e.ID); err != nil {
		return SubmitRisk{}, dom.DocumentGone(uid, err)
	}
	if a.Field { // a click puts the cursor there
		return SubmitRisk{}, nil
	}
	return in.risk(ctx, e, a), nil
}

// AssessKeys returns what typing may send: Enter sends the form that the focus is in, and Space presses a button too.
func (in *Input) AssessKeys(ctx context.Context, text, combination string) (SubmitRisk, error) {
	strokes, err := keyboard.Parse(combination)
	if combination != "" && err != nil {
		return SubmitRisk{}, err
	}
	enter := slices.ContainsFunc([]rune(text), func(r rune) bool { return r == '\n' || r == '\r' })
	space := slices.Contains([]rune(text), ' ')
	for _, s := range strokes {
		enter, space = enter || s.Key.VK == 13, space || s.Key.VK == 32
	}
	if !enter && !space {
		return SubmitRisk{}, nil
	}

	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	e, err := in.frames.Focused(ctx)
	if err != nil {
		return SubmitRisk{}, err
	}
	var a assessment
	if err := in.frames.Run(ctx, e.World, &a, "function(){return act.assessKey()}"); err != nil {
		return SubmitRisk{}, err
	}
	if a.Gone || (a.Field && !enter) {
		return SubmitRisk{}, nil
	}
	return in.risk(ctx, e, a), nil
}

// risk adds what the page holds elsewhere: any button can send a filled field of any frame.
func (in *Input) risk(ctx context.Context, e dom.Element, a assessment) SubmitRisk {
	r := SubmitRisk{Kind: a.Form, What: a.Role, Action: a.Action, Frame: in.frames.URLOf(e.Frame)}
	if a.Name != "" {
		r.What = fmt.Sprintf("%s %q", a.Role, wording.Shorten(a.Name, 80))
	}
	for _, f := range in.frames.All() {
		if r.Kind != "" {
			break
		}
		if w, err := in.frames.Enter(ctx, f.ID); err == nil {
			_ = in.frames.Run(ctx, w, &r.Kind, "function(){return act.filledKind()}")
		}
	}
	return r
}
