package agents

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app/suspend"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Panic returns `cove panic`.
func Panic(env *command.Env) *cobra.Command {
	var undo bool
	cmd := &cobra.Command{Use: "panic", Short: "Stop all agents and block them from every profile (--undo allows " +
		"them again)",
		Args: command.Exactly(0),
		Long: `Disconnect all agents from every profile immediately. Profiles stay open for you.

Agents stay blocked until you undo it, also in profiles that you open later and after a restart.
This works even if the app is not running.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !undo {
				return stopAll(cmd.Context(), env)
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			p, err := client.Panic(cmd.Context(), false)
			if err != nil {
				return err
			}

			return env.Print(p, func(w io.Writer) {
				fmt.Fprintln(w,
					"Agents are allowed again, subject to each profile's policy.")
			})
		}}
	cmd.Flags().BoolVar(&undo, "undo", false, "allow agents again")
	return env.WithJSON(cmd)
}

// stopAll suspends all agents. It calls the keepers itself first, because the app may be dead or hang. Then it calls
// the app.
func stopAll(ctx context.Context, env *command.Env) error {
	home, err := env.HomeDir()
	if err != nil {
		return err
	}
	if _, err := os.Stat(string(home)); err != nil {
		return command.NotRunning()
	}
	done, err := suspendAll(ctx, home)
	answer := api.PanicData{Success: true, On: true, Profiles: done}
	if client, noApp := env.Client(); noApp == nil {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if p, appErr := client.Panic(ctx, true); appErr == nil {
			answer, err = p, nil // the app did the same again, and reached them all
		}
	}
	if err != nil {
		return err
	}

	return env.Print(answer, func(w io.Writer) {
		env.Advise(w, "All agents are blocked. Allow them again with: cove panic --undo")
		if n := len(answer.Profiles); n > 0 {
			fmt.Fprintf(w, "Open profiles that agents were disconnected from: %s\n", named(ctx, env, answer.Profiles))
		}
	})
}

// named lists profiles by their ids and names, and only by their ids if the app does not answer.
func named(ctx context.Context, env *command.Env, ids []profile.ID) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	list := command.JoinIDs(ids)
	client, err := env.Client()
	if err != nil {
		return list
	}
	var names []string
	for _, id := range ids {
		p, err := client.Profiles().Get(ctx, id)
		if err != nil {
			return list
		}
		names = append(names, p.Name)
	}
	return list + " (" + strings.Join(names, ", ") + ")"
}

func suspendAll(ctx context.Context, home paths.Home) (done []profile.ID, err error) {
	if err := suspend.Write(home); err != nil {
		return nil, err
	}
	ids, err := keeperclient.SuspendAll(ctx, home, true)
	done = append([]profile.ID{}, ids...) // not nil, so that it is a list in JSON
	if err != nil {
		return done, fault.New(fault.CodePanicPartly,
			"Not every open profile could be reached: "+strings.TrimSuffix(err.Error(), ".")+".",
			"Close the profile, or quit its browser.")
	}

	return done, nil
}
