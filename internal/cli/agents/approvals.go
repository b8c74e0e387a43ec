package agents

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
)

// Approvals returns `cove approvals`.
func Approvals(env *command.Env) *cobra.Command {
	list := func(cmd *cobra.Command, _ []string) error {
		client, err := env.Client()
		if err != nil {
			return err
		}
		a, err := client.Approvals(cmd.Context())
		if err != nil {
			return err
		}

		return env.Print(a.Data, func(w io.Writer) { writeApprovals(env, w, a.Data) })
	}
	var always bool
	approve := &cobra.Command{Use: "approve ID", Short: "Approve a request", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return decide(env, cmd, args[0], api.Decision{Allow: true, Always: always})
		}}
	approve.Flags().BoolVar(&always, "always", false,
		"also approve further requests of this kind until the agent disconnects")
	cmd := env.WithJSON(&cobra.Command{Use: "approvals", Short: "List, approve and deny agents’ requests",
		Args: command.Exactly(0),
		RunE: list,
		Example: `  cove approvals
  cove approvals approve 3-4711
  cove approvals refuse 3-4711`})
	cmd.AddCommand(env.WithJSON(&cobra.Command{Use: "list", Short: "List agents' requests", Args: command.Exactly(0),
		RunE: list}), approve,
		&cobra.Command{Use: "refuse ID", Short: "Deny a request", Args: command.Exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return decide(env, cmd, args[0], api.Decision{})
			}})
	return cmd
}

func decide(env *command.Env, cmd *cobra.Command, id string, d api.Decision) error {
	client, err := env.Client()
	if err != nil {
		return err
	}
	if err := client.Decide(cmd.Context(), id, d); err != nil {
		return err
	}
	answer := "Denied."
	if d.Allow {
		answer = "Approved."
	}
	fmt.Fprintln(env.Out, answer)
	return nil
}

func writeApprovals(env *command.Env, w io.Writer, all []api.Approval) {
	if len(all) == 0 {
		fmt.Fprintln(w, "No pending requests.")
		return
	}
	for _, a := range all {
		fmt.Fprintf(w, "%s  profile %d, %s: %s\n", a.ID, a.Profile, a.Agent.Name, a.What)
		fmt.Fprintf(w, "    %s  (%s)\n", a.Page, a.Class)
	}
	env.Advise(w, "\nAnswer with: cove approvals approve %[1]s, or: cove approvals refuse %[1]s", all[0].ID)
}
