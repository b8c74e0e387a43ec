package secrets

import (
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/paths"
	"cove/internal/secret"
)

func keyCommand(env *command.Env) *cobra.Command {
	var to string
	cmd := &cobra.Command{Use: "key [--move keyring|file]", Short: "Show or move the key of all secrets",
		Args: command.Exactly(0),
		Long: `Show where the key is that all secrets are encrypted with: in the system's keyring, or in a file of the
data folder that only you can read. A new key goes into the keyring on Linux, where one is unlocked, and into the
file elsewhere. --move moves it; every secret stays as it is.

With the key in the keyring, a copy of the data folder does not open secrets. Agents can then use them only while
the keyring is unlocked.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := env.HomeDir()
			if err != nil {
				return err
			}
			keys := secret.NewHomeKeys(home)
			if cmd.Flags().Changed("move") {
				if err := moveKey(env, cmd, keys, to); err != nil {
					return err
				}
			}
			return showKey(env, home, keys)
		}}
	cmd.Flags().StringVar(&to, "move", "", "where the key goes: `keyring` or file")
	return cmd
}

func moveKey(env *command.Env, cmd *cobra.Command, keys *secret.HomeKeys, to string) error {
	if to != "keyring" && to != "file" {
		return exit.Usagef(cmd, "expected --move keyring or --move file")
	}
	client, err := env.Client()
	if err != nil {
		return err
	}
	if err := client.Do(cmd.Context(), http.MethodPost, "/pin/unlock", nil, nil); err != nil {
		return err
	}
	return keys.Move(to == "keyring")
}

func showKey(env *command.Env, home paths.Home, keys *secret.HomeKeys) error {
	inKeyring, exists, err := keys.InKeyring()
	switch {
	case err != nil:
		return err
	case inKeyring:
		fmt.Fprintln(env.Out, "The key of the secrets is in the system's keyring.")
	case exists:
		fmt.Fprintf(env.Out, "The key of the secrets is in the file %s.\n", home.SecretKey())
	default:
		fmt.Fprintln(env.Out, "There is no key yet. The first secret makes one.")
	}
	return nil
}
