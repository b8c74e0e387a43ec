package tools

import (
	"context"
	"sync"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/page/dom"
	"cove/internal/page/input"
	"cove/internal/page/risk"
)

func clickAtTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "click_at", Text: "Click at a place of your last screenshot of the page.", Group: "vision",
	}, clickAt)
}

type clickAtInput struct {
	mcpserver.OnPage
	X        number `json:"x" say:"in pixels of the image"`
	Y        number `json:"y"`
	DblClick bool   `json:"dblClick,omitempty"`
	shows
}

func clickAt(ctx context.Context, c *mcpserver.Call, in clickAtInput) error {
	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		scene, ok := mcpserver.ClientState[scenes](c).of(t)
		if !ok {
			return page.Effects{}, fault.New(fault.CodeStalePicture, "You have no screenshot of this page.",
				"Call take_screenshot first.")
		}
		at, err := t.Camera.Find(ctx, scene, float64(in.X), float64(in.Y))
		if err != nil {
			return page.Effects{}, err
		}
		expected, err := authorizePlace(ctx, c, t, at)
		if err != nil {
			return page.Effects{}, err
		}

		e, on, err := input.On(t).ClickAt(ctx, at, expected, in.DblClick)
		c.Record.SetElement(on.Role, on.Name)
		if err == nil {
			c.Done("Successfully clicked at %g, %g", float64(in.X), float64(in.Y))
			c.Quote("There is:", c.Redact.Words(on.String(), 200))
		}
		return e, err
	})
}

// authorizePlace asks before a press of the mouse that may send a form with a password or a payment field. It returns
// the element that was looked at; zero when nobody had to look.
func authorizePlace(
	ctx context.Context, c *mcpserver.Call, t *page.Tab, at capture.Point,
) (expected dom.Element, err error) {
	return expected, c.Approval.AuthorizeSubmit(ctx, mcpserver.Subject{Tab: t}, "click",
		func() (found risk.Submit, err error) {
			found, expected, err = risk.In(t).OfPoint(ctx, at)
			c.Record.SetElement(expected.Role, expected.Name)
			return found, err
		})
}

// scenes are what the last screenshots of a client show, by page.
type scenes struct {
	mu    sync.Mutex
	byTab map[*page.Tab]capture.Scene
}

func (s *scenes) of(t *page.Tab) (scene capture.Scene, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scene, ok = s.byTab[t]
	return scene, ok
}

func (s *scenes) set(t *page.Tab, scene capture.Scene) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byTab == nil {
		s.byTab = map[*page.Tab]capture.Scene{}
	}
	for old := range s.byTab {
		if old.Closed() {
			delete(s.byTab, old)
		}
	}
	s.byTab[t] = scene
}
