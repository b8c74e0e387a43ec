package dom

import "context"

// Rect is a rectangle in CSS pixels.
type Rect struct{ X, Y, Width, Height float64 }

// Within reports whether r lies inside outer.
func (r Rect) Within(outer Rect) bool {
	return r.X >= outer.X && r.Y >= outer.Y &&
		r.X+r.Width <= outer.X+outer.Width && r.Y+r.Height <= outer.Y+outer.Height
}

// Box returns where an element is in the tab's window. Unless still, it scrolls the page to the element first.
func (f *Frames) Box(ctx context.Context, uid string, still bool) (Rect, error) {
	e, err := f.Find(ctx, uid)
	if err != nil {
		return Rect{}, err
	}
	return f.BoxOf(ctx, e, still)
}

// BoxOf is Box for an element that is known.
func (f *Frames) BoxOf(ctx context.Context, e Element, still bool) (Rect, error) {
	var box struct {
		Rect
		Gone bool
	}
	if err := f.Run(ctx, e.World, &box, "function(id,still){return act.box(id,still)}", e.ID, still); err != nil {
		return Rect{}, err
	}
	if box.Gone {
		return Rect{}, e.ErrGone()
	}

	r := box.Rect
	err := f.Outward(ctx, e, func(w World, owner int) error {
		var c struct{ X, Y, ScaleX, ScaleY float64 }
		if err := f.Run(ctx, w, &c, "function(id){return act.content(cove.get(id))}", owner); err != nil {
			return err
		}
		r = Rect{c.X + r.X*c.ScaleX, c.Y + r.Y*c.ScaleY, r.Width * c.ScaleX, r.Height * c.ScaleY}
		return nil
	})
	return r, err
}
