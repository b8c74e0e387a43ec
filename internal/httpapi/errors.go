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
	"cove/internal/httpapi/call"
	"cove/internal/paths"
)

// httpStatuses maps each kind of failure to its HTTP status.
var httpStatuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unprocessable:   http.StatusUnprocessableEntity,
	fault.NotOffered:      http.StatusNotImplemented,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Payment:         http.StatusPaymentRequired,
	fault.Denied:          http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Method:          http.StatusMethodNotAllowed,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Busy:            http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Internal:        http.StatusInternalServerError,
}

// retryAfter is how long a busy answer tells the caller to wait when the fault does not say.
const retryAfter = 5 * time.Second

// fail writes the answer of a failed call. beside may be the automation address of a browser that runs already.
func (s *Server) fail(w http.ResponseWriter, err error, beside any) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		err = call.ErrTooLarge(large.Limit)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fault.New(fault.CodeCancelled, "The request was cancelled.", "").Because(err)
	}
	f := fault.From(err)
	status, ok := httpStatuses[f.Kind]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status == http.StatusInternalServerError {
		s.config.Log.Error("call failed", "code", f.Code, "err", f.Text, "cause", f.Err)
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
		ErrorObject: api.ErrorObject{Type: f.Kind, Code: f.Code, Text: f.Text, Hint: paths.Home(s.config.About.Home).
			Advice(f.Hint), Field: f.Field}})
	return status
}
