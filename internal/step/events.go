package step

import (
	"cmp"
	"encoding/json"
	"strings"
	"sync"

	"cove/internal/wording"
)

// eventArgs are the arguments of events that words are made of.
type eventArgs struct {
	End     string `json:"end"`
	Preset  string `json:"preset"`
	Message string `json:"note"`
	Agent   string `json:"agent"`
	From    string `json:"from"`
	What    string `json:"what"`
	By      string `json:"by"`
	Always  bool   `json:"always"`
	Kind    string `json:"kind"`
	Scope   string `json:"scope"`
	Answer  string `json:"answer"`
	Entries int    `json:"entries"`
	Bytes   int    `json:"bytes"`
	Count   int    `json:"count"`
	Why     string `json:"why"`
	Clicks  int    `json:"clicks"`
	Keys    int    `json:"keys"`
	Pages   int    `json:"pages"`
}

func (f Facts) event() (a eventArgs) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(f.Args, &fields)
	for name, to := range map[string]any{
		"end": &a.End, "preset": &a.Preset, "note": &a.Message, "agent": &a.Agent, "from": &a.From,
		"what": &a.What, "by": &a.By,
		"always": &a.Always, "kind": &a.Kind, "scope": &a.Scope, "answer": &a.Answer, "entries": &a.Entries,
		"bytes": &a.Bytes, "count": &a.Count,
		"why": &a.Why, "clicks": &a.Clicks, "keys": &a.Keys, "pages": &a.Pages,
	} {
		if raw, ok := fields[name]; ok {
			_ = json.Unmarshal(raw, to)
		}
	}
	return a
}

func person(whole func(Facts) string) phrase { return phrase{kind: Person, whole: whole} }

// personWith returns the phrase for what the person did, and what they wrote, if anything, behind it.
func personWith(brief, words func(Facts) string) phrase {
	return phrase{kind: Person, brief: brief, whole: func(f Facts) string { return brief(f) + words(f) }}
}

func record(whole func(Facts) string) phrase { return phrase{kind: Record, whole: whole} }

// events are the words for what the person and the keeper did, and for what the journal says about itself.
var events = sync.OnceValue(func() map[string]phrase {
	return map[string]phrase{
		"opened":        record(opened),
		"closed":        record(closed),
		"shared":        person(said("You shared a tab with agents")),
		"unshared":      person(said("You hid a tab from agents")),
		"policy":        person(policyChanged),
		"takeover":      person(said("You took control. Agents are paused")),
		"giveback":      personWith(said("You handed control back"), handedBack),
		"paused":        person(one("You paused")),
		"resumed":       person(one("You let", " continue")),
		"disconnected":  person(one("You disconnected")),
		"control begun": person(said("You took control of a page. Agents wait there")),
		"control ended": personWith(controlEnded, handedBack),
		"panic":         person(said("You stopped all agents")),
		"panic lifted":  person(said("You allowed agents again")),
		"allowed":       personWith(func(f Facts) string { return decided("allowed", f) }, yourNote),
		"refused":       personWith(func(f Facts) string { return decided("denied", f) }, yourNote),

		"asked":     record(requested),
		"seen":      record(aboutRequest("You saw the request of %s")),
		"working":   person(aboutRequest("You started on the request of %s")),
		"answered":  personWith(answered, yourNote),
		"expired":   record(aboutRequest("Nobody answered %s in time")),
		"withdrawn": record(aboutRequest("%s withdrew its request")),
		"cut":       record(aboutRequest("The request of %s ended without an answer")),

		"tab_owner": record(tabTaken),
		"page tool": record(programCalled),

		"cookies exported":       record(storage("Exported", "cookie")),
		"cookies imported":       record(storage("Imported", "cookie")),
		"local storage exported": record(storage("Exported", "entry of local storage")),
		"local storage imported": record(storage("Imported", "entry of local storage")),

		"gap":       record(said("Found the journal damaged")),
		"recovered": record(said("Removed an unfinished entry of a keeper that was killed")),
		"lost":      record(lost),
		"shortened": record(shortened),
	}
})

// tabTaken says which agent took a page from which one.
func tabTaken(f Facts) string {
	a := f.event()
	who, from := cmp.Or(oneLine(a.Agent, maxQuote), "An agent"), cmp.Or(oneLine(a.From, maxQuote), "another agent")
	return who + " took a page from " + from
}

// programCalled says how a program's call of a page's tool has ended.
func programCalled(f Facts) string {
	words := "A program called " + calledTool(f)
	switch f.arguments().Status {
	case "Error":
		return words + ", which failed"
	case "Canceled":
		return words + " and cancelled it"
	case "Left":
		return words + ", and the page went elsewhere"
	case "Replaced":
		return words + ", a form that was called again before it was sent"
	}
	return words
}

func opened(f Facts) string {
	if f.Outcome == Failed {
		return "The profile did not open"
	}
	return "Opened for agents"
}

func closed(f Facts) string {
	switch f.event().End {
	case "crashed":
		return "The browser crashed"
	case "let-go":
		return "Cove let go of your browser"
	case "refused":
		return "You pressed Cancel in your browser, so it was not shared"
	case "switched-off":
		return "Sharing ended: remote debugging was turned off in your browser"
	case "browser-quit":
		return "Sharing ended: your browser was closed"
	case "keeper-ended":
		return "Sharing ended: the connection to your browser was lost"
	}
	return "Closed"
}

func policyChanged(f Facts) string {
	if preset := oneLine(f.event().Preset, 40); preset != "" {
		return "You changed the agent permissions: " + preset
	}
	return "You changed the agent permissions"
}

// handedBack returns the message that the agents get.
func handedBack(f Facts) string {
	if message := oneLine(f.event().Message, maxReason); message != "" {
		return ". Message to agents: " + strings.TrimSuffix(message, ".")
	}
	return ""
}

// one says what the person did to a single agent. after stands behind its name.
func one(verb string, after ...string) func(Facts) string {
	return func(f Facts) string {
		agent := oneLine(f.event().Agent, maxQuote)
		if agent == "" {
			agent = "an agent"
		}
		return verb + " " + agent + strings.Join(after, "")
	}
}

// controlEnded says how the person's control of a page has ended, and what they did in numbers.
func controlEnded(f Facts) string {
	a := f.event()
	did := strings.Join([]string{
		wording.Count(a.Clicks, "click"), wording.Count(a.Keys, "keystroke"), wording.Count(a.Pages, "new page"),
	}, ", ")
	switch a.Why {
	case "tab closed":
		return "The page that you controlled was closed (" + did + ")"
	case "window gone":
		return "Handed a page back, because its live view was closed (" + did + ")"
	case "stopped":
		return "Your control of a page ended (" + did + ")"
	}
	return "You handed the page back (" + did + ")"
}

// storage says how much of a profile's storage was exported or imported.
func storage(verb, noun string) func(Facts) string {
	return func(f Facts) string {
		first, rest, more := strings.Cut(noun, " ")
		words := verb + " " + wording.Count(f.event().Count, first)
		if more {
			words += " " + rest
		}
		return words
	}
}

func lost(f Facts) string {
	n := f.event().Entries
	if n == 0 {
		return "Some entries could not be written"
	}
	return wording.Count(n, "entry") + " could not be written"
}

func shortened(f Facts) string {
	n := f.event().Entries
	if n == 0 {
		return "Removed the oldest entries"
	}
	return "Removed the oldest " + wording.Count(n, "entry") + " because of their age or size"
}
