package skills

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/binding"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/cli/exit"
	"cove/internal/clients"
	"cove/internal/fault"
)

// chosen returns the clients that the words of the command line mean: those with these names, or for "all" and for no
// word every client that has a folder for skills. With installed it leaves out clients that this computer does not
// have.
func chosen(r *clients.Registry, words []string, installed bool) (list []clients.Client, err error) {
	if len(words) > 0 && !slices.Contains(words, "all") {
		for _, word := range words {
			one, err := clients.Find(word)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		return list, nil
	}

	for _, one := range clients.Table() {
		if one.Skills != nil && (!installed || one.Installed(r.Env)) {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		return nil, fault.New(fault.CodeNotInstalled,
			"None of the clients whose folder for skills Cove knows was found on this computer.",
			"Write the text of `cove skills get cove` where your agent looks for skills.")
	}

	return list, nil
}

func installCommand(env *command.Env) *cobra.Command {
	var scope, profile string
	var o clients.SkillOptions
	cmd := &cobra.Command{
		Use:   "install [CLIENT…]",
		Short: "Install the skill for clients",
		Long: `Install the skill for these clients, or for all that this computer has. An older skill of Cove's is
updated. A file that somebody has changed stays as it is.

Without --scope the skill is for this user, in all folders. With --profile it is for this folder, and cove page uses
that profile here. Cove remembers the profile in its data folder, not in the project.`,
		Example: `  cove skills install
  cove skills install claude-code codex
  cove skills install codex --profile work`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := scopeOf(cmd, scope, profile)
			if err != nil {
				return err
			}
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list, err := chosen(r, args, true)
			if err != nil {
				return err
			}
			bind := func() error { return nil }
			if profile != "" {
				if bind, err = prepareBinding(cmd.Context(), env, r, profile); err != nil {
					return err
				}
			}
			install := func(one clients.Client) ([]clients.SkillChange, error) {
				change, err := r.InstallSkill(cmd.Context(), one, where, o)
				if err != nil {
					return nil, err
				}
				return []clients.SkillChange{change}, nil
			}
			if _, err := change(cmd.Context(), env, list, install, o.Dry); err != nil || o.Dry {
				return err
			}
			entries.AdvisePath(env)

			return bind()
		},
	}

	cmd.Flags().StringVar(&scope, "scope", "", "user or project (default: user; with --profile project)")
	cmd.Flags().StringVar(&profile, "profile", "", "id or name of the profile that cove page uses in this folder")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace a file that somebody has changed")
	cmd.Flags().BoolVar(&o.Dry, "dry-run", false, "only show what would change")
	return env.WithJSON(cmd)
}

// scopeOf returns the scope that was asked for, or the usual one.
func scopeOf(cmd *cobra.Command, scope, profile string) (clients.Scope, error) {
	switch {
	case profile != "" && scope == string(clients.User):
		return "", exit.Usagef(cmd, "--profile is for this folder and --scope user for all folders: leave one out")
	case scope != "":
		return clients.Scope(scope), nil
	case profile != "":
		return clients.Project, nil
	}

	return clients.User, nil
}

// prepareBinding finds a profile, and returns the function that binds this folder to it.
func prepareBinding(ctx context.Context, env *command.Env, r *clients.Registry, text string) (func() error, error) {
	id, err := entries.Profile(ctx, env, text)
	if err != nil {
		return nil, err
	}

	return func() error {
		root, err := binding.Open(r.Home).Set(r.Env.Dir, id)
		if err == nil && !env.JSON {
			fmt.Fprintf(env.Out, "In %s, cove page uses profile %d.\n", root, id)
		}

		return err
	}, nil
}

// change changes clients one after the other. It continues after a failure, and returns the first one.
func change(ctx context.Context, env *command.Env, list []clients.Client,
	do func(clients.Client) ([]clients.SkillChange, error), dry bool) (done []clients.SkillChange, failed error) {
	for _, one := range list {
		some, err := do(one)
		done = append(done, some...)
		if err != nil && failed != nil {
			_, text, hint := exit.Explain(err, true)
			env.Advise(env.Err, "%s: %s %s", one.Name, text, hint)
		}
		if failed == nil {
			failed = err
		}
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
	}
	if failed != nil && len(done) == 0 {
		return nil, failed
	}

	out := api.SkillChanges{Data: []api.SkillChange{}}
	for _, d := range done {
		out.Data = append(out.Data, d.API())
	}
	if env.JSON {
		if err := env.Print(out, nil); err != nil {
			return done, err
		}
	} else {
		entries.ShowSkillChanges(env.Out, done, dry)
	}

	return done, failed
}

func removeCommand(env *command.Env) *cobra.Command {
	var scope string
	var everywhere bool
	var o clients.SkillOptions
	cmd := &cobra.Command{
		Use:   "remove [CLIENT…]",
		Short: "Remove the skill from clients",
		Long: `Remove the skill from these clients, or from all: the one for this folder and the one for all folders.
What was there before is there again. A file that several clients share goes with the last of them.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list, err := chosen(r, args, false)
			if err != nil {
				return err
			}
			remove := func(one clients.Client) ([]clients.SkillChange, error) {
				return r.RemoveSkill(cmd.Context(), one, clients.Scope(scope), everywhere, o)
			}
			done, err := change(cmd.Context(), env, list, remove, o.Dry)
			if err == nil && len(done) == 0 {
				return fault.New(fault.CodeNoSkill, "There is no skill of Cove's to remove here.",
					"`cove skills check` shows where it is; --everywhere includes other folders.")
			}

			return err
		},
	}

	cmd.Flags().StringVar(&scope, "scope", "", "only in this scope: user or project")
	cmd.Flags().BoolVar(&everywhere, "everywhere", false, "also in other folders")
	cmd.Flags().BoolVar(&o.Force, "force", false, "remove a file that somebody has changed")
	cmd.Flags().BoolVar(&o.Dry, "dry-run", false, "only show what would change")
	return env.WithJSON(cmd)
}
