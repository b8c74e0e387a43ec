// Package skills has `cove skills`, which gives agents in a shell their guide to `cove page`.
package skills

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/skill"
)

// Command returns `cove skills`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "skills",
		Short: "Teach agents in a shell to use cove page",
		Long: `Install the skill, a short guide to cove page, where agents look for skills: Claude Code, Codex,
Gemini CLI, Qwen Code, opencode, Copilot CLI, Cursor, Amp. An agent with a shell needs no MCP entry then.

Cove changes and removes only files that it has written itself.`,
		Example: `  cove skills install                              for every client of this computer
  cove skills install codex --profile 1            in this folder, whose agents use profile 1
  cove skills check
  cove skills get cove --ref login`},
		listCommand(env), getCommand(env), installCommand(env), removeCommand(env), checkCommand(env))
}

// guide is a skill as `cove skills list --json` prints it.
type guide struct {
	Name        string   `json:"name"`
	Number      int      `json:"number"`
	Description string   `json:"description"`
	References  []string `json:"references"`
}

func listCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "list", Short: "List the skills and their references", Args: command.Exactly(0),
		RunE: func(*cobra.Command, []string) error {
			list := []guide{}
			for _, s := range skill.All() {
				one := guide{Name: s.Name, Number: s.Number, Description: s.Description}
				for _, r := range s.References {
					one.References = append(one.References, r.Name)
				}
				list = append(list, one)
			}

			return env.Print(list, func(w io.Writer) {
				for _, s := range skill.All() {
					fmt.Fprintf(w, "%s: %s\n", s.Name, s.Description)
					t := command.Columns(w)
					for _, r := range s.References {
						command.Row(t, "  --ref "+r.Name, r.Title)
					}
					_ = t.Flush()
				}
			})
		},
	})
}

func getCommand(env *command.Env) *cobra.Command {
	var reference string
	var all bool
	cmd := &cobra.Command{
		Use: "get NAME", Short: "Print a skill, or one of its references", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if all && reference != "" {
				return exit.Usagef(cmd, "--ref and --all exclude each other")
			}
			s, err := skill.Find(args[0])
			if err != nil {
				return err
			}
			texts := []string{s.Text}
			if reference != "" {
				one, err := s.Reference(reference)
				if err != nil {
					return err
				}
				texts = []string{one.Text}
			}
			for _, one := range s.References {
				if all {
					texts = append(texts, one.Text)
				}
			}
			fmt.Fprint(env.Out, strings.Join(texts, "\n"))

			return nil
		},
	}

	cmd.Flags().StringVar(&reference, "ref", "", "only this reference: login, debug, files or page-tools")
	cmd.Flags().BoolVar(&all, "all", false, "the skill and all references")
	return cmd
}
