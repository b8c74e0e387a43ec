package report

import (
	"fmt"
	"strings"
	"time"

	"cove/internal/trace/format"
	"cove/internal/trace/paint"
	"cove/internal/trace/shift"
)

// insight is one finding: a hint why it is worth a look, and its details.
type insight struct {
	name    string
	hint    func(Set) string // "" when there is nothing to look at
	explain func(Set) string
}

var insights = []insight{
	{"LCPBreakdown", hintLCP, explainLCP},
	{"CLSCulprits", hintCLS, explainCLS},
	{"INPBreakdown", hintINP, explainINP},
	{"RenderBlocking", hintBlocking, explainBlocking},
	{"LongTasks", hintTasks, explainTasks},
	{"DocumentLatency", hintDocument, explainDocument},
}

// Insights returns the names of all insights.
func Insights() (names []string) {
	for _, i := range insights {
		names = append(names, i.name)
	}
	return names
}

func hintLCP(s Set) string {
	if s.LCP == nil {
		return ""
	}
	longest := paint.Part{Name: "not split: the document's request is not in the trace"}
	for _, p := range s.LCP.Parts {
		if p.Time > longest.Time {
			longest = p
		}
	}
	if longest.Time == 0 {
		return longest.Name
	}
	return fmt.Sprintf(
		"most of it is %s, %s",
		strings.ToLower(longest.Name[:1])+longest.Name[1:],
		format.Share(longest.Time, s.LCP.Time),
	)
}

func explainLCP(s Set) string {
	l := s.LCP
	if l == nil {
		return "No largest contentful paint was recorded in this set. A page in the background paints nothing.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "LCP: %s after the navigation began.\nElement: %s", format.Milliseconds(l.Time), l.Element)
	switch {
	case l.Request != nil:
		fmt.Fprintf(&b, ", an image.\nIts request: %s\n", l.Request)
	case l.Image:
		b.WriteString(
			", an image whose request is not in the trace: it is in the page itself, or came before the recording.\n",
		)
	default:
		b.WriteString(", text: nothing had to be loaded for it but the page, its styles and its fonts.\n")
	}
	if len(l.Parts) == 0 {
		b.WriteString("The document's own request is not in the trace, so the time cannot be split.\n")
		return b.String()
	}
	b.WriteString("Parts:\n")
	for _, p := range l.Parts {
		fmt.Fprintf(&b, "  - %s: %s (%s) %s\n", p.Name, format.Milliseconds(p.Time), format.Share(p.Time, l.Time),
			advice(p.Name))
	}
	return b.String()
}

// advice says what a part of the largest contentful paint is, and what makes it shorter.
func advice(part string) string {
	switch part {
	case "TTFB":
		return "until the first byte of the document: server, redirects, network"
	case "Load delay":
		return "until the image was asked for: put it into the HTML, do not load it lazily, or preload it"
	case "Load duration":
		return "while it was loading: a smaller file, a nearer server"
	case "Render delay":
		return "until it was shown: render-blocking files, long tasks, late fonts, scripts that insert or unhide it"
	}
	return ""
}

func hintCLS(s Set) string {
	if len(s.CLS.Shifts) == 0 {
		return ""
	}
	return format.Count(len(s.CLS.Shifts), "shift") + " in the worst window"
}

// maxListed is how many entries of a list an insight prints.
const maxListed = 10

func explainCLS(s Set) string {
	c := s.CLS
	if len(c.Shifts) == 0 {
		return "CLS: 0. Nothing shifted without a person's doing.\n"
	}
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"CLS: %s, the sum of %s in the worst session window, which began at %s. Shifts outside it: %d.\n",
		format.Score(c.Score),
		format.Count(len(c.Shifts), "shift"),
		format.Milliseconds(c.Window),
		c.Others,
	)
	for _, i := range largest(c.Shifts) {
		sh := c.Shifts[i]
		fmt.Fprintf(&b, "  - at %s, score %s\n", format.Milliseconds(sh.Time), format.Score(sh.Score))
		var names []string
		for n, e := range sh.Elements {
			if n == 5 {
				names = append(names, fmt.Sprintf("%d more", len(sh.Elements)-n))
				break
			}
			names = append(names, e.String())
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "    moved: %s\n", strings.Join(names, "; "))
		}
		for n, culprit := range sh.Culprits {
			if n == 5 {
				fmt.Fprintf(&b, "    %d more possible causes\n", len(sh.Culprits)-n)
				break
			}
			fmt.Fprintf(&b, "    probable cause: %s\n", culprit)
		}
		if len(sh.Culprits) == 0 {
			b.WriteString("    the trace does not show a cause\n")
		}
	}
	if len(c.Shifts) > maxListed {
		fmt.Fprintf(&b, "  and %d smaller ones\n", len(c.Shifts)-maxListed)
	}
	return b.String()
}

