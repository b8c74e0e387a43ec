// Package accounts has the commands about accounts, API tokens and the owner's PIN.
package accounts

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/account"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// Account returns `cove account`.
func Account(env *command.Env) *cobra.Command {
	cmd := env.WithJSON(&cobra.Command{Use: "account", Short: "Show who is logged in; add accounts and change plans",
		Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			return showMe(env, cmd, client)
		}})
	cmd.AddCommand(accountAdd(env), accountList(env), accountSetPlan(env))
	return cmd
}

func accountAdd(env *command.Env) *cobra.Command {
	var plan string
	cmd := &cobra.Command{Use: "add EMAIL", Short: "Add an account (asks for its password)", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			if err := checkNew(cmd, client, args[0], plan); err != nil {
				return err
			}
			prompt := "Password for " + args[0] + " (8 characters or more): "
			password, err := promptPassword(env, cmd, client, args[0], prompt)
			if err != nil {
				return err
			}
			var me api.Me
			if err := client.Do(cmd.Context(), "POST", "/accounts",
				api.NewAccount{Email: args[0], Password: password, Plan: plan}, &me); err != nil {
				return err
			}

			return env.Print(me.Data, func(w io.Writer) {
				env.Advise(w, "Added %[1]s, plan %[2]s. Log in with: cove login %[1]s", me.Data.Email, me.Data.Plan)
			})
		}}
	cmd.Flags().StringVar(&plan, "plan", "solo", "free, solo or team")
	return env.WithJSON(cmd)
}

// checkNew refuses an account that no password could make valid, before anybody types one.
func checkNew(cmd *cobra.Command, client *api.Client, email, plan string) error {
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
			return fault.New(fault.CodeAccountExists, "The account "+a.Email+" already exists.",
				"Log in with: cove login "+a.Email)
		}
	}

	return nil
}

func accountList(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "list", Short: "List the accounts", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			var all api.Accounts
			if err := client.Do(cmd.Context(), "GET", "/accounts", nil, &all); err != nil {
				return err
			}

			return env.Print(all.Data, func(w io.Writer) {
				t := command.Table(w, "EMAIL", "PLAN")
				for _, a := range all.Data {
					command.Row(t, a.Email, a.Plan)
				}
				_ = t.Flush()
			})
		}})
}

func accountSetPlan(env *command.Env) *cobra.Command {
	var email string
	cmd := &cobra.Command{Use: "set-plan PLAN", Short: "Change a plan: free, solo or team", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			var me api.Me
			if err := client.Do(cmd.Context(), "POST", "/accounts/plan", api.PlanChange{Email: email, Plan: args[0]},
				&me); err != nil {
				return err
			}

			return env.Print(me.Data, func(w io.Writer) {
				fmt.Fprintf(w, "%s is now on the %s plan.\n", me.Data.Email, me.Data.Plan)
			})
		}}
	cmd.Flags().StringVar(&email, "account", "", "email of the account (default: the one logged in)")
	return env.WithJSON(cmd)
}
