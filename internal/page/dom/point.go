package dom

import "context"

// At returns the element at a point of the tab's window, in whatever frame it is. list says that it is a select, which
// opens a list.
func (f *Frames) At(ctx context.Context, x, y float64) (e Element, list bool, err error) {
	frameID := f.main
	for range maxDepth {
		w, err := f.Enter(ctx, frameID)
		if err != nil {
			return Element{}, false, err
		}
		var at struct {
			ID     int
			Frame  bool
			Select bool
			X, Y   float64
		}
		if err := f.Run(ctx, w, &at, "function(x,y){return act.pointed(x,y)}", x, y); err != nil {
			return Element{}, false, err
		}
		e := Element{World: w, Frame: frameID, ID: at.ID}
		if !at.Frame {
			return e, at.Select, nil
		}
		inner := f.shownIn(ctx, e)
		if inner == "" {
			return e, false, nil
		}
		frameID, x, y = inner, at.X, at.Y
	}
	return Element{}, false, ErrFrameGone
}

// Pointed is At for an agent: it refuses an element in a frame that agents may not look into, and says what the element
// is.
func (f *Frames) Pointed(ctx context.Context, x, y float64) (Element, error) {
	e, _, err := f.At(ctx, x, y)
	if err != nil {
		return e, err
	}
	if err := f.closed(e.Frame); err != nil {
		return e, err
	}
	var about struct{ Role, Name string }
	err = f.Run(ctx, e.World, &about, "function(id){return act.want(id)}", e.ID)
	e.Role, e.Name = about.Role, about.Name
	return e, err
}
