package pages

import (
	"strings"
	"testing"

	"cove/internal/answer"
	"cove/internal/fault"
)

// In a shell an element has a ref, whatever MCP clients call it. A page's own words stay as they are.
func TestAnErrorInAShellSaysRef(t *testing.T) {
	for name, c := range map[string]struct {
		given      *fault.Error
		text, hint string
	}{
		"an element that is gone": {
			fault.Quote(fault.CodeUID, `The element with uid k9 (button "My uid") no longer exists.`, "Take a new snapshot."),
			`The element with the ref k9 (button "My uid") no longer exists.`, "Take a new snapshot."},
		"what is none": {
			fault.Quote(fault.CodeNotUID, `"Pay" is not a uid.`, "Take a snapshot: uids look like a12."),
			`"Pay" is not a ref.`, "Take a snapshot: refs look like a12."},
		"one that is missing": {
			fault.New(fault.CodeInvalid, "A code needs the uid of the field.", "Use fill with the field's uid."),
			"A code needs the ref of the field.", "Use fill with the field's ref."},
		"flags": {
			fault.New(fault.CodeInvalid, "Give uid or fullPage, not both.", "Take one without fullPage and uid."),
			"Give -u or --full, not both.", "Take one without --full and -u."},
		"a page's words": {
			fault.Quote(fault.CodeValue, `Button "uid" is not a frame.`, "Take a snapshot without uid: «uid»"),
			`Button "uid" is not a frame.`, "Take a snapshot without -u: «uid»"},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer.Answer{Error: c.given}
			for way, f := range map[string]*fault.Error{"printed": fault.From(failureOf(a)), "as JSON": {
				Text: objectOf(a).Error.Text, Hint: objectOf(a).Error.Hint}} {
				if !strings.HasSuffix(f.Text, c.text) || f.Hint != c.hint {
					t.Errorf("%s: %q, %q", way, f.Text, f.Hint)
				}
			}
		})
	}
}
