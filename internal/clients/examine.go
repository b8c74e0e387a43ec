package clients

import (
	"fmt"
	"strings"
)

// Stale is an entry that leads nowhere, in a sentence, with the next step.
type Stale struct{ Text, Hint string }

// Examine finds entries that point to a profile, a program or a wrapper that is gone.
func (r *Registry) Examine(known func(profile int32) bool) (count int, stale []Stale) {
	for _, s := range r.States() {
		for _, f := range s.Found {
			count++
			why := ""
			switch x := f.Entry; {
			case !known(x.Profile):
				why = fmt.Sprintf("profile %d, which is gone", x.Profile)
			case !r.runs(x.Command):
				why = x.Command + ", which is gone"
			default:
				if file := x.wrapper(); file != "" && !r.Env.exists(file) {
					why = file + ", which is gone"
				}
			}
			if why != "" {
				stale = append(stale, Stale{fmt.Sprintf("%s in %s (%s) points to %s", f.Entry.Name, f.File, s.Client.Title, why),
					fmt.Sprintf("cove client remove %s %d --everywhere", s.Client.Name, f.Entry.Profile)})
			}
		}
	}
	return count, stale
}

// runs tells whether there is such a program.
func (r *Registry) runs(command string) bool {
	if strings.ContainsAny(command, `/\`) {
		return r.Env.exists(command)
	}
	_, err := r.Env.LookPath(command)
	return err == nil
}
