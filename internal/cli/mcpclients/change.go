// Package mcpclients has `cove client`, which registers profiles with MCP clients.
package mcpclients

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/binding"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/cli/exit"
	"cove/internal/clients"
	"cove/internal/fault"
)

// Command returns `cove client`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "client",
		Short: "Register profiles with MCP clients: Claude Code, Cursor, Codex, …",
		Long: `Register profiles with MCP clients. Agents get the tools of a profile in their next session.

Clients: ` + strings.Join(clients.Names(), ", ") + `.
Cove changes only its own entry in a client's file.`,
		Example: `  cove client add claude-code 1              in this folder
  cove client add cursor 1 --scope user      in every folder
  cove client list --check                   check that the entries work
  cove client remove all 1`},
		listCommand(env), addCommand(env), removeCommand(env), snippetCommand(env), bundleCommand(env))
}

// chosen returns the clients that a word of the command line means: the one with that name, or for "all" every client
// that has the scope. With installed it leaves out clients that this computer does not have.
func chosen(r *clients.Registry, word string, scope clients.Scope, installed bool) (list []clients.Client, err error) {
	if word != "all" {
		one, err := clients.Find(word)
		return []clients.Client{one}, err
	}
	if scope != "" && scope != clients.Local && scope != clients.Project && scope != clients.User {
		return nil, fault.Invalidf("%q is not a scope.", scope).
			WithHint(fault.Suggest(string(scope), clients.Local, clients.Project, clients.User) +
				"Use local, project or user.")
	}
	for _, one := range clients.Table() {
		if (scope == "" || slices.Contains(one.Scopes(), scope)) && (!installed || one.Installed(r.Env)) {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		which := "that Cove knows"
		if scope != "" {
			which = fmt.Sprintf("that have a %s scope", scope)
		}
		return nil, fault.New(fault.CodeNotInstalled, "None of the clients "+which+" was found on this computer.",
			"`cove client list` shows them.")
	}

	return list, nil
}

func addCommand(env *command.Env) *cobra.Command {
	var scope string
	var dry, skill bool
	var f entries.Flags
	cmd := &cobra.Command{
		Use:   "add CLIENT|all ID",
		Short: "Register a profile with a client",
		Long: `Add an entry for a profile to a client's file.

Without --scope, the entry applies to this folder only: scope local for Claude Code, project for other clients.
If a client has no such scope, the entry applies to all folders.

With --skill, agents of the client also learn to use cove page in their shell. The skill is for this folder if the entry
is the project's, and otherwise for this user. In the folder of an entry, cove page uses the same profile.`,
		Example: `  cove client add claude-code 1
  cove client add codex 1 --skill
  cove client add all work --scope user
  cove client add codex 1 --scope user --dry-run`,
		Args: command.Exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list, err := chosen(r, args[0], clients.Scope(scope), true)
			if err != nil {
				return err
			}
			x, err := entries.For(cmd, env, r, args[1], f)
			if err != nil {
				return err
			}
			if skill && args[0] != "all" {
				if err := list[0].CheckSkills(); err != nil {
					return err
				}
			}
			said := report{warning: clients.Warning(x.Profile), dry: dry}
			add := func(one clients.Client) ([]clients.Change, error) {
				where := scopeFor(env, one, scope)
				done, err := r.Add(cmd.Context(), one, where, x, dry)
				if err == nil && skill && one.Skills != nil {
					err = said.installSkill(cmd.Context(), r, one, done)
				}

				return done, err
			}

			return change(cmd.Context(), env, list, &said, add)
		},
	}

	cmd.Flags().StringVar(&scope, "scope", "", "local, project or user (default: this folder)")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	cmd.Flags().BoolVar(&skill, "skill", false, "also install the skill for cove page")
	f.Bind(cmd)
	return env.WithJSON(cmd)
}

// scopeFor returns the requested scope, or the client's usual one.
func scopeFor(env *command.Env, one clients.Client, asked string) clients.Scope {
	if asked != "" {
		return clients.Scope(asked)
	}
	usual := one.Scopes()[0]
	if usual == clients.User && !env.JSON {
		fmt.Fprintf(env.Out, "%s has no settings per folder, so this applies to all folders.\n", one.Title)
	}

	return usual
}

// report is what a command says beside its changes. With dry nothing was changed.
type report struct {
	warning string
	dry     bool
	skills  []clients.SkillChange
}

