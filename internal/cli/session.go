package cli

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// profileID reads an id, or the name of exactly one profile. Digits are always an id.
func (c *config) profileID(cmd *cobra.Command, client *api.Client, text string, trashed bool) (int32, error) {
	if text != "" && onlyDigits(text) {
		id, err := profile.ParseID(text)
		return int32(id), err
	}
	query := url.Values{"query": {text}, "limit": {"1000"}}
	if trashed {
		query.Set("trashed", "1")
	}
	l, err := client.Profiles(cmd.Context(), query)
	if err != nil {
		return 0, err
	}
	var found []int32
	for _, p := range l.Data {
		if p.Name == text {
			found = append(found, p.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no profile named %q.", text),
			c.suggestProfile(cmd, client, text, trashed)+"`cove profile list` shows the profiles.")
	}
	return 0, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d profiles are named %q: %s.", len(found), text, joinIDs(found)), "Name it by its id.")
}

// suggestProfile asks whether a profile with a similar name was meant.
func (c *config) suggestProfile(cmd *cobra.Command, client *api.Client, text string, trashed bool) string {
	query := url.Values{"limit": {"1000"}}
	if trashed {
		query.Set("trashed", "1")
	}
	l, err := client.Profiles(cmd.Context(), query)
	if err != nil {
		return ""
	}
	var names []string
	for _, p := range l.Data {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return fault.Suggest(text, names...)
}

func onlyDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

func joinIDs(ids []int32) string {
	text := ""
	for i, id := range ids {
		if i > 0 {
			text += ", "
		}
		text += strconv.Itoa(int(id))
	}
	return text
}

// onProfile runs a command about one profile.
func (c *config) onProfile(trashed bool,
	do func(cmd *cobra.Command, client *api.Client, id int32) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		client, err := c.client()
		if err != nil {
			return err
		}
		id, err := c.profileID(cmd, client, args[0], trashed)
		if err != nil {
			return err
		}
		return do(cmd, client, id)
	}
}

func (c *config) startCommand() *cobra.Command {
	var o api.StartOptions
	cmd := &cobra.Command{
		Use:   "start ID",
		Short: "Open a profile, by hand or for scripts and agents",
		Long: `Open a profile. ID is its number or its name.

Without --automation it opens as an ordinary browser: for you, to log in and work.
With --automation scripts and agents can drive it; the port is printed.`,
		Example: `  cove start 1
  cove start work --automation --headless`,
		Args: exactly(1),
	}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		s, err := client.Start(cmd.Context(), id, o)
		if err != nil {
			return err
		}
		return c.print(s, func(w io.Writer) {
			if open, err := client.Running(cmd.Context()); err == nil && !o.Headless &&
				open[strconv.Itoa(int(id))].Headless {
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
	return c.withJSON(cmd)
}

func (c *config) stopCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "stop ID", Short: "Close a profile (nothing is lost)", Args: exactly(1)}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		if err := client.Stop(cmd.Context(), id); err != nil {
			return err
		}
		return c.print(api.OK{Success: true}, func(w io.Writer) { fmt.Fprintf(w, "Profile %d is closed.\n", id) })
	})
	return c.withJSON(cmd)
}

func (c *config) runningCommand() *cobra.Command {
	return c.withJSON(&cobra.Command{
		Use: "running", Short: "List the open profiles", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			r, err := client.Running(cmd.Context())
			if err != nil {
				return err
			}
			return c.print(r, func(w io.Writer) {
				if len(r) == 0 {
					c.advise(w, "No profile is open. Open one with: cove start ID")
					return
				}
				t := table(w, "ID", "STATE", "MODE", "PID", "PORT")
				for _, id := range slices.SortedFunc(maps.Keys(r), byNumber) {
					port := ""
					if a := r[id].Automation; a != nil {
						port = strconv.Itoa(a.Port)
					}
					row(t, id, r[id].State, r[id].Mode, strconv.Itoa(r[id].PID), port)
				}
				_ = t.Flush()
			})
		},
	})
}

func byNumber(a, b string) int {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	return x - y
}
