package entries

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cove/internal/cli/command"
	"cove/internal/clients"
	"cove/internal/skill"
)

// ShowSkillChanges writes what was done to the files with the skill, or with dry what would be done. A file that
// several clients share is shown once where once is enough.
func ShowSkillChanges(w io.Writer, done []clients.SkillChange, dry bool) {
	var shown []string
	for _, d := range done {
		gone := slices.ContainsFunc(done, func(o clients.SkillChange) bool {
			return o.File == d.File && o.Action == clients.Removed
		})
		switch {
		case d.Action == clients.Retained && gone:
		case dry && d.Diff != "":
			if !slices.Contains(shown, d.File) {
				fmt.Fprint(w, d.Diff)
			}
			shown = append(shown, d.File)
		default:
			fmt.Fprintln(w, skillSentence(d))
			if next := d.API().Next; next != "" && !dry {
				fmt.Fprintln(w, next)
			}
		}
	}
}

func skillSentence(d clients.SkillChange) string {
	name := skill.Cove().Name
	switch d.Action {
	case clients.Unchanged:
		return fmt.Sprintf("%s already has the skill %s (%s).", d.Client.Title, name, d.File)
	case clients.Removed:
		return fmt.Sprintf("Removed the skill %s from %s (%s).", name, d.Client.Title, d.File)
	case clients.Retained:
		var others []string
		for _, one := range d.Others {
			others = append(others, one.Title)
		}
		return fmt.Sprintf("%s stays for: %s.", d.File, strings.Join(others, ", "))
	case clients.Updated:
		return fmt.Sprintf("Updated the skill %s for %s (%s).", name, d.Client.Title, d.File)
	}

	return fmt.Sprintf("Installed the skill %s for %s (%s). New sessions find it.", name, d.Client.Title, d.File)
}

// AdvisePath says what to do if agents cannot run the program by the name that the skill uses.
func AdvisePath(env *command.Env) {
	self, err := os.Executable()
	if err == nil && command.CallName() != "cove" {
		fmt.Fprintf(env.Err, "Agents run cove by its name, and it is not on the PATH: "+
			"put a link to %s into a folder of the PATH.\n", self)
	}
}
