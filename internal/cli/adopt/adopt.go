// Package adopt has the command by which a person lets agents work in a browser that they have open.
package adopt

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/profile"
)

const help = `Let agents work in a few tabs of the browser that you have open: Chrome, Chromium, Edge or Brave.

The browser gets a profile in Cove (my-browser, or NAME), with permissions, approvals and a journal like any other.
Without NAME, the profile that stands for the browser already is used.

In that browser, a box has to be ticked: type chrome://inspect/#remote-debugging into its address bar, and tick “Allow
remote debugging for this browser instance” there. Then the browser asks you once: press Allow. Agents see the tabs that
you share, the tabs that they open, in windows of their own, and what these open; nothing else of your browser exists
for them.

To end it, run cove stop NAME, or untick the box. Your browser and its tabs stay.`

// Command returns `cove adopt`.
func Command(env *command.Env) *cobra.Command {
	var from string
	cmd := &cobra.Command{Use: "adopt [NAME]", Short: "Let agents work in shared tabs of the browser you have open",
		Long: help, Example: `  cove adopt                                   share the browser you have open
  cove adopt share my-browser                  lists its tabs, and asks
  cove client add claude-code my-browser       lets Claude Code work in it`}
	command.Group(cmd, tabsCommand(env, true), tabsCommand(env, false))
	cmd.Args = cobra.MaximumNArgs(1) // it does something on its own
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		client, err := env.Client()
		if err != nil {
			return err
		}
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		return adopt(cmd.Context(), env, client, name, from)
	}
	cmd.Flags().StringVar(&from, "from", "",
		"the data folder of the browser, or of one of its profiles (see chrome://version)")
	return env.WithJSON(cmd)
}

// adopt makes the profile and waits until the person has allowed the connection. Ctrl-C ends that.
func adopt(ctx context.Context, env *command.Env, c *api.Client, name, from string) error {
	t, err := findOrCreate(ctx, env, c, name, from)
	if err != nil {
		return err
	}
	already := t.profile.State == "open"
	quiet := func() {}
	if !already && !t.sharedByOther() {
		fmt.Fprintln(env.Err, env.Advice(t.before()))
		quiet = t.printSteps(ctx, env, c)
	}
	started, err := c.SharedBrowser(t.profile.ID).Connect(ctx)
	quiet()
	switch {
	case ctx.Err() != nil:
		err = giveUp(ctx, c, t.profile.ID)
		t.cleanUp(ctx, c)
		return err
	case err != nil:
		if code := fault.From(err).Code; code == fault.CodeAdoptRefused || code == fault.CodeAdoptTwice {
			t.cleanUp(ctx, c)
		}
		return err
	}
	return env.Print(started, func(w io.Writer) {
		text := "Your browser is shared as %s. Share a tab with: cove adopt share %s"
		if already {
			text = "Your browser is shared already, as %s. Share a tab with: cove adopt share %s"
		}
		env.Advise(w, text, t.profile.Name, t.word())
	})
}

// giveUpLimit bounds the end of a start that nobody waits for any more.
const giveUpLimit = 10 * time.Second

func giveUp(ctx context.Context, c *api.Client, id profile.ID) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUpLimit)
	defer cancel()
	_ = c.Stop(ctx, id)
	return fault.New(fault.CodeCancelled, "The browser is not shared.", "If it still asks, press Cancel there.")
}
