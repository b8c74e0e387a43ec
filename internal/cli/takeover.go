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
	"cove/internal/app"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/paths"
)

func (c *config) takeoverCommand() *cobra.Command {
	var back bool
	cmd := &cobra.Command{Use: "takeover ID", Short: "Make the agents of a profile wait while you work in it; --back gives it back", Args: exactly(1),
		Example: `  cove takeover work
  cove takeover work --back`}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		if back {
			t, err := client.GiveBack(cmd.Context(), id)
			if err != nil {
				return err
			}
			return c.print(t, func(w io.Writer) {
				fmt.Fprintf(w, "The agents of profile %d go on. They are told: %s\n", id, t.Note)
			})
		}
		t, err := client.TakeOver(cmd.Context(), id)
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
	cmd := &cobra.Command{Use: "panic", Short: "Cut every agent off from every profile at once, and keep them out; --undo lets them in again", Args: exactly(0),
		Long: `Cut every agent off from every profile at once. Profiles stay open for you.

Agents are kept out until you undo it: also from profiles that are opened later, and after a restart. It works when the app is not running.`,
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
			return c.print(p, func(w io.Writer) { fmt.Fprintln(w, "Agents may come in again, where a profile's policy lets them.") })
		}}
	cmd.Flags().BoolVar(&undo, "undo", false, "let agents in again")
	return c.withJSON(cmd)
}

// panic does it without the app first, which may be dead or hang, and then tells the app.
func (c *config) panic(ctx context.Context) error {
	home, err := c.homeDir()
	if err != nil {
		return err
	}
	if _, err := os.Stat(string(home)); err != nil {
		return errNoApp()
	}
	done, err := cutAll(ctx, home)
	told := api.PanicData{Success: true, On: true, Profiles: done}
	if client, noApp := c.client(); noApp == nil {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if p, appErr := client.Panic(ctx, true); appErr == nil {
			told, err = p, nil // it has done the same again
		}
	}
	if err != nil {
		return err
	}
	return c.print(told, func(w io.Writer) {
		c.advise(w, "Every agent is cut off, and kept out until: cove panic --undo")
		if n := len(told.Profiles); n > 0 {
			fmt.Fprintf(w, "Open profiles that were told: %s\n", joinIDs(told.Profiles))
		}
	})
}

func cutAll(ctx context.Context, home paths.Home) (done []int32, err error) {
	if err := app.WritePanic(home); err != nil {
		return nil, err
	}
	ids, err := keeper.SuspendAll(ctx, home, true)
	done = make([]int32, 0, len(ids))
	for _, id := range ids {
		done = append(done, int32(id))
	}
	if err != nil {
		return done, fault.New(fault.Unavailable, "E_PANIC_PARTLY", "Not every open profile could be reached: "+strings.TrimSuffix(err.Error(), ".")+".", "Close the profile, or end its browser.")
	}
	return done, nil
}
