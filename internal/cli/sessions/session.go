// Package sessions has the commands that open and close profiles: start, stop and running.
package sessions

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/profile"
)

// Start returns `cove start`.
func Start(env *command.Env) *cobra.Command {
	var o api.StartOptions
	cmd := &cobra.Command{
		Use:   "start ID",
		Short: "Open a profile, by hand or for scripts and agents",
		Long: `Open a profile. ID is its number or its name.

Without --automation it opens as an ordinary browser: for you, to log in and work.
With --automation scripts and agents can drive it; the port is printed.`,
		Example: `  cove start 1
  cove start work --automation --headless`,
		Args: command.Exactly(1),
	}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		s, err := client.Start(cmd.Context(), id, o)
		if err != nil {
			return err
		}
		return env.Print(s, func(w io.Writer) {
			if open, err := client.Running(cmd.Context()); err == nil && !o.Headless &&
				open[id.String()].Headless {
				defer fmt.Fprintln(w, "It has no window: the app has no display.")
			}
			if s.Automation == nil {
				fmt.Fprintf(w, "Profile %d is open.\n", id)
				return
			}
			fmt.Fprintf(w, "Profile %d is open for automation.\n  Port       %d\n  Puppeteer  browserURL: "+
				"http://127.0.0.1:%d\n  WebSocket  %s\n", id, s.Automation.Port, s.Automation.Port,
				s.Automation.WebSocketDebuggerURL)
		})
	})

	cmd.Flags().BoolVar(&o.Automation, "automation", false, "let scripts and agents drive it")
	cmd.Flags().BoolVar(&o.Headless, "headless", false, "without a window")
	cmd.Flags().BoolVar(&o.NoTabs, "no-tabs", false, "one blank page instead of the last tabs or the start pages")
	return env.WithJSON(cmd)
}

// Stop returns `cove stop`.
func Stop(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "stop ID", Short: "Close a profile (nothing is lost)", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		external := command.External(cmd.Context(), client, id)
		if err := client.Stop(cmd.Context(), id); err != nil {
			return err
		}
		return env.Print(api.OK{Success: true}, func(w io.Writer) {
			switch {
			case external == nil:
				fmt.Fprintf(w, "Profile %d is closed.\n", id)
			case external.State == "closed":
				env.Advise(w, "Your browser is not shared. Share it with: cove adopt %d", id)
			case external.State == "starting":
				env.Advise(w, "Sharing your browser was cancelled. If it still asks, press Cancel there. "+
					"Share it again with: cove adopt %d", id)
			default:
				env.Advise(w, "Cove has let go of your browser. It and its tabs stay open. Share it again with: "+
					"cove adopt %d", id)
			}
		})
	})

	return env.WithJSON(cmd)
}

// Running returns `cove running`.
func Running(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{
		Use: "running", Short: "List the open profiles", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			r, err := client.Running(cmd.Context())
			if err != nil {
				return err
			}

			agents, err := client.Agents(cmd.Context())
			if err != nil {
				return err
			}

			return env.Print(r, func(w io.Writer) {
				if len(r) == 0 {
					env.Advise(w, "No profile is open. Open one with: cove start ID")
					return
				}
				t := command.Table(w, "ID", "STATE", "MODE", "PID", "PORT", "TABS")
				for _, id := range slices.SortedFunc(maps.Keys(r), byNumber) {
					port := ""
					if a := r[id].Automation; a != nil {
						port = strconv.Itoa(a.Port)
					}
					pid, state, mode := strconv.Itoa(r[id].PID), r[id].State, r[id].Mode
					if r[id].PID == 0 { // a person's own browser has no process of Cove's
						pid = ""
						number, _ := profile.ParseID(id)
						state, mode = command.StateAndMode(cmd.Context(), client, number, state, mode)
					}
					command.Row(t, id, state, mode, pid, port, whoseTabs(agents.Tabs, id))
				}
				_ = t.Flush()
			})
		},
	})
}

// whoseTabs says how many tabs of a profile each agent has.
func whoseTabs(all []api.OwnedTabs, id string) string {
	var parts []string
	for _, t := range all {
		if t.Profile.String() != id {
			continue
		}
		whose := cmp.Or(t.Owner, "free")
		if t.Person {
			whose = "you"
		}
		parts = append(parts, fmt.Sprintf("%s %d", whose, t.Count))
	}
	return strings.Join(parts, ", ")
}

func byNumber(a, b string) int {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	return x - y
}
