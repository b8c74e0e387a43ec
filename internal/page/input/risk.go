package input

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
	"cove/internal/page/remote"
	"cove/internal/page/target"
	"cove/internal/page/webmcp"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// SubmitRisk describes what a click or a key may send.
type SubmitRisk struct {
	// Kind is the kind of form that may be sent: sensitive.None for an ordinary form, sensitive.Unknown when the page
	// could not be read.
	Kind sensitive.Kind
	// What names the element. Action is the address that its form is sent to.
	What, Action string
	// Frame is the address of the document that the element is in.
	Frame string
}

// assessment is the answer of the element's document about an action.
type assessment struct {
	Gone, Field bool
	Form        sensitive.Kind
	Role, Name  string
	Action      string
}

// AssessClick returns what a click on an element may send. It cannot know what the page's scripts send when nobody
// clicks.
func (in *Input) AssessClick(ctx context.Context, uid string) (SubmitRisk, error) {
	return in.assess(ctx, uid, "function(id){return act.assessClick(id)}")
}

// AssessFill returns what Fill may send: it clicks switches and custom lists.
func (in *Input) AssessFill(ctx context.Context, uid string) (SubmitRisk, error) {
	return in.assess(ctx, uid, "function(id){return act.assessFill(id)}")
}

// AssessTool returns what a tool that the page offers may send: its form, or for a script what is filled in on the
// page.
func (in *Input) AssessTool(ctx context.Context, tool webmcp.Tool) (SubmitRisk, error) {
	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	what := assessment{Role: "tool", Name: tool.Name}
	e := dom.Element{Frame: tool.Frame, Role: what.Role, Name: what.Name}
	if !tool.IsForm() {
		return in.risk(ctx, e, what), nil
	}

	form, err := in.frames.Node(ctx, tool.Frame, tool.Form)
	if err != nil {
		return in.unread(e, err)
	}
	var a assessment
	if err := in.frames.Run(ctx, form.World, &a, "function(id){return act.assessForm(id)}", form.ID); err != nil {
		return in.unread(e, err)
	}
	if a.Gone {
		return SubmitRisk{}, webmcp.ErrToolGone
	}
	what.Form, what.Action = a.Form, a.Action
	return in.risk(ctx, e, what), nil
}

func (in *Input) assess(ctx context.Context, uid, function string) (SubmitRisk, error) {
	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	known, err := in.frames.Locate(uid)
	if err != nil {
		return SubmitRisk{}, err
	}
	e, err := in.frames.Find(ctx, uid)
	if err != nil {
		return in.unread(known, err)
	}

	var a assessment
	if err := in.frames.Run(ctx, e.World, &a, function, e.ID); err != nil {
		return in.unread(e, dom.DocumentGone(uid, err))
	}
	if a.Field { // a click only puts the cursor there
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
		return in.unread(dom.Element{Role: "page"}, err)
	}
	var a assessment
	if err := in.frames.Run(ctx, e.World, &a, "function(){return act.assessKey()}"); err != nil {
		return in.unread(dom.Element{Role: "page"}, err)
	}
	if a.Gone || (a.Field && !enter) {
		return SubmitRisk{}, nil
	}
	return in.risk(ctx, e, a), nil
}

// unread returns the risk Unknown for an action on a page that could not be read. It returns err when the action is
// impossible, because its element, its document or its tab is gone, or a dialog blocks the page.
func (in *Input) unread(e dom.Element, err error) (SubmitRisk, error) {
	if !isUnreadable(err) {
		return SubmitRisk{}, err
	}

	r := SubmitRisk{Kind: sensitive.Unknown, What: "element"}
	if e.Role != "" {
		r.What = e.String()
	}
	if e.Frame != "" {
		r.Frame = in.frames.URLOf(e.Frame)
	}
	return r, nil
}

// isUnreadable reports whether an error says that the page is there but cannot be read.
func isUnreadable(err error) bool {
	var thrown *remote.ScriptError
	var protocol *cdp.Error
	return errors.Is(err, target.ErrNoAnswer) || errors.Is(err, dom.ErrRestless) ||
		errors.As(err, &thrown) || errors.As(err, &protocol)
}

// framesAtOnce bounds how many frames of a page are read at the same time.
const framesAtOnce = 8

// risk returns the risk of an action. When the assessment found nothing sensitive, risk looks at all frames of the
// page, because any button can send a filled field of any frame.
func (in *Input) risk(ctx context.Context, e dom.Element, a assessment) SubmitRisk {
	r := SubmitRisk{Kind: a.Form, What: a.Role, Action: a.Action, Frame: in.frames.URLOf(e.Frame)}
	if a.Name != "" {
		r.What = fmt.Sprintf("%s %q", a.Role, wording.Shorten(a.Name, 80))
	}
	if r.Kind != sensitive.None {
		return r
	}

	ctx, cancel := in.target.Bound(ctx, target.AnswerLimit)
	defer cancel()
	all := in.frames.All()
	kinds := make([]sensitive.Kind, len(all))
	turns := make(chan struct{}, framesAtOnce)
	var reading sync.WaitGroup
	for i, f := range all {
		turns <- struct{}{}
		reading.Go(func() {
			defer func() { <-turns }()
			kinds[i] = in.filledKind(ctx, f.ID)
		})
	}
	reading.Wait()
	r.Kind = sensitive.Worst(kinds)
	return r
}

// filledKind returns the kind of the filled fields in a frame, which any button of the page may send. It returns
// Unknown when the frame cannot be read.
func (in *Input) filledKind(ctx context.Context, frameID string) (kind sensitive.Kind) {
	err := in.frames.RunInFrame(ctx, frameID, &kind, "function(){return act.filledKind()}")
	switch {
	case err == nil:
		return kind
	case errors.Is(err, dom.ErrFrameGone), errors.Is(err, dom.ErrFrameCrashed): // the frame no longer holds anything
		return sensitive.None
	}
	return sensitive.Unknown
}
