package cli

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
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

func (c *config) takeoverCommand() *cobra.Command {
	var back bool
	cmd := &cobra.Command{Use: "takeover ID",
		Short: "Pause a profile’s agents while you work in it (--back resumes them)", Args: exactly(1),
		Example: `  cove takeover work
  cove takeover work --back`}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		if back {
			t, err := client.GiveBack(cmd.Context(), id)
			if err != nil {
				return err
			}
			return c.print(t, func(w io.Writer) {
				fmt.Fprintf(w, "The agents of profile %d go on. They are told: %s\n", id, t.Note)
			})
		}
		t, err := client.Takeover(cmd.Context(), id)
		if err != nil {
			return err
		}
		return c.print(t, func(w io.Writer) {
			where := "Its window is in front."
			if !t.Window {
				where = "It has no window: it was opened headless."
			}
			c.advise(w, "The agents of profile %d wait. %s Give it back with: cove takeover %d --back", id, where, id)
		})
	})
	cmd.Flags().BoolVar(&back, "back", false, "give the profile back to its agents")
	return c.withJSON(cmd)
}

func (c *config) panicCommand() *cobra.Command {
	var undo bool
	cmd := &cobra.Command{Use: "panic", Short: "Stop all agents and block them from every profile (--undo allows " +
		"them again)",
		Args: exactly(0),
		Long: `Disconnect all agents from every profile immediately. Profiles stay open for you.

Agents stay blocked until you undo it, also in profiles that you open later and after a restart.
This works even if the app is not running.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !undo {
				return c.panic(cmd.Context())
			}
			client, err := c.client()
			if err != nil {
				return err
			}
			p, err := client.Panic(cmd.Context(), false)
			if err != nil {
				return err
			}
			return c.print(p, func(w io.Writer) {
				fmt.Fprintln(w,
					"Agents may come in again, where a profile's policy lets them.")
			})
		}}
	cmd.Flags().BoolVar(&undo, "undo", false, "let agents in again")
	return c.withJSON(cmd)
}

// panic suspends all agents without the app first, because the app may be dead or hang. Then it tells the app.
func (c *config) panic(ctx context.Context) error {
	home, err := c.homeDir()
	if err != nil {
		return err
	}
	if _, err := os.Stat(string(home)); err != nil {
		return errNoApp()
	}
	done, err := suspendAll(ctx, home)
	answer := api.PanicData{Success: true, On: true, Profiles: done}
	if client, noApp := c.client(); noApp == nil {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if p, appErr := client.Panic(ctx, true); appErr == nil {
			answer, err = p, nil // the app has done the same again
		}
	}
	if err != nil {
		return err
	}
	return c.print(answer, func(w io.Writer) {
		c.advise(w, "Every agent is cut off, and kept out until: cove panic --undo")
		if n := len(answer.Profiles); n > 0 {
			fmt.Fprintf(w, "Open profiles that were told: %s\n", joinIDs(answer.Profiles))
		}
	})
}

func suspendAll(ctx context.Context, home paths.Home) (done []profile.ID, err error) {
	if err := suspend.Write(home); err != nil {
		return nil, err
	}
	ids, err := keeperclient.SuspendAll(ctx, home, true)
	done = append([]profile.ID{}, ids...) // a list in JSON, also when it is empty
	if err != nil {
		return done, fault.New(fault.CodePanicPartly,
			"Not every open profile could be reached: "+strings.TrimSuffix(err.Error(), ".")+".",
			"Close the profile, or end its browser.")
	}
	return done, nil
}
