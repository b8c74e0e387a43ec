// Package agents has the commands that control agents while they work: approvals, takeover and panic.
package agents

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/profile"
)

// Takeover returns `cove takeover`.
func Takeover(env *command.Env) *cobra.Command {
	var back bool
	cmd := &cobra.Command{Use: "takeover ID",
		Short: "Pause a profile’s agents while you work in it (--back resumes them)", Args: command.Exactly(1),
		Example: `  cove takeover work
  cove takeover work --back`}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		return setTakeover(cmd.Context(), env, client, id, back)
	})

	cmd.Flags().BoolVar(&back, "back", false, "hand the profile back to its agents")
	return env.WithJSON(cmd)
}

// setTakeover makes the agents of a profile wait, or hands it back to them.
func setTakeover(ctx context.Context, env *command.Env, c *api.Client, id profile.ID, back bool) error {
	if back {
		t, err := c.GiveBack(ctx, id)
		if err != nil {
			return err
		}
		return env.Print(t, func(w io.Writer) {
			fmt.Fprintf(w, "Agents in profile %d can continue.", id)
			if t.Note != "" {
				fmt.Fprint(w, " Message to agents: "+t.Note)
			}
			fmt.Fprintln(w)
		})
	}
	t, err := c.Takeover(ctx, id)
	if err != nil {
		return err
	}
	return env.Print(t, func(w io.Writer) {
		where := "Its window is in front."
		switch {
		case t.Window:
		case command.External(ctx, c, id) != nil:
			where = "Work in your own browser; Cove does not bring its windows to the front."
		default:
			where = "It has no window: it was opened headless."
		}
		env.Advise(w, "Agents in profile %d are paused. %s Hand it back with: cove takeover %[1]d --back", id, where)
	})
}
