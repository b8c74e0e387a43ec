package command

import (
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// Exactly is cobra.ExactArgs with the usage in its error.
func Exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return exit.Usagef(cmd, "expected %s", strings.TrimPrefix(cmd.UseLine(), "cove "))
	}
}

// Group makes cmd a command that only has subcommands. Alone it shows its help, and it refuses unknown words.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return Unknown(cmd, args[0])
		}
		return cmd.Help()
	}

	return cmd
}

// Unknown refuses a word that is not a subcommand of cmd.
func Unknown(cmd *cobra.Command, word string) error {
	var names []string
	for _, one := range cmd.Commands() {
		if !one.Hidden {
			names = append(names, one.Name())
		}
	}

	return fault.Invalidf("Unknown command %q for %q.", word, cmd.CommandPath()).
		WithHint(fault.Suggest(word, names...) + "See: " + cmd.CommandPath() + " --help")
}
