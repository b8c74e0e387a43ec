package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/secret"
)

func (c *config) secretCommand() *cobra.Command {
	return group(&cobra.Command{Use: "secret", Short: "Manage secrets that agents can use but not read",
		Long: `Save passwords for agents. An agent fills in {{secret:NAME}}, and Cove types the value.
It does so only on the secret's site.

The value is read from a hidden prompt or from standard input. It is never an argument.`,
		Example: `  cove secret set mail --profile work --site https://mail.example.com
  cove secret list --profile work
  cove secret remove mail --profile work`},
		c.secretSet(), c.secretList(), c.secretRemove())
}

// ofProfile adds the flag --profile and passes the profile's id to do.
func (c *config) ofProfile(cmd *cobra.Command,
	do func(cmd *cobra.Command, client *api.Client, id int32, args []string) error) *cobra.Command {
	profile := cmd.Flags().String("profile", "", "the profile's number or name")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *profile == "" {
			return usageError{fmt.Errorf("expected --profile ID"), cmd.CommandPath()}
		}
		client, err := c.client()
		if err != nil {
			return err
		}
		id, err := c.profileID(cmd, client, *profile, false)
		if err != nil {
			return err
		}
		return do(cmd, client, id, args)
	}
	return cmd
}

func (c *config) secretSet() *cobra.Command {
	var site string
	cmd := c.ofProfile(&cobra.Command{Use: "set NAME --profile ID --site ORIGIN",
		Short: "Save a secret (asks for its value)", Args: exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id int32, args []string) error {
			if site == "" {
				return usageError{fmt.Errorf("expected --site ORIGIN, the only site that it is typed on"),
					cmd.CommandPath()}
			}
			// Refuse what can be refused before anybody types the secret.
			if _, err := secret.Check(args[0], site); err != nil {
				return err
			}
			if _, err := client.Secrets(cmd.Context(), id); err != nil {
				return err
			}
			value, err := c.promptHidden("value", "Value of "+args[0]+" (not shown): ")
			if err != nil {
				return err
			}
			if err := client.SetSecret(cmd.Context(), id,
				api.NewSecret{Name: args[0], Site: site, Value: value}); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "Kept. Agents write {{secret:%s}}; it is typed on %s only.\n", args[0], site)
			return nil
		})
	cmd.Flags().StringVar(&site, "site", "", "the site that it is typed on, such as https://mail.example.com")
	return cmd
}

func (c *config) secretList() *cobra.Command {
	return c.withJSON(c.ofProfile(&cobra.Command{Use: "list --profile ID",
		Short: "List the secrets, without their values", Args: exactly(0)},
		func(cmd *cobra.Command, client *api.Client, id int32, _ []string) error {
			all, err := client.Secrets(cmd.Context(), id)
			if err != nil {
				return err
			}
			return c.print(all.Data, func(w io.Writer) {
				if len(all.Data) == 0 {
					c.advise(w, "No secrets. Set one with: cove secret set NAME --profile ID --site ORIGIN")
					return
				}
				t := table(w, "NAME", "SITE", "SET")
				for _, s := range all.Data {
					row(t, s.Name, s.Site, s.SetAt.Local().Format("2006-01-02 15:04"))
				}
				_ = t.Flush()
			})
		}))
}

func (c *config) secretRemove() *cobra.Command {
	return c.ofProfile(&cobra.Command{Use: "remove NAME --profile ID", Short: "Delete a secret", Args: exactly(1)},
		func(cmd *cobra.Command, client *api.Client, id int32, args []string) error {
			if err := client.RemoveSecret(cmd.Context(), id, args[0]); err != nil {
				return err
			}
			fmt.Fprintln(c.out, "Removed.")
			return nil
		})
}
