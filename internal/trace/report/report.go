// Package report has the result of a trace's analysis and writes it for an agent: a summary, and the details of each
// finding.
package report

import (
	"fmt"
	"strings"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/format"
	"cove/internal/trace/interaction"
	"cove/internal/trace/network"
	"cove/internal/trace/paint"
	"cove/internal/trace/shift"
	"cove/internal/trace/task"
)

// Report says what was slow, for each navigation of the page.
type Report struct {
	URL    string
	Bounds event.Bounds
	Sets   []Set
	// Incomplete says why a part of the trace is missing from the report; empty when none is.
	Incomplete string
	// CPUThrottling and NetworkThrottling say how the page was slowed down. The caller sets them if it knows; the
	// summary only repeats them.
	CPUThrottling, NetworkThrottling string
}

// Set is the part of a trace that belongs to one document. All times in it count from its beginning.
type Set struct {
	ID       string
	URL      string
	Bounds   event.Bounds
	FCP      time.Duration // 0 when there was none
	LCP      *paint.LCP
	CLS      shift.CLS
	INP      *interaction.Interaction
	Blocking []network.Request
	Tasks    []task.Task
	// TBT is the total blocking time: the sum of the time by which each long task exceeds 50 ms.
	TBT      time.Duration
	Document *network.Document
	Requests int
	Bytes    int64
}

// HasFindings reports whether the set has an interaction, a layout shift or a long task.
func (s Set) HasFindings() bool { return s.INP != nil || len(s.CLS.Shifts) > 0 || len(s.Tasks) > 0 }

// Summary returns the report in a few lines, with the names of the insights that have the details.
func (r Report) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "URL: %s\nTrace bounds: %s\n", format.Clean(format.First(r.URL, "unknown")), r.Bounds)
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
		format.Clean(format.First(s.URL, "unknown")),
		s.Bounds,
	)
	if s.FCP > 0 {
		fmt.Fprintf(b, "  - FCP: %s\n", format.Milliseconds(s.FCP))
	}
	if l := s.LCP; l != nil {
		fmt.Fprintf(b, "  - LCP: %s, %s\n", format.Milliseconds(l.Time), l.Element)
		for _, p := range l.Parts {
			fmt.Fprintf(b, "    - %s: %s\n", p.Name, format.Milliseconds(p.Time))
		}
	} else if strings.HasPrefix(s.ID, "NAVIGATION") {
		b.WriteString("  - LCP: none was recorded\n")
	}
	fmt.Fprintf(b, "  - CLS: %s\n", format.Score(s.CLS.Score))
	if i := s.INP; i != nil {
		fmt.Fprintf(b, "  - INP: %s (%s on %s)\n", format.Milliseconds(i.Time), format.Clean(i.Type), i.Element)
	} else {
		b.WriteString("  - INP: no interaction\n")
	}
	fmt.Fprintf(
		b,
		"  - Long tasks: %d, total blocking time %s\n  - Requests: %d, %s\n",
		len(s.Tasks),
		format.Milliseconds(s.TBT),
		s.Requests,
		format.Size(s.Bytes),
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

// Insight returns the details of one finding of one set.
func (r Report) Insight(setID, name string) (string, error) {
	var ids []string
	for _, s := range r.Sets {
		if s.ID != setID {
			ids = append(ids, s.ID)
			continue
		}
		for _, i := range insights {
			if i.name == name {
				return i.explain(s), nil
			}
		}
		return "", fmt.Errorf("there is no insight %q: use one of %s", name, strings.Join(Insights(), ", "))
	}
	return "", fmt.Errorf("there is no insight set %q in this trace: use one of %s", setID, strings.Join(ids, ", "))
}
