package skills

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/clients"
	"cove/internal/fault"
)

func checkCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "check [CLIENT…]", Short: "Check whether clients have this Cove's skill",
		Long: `Show the skill of these clients, or of all that this computer has: found, older, newer, changed or
missing.

Exits 0 if every skill that is installed is this Cove's, 1 if one is not, and 3 if a client that you name has none, or
no client has one.`,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list, err := chosen(r, args, true)
			if err != nil {
				return err
			}
			found := []api.SkillFile{}
			for _, one := range list {
				for _, s := range r.Skills(one) {
					found = append(found, s.API())
				}
			}
			found = inUse(found)
			if err := env.Print(found, func(w io.Writer) { show(env, w, found) }); err != nil {
				return err
			}
			entries.AdvisePath(env)

			return judge(found, len(args) > 0 && !slices.Contains(args, "all"))
		},
	})
}

// inUse returns found without the missing skills of clients that have another skill here: one skill is enough for a
// client.
func inUse(found []api.SkillFile) []api.SkillFile {
	return slices.DeleteFunc(found, func(s api.SkillFile) bool {
		return isMissing(s) && slices.ContainsFunc(found, func(o api.SkillFile) bool {
			return o.Client == s.Client && !isMissing(o)
		})
	})
}

func isMissing(s api.SkillFile) bool { return s.Status == string(clients.SkillMissing) }

func show(env *command.Env, w io.Writer, found []api.SkillFile) {
	t := command.Table(w, "CLIENT", "SKILL", "SCOPE", "FILE")
	for _, s := range found {
		command.Row(t, s.Client, s.Status, s.Scope, s.File)
	}
	_ = t.Flush()
	for _, s := range found {
		if s.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", s.Client, s.Error)
		}
		if s.Next != "" {
			env.Advise(w, "%s: %s", s.Client, s.Next)
		}
	}
}

// judge returns the failure of a check, or nil. named says that the person asked for these clients.
func judge(found []api.SkillFile, named bool) error {
	var missing, other []string
	for _, s := range found {
		switch {
		case isMissing(s):
			missing = append(missing, s.Client)
		case s.Status != string(clients.SkillFound):
			other = append(other, s.Client)
		}
	}

	switch {
	case len(other) > 0:
		return fault.New(fault.CodeSkillCheck, "These clients have another skill: "+strings.Join(other, ", ")+".", "")
	case named && len(missing) > 0 || len(missing) == len(found):
		return fault.New(fault.CodeNoSkill, "These clients have no skill: "+strings.Join(missing, ", ")+".", "")
	}

	return nil
}
