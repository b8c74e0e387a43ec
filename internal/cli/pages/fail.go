package pages

import (
	"strings"

	"cove/internal/answer"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// exitOf returns the exit code of a failed step. An agent has to tell a page that fails from a profile that is closed.
func exitOf(f *fault.Error) int {
	switch f.Code {
	case fault.CodeNotApproved:
		return exit.Waiting
	case fault.CodeTimeout, fault.CodeNotLoaded, fault.CodeNoAnswer, fault.CodeRestless, fault.CodeFrameCrashed,
		fault.CodeTabCrashed, fault.CodePageTool, fault.CodeLeft,
		fault.CodeNotClosed, fault.CodePicker, fault.CodeCancelled:
		return exit.Internal
	}
	return exit.CodeOf(f.Kind)
}

// failureOf returns the error of an answer for a person, with its exit code; nil for none.
func failureOf(a answer.Answer) error {
	switch {
	case a.Error != nil:
		f := *a.Error
		if f.Code == fault.CodeDialogOpen {
			f.Hint = "Answer it: cove page dialog accept, or dismiss"
		}
		f.Hint = oneLine(inShell(f.Hint))
		if f.Quotes {
			f.Text = "The step failed:\n" + strings.TrimSuffix(fromPage(quotedInShell(f.Text)), "\n")
		} else {
			f.Text = oneLine(inShell(f.Text))
		}
		return exit.Coded{Fault: &f, Exit: exitOf(a.Error)}
	case a.Waiting != "":
		return exit.Coded{Exit: exit.Waiting, Fault: fault.New(fault.CodeNotApproved,
			"Nobody has answered request "+a.Waiting+" yet.",
			"Go on with something else, or wait on: cove page ask --wait "+a.Waiting)}
	}
	return nil
}
