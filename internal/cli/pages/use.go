package pages

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/binding"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// useCommand returns `cove page use`.
func (r *runner) useCommand() *cobra.Command {
	var none bool
	cmd := &cobra.Command{Use: "use [ID]", Short: "Choose the profile of this folder, or show it",
		Long: `Choose the profile that commands in this folder use. In a repository the choice is for all of it.
The choice is in Cove's data folder, not in a file of the project.`,
		Example: `  cove page use work
  cove page use                               show it
  cove page use --none                        forget it`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&none, "none", false, "forget this folder's profile")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		home, err := r.env.HomeDir()
		if err != nil {
			return err
		}
		cwd, err := os.Getwd()
		if err != nil {
			return err
		}
		all := binding.Open(home)
		switch {
		case none && len(args) > 0:
			return exit.Usagef(cmd, "expected page use ID, or page use --none")
		case none:
			at, err := all.Remove(cwd)
			if err == nil && at == "" {
				fmt.Fprintln(r.env.Out, "This folder has no profile.")
			} else if err == nil {
				fmt.Fprintf(r.env.Out, "%s has no profile now.\n", at)
			}
			return err
		case len(args) == 0:
			return r.showBinding(all, cwd)
		}
		return r.bind(cmd.Context(), all, cwd, args[0])
	}
	return cmd
}

func (r *runner) showBinding(all *binding.Bindings, cwd string) error {
	id, at, ok, err := all.Of(cwd)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.CodeNotFound, "This folder has no profile.", "Choose one: cove page use ID")
	}
	fmt.Fprintf(r.env.Out, "%s uses profile %d.\n", at, id)
	return nil
}

// bind binds a folder to a profile that there is.
func (r *runner) bind(ctx context.Context, all *binding.Bindings, cwd, word string) error {
	client, err := r.env.ClientOrStart(ctx, true)
	if err != nil {
		return err
	}
	id, err := command.ProfileID(ctx, client, word, false)
	if err != nil {
		return err
	}
	p, err := client.Profiles().Get(ctx, id)
	if err != nil {
		return err
	}
	at, err := all.Set(cwd, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.env.Out, "%s uses profile %d (%s) now.\n", at, id, oneLine(p.Name))
	return nil
}

// secretsCommand returns `cove page secrets`.
func (r *runner) secretsCommand() *cobra.Command {
	return &cobra.Command{Use: "secrets", Short: "List the secrets that Cove can type for you, without their values",
		Example: "  cove page secrets", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := connect(cmd.Context(), r.env, r.profile)
			if err != nil {
				return err
			}
			client, err := r.env.ClientOrStart(cmd.Context(), true)
			if err != nil {
				return err
			}
			all, err := client.Secrets(c.id).List(cmd.Context())
			if err != nil {
				return err
			}
			return r.printSecrets(all)
		}}
}

func (r *runner) printSecrets(all api.Secrets) error {
	if r.env.JSON {
		return r.env.Print(all.Data, nil)
	}
	for _, s := range all.Data {
		mark := "secret"
		if s.Kind == "totp" {
			mark = "totp"
		}
		fmt.Fprintf(r.env.Out, "{{%s:%s}} %s\n", mark, s.Name, s.Site)
	}
	if len(all.Data) == 0 {
		r.env.Advise(r.env.Out, "No secrets. The person can set one: cove secret set NAME --profile ID --site ORIGIN")
	}
	return nil
}
