// Package secrets has `cove secret`.
package secrets

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/profile"
)

// Command returns `cove secret`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "secret", Short: "Manage secrets that agents can use but not read",
		Long: `Save passwords and one-time codes for agents. An agent fills in {{secret:NAME}} or {{totp:NAME}}, and
Cove types the value or the code of the moment. It does so only on the secret's site.

The value is read from a hidden prompt or from standard input. It is never an argument.`,
		Example: `  cove secret set mail --profile work --site https://mail.example.com
  cove secret set mail-code --profile work --site https://mail.example.com --totp
  cove secret set shop --profile work --site https://shop.example.com --command 'op read op://work/shop/password'
  cove secret list --profile work
  cove secret code mail-code --profile work
  cove secret remove mail --profile work`},
		setCommand(env), listCommand(env), codeCommand(env), removeCommand(env), keyCommand(env))
}

// ofProfile adds the flag --profile and passes the profile's id to do.
func ofProfile(env *command.Env, cmd *cobra.Command,
	do func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error) *cobra.Command {
	profile := cmd.Flags().String("profile", "", "id or name of the profile")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *profile == "" {
			return exit.Usagef(cmd, "expected --profile ID")
		}
		client, err := env.Client()
		if err != nil {
			return err
		}
		id, err := command.ProfileID(cmd.Context(), client, *profile, false)
		if err != nil {
			return err
		}

		return do(cmd, client, id, args)
	}

	return cmd
}

func listCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(ofProfile(env, &cobra.Command{Use: "list --profile ID",
		Short: "List the secrets, without their values", Args: command.Exactly(0)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, _ []string) error {
			all, err := client.Secrets(id).List(cmd.Context())
			if err != nil {
				return err
			}
			return env.Print(all.Data, func(w io.Writer) {
				if len(all.Data) == 0 {
					env.Advise(w, "No secrets. Set one with: cove secret set NAME --profile ID --site ORIGIN")
					return
				}
				t := command.Table(w, "NAME", "KIND", "SITE", "SET")
				for _, s := range all.Data {
					command.Row(t, s.Name, s.Kind, s.Site, s.SetAt.Local().Format("2006-01-02 15:04"))
				}
				_ = t.Flush()
			})
		}))
}

func codeCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(ofProfile(env, &cobra.Command{Use: "code NAME --profile ID", Short: "Show a one-time code",
		Args: command.Exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error {
			code, err := client.Secrets(id).Code(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return env.Print(code.Data, func(w io.Writer) {
				fmt.Fprintf(w, "%s  (valid for %d s)\n", code.Data.Code, code.Data.Seconds)
			})
		}))
}

func removeCommand(env *command.Env) *cobra.Command {
	return ofProfile(env, &cobra.Command{Use: "remove NAME --profile ID", Short: "Delete a secret",
		Args: command.Exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error {
			if err := client.Secrets(id).Remove(cmd.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintln(env.Out, "Secret deleted.")
			return nil
		})
}
