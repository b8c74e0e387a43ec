// Package settings has the commands about the settings of the app and the browsers of this computer.
package settings

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app/machine"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// Config returns `cove config`.
func Config(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "config", Short: "Show and change settings", Example: `  cove config list
  cove config set require_token true
  cove config set browser /usr/bin/chromium`},
		listCommand(env), getCommand(env), setCommand(env))
}

func listCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "list", Short: "List the settings", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := All(cmd.Context(), env)
			if err != nil {
				return err
			}

			return env.Print(all, func(w io.Writer) {
				t := command.Table(w, "SETTING", "VALUE", "DESCRIPTION")
				for _, s := range all {
					command.Row(t, s.Key, s.Value, s.About)
				}
				_ = t.Flush()
			})
		}})
}

func getCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "get SETTING", Short: "Show one setting", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := All(cmd.Context(), env)
			if err != nil {
				return err
			}

			var names []string
			for _, s := range all {
				if s.Key == args[0] {
					return env.Print(s, func(w io.Writer) { fmt.Fprintln(w, s.Value) })
				}
				names = append(names, s.Key)
			}
			return fault.New(fault.CodeNotFound, fmt.Sprintf("There is no setting %q.", args[0]),
				fault.Suggest(args[0], names...)+"`cove config list` shows the settings.")
		}})
}

func setCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "set SETTING VALUE", Short: "Change one setting", Args: command.Exactly(2),
		Long: "Change a setting. An empty value (\"\") restores the default.\n\nSettings:\n" + settingsHelp(),
		Example: `  cove config set api_port 3100
  cove config set adspower.port 50325
  cove config set browser /usr/bin/chromium
  cove config set browser ""
  cove config set require_token true`,
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			if args[0] == "browser" {
				args[1] = command.AbsolutePath(args[1])
			}

			var s api.Setting
			if err := client.Do(cmd.Context(), "PUT", "/settings/"+url.PathEscape(args[0]),
				api.Setting{Value: args[1]}, &s); err != nil {
				return err
			}
			return env.Print(s, func(w io.Writer) { fmt.Fprintf(w, "%s is now %q.\n", s.Key, s.Value) })
		}})
}

// settingsHelp explains every setting, one per line.
func settingsHelp() string {
	var text strings.Builder
	for _, s := range machine.SettingsHelp() {
		fmt.Fprintf(&text, "  %-14s %s\n", s.Key, s.About)
	}
	return strings.TrimRight(text.String(), "\n")
}

// All returns the settings of the running app.
func All(ctx context.Context, env *command.Env) ([]api.Setting, error) {
	client, err := env.Client()
	if err != nil {
		return nil, err
	}
	var all api.Settings
	err = client.Do(ctx, "GET", "/settings", nil, &all)
	return all.Data, err
}
