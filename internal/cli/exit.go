package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
)

// Exit codes.
const (
	exitOK          = 0
	exitInternal    = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitDenied      = 5
	exitUnavailable = 6
	exitPlan        = 7
)

// exitMeanings explain each code, in their order.
var exitMeanings = []string{
	exitOK:          "success",
	exitInternal:    "an internal error, or a check that did not pass (doctor, verify, journal verify)",
	exitUsage:       "wrong usage or invalid input",
	exitNotFound:    "not found: no such profile, setting, client, token or secret",
	exitConflict:    "conflict: the profile is open already, the name or the port is taken",
	exitDenied:      "denied: nobody is logged in, the PIN is missing, or a policy forbids it",
	exitUnavailable: "unavailable: the app is not running, or it is busy",
	exitPlan:        "the plan does not include it",
}

// exitCodesTopic is a page of the help: cove help exit-codes.
func exitCodesTopic() *cobra.Command {
	text := "Exit codes of every command:\n\n"
	for code, meaning := range exitMeanings {
		text += fmt.Sprintf("  %d  %s\n", code, meaning)
	}
	return &cobra.Command{Use: "exit-codes", Short: "Exit codes of every command", Long: text + `
An error is one sentence on standard error and, on the next line, what to do. With --json, data goes to standard output as
usual, and the exit code is the same.`,
		Example: `  cove start work --automation || [ $? -eq 4 ]     4: it is open already
  cove status >/dev/null || cove up --no-window    6: the app is not running`}
}

// kindCodes is the one table from kinds to exit codes.
var kindCodes = map[fault.Kind]int{
	fault.Invalid: exitUsage, fault.TooLarge: exitUsage, fault.NotFound: exitNotFound, fault.Conflict: exitConflict,
	fault.Denied: exitDenied, fault.Unauthenticated: exitDenied, fault.Busy: exitUnavailable, fault.Unavailable: exitUnavailable, fault.Payment: exitPlan,
}

// explain turns an error into an exit code, a sentence and the next step.
func (c *config) explain(err error) (code int, text, hint string) {
	var failure *api.Failure
	var usage usageError
	var f *fault.Error
	switch {
	case errors.As(err, &usage):
		return exitUsage, usage.Error(), "See: " + usage.command + " --help"
	case errors.As(err, &failure):
		o := failure.Body.ErrorObject
		code, ok := kindCodes[fault.Kind(o.Type)]
		if !ok && failure.Status != http.StatusMethodNotAllowed {
			code = exitInternal
		}
		return code, o.Text, o.Hint
	case errors.As(err, &f):
		code, ok := kindCodes[f.Kind]
		if !ok {
			code = exitInternal
		}
		return code, f.Text, f.Hint
	case errors.Is(err, api.ErrNoApp):
		return exitUnavailable, "Cove does not answer.", "Start it with: cove up"
	case errors.Is(err, context.Canceled):
		return exitInternal, "Interrupted.", ""
	}
	if c.ran {
		return exitInternal, err.Error(), "Look into the log with: cove logs"
	}
	// What cobra finds wrong before a command runs: an unknown command or flag.
	return exitUsage, err.Error(), "See: cove --help"
}
