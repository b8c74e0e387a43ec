package interaction

import (
	"sort"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
)

// Interaction is one click, tap or key press, with the times that a person waited.
type Interaction struct {
	Type         string
	Element      page.Element
	Start        time.Duration
	Time         time.Duration
	InputDelay   time.Duration // until the handlers began
	Processing   time.Duration // while they ran
	Presentation time.Duration // until the next frame was shown
	Count        int           // how many interactions there were in all
}

// sameFrame is how far apart, in microseconds, the ends of two events that were shown in one frame may be.
const sameFrame = 8_000

// INP returns the interaction to next paint: the slowest interaction, after the slowest one in every fifty is left out.
// It returns nil when there were no interactions.
func (l *Log) INP(b event.Bounds) *Interaction {
	groups := map[int][]input{}
	for _, i := range l.inputs {
		if b.Contains(i.at) && l.page.Contains(i.frame) {
			groups[i.interaction] = append(groups[i.interaction], i)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	var all []Interaction
	for _, g := range groups {
		all = append(all, l.interaction(g, b.Min))
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Time != all[j].Time {
			return all[i].Time > all[j].Time
		}
		return all[i].Start < all[j].Start
	})
	worst := all[min(len(all)-1, len(all)/50, 9)]
	worst.Count = len(all)
	return &worst
}

// interaction joins the events of one interaction (press, release, click). Its time is that of its longest event.
func (l *Log) interaction(events []input, zero int64) Interaction {
	longest := events[0]
	for _, e := range events {
		if e.end-e.at > longest.end-longest.at {
			longest = e
		}
	}
	named := longest
	from, to := longest.processed, longest.done
	for _, e := range events {
		// Events that were shown in the same frame waited for each other's handlers.
		if e.at < longest.at || e.end > longest.end+sameFrame || e.end < longest.end-sameFrame {
			continue
		}
		from, to = min(from, e.processed), max(to, e.done)
		if e.done-e.processed > named.done-named.processed {
			named = e
		}
	}
	to = min(to, longest.end)
	if named.node.ID == 0 {
		for _, e := range events {
			if e.node.ID != 0 {
				named.node = e.node
			}
		}
	}
	return Interaction{
		Type: named.kind, Element: l.page.Element(named.node), Start: event.Span(zero, longest.at),
		Time:       event.Span(longest.at, longest.end),
		InputDelay: event.Span(longest.at, from), Processing: event.Span(from, to),
		Presentation: event.Span(to, longest.end),
	}
}
