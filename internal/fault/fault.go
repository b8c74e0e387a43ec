// Package fault holds the one error type that reaches people: a kind, a stable code, a sentence and the next step.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// Kind is the kind of a failure. Each surface has one table from kinds to its own numbers: HTTP statuses, exit codes.
type Kind string

// The kinds of failure.
const (
	Invalid         Kind = "invalid"       // an input is wrong
	Unprocessable   Kind = "unprocessable" // an input is well formed, and what it names cannot be used
	NotFound        Kind = "not_found"     // what was named is not there
	Conflict        Kind = "conflict"      // the present state does not allow it
	Denied          Kind = "denied"        // the caller may not, whoever it is
	Unauthenticated Kind = "unauthorized"  // nobody is logged in, or the credential is wrong
	Payment         Kind = "payment"       // the plan does not include it
	TooLarge        Kind = "too_large"     // the request is too large
	Method          Kind = "method"        // the call exists, but not with this method
	Busy            Kind = "busy"          // too much is going on: wait
	Unavailable     Kind = "unavailable"   // something that is needed is not there now
	NotOffered      Kind = "not_offered"   // Cove does not do this
	Internal        Kind = "internal"      // Cove made a mistake
)

// Error is a failure with everything a person needs to know. It crosses processes as JSON. Errors are never changed
// after they are made: the With methods return copies.
type Error struct {
	// Kind is the kind of the code. A fault from another process has the kind that the process sent.
	Kind Kind   `json:"kind"`
	Code Code   `json:"code"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
	// Field names the input that is wrong. Members of objects follow a dot: proxy.host. It is empty when no single
	// input is wrong.
	Field string `json:"field,omitempty"`
	// Brief is the text in a few words, without a capital and a full stop, for a line in a list. It may be empty.
	Brief string `json:"brief,omitempty"`
	// Quotes says that Text holds words of a page. Whoever shows the text marks it as such.
	Quotes bool `json:"quotes,omitempty"`
	// Wait is how long a caller should wait before the next attempt, if that is known.
	Wait time.Duration `json:"-"`
	// Err is the cause, for logs.
	Err error `json:"-"`
}

// New makes an error with the kind of its code.
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

// Unprocessablef makes a refusal of an input, whose name is field, that names something that Cove cannot use.
func Unprocessablef(field, format string, args ...any) *Error {
	return New(CodeUnprocessable, fmt.Sprintf(format, args...), "").WithField(field)
}

// WithField returns a copy that names the input that is wrong.
func (e *Error) WithField(name string) *Error {
	c := *e
	c.Field = name
	return &c
}

// In returns err with its field as a member of the input outer: host in proxy becomes proxy.host. Without a field,
// outer itself is wrong. An error that is not about input stays unchanged.
func In(outer string, err error) error {
	var e *Error
	if !errors.As(err, &e) || (e.Kind != Invalid && e.Kind != Unprocessable) {
		return err
	}
	if e.Field == "" {
		return e.WithField(outer)
	}
	return e.WithField(outer + "." + e.Field)
}

// WithBrief returns a copy with its text in a few words.
func (e *Error) WithBrief(brief string) *Error {
	c := *e
	c.Brief = brief
	return &c
}

// WithHint returns a copy with another hint.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

// Because returns a copy with the cause.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// Error returns the sentence that says what happened.
func (e *Error) Error() string { return e.Text }

// Sentence returns the text and the hint as one.
func (e *Error) Sentence() string { return strings.TrimSpace(e.Text + " " + e.Hint) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is compares codes, so that errors.Is works across processes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// From returns the fault in err, or wraps err in an internal one.
func From(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return New(CodeInternal, err.Error(), "See the log: cove logs").Because(err)
}

// Disk words the failure of a full disk. Any other error stays unchanged.
func Disk(err error) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return DiskFull("The disk is full, so nothing was changed.").Because(err)
}

// DiskFull makes the error for a lack of disk space.
func DiskFull(text string) *Error {
	return New(CodeDiskFull, text, "Free some space and try again.")
}

// KindOf returns the kind of err. It is Internal for an error that is not a fault, and "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}
