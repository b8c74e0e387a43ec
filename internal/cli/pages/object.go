package pages

import (
	"encoding/json"
	"strconv"
	"strings"

	"cove/internal/answer"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

func itoa(n int) string { return strconv.Itoa(n) }

// object is an answer for programs. Pages write titles, addresses, texts, values and the names of files; everything
// else is Cove's.
type object struct {
	OK   bool `json:"ok"`
	Exit int  `json:"exit,omitempty"`
	// Error is why it failed, with the exit code in Exit.
	Error *objectError `json:"error,omitempty"`
	// Waiting names the request that nobody has answered yet.
	Waiting string          `json:"waiting,omitempty"`
	Tab     *answer.Tab     `json:"tab,omitempty"`
	Tabs    []answer.Tab    `json:"tabs,omitempty"`
	Effects []answer.Effect `json:"effects,omitempty"`
	Said    []string        `json:"notes,omitempty"` // what Cove says
	Text    string          `json:"text,omitempty"`  // what the page says
	Value   json.RawMessage `json:"value,omitempty"`
	Snap    *objectSnapshot `json:"snapshot,omitempty"`
	Files   []string        `json:"files,omitempty"`
}

type objectError struct {
	Code fault.Code `json:"code"`
	Kind fault.Kind `json:"kind"`
	Text string     `json:"text"`
	Hint string     `json:"hint,omitempty"`
}

type objectSnapshot struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// objectOf returns an answer for programs.
func objectOf(a answer.Answer) object {
	o := object{OK: a.OK(), Tab: a.Tab, Waiting: a.Waiting}
	var texts []string
	for _, p := range a.Parts {
		switch p.Kind {
		case answer.Said:
			o.Said = append(o.Said, inShell(p.Text))
		case answer.Caused:
			o.Effects = append(o.Effects, *p.Effect)
		case answer.Saved:
			o.Files = append(o.Files, p.File)
		case answer.Pages:
			o.Tabs = p.Tabs
		case answer.Page:
			texts = append(texts, p.Text)
		case answer.Value:
			o.Value = jsonValue(p.Text)
		case answer.Snapshot:
			text, notes := splitOmissions(p.Text)
			o.Snap = &objectSnapshot{p.Number, bareRefs(text)}
			o.Said = append(o.Said, omissionLines(notes)...)
		}
	}
	o.Text = strings.Join(texts, "\n")
	if a.Error != nil {
		o.Exit = exitOf(a.Error)
		text := inShell(a.Error.Text)
		if a.Error.Quotes {
			text = quotedInShell(a.Error.Text)
		}
		o.Error = &objectError{a.Error.Code, a.Error.Kind, text, inShell(a.Error.Hint)}
	} else if a.Waiting != "" {
		o.Exit = exit.Waiting
	}
	return o
}

// jsonValue returns the JSON of a value. What was cut or hidden may no longer be JSON; then it is a text.
func jsonValue(fenced string) json.RawMessage {
	raw := strings.TrimSuffix(strings.TrimPrefix(fenced, "```json\n"), "\n```")
	if json.Valid([]byte(raw)) {
		return json.RawMessage(raw)
	}
	text, _ := json.Marshal(raw)
	return text
}
