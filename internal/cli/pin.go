package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
)

// promptPIN asks for the owner's PIN, on the terminal or as a line of standard input. It is never an argument, which
// every program can read.
func (c *config) promptPIN(context.Context) (string, error) {
	pin, err := c.promptHidden("PIN", "Your PIN: ")
	if fault.KindOf(err) == fault.Invalid || (err == nil && pin == "") {
		return "", fault.New(fault.CodePINRequired, "This needs the owner's PIN.",
			"Run it on a terminal and type the PIN, or send it as a line on standard input.")
	}
	return pin, err
}

func (c *config) pinCommand() *cobra.Command {
	return group(&cobra.Command{Use: "pin", Short: "Set, change or remove the owner's PIN",
		Long: `Cove asks for the PIN before agents get more access: to approve requests, to loosen a policy,
to lift a panic, to change settings and to open the window. Other programs of yours can read owner.token, but do not know the PIN.`},
		&cobra.Command{Use: "set", Short: "Set a PIN", Args: exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return c.setPIN(cmd, false) }},
		&cobra.Command{Use: "change", Short: "Change the PIN", Args: exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return c.setPIN(cmd, true) }},
		&cobra.Command{Use: "clear", Short: "Remove the PIN", Args: exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error {
				client, err := c.client()
				if err != nil {
					return err
				}
				if err := client.ClearPIN(cmd.Context()); err != nil {
					return err
				}
				fmt.Fprintln(c.out, "There is no PIN any more.")
				return nil
			}},
	)
}

func (c *config) setPIN(cmd *cobra.Command, change bool) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	have, err := client.PINData(cmd.Context())
	switch {
	case err != nil:
		return err
	case have.Set && !change:
		return fault.New(fault.CodePINSet, "There is a PIN already.", "Change it with: cove pin change")
	case !have.Set && change:
		return fault.New(fault.CodeNoPIN, "There is no PIN yet.", "Set one with: cove pin set")
	}
	if change { // the old PIN comes first, as people expect, and has to be right before a new one is asked for
		if err := client.Do(cmd.Context(), "POST", "/pin/unlock", nil, nil); err != nil {
			return err
		}
	}
	pin, err := c.promptHidden("PIN", "New PIN (4 characters or more): ")
	if err != nil {
		return err
	}
	if terminal(c.in) != nil {
		again, err := c.promptHidden("PIN", "The same again: ")
		if err != nil {
			return err
		}
		if again != pin {
			return fault.Invalidf("The two PINs are not the same.")
		}
	}
	if err := client.SetPIN(cmd.Context(), pin); err != nil {
		return err
	}
	fmt.Fprintln(c.out, "The PIN is set. It is asked for before agents may do more than before.")
	return nil
}

func (c *config) approvalsCommand() *cobra.Command {
	list := func(cmd *cobra.Command, _ []string) error {
		client, err := c.client()
		if err != nil {
			return err
		}
		a, err := client.Approvals(cmd.Context())
		if err != nil {
			return err
		}
		return c.print(a.Data, func(w io.Writer) { c.writeApprovals(w, a.Data) })
	}
	var always bool
	approve := &cobra.Command{Use: "approve ID", Short: "Approve a request", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.decide(cmd, args[0], api.Decision{Allow: true, Always: always})
		}}
	approve.Flags().BoolVar(&always, "always", false,
		"and to whatever the same agent asks of the same kind until it leaves")
	cmd := c.withJSON(&cobra.Command{Use: "approvals", Short: "List, approve and deny agents’ requests",
		Args: exactly(0),
		RunE: list,
		Example: `  cove approvals
  cove approvals approve 3-4711
  cove approvals refuse 3-4711`})
	cmd.AddCommand(c.withJSON(&cobra.Command{Use: "list", Short: "List agents' requests", Args: exactly(0),
		RunE: list}), approve,
		&cobra.Command{Use: "refuse ID", Short: "Deny a request", Args: exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return c.decide(cmd, args[0], api.Decision{})
			}})
	return cmd
}

func (c *config) decide(cmd *cobra.Command, id string, d api.Decision) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	if err := client.Decide(cmd.Context(), id, d); err != nil {
		return err
	}
	said := "Refused."
	if d.Allow {
		said = "Approved."
	}
	fmt.Fprintln(c.out, said)
	return nil
}

func (c *config) writeApprovals(w io.Writer, all []api.Approval) {
	if len(all) == 0 {
		fmt.Fprintln(w, "No agent waits for an answer.")
		return
	}
	for _, a := range all {
		fmt.Fprintf(w, "%s  profile %d, %s: %s\n", a.ID, a.Profile, a.Agent.Name, a.What)
		fmt.Fprintf(w, "    %s  (%s)\n", a.Page, a.Class)
	}
	c.advise(w, "\nAnswer with: cove approvals approve %[1]s, or: cove approvals refuse %[1]s", all[0].ID)
}
