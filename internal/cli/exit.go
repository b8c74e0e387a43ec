package cli

import (
	"context"
	"errors"
	"net/http"

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

// kindCodes is the one table from kinds to exit codes.
var kindCodes = map[fault.Kind]int{
	fault.Invalid: exitUsage, fault.TooLarge: exitUsage, fault.NotFound: exitNotFound, fault.Conflict: exitConflict,
	fault.Denied: exitDenied, fault.Unknown: exitDenied, fault.Busy: exitUnavailable, fault.Unavailable: exitUnavailable, fault.Payment: exitPlan,
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
