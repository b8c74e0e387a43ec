package status

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/paths"
)

// Logs returns `cove logs`.
func Logs(env *command.Env) *cobra.Command {
	var count int
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the end of the app's log", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := readLogs(cmd.Context(), env, count)
			if err != nil {
				return err
			}
			return env.Print(l, func(w io.Writer) {
				for _, line := range l.Data {
					fmt.Fprintln(w, line)
				}
			})
		},
	}

	cmd.Flags().IntVarP(&count, "lines", "n", 100, "number of lines")
	return env.WithJSON(cmd)
}

// readLogs reads the log through the app, or from the file if the app is not running: that is when people need it most.
func readLogs(ctx context.Context, env *command.Env, count int) (api.LogLines, error) {
	if count < 1 || count > 10000 {
		return api.LogLines{}, fault.Invalidf("You can show 1–10,000 lines.")
	}
	var l api.LogLines
	if client, err := env.Client(); err == nil {
		err := client.Do(ctx, "GET", fmt.Sprintf("/logs?lines=%d", count), nil, &l)
		return l, err
	}
	home, err := env.HomeDir()
	if err != nil {
		return l, err
	}
	l.Path = home.AppLog()
	l.Data, err = paths.Tail(l.Path, count)
	if err != nil {
		return l, fault.New(fault.CodeNoLog, "There is no log at "+l.Path+" yet.", "The app creates one: cove up")
	}

	return l, nil
}
