package httpapi

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
)

// methodKind is known to HTTP only.
const methodKind fault.Kind = "method"

// statuses is the one table from kinds to HTTP.
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Payment:         http.StatusPaymentRequired,
	fault.Denied:          http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	methodKind:            http.StatusMethodNotAllowed,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Busy:            http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Internal:        http.StatusInternalServerError,
}

// retryAfter is how long a caller is told to wait when too much is going on and nobody knows for how long.
const retryAfter = 5 * time.Second

// fail writes the answer of a failed call. A handler may return a running browser's automation beside its error.
func (s *Server) fail(w http.ResponseWriter, err error, beside any) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		err = errTooLarge()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fault.New(fault.Unavailable, "E_CANCELLED", "The caller did not wait for the answer.", "").Because(err)
	}
	f := fault.From(err)
	status, ok := statuses[f.Kind]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status == http.StatusInternalServerError {
		s.Log.Error("call failed", "code", f.Code, "err", f.Text, "cause", f.Err)
	}
	if f.Kind == fault.Busy {
		wait := f.Wait
		if wait == 0 {
			wait = retryAfter
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	automation, _ := beside.(*api.Automation)
	writeJSON(w, status, api.Error{Error: f.Text, Message: f.Text, Automation: automation,
		ErrorObject: api.ErrorObject{Type: string(f.Kind), Code: f.Code, Text: f.Text, Hint: paths.Home(s.About.Home).Advice(f.Hint)}})
	return status
}

func errTooLarge() error {
	return fault.New(fault.TooLarge, "E_TOO_LARGE", "The request is larger than 1 MiB.", "Send less at a time.")
}
