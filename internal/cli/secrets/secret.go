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
	"cove/internal/secret"
)

// Command returns `cove secret`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "secret", Short: "Manage secrets that agents can use but not read",
		Long: `Save passwords for agents. An agent fills in {{secret:NAME}}, and Cove types the value.
It does so only on the secret's site.

The value is read from a hidden prompt or from standard input. It is never an argument.`,
		Example: `  cove secret set mail --profile work --site https://mail.example.com
  cove secret list --profile work
  cove secret remove mail --profile work`},
		setCommand(env), listCommand(env), removeCommand(env))
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

func setCommand(env *command.Env) *cobra.Command {
	var site string
	cmd := ofProfile(env, &cobra.Command{Use: "set NAME --profile ID --site ORIGIN",
		Short: "Save a secret (asks for its value)", Args: command.Exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error {
			if site == "" {
				return exit.Usagef(cmd, "expected --site ORIGIN, the only site where Cove types the secret")
			}
			// Check everything else before anybody types the secret.
			if _, err := secret.Check(args[0], site); err != nil {
				return err
			}
			if _, err := client.Secrets(cmd.Context(), id); err != nil {
				return err
			}
			value, err := env.PromptHidden("value", "Value of "+args[0]+" (not shown): ")
			if err != nil {
				return err
			}
			if err := client.SetSecret(cmd.Context(), id,
				api.NewSecret{Name: args[0], Site: site, Value: value}); err != nil {
				return err
			}
			fmt.Fprintf(env.Out, "Saved. Agents use {{secret:%s}}; Cove types it only on %s.\n", args[0], site)
			return nil
		})
	cmd.Flags().StringVar(&site, "site", "", "the only site where Cove types it, such as https://mail.example.com")
	return cmd
}

func listCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(ofProfile(env, &cobra.Command{Use: "list --profile ID",
		Short: "List the secrets, without their values", Args: command.Exactly(0)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, _ []string) error {
			all, err := client.Secrets(cmd.Context(), id)
			if err != nil {
				return err
			}
			return env.Print(all.Data, func(w io.Writer) {
				if len(all.Data) == 0 {
					env.Advise(w, "No secrets. Set one with: cove secret set NAME --profile ID --site ORIGIN")
					return
				}
				t := command.Table(w, "NAME", "SITE", "SET")
				for _, s := range all.Data {
					command.Row(t, s.Name, s.Site, s.SetAt.Local().Format("2006-01-02 15:04"))
				}
				_ = t.Flush()
			})
		}))
}

func removeCommand(env *command.Env) *cobra.Command {
	return ofProfile(env, &cobra.Command{Use: "remove NAME --profile ID", Short: "Delete a secret",
		Args: command.Exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error {
			if err := client.RemoveSecret(cmd.Context(), id, args[0]); err != nil {
				return err
			}
			fmt.Fprintln(env.Out, "Secret deleted.")
			return nil
		})
}
