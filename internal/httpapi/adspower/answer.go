package adspower

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
)

// envelope is the form of every answer. Code is 0 for success and -1 for failure.
type envelope struct {
	Code    int      `json:"code"`
	Msg     string   `json:"msg"`
	Data    any      `json:"data,omitempty"`
	Ignored []string `json:"ignored,omitzero"`
	// Hint is the next step after a failure whose message scripts compare.
	Hint string `json:"hint,omitempty"`
}

// answer is what a handler returns: the data, and the names of the fields that had no effect.
type answer struct {
	data    any
	ignored []string
}

// empty is the data of an answer that has none.
type empty struct{}

// errExact is a failure whose message scripts compare, so that no hint may follow it there.
type errExact struct{ cause *fault.Error }

// Error returns the message.
func (e errExact) Error() string { return e.cause.Text }

// Unwrap returns the fault.
func (e errExact) Unwrap() error { return e.cause }

func errNoKey() error {
	return errExact{fault.New(fault.CodeUnauthorized, "Require api-key",
		"Send an API token of Cove (cove token create NAME) in the header Authorization: Bearer …, in the header "+
			"api-key or in the field api_key of the body, not in the URL.")}
}

func errNotOpen() error {
	return errExact{fault.New(fault.CodeNotOpen, "User_id is not open", "")}
}

// statuses are the only HTTP statuses of failures other than 200: scripts raise an error for any status but 200 before
// they read the message.
var statuses = map[fault.Code]int{
	fault.CodeForbiddenHost:   http.StatusForbidden,
	fault.CodeForbiddenOrigin: http.StatusForbidden,
	fault.CodeNoRoute:         http.StatusNotFound,
}

// fail writes the answer of a failed call.
// ownCalls replaces the calls that advice for Cove's own port names by those of this port.
var ownCalls = strings.NewReplacer("GET /v1.0/folders lists the folders.", "/api/v1/group/list lists the groups.")

func (s *Server) fail(w http.ResponseWriter, err error) (status int) {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		err = call.ErrTooLarge(large.Limit)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fault.New(fault.CodeCancelled, "The request was cancelled.", "").Because(err)
	}
	f := fault.From(err)
	if f.Kind == fault.Internal {
		s.Log.Error("call failed", "api", "adspower", "code", f.Code, "err", f.Text, "cause", f.Err)
	}

	out := envelope{Code: -1, Data: empty{}}
	hint := s.Home.Advice(ownCalls.Replace(f.Hint))
	if exact := (errExact{}); errors.As(err, &exact) {
		out.Msg, out.Hint = f.Text, hint
	} else {
		out.Msg = f.WithHint(hint).Sentence()
	}
	status = http.StatusOK
	if other, ok := statuses[f.Code]; ok {
		status = other
	}
	write(w, status, out)
	return status
}

func write(w http.ResponseWriter, status int, v envelope) {
	raw, err := json.Marshal(v)
	if err != nil {
		raw = []byte(`{"code":-1,"msg":"Cove could not write the answer.","data":{}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n'))
}
