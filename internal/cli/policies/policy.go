// Package policies has `cove policy`.
package policies

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/profile"
)

// Command returns `cove policy`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "policy", Short: "Show, change and test a profile’s agent permissions",
		Example: `  cove policy set work --preset guarded --allow https://*.example.com
  cove policy set work --block https://pay.example.com --right upload=no
  cove policy set work --preset off
  cove policy test work https://pay.example.com upload`},
		showCommand(env), setCommand(env), testCommand(env))
}

func showCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Show a profile’s agent permissions", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		p, err := client.Policy(id).Get(cmd.Context())
		if err != nil {
			return err
		}
		return env.Print(p, func(w io.Writer) { writePolicy(w, p) })
	})

	return env.WithJSON(cmd)
}

func writePolicy(w io.Writer, p api.PolicyData) {
	fmt.Fprintf(w, "Preset %s.\n", p.Data.Preset)
	for _, line := range p.Words {
		fmt.Fprintln(w, "  "+line)
	}
}

// Names returns presets or permissions as strings.
func Names[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, one := range list {
		all[i] = string(one)
	}
	return all
}
