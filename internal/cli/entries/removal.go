package entries

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cove/internal/cli/command"
	"cove/internal/clients"
	"cove/internal/profile"
)

// entriesOf returns the names of the clients that have entries for a profile.
func entriesOf(r *clients.Registry, id profile.ID) (names []string) {
	for _, s := range r.States() {
		for _, f := range s.Found {
			if f.Entry.Profile == id && (len(names) == 0 || names[len(names)-1] != s.Client.Name) {
				names = append(names, s.Client.Name)
			}
		}
	}

	return names
}

// OfferRemoval offers to remove the entries of a deleted profile.
func OfferRemoval(ctx context.Context, env *command.Env, id profile.ID) error {
	r, err := Registry(env)
	if err != nil {
		return err
	}
	names := entriesOf(r, id)
	if len(names) == 0 {
		return nil
	}
	list := strings.Join(names, ", ")
	if env.JSON || !env.Confirm("These clients still have entries for it: "+list+". Remove them?") {
		env.Advise(env.Err, "These clients still have entries for it: %s. Remove them with: cove client remove all %d "+
			"--everywhere", list, id)
		return nil
	}
	var failed []error
	for _, name := range names {
		one, err := clients.Find(name)
		if err != nil {
			return err
		}
		done, err := r.Remove(ctx, one, clients.Removal{Profile: id, Everywhere: true}, false)
		for _, d := range done {
			ShowChange(env.Out, d, false)
		}
		failed = append(failed, err)
	}

	return errors.Join(failed...)
}

// ShowChange writes what was done to a client's file, or with dry what would be done.
func ShowChange(w io.Writer, d clients.Change, dry bool) {
	where := d.File
	if d.Scope == clients.Local {
		where += ", for " + d.Dir
	}
	if dry && d.Action != clients.Unchanged {
		fmt.Fprint(w, d.Diff)
		return
	}
	switch d.Action {
	case clients.Unchanged:
		fmt.Fprintf(w, "%s is already in %s (%s).\n", d.Entry.Name, d.Client.Title, where)
	case clients.Removed:
		fmt.Fprintf(w, "Removed %s from %s (%s).\n", d.Entry.Name, d.Client.Title, where)
	default:
		verb := "Added " + d.Entry.Name + " to"
		if d.Action == clients.Updated {
			verb = "Updated " + d.Entry.Name + " in"
		}
		fmt.Fprintf(w, "%s %s (%s).\n%s\n", verb, d.Client.Title, where, d.API().Next)
	}
}
