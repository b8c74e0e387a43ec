// Package fault holds the one error type that reaches people: a kind, a stable code, a sentence and the next step.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// Kind says what sort of failure it is; each surface has one table from Kind to its own words.
type Kind string

// The kinds of failure.
const (
	Invalid         Kind = "invalid"      // an input is wrong
	NotFound        Kind = "not_found"    // what was named is not there
	Conflict        Kind = "conflict"     // the present state does not allow it
	Denied          Kind = "denied"       // the caller may not, whoever it is
	Unauthenticated Kind = "unauthorized" // nobody is logged in, or the credential is wrong
	Payment         Kind = "payment"      // the plan does not include it
	TooLarge        Kind = "too_large"    // the request is too large
	Method          Kind = "method"       // the call exists, but not with this method
	Busy            Kind = "busy"         // too much is going on: wait
	Unavailable     Kind = "unavailable"  // something that is needed is not there now
	Internal        Kind = "internal"     // Cove made a mistake
)

// Error is a failure with everything a person needs. It crosses processes as JSON.
type Error struct {
	// Kind is the code's, and stays what another process said.
	Kind Kind   `json:"kind"`
	Code Code   `json:"code"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
	// Field names the input that is wrong, members of objects after a dot: proxy.host. Empty when no single input is.
	Field string `json:"field,omitempty"`
	// Quotes says that Text holds words of a page, which whoever shows it has to mark as such.
	Quotes bool `json:"quotes,omitempty"`
	// Wait is how long a caller should wait before it tries again, where that is known.
	Wait time.Duration `json:"-"`
	// Err is the cause, for logs.
	Err error `json:"-"`
}

// New makes an error where the fact is known; its kind is the code's.
func New(code Code, text, hint string) *Error {
	return &Error{Kind: code.Kind(), Code: code, Text: text, Hint: hint}
}

// Quote makes an error whose text holds words of a page.
func Quote(code Code, text, hint string) *Error {
	e := New(code, text, hint)
	e.Quotes = true
	return e
}

// Invalidf makes a refusal of bad input.
func Invalidf(format string, args ...any) *Error {
	return New(CodeInvalid, fmt.Sprintf(format, args...), "")
}

// Fieldf makes a refusal of one input, whose name is field.
func Fieldf(field, format string, args ...any) *Error {
	return Invalidf(format, args...).WithField(field)
}

// WithField returns a copy that names the input that is wrong.
func (e *Error) WithField(name string) *Error {
	c := *e
	c.Field = name
	return &c
}

// In returns err with its field as a member of the input outer, such as proxy.host for host in proxy. Without a field
// the whole of outer is wrong. An error that is not about input stays as it is.
func In(outer string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind != Invalid {
		return err
	}
	if e.Field == "" {
		return e.WithField(outer)
	}
	return e.WithField(outer + "." + e.Field)
}

// WithHint returns a copy that tells the next step.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

// Because returns a copy that keeps the cause.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

func (e *Error) Error() string { return e.Text }

// Sentence returns what happened and what to do next, for who reads both at once.
func (e *Error) Sentence() string { return strings.TrimSpace(e.Text + " " + e.Hint) }

func (e *Error) Unwrap() error { return e.Err }

// Is matches by code, so that errors.Is works across processes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// From finds the fault in err, or wraps err as an internal one.
func From(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return New(CodeInternal, err.Error(), "Look into the log with: cove logs").Because(err)
}

// Disk turns the failure of a full disk into words; any other error stays as it is.
func Disk(err error) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return DiskFull("The disk is full, so nothing was changed.").Because(err)
}

// DiskFull is the answer when there is no room for what was asked.
func DiskFull(text string) *Error {
	return New(CodeDiskFull, text, "Free some space and try again.")
}

// KindOf is the kind of err: Internal when it has none, "" when there is no error.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}
