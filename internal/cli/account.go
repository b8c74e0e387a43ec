package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

func (c *config) loginCommand() *cobra.Command {
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
			client, err := c.client()
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
				if password, err = c.promptPassword(cmd, client, args[0], "Password: "); err == nil {
					err = client.Do(cmd.Context(), "POST", "/auth/login", api.Login{Email: args[0], Password: password},
						nil)
				}
			default:
				err = usageError{fmt.Errorf("expected an email, --token or --owner"), cmd.CommandPath()}
			}
			if err != nil {
				return err
			}
			return c.showMe(cmd, client)
		},
	}
	cmd.Flags().StringVar(&token, "token", "", "an API token")
	cmd.Flags().BoolVar(&owner, "owner", false, "the owner's account, by the file owner.token")
	return c.withJSON(cmd)
}

func (c *config) showMe(cmd *cobra.Command, client *api.Client) error {
	var me api.Me
	if err := client.Do(cmd.Context(), "GET", "/auth/me", nil, &me); err != nil {
		return err
	}
	return c.print(me.Data, func(w io.Writer) {
		fmt.Fprintf(w, "Logged in as %s, plan %s.\n", me.Data.Email,
			me.Data.Plan)
	})
}

func (c *config) logoutCommand() *cobra.Command {
	return &cobra.Command{Use: "logout", Short: "Log out (open profiles stay open)", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			if err := client.Do(cmd.Context(), "POST", "/auth/logout", nil, nil); err != nil {
				return err
			}
			c.advise(c.out, "Logged out. Log in again with: cove login --owner")
			return nil
		}}
}

func (c *config) accountCommand() *cobra.Command {
	cmd := c.withJSON(&cobra.Command{Use: "account", Short: "Show who is logged in; add accounts and change plans",
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			return c.showMe(cmd, client)
		}})
	cmd.AddCommand(c.accountAdd(), c.accountList(), c.accountSetPlan())
	return cmd
}

func (c *config) accountAdd() *cobra.Command {
	var plan string
	cmd := &cobra.Command{Use: "add EMAIL", Short: "Add an account (asks for its password)", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			if err := newAccount(cmd, client, args[0], plan); err != nil {
				return err
			}
			password, err := c.promptPassword(cmd, client, args[0], "Password for "+args[0]+" (8 characters or more): ")
			if err != nil {
				return err
			}
			var me api.Me
			if err := client.Do(cmd.Context(), "POST", "/accounts",
				api.NewAccount{Email: args[0], Password: password, Plan: plan}, &me); err != nil {
				return err
			}
			return c.print(me.Data, func(w io.Writer) {
				c.advise(w, "Added %s, plan %s. Log in with: cove login %s", me.Data.Email, me.Data.Plan, me.Data.Email)
			})
		}}
	cmd.Flags().StringVar(&plan, "plan", "solo", "free, solo or team")
	return c.withJSON(cmd)
}

// promptPassword asks for a password after everything else was checked: the email is valid, and the app answers.
func (c *config) promptPassword(cmd *cobra.Command, client *api.Client, email, prompt string) (string, error) {
	if err := account.CheckEmail(email); err != nil {
		return "", err
	}
	if _, err := client.Status(cmd.Context()); err != nil {
		return "", err
	}
	return c.promptHidden("password", prompt)
}

// newAccount refuses an account that could not be added with any password.
func newAccount(cmd *cobra.Command, client *api.Client, email, plan string) error {
	if err := account.CheckEmail(email); err != nil {
		return err
	}
	if _, err := account.ParsePlan(plan); err != nil {
		return err
	}
	var all api.Accounts
	if err := client.Do(cmd.Context(), "GET", "/accounts", nil, &all); err != nil {
		return err
	}
	for _, a := range all.Data {
		if strings.EqualFold(a.Email, strings.TrimSpace(email)) {
			return fault.New(fault.CodeAccountExists, "There is an account "+a.Email+" already.",
				"Log in with: cove login "+a.Email)
		}
	}
	return nil
}

func (c *config) accountList() *cobra.Command {
	return c.withJSON(&cobra.Command{Use: "list", Short: "List the accounts", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			var all api.Accounts
			if err := client.Do(cmd.Context(), "GET", "/accounts", nil, &all); err != nil {
				return err
			}
			return c.print(all.Data, func(w io.Writer) {
				t := table(w, "EMAIL", "PLAN")
				for _, a := range all.Data {
					row(t, a.Email, a.Plan)
				}
				_ = t.Flush()
			})
		}})
}

