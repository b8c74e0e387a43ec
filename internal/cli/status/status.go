// Package status has the commands that say how the app is: status, doctor, logs and version.
package status

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
)

// Status returns `cove status`.
func Status(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "status", Short: "Show the app, its port, the login and the open profiles", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			s, err := client.Status(cmd.Context())
			if err != nil {
				return err
			}

			return env.Print(s, func(w io.Writer) {
				writeStatus(env, w, s, func(o api.OpenProfile) (state, mode string) {
					return command.StateAndMode(cmd.Context(), client, o.ID, o.State, o.Mode)
				})
			})
		},
	})
}

func writeStatus(env *command.Env, w io.Writer, s api.Status, words func(api.OpenProfile) (state, mode string)) {
	port := fmt.Sprint(s.APIPort)
	if s.PortReason != "" {
		port += " (" + s.PortReason + ")"
	}
	login := "nobody is logged in; log in with: cove login --owner"
	if s.LoggedIn {
		login = s.Account + ", plan " + s.Plan
	}
	fmt.Fprintf(w, "Cove %s is running.\n  API port  %s\n", s.Version, port)
	if s.AdsPowerPort != 0 {
		fmt.Fprintf(w, "  AdsPower  %d\n", s.AdsPowerPort)
	}
	if s.AdsPowerProblem != "" {
		fmt.Fprintf(w, "  AdsPower  off: %s\n", s.AdsPowerProblem)
	}
	fmt.Fprintf(w, "  Data      %s\n", s.Home)
	env.Advise(w, "  Account   %s", login)
	if s.Panic {
		env.Advise(w, "  Agents    all agents are blocked; allow them again with: cove panic --undo")
	}
	if len(s.Open) == 0 {
		env.Advise(w, "  Open      no profile; open one with: cove start ID")
		return
	}
	fmt.Fprintf(w, "  Open      %d\n\n", len(s.Open))
	t := command.Table(w, "ID", "NAME", "STATE", "MODE")
	for _, o := range s.Open {
		state, mode := words(o)
		command.Row(t, fmt.Sprint(o.ID), o.Name, state, mode)
	}
	_ = t.Flush()
}
