// Package exit maps every failure of a command to its exit code and to the words that the user reads.
package exit

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
)

// Exit codes of every command.
const (
	OK          = 0
	Internal    = 1
	Usage       = 2
	NotFound    = 3
	Conflict    = 4
	Denied      = 5
	Unavailable = 6
	Plan        = 7
	Waiting     = 8
)

// Meanings explains the codes, in their order.
func Meanings() []string {
	return []string{
		OK: "success",
		Internal: "an internal error, Ctrl-C, a step in a page that failed, or a check that did not pass (doctor, " +
			"verify, journal verify, proxy check, skills check)",
		Usage:       "wrong usage or invalid input",
		NotFound:    "not found: no such profile, setting, client, token or secret",
		Conflict:    "conflict: the profile is already open, or the name or port is taken",
		Denied:      "denied: nobody is logged in, the PIN is missing, or a policy forbids it",
		Unavailable: "unavailable: the app is not running, or it is busy",
		Plan:        "the plan does not include it",
		Waiting:     "waiting: a person has to answer first (cove page)",
	}
}

// Topic returns the help page of `cove help exit-codes`.
func Topic() *cobra.Command {
	text := "Exit codes of every command:\n\n"
	for code, meaning := range Meanings() {
		text += fmt.Sprintf("  %d  %s\n", code, meaning)
	}

	return &cobra.Command{Use: "exit-codes", Short: "Exit codes of every command", Long: text + `
An error is one sentence on standard error and, on the next line, what to do. With --json, data goes to standard output
as usual, and the exit code is the same.`,
		Example: `  cove start work --automation || [ $? -eq 4 ]     4: it is already open
  cove status >/dev/null || cove up --no-window    6: the app is not running`}
}

// UsageError is a command line that cannot be parsed.
type UsageError struct {
	text    string
	command string
}

// Usagef returns the UsageError of a command.
func Usagef(cmd *cobra.Command, format string, args ...any) error {
	return UsageError{fmt.Sprintf(format, args...), cmd.CommandPath()}
}

// Error returns what is wrong with the command line.
func (e UsageError) Error() string { return e.text }

// CodeOf maps each kind of failure to its exit code. A kind that is not known here comes from an app of another
// version, and is a failure like any other.
func CodeOf(kind fault.Kind) int {
	switch kind {
	case fault.Invalid, fault.Unprocessable, fault.TooLarge:
		return Usage
	case fault.NotFound:
		return NotFound
	case fault.Conflict:
		return Conflict
	case fault.Denied, fault.Unauthenticated:
		return Denied
	case fault.Busy, fault.Unavailable:
		return Unavailable
	case fault.Payment:
		return Plan
	default:
		return Internal
	}
}

// Coded is a failure with an exit code of its own.
type Coded struct {
	Fault *fault.Error
	Exit  int
}

// Error returns the sentence of the failure.
func (c Coded) Error() string { return c.Fault.Text }

// Unwrap returns the failure.
func (c Coded) Unwrap() error { return c.Fault }

// Explain turns an error into an exit code, a sentence and the next step. began says that a command was running: before
// that, an error without a kind is about the command line.
func Explain(err error, began bool) (code int, text, hint string) {
	var usage UsageError
	var coded Coded
	var f *fault.Error

	switch {
	case errors.As(err, &coded):
		return coded.Exit, coded.Fault.Text, coded.Fault.Hint
	case errors.As(err, &usage):
		return Usage, usage.text, "See: " + usage.command + " --help"
	case errors.As(err, &f) && f.Code == fault.CodeCancelled: // as an interrupted command without words of its own
		return Internal, f.Text, f.Hint
	case errors.As(err, &f):
		return CodeOf(f.Kind), f.Text, f.Hint
	case errors.Is(err, api.ErrNoApp):
		return Unavailable, "Cove does not answer.", "Start it with: cove up"
	case errors.Is(err, context.Canceled):
		return Internal, "Interrupted.", ""
	case !began:
		return Usage, err.Error(), "See: cove --help"
	}

	return Internal, err.Error(), "See the log: cove logs"
}
