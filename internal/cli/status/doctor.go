package status

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app/machine"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// Doctor returns `cove doctor`.
func Doctor(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "doctor", Short: "Diagnose why profiles won't open", Args: command.Exactly(0),
		Long: `Check the browser, its sandbox, the display, the disk, the API port, the account, the data folders
and the entries in MCP clients. Each check is marked with ✓ or ✗. Without the app, fewer checks are made.

Exits 0 if every check passed and 1 if one needs attention.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := findings(cmd.Context(), env)
			if err != nil {
				return err
			}
			err = env.Print(found, func(w io.Writer) {
				for _, one := range found {
					mark := "✓"
					if !one.OK {
						mark = "✗"
					}
					fmt.Fprintf(w, "%s %-8s  %s\n", mark, one.Name, one.Text)
					if one.Hint != "" {
						env.Advise(w, "            %s", one.Hint)
					}
				}
			})
			if err != nil {
				return err
			}

			return needsAttention(found)
		},
	})
}

// needsAttention returns the error of checks that did not pass, or nil. The checks and their hints were printed before.
func needsAttention(found []api.Finding) error {
	var names []string
	for _, one := range found {
		if !one.OK {
			names = append(names, one.Name)
		}
	}
	verb := "need"
	switch len(names) {
	case 0:
		return nil
	case 1:
		verb = "needs"
	}

	return fault.New(fault.CodeDoctor, fmt.Sprintf("%d of %d checks %s attention: %s.", len(names), len(found), verb,
		strings.Join(names, ", ")), "")
}

// findings returns the checks of the app. If the app is not running, it makes those that need no app.
func findings(ctx context.Context, env *command.Env) ([]api.Finding, error) {
	client, noApp := env.Client()
	if noApp == nil {
		var f api.Findings
		err := client.Do(ctx, "GET", "/doctor", nil, &f)
		return f.Data, err
	}
	home, err := env.HomeDir()
	if err != nil {
		return nil, err
	}
	f := fault.From(noApp)
	return append([]api.Finding{{Name: "app", Text: f.Text, Hint: f.Hint}},
		machine.ExamineComputer(ctx, home, env.Browser)...), nil
}
