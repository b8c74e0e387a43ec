package trace

import (
	"sort"
	"time"
)

// Interaction is one click, tap or key with what a person waited for.
type Interaction struct {
	Type         string
	Element      Element
	Start        time.Duration
	Time         time.Duration
	InputDelay   time.Duration // until the handlers began
	Processing   time.Duration // while they ran
	Presentation time.Duration // until the next frame was shown
	Count        int           // how many interactions there were
}

// sameFrame is how far apart the ends of two events may be that were shown in one frame.
const sameFrame = 8_000

// inp is the interaction to next paint: the worst interaction, where one in fifty is forgiven.
func (t *Trace) inp(b Bounds) *Interaction {
	groups := map[int][]input{}
	for _, i := range t.inputs {
		if b.contains(i.at) && t.inPage(i.frame) {
			groups[i.interaction] = append(groups[i.interaction], i)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	var all []Interaction
	for _, g := range groups {
		all = append(all, t.interaction(g, b.Min))
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

// interaction joins the events of one interaction (press, release, click): its time is that of its longest event.
func (t *Trace) interaction(events []input, zero int64) Interaction {
	longest := events[0]
	for _, e := range events {
		if e.end-e.at > longest.end-longest.at {
			longest = e
		}
	}
	named := longest
	from, to := longest.processed, longest.done
	for _, e := range events {
		// Events that are shown in the same frame waited for each other's handlers.
		if e.at < longest.at || e.end > longest.end+sameFrame || e.end < longest.end-sameFrame {
			continue
		}
		from, to = min(from, e.processed), max(to, e.done)
		if e.done-e.processed > named.done-named.processed {
			named = e
		}
	}
	to = min(to, longest.end)
	if named.node.id == 0 {
		for _, e := range events {
			if e.node.id != 0 {
				named.node = e.node
			}
		}
	}
	return Interaction{
		Type: named.kind, Element: t.element(named.node), Start: span(zero, longest.at), Time: span(longest.at, longest.end),
		InputDelay: span(longest.at, from), Processing: span(from, to), Presentation: span(to, longest.end),
	}
}
