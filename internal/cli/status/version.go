package status

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
)

// Version returns `cove version`.
func Version(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "version", Short: "Print the version", Args: command.Exactly(0),
		RunE: func(*cobra.Command, []string) error {
			return env.Print(map[string]string{"version": command.Version},
				func(w io.Writer) { fmt.Fprintln(w, "cove "+command.Version) })
		},
	})
}
