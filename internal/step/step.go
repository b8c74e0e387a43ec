// Package step puts what agents did into words that a person knows: one sentence for each call of a tool, for each
// command of a program at the gate and for each event of the journal. It works on facts alone, so that lines of older
// journals, which have fewer of them, also become sentences.
package step

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"cove/internal/wording"
)

// Kind says what a step is to a person who looks through many.
type Kind string

// The kinds of steps.
const (
	Act    Kind = "act"    // changes a page, or tried to
	Read   Kind = "read"   // only looks
	Person Kind = "person" // the person did it
	Record Kind = "note"   // about the profile or the journal itself
)

// Kinds are all kinds.
var Kinds = []Kind{Act, Read, Person, Record}

// Outcomes of a step, as the journal writes them. Going is a step that has not ended.
const (
	OK      = "ok"
	Failed  = "error"
	Refused = "refused"
	Going   = "going"
)

// Element is an element of a page as the tool saw it: its ARIA role, and its name in the page's words.
type Element struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}

// MaxName is how many characters of an element's name are kept.
const MaxName = 120

// Facts is what is known of a step. None of it is secret. Everything but Name may be missing.
type Facts struct {
	// Name is the name of a tool, of a method of the browser's protocol, or of an event.
	Name string
	// Event says that Name is an event: of the person, of the keeper or of the journal itself.
	Event bool
	Args  json.RawMessage
	Page  string
	// Outcome is one of the outcomes; "" is OK. Reason says why a step failed or was refused. Brief is the reason in a
	// few words, where those are known.
	Outcome, Reason, Brief string
	// Element is what the step was about, Onto where it was dragged to.
	Element, Onto *Element
	// Count is how many things the step was about: elements, fields, requests. Secrets is how many of them were
	// secrets.
	Count, Secrets int
}

// Words is a step in words.
type Words struct {
	// Text is the whole sentence, with the reason of a step that did not succeed.
	Text string `json:"text"`
	// Summary is the sentence without its reason, short enough for one line of a list.
	Summary string `json:"summary"`
	Kind    Kind   `json:"kind"`
}

// Bounds of the words, in characters.
const (
	maxText    = 400
	maxSummary = 120
	maxReason  = 240
	maxQuote   = 80
	maxAddress = 120
)

// Of returns a step in words.
func Of(f Facts) Words {
	p, known := f.phrase()
	if !known {
		p = f.unknown()
	}
	done := p.done(f)
	w := Words{Text: done, Summary: done, Kind: p.kind}
	if p.brief != nil {
		w.Summary = p.brief(f)
	}

	switch f.Outcome {
	case Going:
		w.Text = p.join(p.going, f) + "…"
		w.Summary = w.Text
	case Refused:
		w.Summary = "Denied: " + p.wanted(f)
		w.Text = w.Summary
		if reason := f.reason(); p.namesAddress && f.Brief != "" {
			w.Text = "Denied: " + reason
		} else if reason != "" {
			w.Text += " – " + reason
		}
	case Failed:
		w.Summary = p.failed(f)
		w.Text = w.Summary
		if reason := f.reason(); reason != "" {
			w.Text += ": " + reason
		}
	}
	w.Text, w.Summary = wording.Shorten(w.Text, maxText), wording.Shorten(w.Summary, maxSummary)
	return w
}

// Knows reports whether there are words for a tool, a method or an event of this name.
func Knows(name string, event bool) bool {
	_, known := Facts{Name: name, Event: event}.phrase()
	return known
}

// phrase returns the words for a step's name.
func (f Facts) phrase() (phrase, bool) {
	if f.Event {
		p, ok := events()[f.Name]
		return p, ok
	}
	if p, ok := tools()[f.Name]; ok {
		return p, true
	}
	p, ok := commands()[f.Name]
	return p, ok
}

// unknown returns the words for a name that is in no table.
func (f Facts) unknown() phrase {
	name := oneLine(f.Name, maxQuote)
	switch {
	case f.Event:
		return phrase{kind: Record, whole: func(Facts) string { return wording.Capitalize(name) }}
	case strings.Contains(f.Name, "."):
		return phrase{kind: Act, base: "send", past: "Sent", going: "Sending",
			what: func(Facts) string { return "the browser command " + name }}
	}
	return phrase{kind: Act, base: "use", past: "Used", going: "Using",
		what: func(Facts) string { return "the tool " + name }}
}

// phrase is how one kind of step is said.
type phrase struct {
	kind Kind
	// base, past and going are the forms of the verb: "click", "Clicked", "Clicking".
	base, past, going string
	// what follows the verb; nil for nothing.
	what func(f Facts) string
	// whole is the sentence of a step that has succeeded, where no verb fits; nil otherwise.
	whole func(f Facts) string
	// brief is the sentence without what the person wrote, for one line of a list; nil where it is the whole.
	brief func(f Facts) string
	// namesAddress says that the brief reason of a refusal names the address, and so needs nothing before it.
	namesAddress bool
}

func (p phrase) join(verb string, f Facts) string {
	if p.whole != nil {
		return p.whole(f)
	}
	if p.what == nil {
		return verb
	}
	return strings.TrimSpace(verb + " " + p.what(f))
}

func (p phrase) done(f Facts) string { return p.join(p.past, f) }

// wanted returns what the step was to do, as it follows "could not".
func (p phrase) wanted(f Facts) string {
	if p.whole != nil && p.base != "" {
		return p.base
	}
	return p.join(p.base, f)
}

func (p phrase) failed(f Facts) string {
	if p.base == "" {
		return p.wanted(f)
	}
	return "Could not " + p.wanted(f)
}

// withUID matches how an error names an element. A person does not know uids.
var withUID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(the element)( with uid) \S+|\b(uid) [a-z]+\d+\b`)
})

// reason returns why a step failed or was refused, without the full stop at its end.
func (f Facts) reason() string {
	reason := f.Brief
	if reason == "" {
		reason = withUID().ReplaceAllString(f.Reason, "the element")
		reason = strings.TrimSuffix(strings.TrimSpace(reason), "Nothing was done.")
	}
	return strings.TrimSuffix(oneLine(reason, maxReason), ".")
}

// oneLine returns the words of others on one line: no control characters, nothing that hides or turns the text around,
// and at most so many characters.
func oneLine(s string, most int) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return wording.Shorten(strings.Join(strings.Fields(plain), " "), most)
}

// quote returns the words of others in quotes; "" for none.
func quote(s string) string {
	if s = strings.ReplaceAll(oneLine(s, maxQuote), `"`, "'"); s == "" {
		return ""
	}
	return `"` + s + `"`
}

// Clean returns an element whose role and name fit on one line; nil for an element that nothing is known of.
func Clean(e Element) *Element {
	if e.Role = oneLine(e.Role, 40); e.Role == "" {
		return nil
	}
	e.Name = oneLine(e.Name, MaxName)
	return &e
}
