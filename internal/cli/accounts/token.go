package accounts

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// Token returns `cove token`.
func Token(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "token", Short: "Create, list and revoke API tokens"},
		env.WithJSON(&cobra.Command{Use: "create NAME", Short: "Create a token (it is shown only once)",
			Args: command.Exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				client, err := env.Client()
				if err != nil {
					return err
				}
				var t api.TokenData
				if err := client.Do(cmd.Context(), "POST", "/tokens", api.NewToken{Name: args[0]}, &t); err != nil {
					return err
				}

				return env.Print(t.Data, func(w io.Writer) {
					fmt.Fprintf(w, "%s\n", t.Data.Token)
					fmt.Fprintln(env.Err, "Save it now: it is not shown again. Send it in the header Authorization: "+
						"Bearer TOKEN")
				})
			}}),
		env.WithJSON(&cobra.Command{Use: "list", Short: "List the tokens", Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return listTokens(cmd.Context(), env) }}),
		&cobra.Command{Use: "revoke NAME", Short: "Revoke a token", Args: command.Exactly(1),
			Long: "Revoke a token, so that it no longer works. NAME is its name, or its number in the list.",
			RunE: func(cmd *cobra.Command, args []string) error {
				client, err := env.Client()
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
				fmt.Fprintf(env.Out, "Revoked token %d, %s.\n", one.ID, one.Name)
				return nil
			}},
	)
}

// findToken returns the token with a number, or the only one with a name.
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

func listTokens(ctx context.Context, env *command.Env) error {
	client, err := env.Client()
	if err != nil {
		return err
	}
	var all api.Tokens
	if err := client.Do(ctx, "GET", "/tokens", nil, &all); err != nil {
		return err
	}

	return env.Print(all.Data, func(w io.Writer) {
		if len(all.Data) == 0 {
			env.Advise(w, "No tokens. Create one with: cove token create NAME")
			return
		}
		t := command.Table(w, "NUMBER", "NAME", "ACCOUNT", "LAST USED")
		for _, one := range all.Data {
			used := "never"
			if one.UsedAt != nil {
				used = one.UsedAt.Local().Format("2006-01-02 15:04")
			}
			command.Row(t, strconv.FormatInt(one.ID, 10), one.Name, one.Email, used)
		}
		_ = t.Flush()
	})
}
