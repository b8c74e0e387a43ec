package keeper

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/page"
	"cove/internal/wording"
)

// tabURL is a tab and its address at one moment.
type tabURL struct{ id, url string }

// startTakeover makes every agent wait, and remembers the addresses of the tabs.
func (k *keeper) startTakeover(ctx context.Context) (keeperclient.Takeover, error) {
	k.enforcer.TakeOver()
	k.log.Info("the person has taken over")
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	b, err := k.agents.awaitBrowser(ctx)
	if err != nil {
		// The profile is still opening: the agents wait, and there are no tabs yet.
		return keeperclient.Takeover{}, nil //nolint:nilerr // see above
	}
	k.mu.Lock()
	if k.tabsBefore == nil {
		k.tabsBefore = tabURLs(b)
	}
	k.mu.Unlock()
	if k.record.Headless {
		return keeperclient.Takeover{}, nil
	}
	if err := b.Show(ctx); err != nil { // the agents wait all the same
		k.log.Warn("the window could not be brought to the front", "err", err)
	}
	return keeperclient.Takeover{Window: true}, nil
}

// endTakeover lets the agents go on, and tells each of them what has changed.
func (k *keeper) endTakeover(ctx context.Context) (keeperclient.Takeover, error) {
	id := k.spec.ID.String()
	if !k.enforcer.State().TakenOver {
		return keeperclient.Takeover{}, fault.New(fault.CodeNotTakenOver,
			"Profile "+id+" was not taken over.",
			"Take it over with: cove takeover "+id)
	}
	b, err := k.agents.awaitBrowser(ctx)
	if err != nil {
		return keeperclient.Takeover{}, err
	}

	k.mu.Lock()
	before, after := k.tabsBefore, tabURLs(b)
	k.tabsBefore = nil
	k.mu.Unlock()
	if before == nil { // it was taken over before there were tabs
		before = after
	}
	note := changes(before, after)
	k.enforcer.GiveBack(note)
	k.log.Info("the person has given back")
	return keeperclient.Takeover{Window: !k.record.Headless, Changes: note}, nil
}

func tabURLs(b *page.Browser) []tabURL {
	all := []tabURL{}
	for _, t := range b.Tabs() {
		all = append(all, tabURL{t.ID(), t.About().URL})
	}
	return all
}

// maxNamed is how many changes of a kind are named. More are counted.
const maxNamed = 3

// changes says in a sentence or two what is different. It names addresses only: titles are text of the pages.
func changes(before, after []tabURL) string {
	var moved, opened, closed []string
	find := func(all []tabURL, id string) (tabURL, bool) {
		for _, t := range all {
			if t.id == id {
				return t, true
			}
		}
		return tabURL{}, false
	}
	for _, was := range before {
		now, there := find(after, was.id)
		switch {
		case !there:
			closed = append(closed, urlText(was.url))
		case now.url != was.url:
			moved = append(moved, urlText(was.url)+" is now "+urlText(now.url))
		}
	}
	for _, now := range after {
		if _, there := find(before, now.id); !there {
			opened = append(opened, urlText(now.url))
		}
	}
	note := "The person had taken over and has given the profile back."
	if len(moved)+len(opened)+len(closed) == 0 {
		return note + " No page was opened, closed or sent elsewhere; what is on the pages may be different," +
			" so take a new snapshot."
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

// urlText returns an address that fits into a sentence, without characters that could end it.
func urlText(url string) string {
	url = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, url)
	return wording.Shorten(url, 150)
}
