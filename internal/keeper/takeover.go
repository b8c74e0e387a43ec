package keeper

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
)

// Taken is what became of a take over, or of giving back.
type Taken struct {
	// Window tells that the profile has one, which is in front now.
	Window bool `json:"window"`
	// Note is what the agents are told, when the profile is given back.
	Note string `json:"note,omitempty"`
}

// place is a tab as the person found it.
type place struct{ id, url string }

// takeOver makes every agent wait, and notes where everything is.
func (k *keeper) takeOver(ctx context.Context) (Taken, error) {
	k.enforcer.TakeOver()
	k.log.Info("the person has taken over")
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	b, err := k.agents.await(ctx)
	if err != nil {
		return Taken{}, nil //nolint:nilerr // it is still opening: the agents wait, and there is nothing to note yet
	}
	k.takenMu.Lock()
	if k.taken == nil {
		k.taken = places(b)
	}
	k.takenMu.Unlock()
	if k.record.Headless {
		return Taken{}, nil
	}
	if err := b.Show(ctx); err != nil { // the agents wait all the same
		k.log.Warn("the window could not be brought to the front", "err", err)
	}
	return Taken{Window: true}, nil
}

// giveBack lets the agents go on, each with a note of what has changed.
func (k *keeper) giveBack(ctx context.Context) (Taken, error) {
	if !k.enforcer.State().TakenOver {
		return Taken{}, fault.New(fault.Conflict, "E_NOT_TAKEN_OVER", "Profile "+k.ID.String()+" was not taken over.", "Take it over with: cove takeover "+k.ID.String())
	}
	b, err := k.agents.await(ctx)
	if err != nil {
		return Taken{}, err
	}
	k.takenMu.Lock()
	before, after := k.taken, places(b)
	k.taken = nil
	k.takenMu.Unlock()
	if before == nil { // it was taken over before there was anything
		before = after
	}
	note := changes(before, after)
	k.enforcer.GiveBack(note)
	k.log.Info("the person has given back")
	return Taken{Window: !k.record.Headless, Note: note}, nil
}

func places(b *page.Browser) []place {
	all := []place{}
	for _, t := range b.Tabs() {
		all = append(all, place{t.ID(), t.About().URL})
	}
	return all
}

// maxNamed is how many changes of a kind are named; more are counted.
const maxNamed = 3

// changes says in a sentence or two what is different: addresses only, for titles are the pages' own words.
func changes(before, after []place) string {
	var moved, opened, closed []string
	find := func(all []place, id string) (place, bool) {
		for _, p := range all {
			if p.id == id {
				return p, true
			}
		}
		return place{}, false
	}
	for _, was := range before {
		now, there := find(after, was.id)
		switch {
		case !there:
			closed = append(closed, short(was.url))
		case now.url != was.url:
			moved = append(moved, short(was.url)+" is now "+short(now.url))
		}
	}
	for _, now := range after {
		if _, there := find(before, now.id); !there {
			opened = append(opened, short(now.url))
		}
	}
	note := "The person had taken over and has given the profile back."
	if len(moved)+len(opened)+len(closed) == 0 {
		return note + " No page was opened, closed or sent elsewhere; what is on the pages may be different, so take a new snapshot."
	}
	var parts []string
	for _, kind := range []struct {
		name string
		list []string
	}{{"went elsewhere", moved}, {"opened", opened}, {"closed", closed}} {
		if n := len(kind.list); n > 0 {
			named := strings.Join(kind.list[:min(n, maxNamed)], ", ")
			if n > maxNamed {
				named += fmt.Sprintf(" and %d more", n-maxNamed)
			}
			parts = append(parts, kind.name+": "+named)
		}
	}
	return note + " Pages " + strings.Join(parts, "; ") + ". Take a new snapshot."
}

// short is an address that fits into a sentence, without anything that could end it.
func short(url string) string {
	url = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, url)
	if len(url) > 150 {
		url = url[:150] + "…"
	}
	return url
}
