package page

import (
	"context"

	"cove/internal/cookie"
	"cove/internal/fault"
)

// errNoStorage is the answer where a page has no local storage: it shows no site, or has turned into another page.
var errNoStorage = fault.New(fault.CodeValue, "The page has no local storage.", "Open a page of the site first.")

// LocalStorage returns the local storage of the page's origin.
func (t *Tab) LocalStorage(ctx context.Context) (cookie.Origin, error) {
	ctx, cancel, err := t.Target.Begin(ctx)
	if err != nil {
		return cookie.Origin{}, err
	}
	defer cancel()
	var o struct {
		cookie.Origin
		Refused bool
	}
	err = t.Frames.RunInFrame(ctx, t.Frames.Main(), &o, `function () {
		try {
			const items = Object.entries(localStorage).map(([Name, Value]) => ({Name, Value}))
			return {Origin: location.origin, Items: items}
		} catch { return {Refused: true} }
	}`)
	if err == nil && o.Refused {
		err = errNoStorage
	}
	return o.Origin, err
}

// AddLocalStorage adds entries to the local storage of an origin, which the page must be of: all of them, or none.
func (t *Tab) AddLocalStorage(ctx context.Context, o cookie.Origin) error {
	ctx, cancel, err := t.Target.Begin(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	w, err := t.Frames.EnterMain(ctx)
	if err != nil {
		return err
	}
	added := false
	err = t.Frames.Run(ctx, w, &added, `function (origin, items) {
		if (location.origin !== origin) return false
		const before = new Map(items.map(e => [e.Name, localStorage.getItem(e.Name)]))
		try {
			for (const e of items) localStorage.setItem(e.Name, e.Value)
			return true
		} catch {
			for (const [name, value] of before) {
				if (value === null) localStorage.removeItem(name)
				else localStorage.setItem(name, value)
			}
			return false
		}
	}`, o.Origin, append([]cookie.Entry{}, o.Items...))
	if err == nil && !added {
		err = fault.New(fault.CodeValue, "The page did not take the local storage. Nothing of it was changed.",
			"A browser keeps at most 5 MB of one origin.")
	}
	return err
}
