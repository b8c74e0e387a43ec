package accounts

import (
	"fmt"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/fault"
)

// PIN returns `cove pin`.
func PIN(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "pin", Short: "Set, change or remove the owner's PIN",
		Long: `Cove asks for the PIN before agents get more access: to approve requests, to loosen a policy,
to lift a panic, to change settings and to open the window. Other programs running under your account
can read owner.token, but do not know the PIN.`},
		&cobra.Command{Use: "set", Short: "Set a PIN", Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return setPIN(env, cmd, false) }},
		&cobra.Command{Use: "change", Short: "Change the PIN", Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return setPIN(env, cmd, true) }},
		&cobra.Command{Use: "clear", Short: "Remove the PIN", Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error {
				client, err := env.Client()
				if err != nil {
					return err
				}
				if err := client.ClearPIN(cmd.Context()); err != nil {
					return err
				}
				fmt.Fprintln(env.Out, "PIN removed.")
				return nil
			}},
	)
}

func setPIN(env *command.Env, cmd *cobra.Command, change bool) error {
	client, err := env.Client()
	if err != nil {
		return err
	}
	have, err := client.PINData(cmd.Context())
	switch {
	case err != nil:
		return err
	case have.Set && !change:
		return fault.New(fault.CodePINSet, "A PIN is already set.", "Change it with: cove pin change")
	case !have.Set && change:
		return fault.New(fault.CodeNoPIN, "No PIN is set.", "Set one with: cove pin set")
	}
	if change { // as people expect, the old PIN comes first, and has to be correct
		if err := client.Do(cmd.Context(), "POST", "/pin/unlock", nil, nil); err != nil {
			return err
		}
	}
	pin, err := env.PromptHidden("PIN", "New PIN (4 characters or more): ")
	if err != nil {
		return err
	}
	if command.Terminal(env.In) != nil {
		again, err := env.PromptHidden("PIN", "Repeat the new PIN: ")
		if err != nil {
			return err
		}
		if again != pin {
			return fault.Invalidf("The PINs do not match.")
		}
	}
	if err := client.SetPIN(cmd.Context(), pin); err != nil {
		return err
	}
	fmt.Fprintln(env.Out, "PIN set. Cove asks for it before agents get more access.")
	return nil
}
