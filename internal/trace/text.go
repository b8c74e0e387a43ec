package trace

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Summary is the report in a few lines, with the names of the insights that tell more.
func (r Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "URL: %s\nTrace bounds: %s\n", clean(first(r.URL, "unknown")), r.Bounds)
	if r.CPUThrottling != "" {
		fmt.Fprintf(&b, "CPU throttling: %s\n", r.CPUThrottling)
	}
	if r.NetworkThrottling != "" {
		fmt.Fprintf(&b, "Network throttling: %s\n", r.NetworkThrottling)
	}
	if r.Incomplete != "" {
		fmt.Fprintf(&b, "Incomplete: %s.\n", r.Incomplete)
	}
	for _, s := range r.Sets {
		s.summary(&b)
	}
	return b.String()
}

func (s Set) summary(b *strings.Builder) {
	fmt.Fprintf(
		b,
		"\n## insight set id: %s\nURL: %s\nBounds: %s\nMetrics (of this recording):\n",
		s.ID,
		clean(first(s.URL, "unknown")),
		s.Bounds,
	)
	if s.FCP > 0 {
		fmt.Fprintf(b, "  - FCP: %s\n", ms(s.FCP))
	}
	if l := s.LCP; l != nil {
		fmt.Fprintf(b, "  - LCP: %s, %s\n", ms(l.Time), l.Element)
		for _, p := range l.Parts {
			fmt.Fprintf(b, "    - %s: %s\n", p.Name, ms(p.Time))
		}
	} else if strings.HasPrefix(s.ID, "NAVIGATION") {
		b.WriteString("  - LCP: none was recorded\n")
	}
	fmt.Fprintf(b, "  - CLS: %s\n", score(s.CLS.Score))
	if i := s.INP; i != nil {
		fmt.Fprintf(b, "  - INP: %s (%s on %s)\n", ms(i.Time), clean(i.Type), i.Element)
	} else {
		b.WriteString("  - INP: no interaction\n")
	}
	fmt.Fprintf(
		b,
		"  - Long tasks: %d, total blocking time %s\n  - Requests: %d, %s\n",
		len(s.Tasks),
		ms(s.TBT),
		s.Requests,
		size(s.Bytes),
	)
	var names []string
	for _, i := range insights {
		if hint := i.hint(s); hint != "" {
			names = append(names, fmt.Sprintf("  - insight name: %s (%s)\n", i.name, hint))
		}
	}
	if len(names) == 0 {
		b.WriteString("Available insights: none, nothing stands out\n")
		return
	}
	b.WriteString("Available insights:\n" + strings.Join(names, ""))
}

func (b Bounds) String() string { return fmt.Sprintf("{min: %dµs, max: %dµs}", b.Min, b.Max) }

func (e Element) String() string {
	if e.Name == "" && e.Node == 0 {
		return "unknown element"
	}
	return fmt.Sprintf("%s (nodeId %d)", first(clean(e.Name), "unnamed element"), e.Node)
}

func (r Request) String() string {
	took := "not finished"
	if r.Duration > 0 {
		took = ms(r.Duration)
	}
	if r.Cached {
		took += ", from the cache"
	}
	return fmt.Sprintf(
		"%s (%s, %s, from %s for %s)",
		clean(r.URL),
		first(r.Type, "unknown type"),
		size(r.Bytes),
		ms(r.Start),
		took,
	)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond)) }

func share(part, whole time.Duration) string {
	if whole <= 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// score prints a layout shift score; a small one must not look like none.
func score(s float64) string {
	switch {
	case s == 0:
		return "0"
	case s < 0.01:
		return fmt.Sprintf("%.4f", s)
	}
	return fmt.Sprintf("%.2f", s)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// widest is the longest text of a page that is repeated: URLs can be whole images.
const widest = 160

// clean makes text of the page fit for one line: it must not look like lines of ours.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > widest {
		return string(runes[:widest-20]) + "…" + string(runes[len(runes)-19:])
	}
	return s
}
