// Package fault holds the one error type that reaches people: a kind, a stable code, a sentence and the next step.
package fault

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Kind says what sort of failure it is; each surface has one table from Kind to its own words.
type Kind string

const (
	Invalid         Kind = "invalid"
	NotFound        Kind = "not_found"
	Conflict        Kind = "conflict"
	Denied          Kind = "denied"       // the caller may not, whoever it is
	Unauthenticated Kind = "unauthorized" // nobody is logged in, or the credential is wrong
	Payment         Kind = "payment"
	TooLarge        Kind = "too_large"
	Busy            Kind = "busy"
	Unavailable     Kind = "unavailable"
	Internal        Kind = "internal"
)

// Error is a failure with everything a person needs.
type Error struct {
	Kind Kind   `json:"kind"`
	Code string `json:"code"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
	// Wait is how long a caller should wait before it tries again, where that is known.
	Wait time.Duration `json:"-"`
	// Err is the cause, for logs.
	Err error `json:"-"`
}

// New makes an error where the fact is known.
func New(kind Kind, code, text, hint string) *Error {
	return &Error{Kind: kind, Code: code, Text: text, Hint: hint}
}

// Invalidf is a refusal of bad input.
func Invalidf(format string, args ...any) *Error {
	return New(Invalid, "E_INVALID", fmt.Sprintf(format, args...), "")
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
	return New(Internal, "E_INTERNAL", err.Error(), "Look into the log with: cove logs").Because(err)
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
	return New(Unavailable, "E_DISK_FULL", text, "Free some space and try again.")
}

// KindOf is the kind of err: Internal when it has none, "" when there is no error.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}
