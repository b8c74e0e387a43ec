package clients

import (
	"fmt"
	"strings"

	"cove/internal/profile"
)

// Stale describes an entry that points to something that is gone, and gives the command that removes the entry.
type Stale struct{ Text, Hint string }

// Examine counts Cove's entries, and finds those that point to a profile, a program or a wrapper that is gone.
func (r *Registry) Examine(known func(profile profile.ID) bool) (count int, stale []Stale) {
	for _, s := range r.States() {
		for _, f := range s.Found {
			count++
			gone := r.missingTarget(f.Entry, known)
			if gone == "" {
				continue
			}
			stale = append(stale, Stale{
				fmt.Sprintf("%s in %s (%s) points to %s, which is gone", f.Entry.Name, f.File, s.Client.Title, gone),
				fmt.Sprintf("cove client remove %s %d --everywhere", s.Client.Name, f.Entry.Profile)})
		}
	}

	return count, stale
}

// missingTarget returns the profile, program or wrapper that an entry points to and that is gone, or "" if all exist.
func (r *Registry) missingTarget(x Entry, known func(profile profile.ID) bool) string {
	file := x.wrapper()
	switch {
	case !known(x.Profile):
		return fmt.Sprintf("profile %d", x.Profile)
	case !r.runs(x.Command):
		return x.Command
	case file != "" && !r.Env.exists(file):
		return file
	}

	return ""
}

// runs reports whether the program of a command exists.
func (r *Registry) runs(command string) bool {
	if strings.ContainsAny(command, `/\`) {
		return r.Env.exists(command)
	}
	_, err := r.Env.LookPath(command)

	return err == nil
}
