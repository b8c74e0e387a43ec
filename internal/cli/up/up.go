// Package up has the commands that run the app, open its window and stop it, and the one that runs a keeper.
package up

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app"
	"cove/internal/chromium"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/cli/exit"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/paths"
)

// Command returns `cove up`.
func Command(env *command.Env) *cobra.Command {
	var port int
	var window, noWindow bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run the app",
		Long: `Run the app in the foreground: the local API for scripts and agents, and the window if there
is a display.

Ctrl-C stops the app and leaves open profiles open; the next start finds them again.
If the app is already running, its address is printed.

To connect an agent, add a profile to its client while the app runs, here Claude Code:
  cove client add claude-code 1
The agent's next session has the tools of that profile. cove client --help lists the clients.`,
		Example: `  cove up
  cove up --no-window
  cove up --port 3100        fails if the port is in use`,
		Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if window && noWindow {
				return exit.Usagef(cmd, "--window and --no-window cannot be used together")
			}
			if cmd.Flags().Changed("port") && (port < 1 || port > 65535) {
				return fault.Invalidf("%d is not a port: it is 1 to 65535.", port)
			}
			open := (window || chromium.HasDisplay()) && !noWindow
			return run(cmd.Context(), env, port, open)
		},
	}

	cmd.Flags().IntVar(&port, "port", 0, "port of the local API (default 3001, or a free one if that is in use)")
	cmd.Flags().BoolVar(&window, "window", false, "open the app's window")
	cmd.Flags().BoolVar(&noWindow, "no-window", false, "do not open the app's window")
	return cmd
}

func run(ctx context.Context, env *command.Env, port int, window bool) error {
	home, err := env.HomeDir()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	config := app.Config{Home: home, Version: command.Version, Port: port, Browser: env.Browser,
		BrowserArgs: env.BrowserArgs, LogLevel: env.LogLevel, Executable: self}
	if window {
		config.ShowWindow = func(ctx context.Context) { showWindow(ctx, env, home) }
	}
	ready := func(s api.Status) {
		welcome(ctx, env, s)
		if window {
			showWindow(ctx, env, home)
		}
	}
	for end := time.Now().Add(answerLimit); ; {
		if err := app.Run(ctx, config, ready); !errors.Is(err, app.ErrRunning) {
			return err
		}
		if alreadyRunning(ctx, env, home, window) {
			return nil
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return fault.New(fault.CodeAppNoAnswer,
				"Another Cove is using the data folder "+string(home)+" and does not answer.",
				"See its log: "+home.AppLog())
		}
	}
}

// answerLimit is how long an app that uses the data folder may take to answer. An app that was killed while it started
// a program holds the folder until that program runs: then the folder is free.
const answerLimit = 15 * time.Second

// alreadyRunning prints the address of the app that uses the data folder, and shows its window again. It waits a moment
// for an app that is starting, and reports whether one answered.
func alreadyRunning(ctx context.Context, env *command.Env, home paths.Home, window bool) bool {
	_, s, err := env.AwaitApp(ctx, time.Second)
	if err != nil {
		return false
	}
	fmt.Fprintf(env.Out, "Cove %s is already running: http://127.0.0.1:%d\n", s.Version, s.APIPort)
	if window {
		showWindow(ctx, env, home)
	}
	return true
}

func welcome(ctx context.Context, env *command.Env, s api.Status) {
	base := fmt.Sprintf("http://127.0.0.1:%d", s.APIPort)
	w := env.Out
	fmt.Fprintf(w, "Cove %s is running.\n\n", s.Version)
	port := fmt.Sprint(s.APIPort)
	if s.PortReason != "" {
		port += " (" + s.PortReason + ")"
	}
	fmt.Fprintf(w, "  Address   %s\n  API port  %s\n  API docs  %s/docs\n  Data      %s\n", base, port, base, s.Home)
	welcomeBrowser(ctx, env, w)
	name := command.CallName()
	fmt.Fprintf(w, `
What to do next, in another terminal:
  open the window in a browser   %[1]s ui%[3]s
  see your profiles              %[1]s profile list%[3]s
  open one by hand and log in    %[1]s start 1%[3]s
  close it again                 %[1]s stop 1%[3]s
  connect an agent to it         %[1]s client add %[4]s 1%[3]s
  open it for a script           curl '%[2]s/v1.0/browser_profiles/1/start?automation=1'

Ctrl-C stops Cove; open profiles stay open.
`, name, base, strings.TrimPrefix(env.Advice("cove up"), paths.CalledAs(name, "cove up")), likelyClient(env))
}

// likelyClient returns the first MCP client that is installed here, or the first one that Cove knows.
func likelyClient(env *command.Env) string {
	if r, err := entries.Registry(env); err == nil {
		for _, one := range clients.Table() {
			if one.Installed(r.Env) {
				return one.Name
			}
		}
	}

	return clients.Table()[0].Name
}

func welcomeBrowser(ctx context.Context, env *command.Env, w io.Writer) {
	b, err := chromium.Find(ctx, env.Browser)
	if err != nil {
		f := fault.From(err)
		env.Advise(w, "  Browser   none: %s %s", f.Text, f.Hint)
		return
	}
	fmt.Fprintf(w, "  Browser   %s %s (%s)\n", b.Name, b.Version, b.Path)
}

// StopApp returns `cove stop-app`.
func StopApp(env *command.Env) *cobra.Command {
	var profiles bool
	cmd := &cobra.Command{
		Use:   "stop-app",
		Short: "Stop the app (open profiles keep running)",
		Args:  command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			home, err := env.HomeDir()
			if err != nil {
				return err
			}
			f, err := app.ReadFile(home)
			if err != nil {
				return err
			}
			if err := client.Do(cmd.Context(), "POST", "/app/stop", api.StopApp{Profiles: profiles}, nil); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), 15*time.Second)
			defer cancel()
			if err := f.Wait(ctx); err != nil {
				return fault.New(fault.CodeAppNoAnswer, "Cove is still running after it was asked to stop.",
					"See its log: cove logs")
			}
			fmt.Fprintln(env.Out, "Cove has stopped.")
			return nil
		},
	}

	cmd.Flags().BoolVar(&profiles, "profiles", false, "close the open profiles first")
	return cmd
}

// Keeper returns `cove keeper`, which the app runs once for each open profile.
func Keeper(env *command.Env) *cobra.Command {
	return &cobra.Command{
		Use: "keeper ID", Short: "Run one browser (started by the app)", Hidden: true, Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return keeper.Run(cmd.Context(), env.In, env.Out, env.MemoryInterval, env.LogLevel)
		},
	}
}