// largest returns the indexes of the shifts with the highest scores, in the order of time.
func largest(shifts []shift.Shift) []int {
	var places []int
	for i := range shifts {
		above := 0
		for j := range shifts {
			if shifts[j].Score > shifts[i].Score || (shifts[j].Score == shifts[i].Score && j < i) {
				above++
			}
		}
		if above < maxListed {
			places = append(places, i)
		}
	}
	return places
}

func hintINP(s Set) string {
	if s.INP == nil {
		return ""
	}
	name, longest := "input delay", s.INP.InputDelay
	if s.INP.Processing > longest {
		name, longest = "processing", s.INP.Processing
	}
	if s.INP.Presentation > longest {
		name, longest = "presentation delay", s.INP.Presentation
	}
	return fmt.Sprintf("most of it is %s, %s", name, format.Share(longest, s.INP.Time))
}

func explainINP(s Set) string {
	i := s.INP
	if i == nil {
		return "No click, tap or key was recorded in this set.\n"
	}
	return fmt.Sprintf(
		`INP: %s, a %s on %s at %s. Interactions: %d.
Parts:
  - Input delay: %s (%s) until the handlers began: other work on the main thread
  - Processing: %s (%s) in the handlers
  - Presentation delay: %s (%s) until the next frame was shown: styles, layout, paint
`,
		format.Milliseconds(i.Time),
		format.Clean(i.Type),
		i.Element,
		format.Milliseconds(i.Start),
		i.Count,
		format.Milliseconds(
			i.InputDelay,
		),
		format.Share(i.InputDelay, i.Time),
		format.Milliseconds(i.Processing),
		format.Share(i.Processing, i.Time),
		format.Milliseconds(i.Presentation),
		format.Share(i.Presentation, i.Time),
	)
}

func hintBlocking(s Set) string {
	if len(s.Blocking) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, the longest %s", format.Count(len(s.Blocking), "request"),
		format.Milliseconds(s.Blocking[0].Duration))
}

func explainBlocking(s Set) string {
	if len(s.Blocking) == 0 {
		return "No request blocked the first paint.\n"
	}
	var b strings.Builder
	b.WriteString(
		"The first paint waited for these requests, the longest first. Defer scripts, split style sheets, or put the " +
			"little that is needed at once into the page.\n",
	)
	for i, r := range s.Blocking {
		if i == maxListed {
			fmt.Fprintf(&b, "  and %d more\n", len(s.Blocking)-maxListed)
			break
		}
		fmt.Fprintf(&b, "  - %s\n", r)
	}
	return b.String()
}

func hintTasks(s Set) string {
	if len(s.Tasks) == 0 {
		return ""
	}
	return fmt.Sprintf("%d over 50 ms, the longest %s", len(s.Tasks), format.Milliseconds(s.Tasks[0].Duration))
}

func explainTasks(s Set) string {
	if len(s.Tasks) == 0 {
		return "No task of the main thread took longer than 50 ms.\n"
	}
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"Long tasks of the main thread: %d, total blocking time %s. The longest first:\n",
		len(s.Tasks),
		format.Milliseconds(s.TBT),
	)
	for i, t := range s.Tasks {
		if i == maxListed {
			fmt.Fprintf(&b, "  and %d more\n", len(s.Tasks)-maxListed)
			break
		}
		fmt.Fprintf(
			&b,
			"  - at %s for %s (blocking %s): %s\n",
			format.Milliseconds(t.Start),
			format.Milliseconds(t.Duration),
			format.Milliseconds(t.Blocking),
			format.First(t.Kind, "the trace does not say what"),
		)
		if t.Script.URL != "" {
			fmt.Fprintf(&b, "    script: %s\n", t.Script)
		}
		if t.Busy > 0 && t.Function.URL != "" {
			fmt.Fprintf(&b, "    busiest function: %s, %s itself\n", t.Function, format.Milliseconds(t.Busy))
		}
	}
	return b.String()
}

// slowServer is the server response time from which it is worth a look.
const slowServer = 600 * time.Millisecond

func hintDocument(s Set) string {
	d := s.Document
	if d == nil {
		return ""
	}
	var all []string
	if d.Redirects > 0 {
		all = append(all, fmt.Sprintf("%s, %s", format.Count(d.Redirects, "redirect"),
			format.Milliseconds(d.RedirectTime)))
	}
	if d.ServerTime >= slowServer {
		all = append(all, "slow server, "+format.Milliseconds(d.ServerTime))
	}
	if d.Uncompressed {
		all = append(all, "not compressed")
	}
	return strings.Join(all, "; ")
}

func explainDocument(s Set) string {
	d := s.Document
	if d == nil {
		return "The document's own request is not in the trace.\n"
	}
	compression := "no need or already in place"
	if d.Uncompressed {
		compression = "missing, for " + format.Size(d.Bytes) + " of text"
	}
	return fmt.Sprintf(
		"Document: %s\n  - Redirects: %d, %s\n  - Server response time: %s\n  - Compression: %s\n",
		format.Clean(s.URL),
		d.Redirects,
		format.Milliseconds(d.RedirectTime),
		format.Milliseconds(d.ServerTime),
		compression,
	)
}
