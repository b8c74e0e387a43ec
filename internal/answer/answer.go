// Package answer is what a call of a tool answers, in parts: what Cove says apart from what a page says. MCP clients
// read the parts as one text; a command in a shell prints them in its own form.
package answer

import (
	"strings"

	"cove/internal/fault"
	"cove/internal/random"
)

// Answer is the answer to one call.
type Answer struct {
	Parts []Part `json:"parts,omitempty"`
	// Tab is the page that the call was about; nil for none.
	Tab *Tab `json:"tab,omitempty"`
	// Waiting names the request that nobody has answered yet; "" for none.
	Waiting string `json:"waiting,omitempty"`
	// Out is the whole name of the file that the command may write.
	Out string `json:"out,omitempty"`
	// Error is why the call failed; nil when it did not.
	Error *fault.Error `json:"error,omitempty"`
	// Text is the answer as MCP clients read it, and Image what comes after it. They are there for callers that want
	// them.
	Text  string `json:"text,omitempty"`
	Image *Image `json:"image,omitempty"`
}

// OK reports whether the call was done.
func (a Answer) OK() bool { return a.Error == nil && a.Waiting == "" }

// Kind is what a part is.
type Kind string

// The kinds of parts. The first ones are Cove's words; from Page on a page has written the text.
const (
	Said    Kind = "said"    // a sentence
	Heading Kind = "heading" // names what follows, and says nothing itself
	Done    Kind = "done"    // says that the step was done, and nothing else
	Step    Kind = "step"    // begins a step of several
	Caused  Kind = "caused"  // what the step has caused
	Saved   Kind = "saved"   // a file was written

	Page     Kind = "page"
	Snapshot Kind = "snapshot"
	Value    Kind = "value" // JSON
	Pages    Kind = "pages" // the open pages
)

// Part is a piece of an answer. Text is always there; the other fields belong to kinds.
type Part struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
	// Number is that of a snapshot.
	Number int `json:"number,omitempty"`
	// Effect is what the step has caused.
	Effect *Effect `json:"effect,omitempty"`
	// Tabs are the open pages.
	Tabs []Tab `json:"tabs,omitempty"`
	// File is the file that was written.
	File string `json:"file,omitempty"`
}

// FromPage reports whether a page has written the text.
func (p Part) FromPage() bool {
	switch p.Kind {
	case Page, Snapshot, Value, Pages:
		return true
	}
	return false
}

// Tab is an open page. The page has written its title and chosen its address.
type Tab struct {
	ID    int    `json:"id"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url"`
	// Marks are words of Cove's about it: selected, crashed. Context is the name of its isolated context.
	Marks   []string `json:"marks,omitempty"`
	Context string   `json:"context,omitempty"`
}

// Effect is something that a step has caused.
type Effect struct {
	Kind EffectKind `json:"kind"`
	URL  string     `json:"url,omitempty"`
	Tab  *Tab       `json:"tab,omitempty"`
	// File is the name of a download, State how far it is, Path where it is. State is also how a dialog was answered;
	// "" while it is open.
	File  string `json:"file,omitempty"`
	State string `json:"state,omitempty"`
	Path  string `json:"path,omitempty"`
	// Text is what a dialog says.
	Text string `json:"text,omitempty"`
}

// EffectKind is what an effect is.
type EffectKind string

// The kinds of effects.
const (
	Navigated EffectKind = "navigated"
	Opened    EffectKind = "opened"
	Download  EffectKind = "download"
	Dialog    EffectKind = "dialog"
)

// Image is a picture.
type Image struct {
	MIME string `json:"mime"`
	Data []byte `json:"data"`
}

// Render writes the parts as one text. Text of pages stands inside a boundary with a number that no page can know, so
// that no page can pretend that its text has ended.
func Render(parts []Part) string {
	var b strings.Builder
	boundary := "page-" + random.Hex(4)
	inside := false

	for _, p := range parts {
		if p.FromPage() != inside {
			if inside {
				b.WriteString("</" + boundary + ">\n")
			} else {
				b.WriteString("<" + boundary + ">\n")
			}
			inside = p.FromPage()
		}
		b.WriteString(strings.TrimRight(p.Text, "\n"))
		b.WriteByte('\n')
	}

	if inside {
		b.WriteString("</" + boundary + ">\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Map replaces every text of an answer that can hold words of a page.
func (a *Answer) Map(f func(string) string) {
	for i := range a.Parts {
		p := &a.Parts[i]
		p.Text, p.File = f(p.Text), f(p.File)
		for j := range p.Tabs {
			p.Tabs[j].apply(f)
		}
		if e := p.Effect; e != nil {
			e.URL, e.File, e.Path, e.Text = f(e.URL), f(e.File), f(e.Path), f(e.Text)
			e.Tab.apply(f)
		}
	}
	a.Tab.apply(f)
	a.Text = f(a.Text)
	if a.Error != nil {
		e := *a.Error
		e.Text, e.Hint = f(e.Text), f(e.Hint)
		a.Error = &e
	}
}

func (t *Tab) apply(f func(string) string) {
	if t != nil {
		t.Title, t.URL = f(t.Title), f(t.URL)
	}
}
