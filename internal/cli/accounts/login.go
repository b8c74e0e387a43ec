package accounts

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/account"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
)

// Login returns `cove login`.
func Login(env *command.Env) *cobra.Command {
	var token string
	var owner bool
	cmd := &cobra.Command{
		Use:   "login [EMAIL]",
		Short: "Log in with a password, with a token or as the owner",
		Example: `  cove login --owner
  cove login me@example.com          asks for the password
  cove login --token cove_…`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			switch {
			case owner:
				token = client.Token
				fallthrough
			case token != "":
				err = client.Do(cmd.Context(), "POST", "/auth/login-with-token", api.TokenLogin{Token: token}, nil)
			case len(args) == 1:
				var password string
				if password, err = promptPassword(env, cmd, client, args[0], "Password: "); err == nil {
					err = client.Do(cmd.Context(), "POST", "/auth/login", api.Login{Email: args[0], Password: password},
						nil)
				}
			default:
				err = exit.Usagef(cmd, "expected an email, --token or --owner")
			}
			if err != nil {
				return err
			}

			return showMe(env, cmd, client)
		},
	}

	cmd.Flags().StringVar(&token, "token", "", "an API token")
	cmd.Flags().BoolVar(&owner, "owner", false, "log in as the owner, using owner.token")
	return env.WithJSON(cmd)
}

// Logout returns `cove logout`.
func Logout(env *command.Env) *cobra.Command {
	return &cobra.Command{Use: "logout", Short: "Log out (open profiles stay open)", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			if err := client.Do(cmd.Context(), "POST", "/auth/logout", nil, nil); err != nil {
				return err
			}
			env.Advise(env.Out, "Logged out. Log in again with: cove login --owner")
			return nil
		}}
}

func showMe(env *command.Env, cmd *cobra.Command, client *api.Client) error {
	var me api.Me
	if err := client.Do(cmd.Context(), "GET", "/auth/me", nil, &me); err != nil {
		return err
	}
	return env.Print(me.Data, func(w io.Writer) {
		fmt.Fprintf(w, "Logged in as %s, plan %s.\n", me.Data.Email,
			me.Data.Plan)
	})
}

// promptPassword asks for a password last: it first checks the email, and that the app answers.
func promptPassword(env *command.Env, cmd *cobra.Command, client *api.Client, email, prompt string) (string, error) {
	if err := account.CheckEmail(email); err != nil {
		return "", err
	}
	if _, err := client.Status(cmd.Context()); err != nil {
		return "", err
	}

	return env.PromptHidden("password", prompt)
}
