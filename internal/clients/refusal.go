package clients

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"cove/internal/fault"
)

func errNoScope(c Client, scope Scope) error {
	if scope != Local && scope != Project && scope != User {
		return fault.Fieldf("scope", "%q is not a scope.", scope).WithHint(fault.Suggest(string(scope), Local, Project, User) + "Use local, project or user.")
	}
	words := make([]string, 0, 3)
	for _, s := range c.Scopes() {
		words = append(words, string(s))
	}
	return fault.Fieldf("scope", "%s has no %s scope.", c.Title, scope).WithHint("It has: " + strings.Join(words, ", ") + ".")
}

// CheckInstalled refuses a client that is not on this computer, and names what it would need for a profile.
func (r *Registry) CheckInstalled(c Client, profile int32) error {
	if c.Installed(r.Env) {
		return nil
	}
	return fault.New(fault.CodeNotInstalled, c.Title+" was not found on this computer: it has neither its folder "+c.folders(r.Env)[0]+" nor a program on the PATH.",
		fmt.Sprintf("Install it and start it once, or see what it needs with: cove client snippet %s %d", c.Name, profile))
}

func errTaken(s spot, x Entry) *fault.Error {
	return fault.New(fault.CodeNameTaken, fmt.Sprintf("%s already has another server named %q in %s.", s.client.Title, x.Name, s.file), "Choose another name with --name.")
}

func errBroken(s spot, err error) error {
	var b *broken
	if !errors.As(err, &b) {
		return err
	}
	return fault.New(fault.CodeBrokenFile, b.in(s.file)+", so nothing was written.", "Put the file right and try again, or "+s.byHand)
}

// errUnreadable is for those who only look.
func errUnreadable(s spot, err error) error {
	var b *broken
	if !errors.As(err, &b) {
		return err
	}
	return fault.New(fault.CodeBrokenFile, b.in(s.file)+", so the entries in it are not known.", "Put the file right and try again.")
}

// in is the reason with its place, without an end.
func (b *broken) in(file string) string {
	if b.line > 0 {
		file += fmt.Sprintf(", line %d", b.line)
	}
	return file + ": " + strings.TrimSuffix(b.why, ".")
}

func unreadable(file string, err error) error {
	return fault.New(fault.CodeUnreadable, fmt.Sprintf("%s cannot be read: %s.", file, reason(err)), "Make it readable for your user, then try again.").Because(err)
}

func unwritable(file string, err error) error {
	if err := fault.Disk(err); fault.From(err).Code == fault.CodeDiskFull {
		return err
	}
	return fault.New(fault.CodeUnwritable, fmt.Sprintf("%s cannot be written: %s.", file, reason(err)), "Make it writable for your user, then try again.").Because(err)
}

// unwritable says it of a client's file: what was to be changed can be changed by hand.
func (s spot) unwritable(err error) error {
	f := fault.From(unwritable(s.file, err))
	if f.Code != fault.CodeUnwritable {
		return f
	}
	return f.WithHint("Make it writable for your user and try again, or " + s.byHand)
}

// reason is what the system says, without the path.
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
