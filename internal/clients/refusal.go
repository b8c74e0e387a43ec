package clients

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"cove/internal/clients/edit"
	"cove/internal/fault"
)

func errNoScope(c Client, scope Scope) error {
	if scope != Local && scope != Project && scope != User {
		hint := fault.Suggest(string(scope), Local, Project, User) + "Use local, project or user."
		return fault.Fieldf("scope", "%q is not a scope.", scope).WithHint(hint)
	}

	words := make([]string, 0, 3)
	for _, s := range c.Scopes() {
		words = append(words, string(s))
	}

	return fault.Fieldf("scope", "%s has no %s scope.", c.Title, scope).WithHint("It has: " + strings.Join(words,
		", ") + ".")
}

func errNameTaken(at location, x Entry) *fault.Error {
	return fault.New(fault.CodeNameTaken,
		fmt.Sprintf("%s already has another server named %q in %s.", at.client.Title, x.Name, at.file),
		"Choose another name with --name.")
}

// refuseToWrite turns an *edit.Error into the fault of a change that was not made. Every other error stays as it is.
func refuseToWrite(at location, err error) error {
	var e *edit.Error
	if !errors.As(err, &e) {
		return err
	}

	return fault.New(fault.CodeBrokenFile, inFile(at.file, e)+", so nothing was written.",
		"Put the file right and try again, or "+at.byHand)
}

// refuseToRead turns an *edit.Error into the fault of a search that could not read a file. Every other error stays as
// it is.
func refuseToRead(at location, err error) error {
	var e *edit.Error
	if !errors.As(err, &e) {
		return err
	}

	return fault.New(fault.CodeBrokenFile, inFile(at.file, e)+", so the entries in it are not known.",
		"Put the file right and try again.")
}

// inFile returns the reason of an error with its file and line, without a full stop.
func inFile(file string, e *edit.Error) string {
	if e.Line > 0 {
		file += fmt.Sprintf(", line %d", e.Line)
	}

	return file + ": " + strings.TrimSuffix(e.Reason, ".")
}

func unreadable(file string, err error) error {
	return fault.New(fault.CodeUnreadable, fmt.Sprintf("%s cannot be read: %s.", file, reason(err)),
		"Make it readable for your user, then try again.").Because(err)
}

func unwritable(file string, err error) error {
	if err := fault.Disk(err); fault.From(err).Code == fault.CodeDiskFull {
		return err
	}

	return fault.New(fault.CodeUnwritable, fmt.Sprintf("%s cannot be written: %s.", file, reason(err)),
		"Make it writable for your user, then try again.").Because(err)
}

// unwritable returns the fault for a client's file that cannot be written. Its hint says how to make the change by
// hand.
func (at location) unwritable(err error) error {
	f := fault.From(unwritable(at.file, err))
	if f.Code != fault.CodeUnwritable {
		return f
	}

	return f.WithHint("Make it writable for your user and try again, or " + at.byHand)
}

// reason returns the text of a system error without the path.
func reason(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}

	return strings.TrimSuffix(err.Error(), ".")
}