// installSkill installs the skill of a client that got an entry. In the folder of the entry, cove page uses the
// profile of the entry.
func (p *report) installSkill(
	ctx context.Context, r *clients.Registry, one clients.Client, done []clients.Change,
) error {
	scope := clients.User
	if done[0].Scope == clients.Project {
		scope = clients.Project
	}
	installed, err := r.InstallSkill(ctx, one, scope, clients.SkillOptions{Dry: p.dry})
	if err != nil {
		return err
	}
	p.skills = append(p.skills, installed)
	if !p.dry && done[0].Dir != "" {
		_, err = binding.Open(r.Home).Set(done[0].Dir, done[0].Entry.Profile)
	}

	return err
}

// changes is what --json prints.
type changes struct {
	api.MCPChanges
	Skills []api.SkillChange `json:"skills,omitempty"`
}

// change changes clients one after the other. It continues after a failure, and returns the first one.
func change(ctx context.Context, env *command.Env, list []clients.Client, said *report,
	do func(clients.Client) ([]clients.Change, error)) error {
	out := changes{MCPChanges: api.MCPChanges{Data: []api.MCPChange{}, Warning: said.warning}}
	var failed error
	for _, one := range list {
		done, err := do(one)
		for _, d := range done {
			out.Data = append(out.Data, d.API())
			if !env.JSON {
				entries.ShowChange(env.Out, d, said.dry)
			}
		}
		if err != nil && failed != nil {
			_, text, hint := exit.Explain(err, true)
			env.Advise(env.Err, "%s: %s %s", one.Name, text, hint)
		}
		if failed == nil {
			failed = err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if failed != nil && len(out.Data) == 0 {
		return failed
	}
	for _, d := range said.skills {
		out.Skills = append(out.Skills, d.API())
	}
	if env.JSON {
		if err := env.Print(out, nil); err != nil {
			return err
		}
		return failed
	}

	entries.ShowSkillChanges(env.Out, said.skills, said.dry)
	if said.warning != "" && !said.dry {
		fmt.Fprintln(env.Out, said.warning)
	}

	return failed
}

func removeCommand(env *command.Env) *cobra.Command {
	var what clients.Removal
	var scope string
	var dry bool
	cmd := &cobra.Command{
		Use:   "remove CLIENT|all ID",
		Short: "Remove a profile from a client",
		Long: `Remove a profile's entries from a client's files: those for this folder and those for all folders.
This restores the file to what it was before the entry was added.`,
		Args: command.Exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list, err := chosen(r, args[0], clients.Scope(scope), false)
			if err != nil {
				return err
			}
			if what.Profile, err = command.DialProfileID(cmd.Context(), args[1],
				func(context.Context) (*api.Client, error) { return env.Client() }); err != nil {
				return err
			}
			what.Scope = clients.Scope(scope)
			count := 0
			remove := func(one clients.Client) ([]clients.Change, error) {
				done, err := r.Remove(cmd.Context(), one, what, dry)
				count += len(done)
				return done, err
			}
			err = change(cmd.Context(), env, list, &report{dry: dry}, remove)
			if err == nil && count == 0 {
				return nothingToRemove(r, list, what)
			}

			return err
		},
	}

	cmd.Flags().StringVar(&scope, "scope", "", "only in this scope: local, project or user")
	cmd.Flags().StringVar(&what.Name, "name", "", "only the server of this name")
	cmd.Flags().BoolVar(&what.Everywhere, "everywhere", false, "also in other folders")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	return env.WithJSON(cmd)
}

func nothingToRemove(r *clients.Registry, list []clients.Client, what clients.Removal) error {
	who := "No client has"
	if len(list) == 1 {
		who = list[0].Title + " has no"
	}
	hint := "`cove client list` shows the entries."
	for _, s := range r.States() {
		for _, f := range s.Found {
			if f.Entry.Profile == what.Profile && (len(list) > 1 || s.Client.Name == list[0].Name) &&
				!what.Everywhere && f.Dir != "" {
				hint = "There is one in " + f.Dir + ". Run this command there, or add --everywhere."
			}
		}
	}
	text := fmt.Sprintf("%s entry for profile %d here.", who, what.Profile)
	if len(list) > 1 {
		text = fmt.Sprintf("%s an entry for profile %d here.", who, what.Profile)
	}

	return fault.New(fault.CodeNoEntry, text, hint)
}
