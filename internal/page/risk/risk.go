// Package risk assesses what an action in a tab may send, before it is done.
package risk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
	"cove/internal/page/remote"
	"cove/internal/page/target"
	"cove/internal/page/webmcp"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// Submit describes what a click or a key may send.
type Submit struct {
	// Kind is the kind of form that may be sent: sensitive.None for an ordinary form, sensitive.Unknown when the page
	// could not be read.
	Kind sensitive.Kind
	// What names the element. Action is the address that its form is sent to.
	What, Action string
	// Frame is the address of the document that the element is in.
	Frame string
}

// Assessor reads one tab. It has no state of its own, and it needs no lock of the tab.
type Assessor struct {
	target *target.Target
	frames *dom.Frames
}

// In returns the assessor of a tab.
func In(tab *page.Tab) *Assessor { return &Assessor{tab.Target, tab.Frames} }

// assessment is the answer of the element's document about an action.
type assessment struct {
	Gone, Field bool
	Form        sensitive.Kind
	Role, Name  string
	Action      string
}

// OfClick returns what a click on an element may send. It cannot know what the page's scripts send when nobody
// clicks.
func (a *Assessor) OfClick(ctx context.Context, uid string) (Submit, error) {
	return a.assess(ctx, uid, "function(id){return act.assessClick(id)}")
}

// OfFill returns what input.Fill may send: it clicks switches and custom lists.
func (a *Assessor) OfFill(ctx context.Context, uid string) (Submit, error) {
	return a.assess(ctx, uid, "function(id){return act.assessFill(id)}")
}

// OfTool returns what a tool that the page offers may send: its form, or for a script what is filled in on the
// page.
func (a *Assessor) OfTool(ctx context.Context, tool webmcp.Tool) (Submit, error) {
	ctx, cancel := a.target.Watchdog(ctx)
	defer cancel()
	what := assessment{Role: "tool", Name: tool.Name}
	e := dom.Element{Frame: tool.Frame, Role: what.Role, Name: what.Name}
	if !tool.IsForm() {
		return a.risk(ctx, e, what), nil
	}

	form, err := a.frames.Node(ctx, tool.Frame, tool.Form)
	if err != nil {
		return a.unread(e, err)
	}
	var found assessment
	if err := a.frames.Run(ctx, form.World, &found, "function(id){return act.assessForm(id)}", form.ID); err != nil {
		return a.unread(e, err)
	}
	if found.Gone {
		return Submit{}, webmcp.ErrToolGone
	}
	what.Form, what.Action = found.Form, found.Action
	return a.risk(ctx, e, what), nil
}

// OfPoint returns what a click at a point of the window may send, and the element that is there.
func (a *Assessor) OfPoint(ctx context.Context, at capture.Point) (Submit, dom.Element, error) {
	ctx, cancel := a.target.Watchdog(ctx)
	defer cancel()
	e, err := a.frames.Pointed(ctx, at.PageX, at.PageY)
	if err != nil {
		risk, err := a.unread(dom.Element{Role: "page"}, err)
		return risk, dom.Element{}, err
	}

	var found assessment
	if err := a.frames.Run(ctx, e.World, &found, "function(id){return act.assessClick(id)}", e.ID); err != nil {
		risk, err := a.unread(e, err)
		return risk, e, err
	}
	if found.Field { // a click only puts the cursor there
		return Submit{}, e, nil
	}
	return a.risk(ctx, e, found), e, nil
}

func (a *Assessor) assess(ctx context.Context, uid, function string) (Submit, error) {
	ctx, cancel := a.target.Watchdog(ctx)
	defer cancel()
	known, err := a.frames.Locate(uid)
	if err != nil {
		return Submit{}, err
	}
	e, err := a.frames.Find(ctx, uid)
	if err != nil {
		return a.unread(known, err)
	}

	var found assessment
	if err := a.frames.Run(ctx, e.World, &found, function, e.ID); err != nil {
		return a.unread(e, dom.DocumentGone(uid, err))
	}
	if found.Field { // a click only puts the cursor there
		return Submit{}, nil
	}
	return a.risk(ctx, e, found), nil
}

// OfKeys returns what typing may send: Enter sends the form that the focus is in, and Space presses a button too.
func (a *Assessor) OfKeys(ctx context.Context, text, combination string) (Submit, error) {
	strokes, err := keyboard.Parse(combination)
	if combination != "" && err != nil {
		return Submit{}, err
	}
	enter := slices.ContainsFunc([]rune(text), func(r rune) bool { return r == '\n' || r == '\r' })
	space := slices.Contains([]rune(text), ' ')
	for _, s := range strokes {
		enter, space = enter || s.Key.VK == 13, space || s.Key.VK == 32
	}
	if !enter && !space {
		return Submit{}, nil
	}

	ctx, cancel := a.target.Watchdog(ctx)
	defer cancel()
	e, err := a.frames.Focused(ctx)
	if err != nil {
		return a.unread(dom.Element{Role: "page"}, err)
	}
	var found assessment
	if err := a.frames.Run(ctx, e.World, &found, "function(){return act.assessKey()}"); err != nil {
		return a.unread(dom.Element{Role: "page"}, err)
	}
	if found.Gone || (found.Field && !enter) {
		return Submit{}, nil
	}
	return a.risk(ctx, e, found), nil
}

// unread returns the risk Unknown for an action on a page that could not be read. It returns err when the action is
// impossible, because its element, its document or its tab is gone, or a dialog blocks the page.
func (a *Assessor) unread(e dom.Element, err error) (Submit, error) {
	if !isUnreadable(err) {
		return Submit{}, err
	}

	r := Submit{Kind: sensitive.Unknown, What: "element"}
	if e.Role != "" {
		r.What = e.String()
	}
	if e.Frame != "" {
		r.Frame = a.frames.URLOf(e.Frame)
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
func (a *Assessor) risk(ctx context.Context, e dom.Element, found assessment) Submit {
	r := Submit{Kind: found.Form, What: found.Role, Action: found.Action, Frame: a.frames.URLOf(e.Frame)}
	if found.Name != "" {
		r.What = fmt.Sprintf("%s %q", found.Role, wording.Shorten(found.Name, 80))
	}
	if r.Kind != sensitive.None {
		return r
	}

	ctx, cancel := a.target.Bound(ctx, target.AnswerLimit)
	defer cancel()
	all := a.frames.All()
	kinds := make([]sensitive.Kind, len(all))
	turns := make(chan struct{}, framesAtOnce)
	var reading sync.WaitGroup
	for i, f := range all {
		turns <- struct{}{}
		reading.Go(func() {
			defer func() { <-turns }()
			kinds[i] = a.filledKind(ctx, f.ID)
		})
	}
	reading.Wait()
	r.Kind = sensitive.Worst(kinds)
	return r
}

// filledKind returns the kind of the filled fields in a frame, which any button of the page may send. It returns
// Unknown when the frame cannot be read.
func (a *Assessor) filledKind(ctx context.Context, frameID string) (kind sensitive.Kind) {
	err := a.frames.RunInFrame(ctx, frameID, &kind, "function(){return act.filledKind()}")
	switch {
	case err == nil:
		return kind
	case errors.Is(err, dom.ErrFrameGone), errors.Is(err, dom.ErrFrameCrashed): // the frame no longer holds anything
		return sensitive.None
	}
	return sensitive.Unknown
}
