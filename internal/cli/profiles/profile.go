// Package profiles has `cove profile`.
package profiles

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Command returns `cove profile`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "profile", Short: "Create, list, edit and delete profiles",
		Example: `  cove profile create work --tag mail --start-page https://mail.example.com
  cove profile create shop --proxy socks5://login:password@proxy.example:1080 --timezone Europe/Berlin
  cove profile list --search mail
  cove profile edit work --notes 'the office account'
  cove profile delete work`},
		createCommand(env), listCommand(env), showCommand(env), editCommand(env), cloneCommand(env), deleteCommand(env),
		restoreCommand(env))
}

func createCommand(env *command.Env) *cobra.Command {
	var f fields
	var count int
	cmd := &cobra.Command{Use: "create NAME", Short: "Create a profile, or several", Args: command.Exactly(1),
		Example: `  cove profile create work
  cove profile create shop --count 20        creates "shop 1" to "shop 20"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := f.input(cmd)
			if err != nil {
				return err
			}
			in.Name = &args[0]
			client, err := env.Client()
			if err != nil {
				return err
			}
			if in.Status, err = f.findStatus(cmd, client); err != nil {
				return err
			}
			if cmd.Flags().Changed("count") {
				if count < 1 || count > api.MaxMass {
					return fault.Invalidf("You can create 1–%d profiles at a time.", api.MaxMass)
				}
				var made api.CreatedMany
				if err := client.Do(cmd.Context(), "POST", "/browser_profiles/mass",
					api.MassInput{Template: &in, Count: count}, &made); err != nil {
					return err
				}

				return env.Print(made.IDs,
					func(w io.Writer) {
						fmt.Fprintf(w, "Created %d profiles: %s\n", len(made.IDs), command.JoinIDs(made.IDs))
					})
			}
			p, err := client.Profiles().Create(cmd.Context(), in)
			if err != nil {
				return err
			}

			return env.Print(p, func(w io.Writer) {
				fmt.Fprintf(w, "Created profile %d, %s. ", p.ID, p.Name)
				env.Advise(w, "Open it with: cove start %d", p.ID)
			})
		}}
	f.bind(cmd)
	cmd.Flags().IntVar(&count, "count", 1, "create this many, numbered")
	return env.WithJSON(cmd)
}

func editCommand(env *command.Env) *cobra.Command {
	var f fields
	cmd := &cobra.Command{Use: "edit ID", Short: "Edit a profile; other settings are unchanged",
		Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		in, err := f.input(cmd)
		if err != nil {
			return err
		}
		if in.Status, err = f.findStatus(cmd, client); err != nil {
			return err
		}
		if in == (api.ProfileInput{}) {
			return exit.Usagef(cmd, "nothing to change")
		}
		p, err := client.Profiles().Edit(cmd.Context(), id, in)
		if err != nil {
			return err
		}

		return env.Print(p, func(w io.Writer) { fmt.Fprintf(w, "Updated profile %d.\n", p.ID) })
	})

	cmd.Flags().StringVar(&f.name, "name", "", "new name")
	f.bind(cmd)
	return env.WithJSON(cmd)
}

func cloneCommand(env *command.Env) *cobra.Command {
	var in api.CloneInput
	cmd := &cobra.Command{Use: "clone ID", Short: "Copy a profile's settings (with --data also its logins)",
		Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		p, err := client.Profiles().Clone(cmd.Context(), id, in)
		if err != nil {
			return err
		}
		return env.Print(p, func(w io.Writer) { fmt.Fprintf(w, "Created profile %d, %s.\n", p.ID, p.Name) })
	})

	cmd.Flags().StringVar(&in.Name, "name", "", `name of the copy (default: "NAME copy")`)
	cmd.Flags().BoolVar(&in.Data, "data", false, "also copy cookies, logins and extensions; the profile must be closed")
	return env.WithJSON(cmd)
}

func deleteCommand(env *command.Env) *cobra.Command {
	var forGood, trashed bool
	cmd := &cobra.Command{Use: "delete ID", Short: "Move a profile to the trash, or delete it permanently",
		Args: command.Exactly(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return env.OnProfile(trashed, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
			if err := client.Profiles().Delete(cmd.Context(), id, forGood); err != nil {
				return err
			}
			if err := env.Print(api.OK{Success: true}, func(w io.Writer) {
				if forGood {
					fmt.Fprintf(w, "Deleted profile %d and its data.\n", id)
					return
				}
				env.Advise(w, "Profile %d is in the trash. Restore it with: cove profile restore %d", id, id)
			}); err != nil {
				return err
			}

			return entries.OfferRemoval(cmd.Context(), env, id)
		})(cmd, args)
	}

	cmd.Flags().BoolVar(&forGood, "for-good", false,
		"delete it permanently, with all its logins; this cannot be undone")
	cmd.Flags().BoolVar(&trashed, "trash", false, "look the name up in the trash")
	return env.WithJSON(cmd)
}

func restoreCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "restore ID", Short: "Restore a profile from the trash", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(true, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		p, err := client.Profiles().Restore(cmd.Context(), id)
		if err != nil {
			return err
		}
		return env.Print(p, func(w io.Writer) { fmt.Fprintf(w, "Restored profile %d, %s.\n", p.ID, p.Name) })
	})

	return env.WithJSON(cmd)
}
