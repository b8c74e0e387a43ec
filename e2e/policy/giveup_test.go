//go:build e2e

package policy

import (
	"strings"
	"testing"

	"cove/e2e/harness"
)

// A client gives up at any moment. It says so when the answer is on its way already, and does not read that.
func TestAnAnswerThatTheClientGaveUpOnIsGivenAgain(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	question := harness.Object{"kind": "text", "message": "Which month?", "wait": 30}
	first := m.BeginTool("ask_person", question)
	ask := openRequest(t, a)
	answerRequest(t, a, ask.ID, `{"text":"May"}`)
	if got := first.Tool(); !strings.Contains(got.Text, "The user answered: May") {
		t.Fatalf("told: %s", got.Text)
	}
	first.Cancel()
	if got := m.Works("ask_person", question); !strings.Contains(got, "The user answered: May") {
		t.Errorf("told: %s", got)
	}
	question["wait"] = 0
	if got := m.Works("ask_person", question); !strings.Contains(got, "Nobody has answered yet") {
		t.Errorf("an answer that was heard answers the next question, too: %s", got)
	}
}