func (c *config) accountSetPlan() *cobra.Command {
	var email string
	cmd := &cobra.Command{Use: "set-plan PLAN", Short: "Change a plan: free, solo or team", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			var me api.Me
			if err := client.Do(cmd.Context(), "POST", "/accounts/plan", api.PlanChange{Email: email, Plan: args[0]},
				&me); err != nil {
				return err
			}
			return c.print(me.Data, func(w io.Writer) {
				fmt.Fprintf(w, "%s has the plan %s now.\n", me.Data.Email,
					me.Data.Plan)
			})
		}}
	cmd.Flags().StringVar(&email, "account", "", "whose (default: who is logged in)")
	return c.withJSON(cmd)
}

func (c *config) tokenCommand() *cobra.Command {
	return group(&cobra.Command{Use: "token", Short: "Create, list and revoke API tokens"},
		c.withJSON(&cobra.Command{Use: "create NAME", Short: "Create a token (it is shown only once)", Args: exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				client, err := c.client()
				if err != nil {
					return err
				}
				var t api.TokenData
				if err := client.Do(cmd.Context(), "POST", "/tokens", api.NewToken{Name: args[0]}, &t); err != nil {
					return err
				}
				return c.print(t.Data, func(w io.Writer) {
					fmt.Fprintf(w, "%s\n", t.Data.Token)
					fmt.Fprintln(c.err, "Keep it: it is not shown again. Send it as the header Authorization: Bearer "+
						"TOKEN")
				})
			}}),
		c.withJSON(&cobra.Command{Use: "list", Short: "List the tokens", Args: exactly(0), RunE: c.tokenList}),
		&cobra.Command{Use: "revoke NAME", Short: "Revoke a token", Args: exactly(1),
			Long: "Revoke a token, so that it no longer works. NAME is its name, or its number in the list.",
			RunE: func(cmd *cobra.Command, args []string) error {
				client, err := c.client()
				if err != nil {
					return err
				}
				one, err := findToken(cmd, client, args[0])
				if err != nil {
					return err
				}
				if err := client.Do(cmd.Context(), "DELETE", "/tokens/"+strconv.FormatInt(one.ID, 10), nil,
					nil); err != nil {
					return err
				}
				fmt.Fprintf(c.out, "Revoked token %d, %s.\n", one.ID, one.Name)
				return nil
			}},
	)
}

// findToken returns the token of that number, or the only one of that name.
func findToken(cmd *cobra.Command, client *api.Client, text string) (found api.Token, err error) {
	var all api.Tokens
	if err := client.Do(cmd.Context(), "GET", "/tokens", nil, &all); err != nil {
		return found, err
	}
	var named []api.Token
	var names, numbers []string
	for _, one := range all.Data {
		if strconv.FormatInt(one.ID, 10) == text {
			return one, nil
		}
		if one.Name == text {
			named, numbers = append(named, one), append(numbers, strconv.FormatInt(one.ID, 10))
		}
		names = append(names, one.Name)
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return found, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no token %q.", text),
			fault.Suggest(text, names...)+"`cove token list` shows the tokens.")
	}
	return found, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d tokens are named %q: %s.", len(named), text, strings.Join(numbers, ", ")),
		"Use the token's number.")
}

func (c *config) tokenList(cmd *cobra.Command, _ []string) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	var all api.Tokens
	if err := client.Do(cmd.Context(), "GET", "/tokens", nil, &all); err != nil {
		return err
	}
	return c.print(all.Data, func(w io.Writer) {
		if len(all.Data) == 0 {
			c.advise(w, "No tokens. Create one with: cove token create NAME")
			return
		}
		t := table(w, "NUMBER", "NAME", "ACCOUNT", "LAST USED")
		for _, one := range all.Data {
			used := "never"
			if one.UsedAt != nil {
				used = one.UsedAt.Local().Format("2006-01-02 15:04")
			}
			row(t, strconv.FormatInt(one.ID, 10), one.Name, one.Email, used)
		}
		_ = t.Flush()
	})
}
