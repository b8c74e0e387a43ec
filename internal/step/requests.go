package step

import (
	"fmt"
	"strings"

	"cove/internal/wording"
)

// who returns the agent that asked, as a sentence names it.
func (a eventArgs) who() string {
	if agent := oneLine(a.Agent, maxQuote); agent != "" {
		return agent
	}
	return "an agent"
}

// begin returns the beginning of a sentence. The name of an agent stays as it is.
func (a eventArgs) begin(words string) string {
	if oneLine(a.Agent, maxQuote) != "" {
		return words
	}
	return wording.Capitalize(words)
}

// yourNote returns what the person wrote for the agent, where they did.
func yourNote(f Facts) string {
	if message := oneLine(f.event().Message, maxReason); message != "" {
		return ". Your note: " + strings.TrimSuffix(message, ".")
	}
	return ""
}

// requestWords are the words for what an agent asks a person for, by the kind of the request.
var requestWords = map[string]string{
	"approve": "asked for your approval",
	"do":      "asked you to do something",
	"code":    "asked you for a code",
	"choose":  "asked you to choose",
	"text":    "asked you a question",
}

func requested(f Facts) string {
	a := f.event()
	words := requestWords[a.Kind]
	if words == "" {
		words = "asked you"
	}
	return withWhat(a.begin(a.who()+" "+words), a)
}

// aboutRequest returns words about a request of an agent, which the format names.
func aboutRequest(format string) func(Facts) string {
	return func(f Facts) string {
		a := f.event()
		return withWhat(a.begin(fmt.Sprintf(format, a.who())), a)
	}
}

func withWhat(words string, a eventArgs) string {
	if what := oneLine(a.What, maxReason); what != "" {
		words += ": " + strings.TrimSuffix(what, ".")
	}
	return words
}

// answered says what a person answered to an agent that asked for help. What they wrote or typed is not known.
func answered(f Facts) string {
	a := f.event()
	words := "You answered " + a.who()
	switch a.Answer {
	case "":
	case "declined":
		words = withWhat("You told "+a.who()+" that you can't do this", a)
	case "done":
		words += ": done"
	case "typed":
		words = "You gave " + a.who() + " a code, which Cove typed"
	case "text":
		words += " in words"
	default:
		words += ": " + quote(a.Answer)
	}
	if a.By != "" && a.By != "person" {
		words += ", in " + oneLine(a.By, maxQuote)
	}
	return words
}

// decided says what a person, or the policy that they have changed, decided about a step.
func decided(verb string, f Facts) string {
	a, subject := f.event(), "You "
	if a.By == "policy" {
		subject = "The new agent permissions "
	}
	words := subject + verb
	switch { // what follows may be long, and cut
	case a.Scope == "site":
		words += ", always on this site"
	case a.Always || a.Scope == "session":
		words += ", for this session"
	}
	words += ": " + oneLine(a.What, maxReason)
	if agent := oneLine(a.Agent, maxQuote); agent != "" {
		words += " (" + agent + ")"
	}
	if a.By != "" && a.By != "person" && a.By != "policy" {
		words += ", answered in " + oneLine(a.By, maxQuote)
	}
	return words
}
