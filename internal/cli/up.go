package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app"
	"cove/internal/chromium"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/process"
)

func (c *config) upCommand() *cobra.Command {
	var port int
	var window, noWindow bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run the app",
		Long: `Run the app in the foreground: the local API for scripts and agents, and the window if there
is a display.

Ctrl-C stops the app and leaves open profiles open; the next start finds them again.
If the app is running already, its address is printed.

To connect an agent, add a profile to its client while the app runs, here Claude Code:
  cove client add claude-code 1
The agent's next session has the tools of that profile. cove client --help lists the clients.`,
		Example: `  cove up
  cove up --no-window
  cove up --port 3100        fails if the port is in use`,
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if window && noWindow {
				return usageError{errors.New("--window and --no-window exclude each other"), cmd.CommandPath()}
			}
			if cmd.Flags().Changed("port") && (port < 1 || port > 65535) {
				return fault.Invalidf("%d is not a port: it is 1 to 65535.", port)
			}
			open := (window || chromium.HasDisplay()) && !noWindow
			return c.up(cmd.Context(), port, open)
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "port of the local API (default 3001, or another when that is taken)")
	cmd.Flags().BoolVar(&window, "window", false, "open the app's window")
	cmd.Flags().BoolVar(&noWindow, "no-window", false, "open no window")
	return cmd
}

func (c *config) up(ctx context.Context, port int, window bool) error {
	home, err := c.homeDir()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	err = app.Run(ctx, app.Config{Home: home, Version: Version, Port: port, Browser: c.browser,
		BrowserArgs: c.browserArgs, LogLevel: c.logLevel, Executable: self}, func(s api.Status) {
		c.welcome(ctx, s)
		if window {
			c.showWindow(ctx, home)
		}
	})
	if errors.Is(err, app.ErrRunning) {
		return c.alreadyRunning(ctx, home, window)
	}
	return err
}

// showWindow opens the window, or says why it cannot. The app runs in either case.
func (c *config) showWindow(ctx context.Context, home paths.Home) {
	if err := c.openWindow(ctx, home); err != nil {
		c.advise(c.err, "The window could not be opened: %s\nOpen it in any browser with the link of: %s ui",
			fault.From(err).Text, callName())
	}
}

// alreadyRunning prints the address of the app that has the data folder, and shows its window again. The app may just
// be starting.
func (c *config) alreadyRunning(ctx context.Context, home paths.Home, window bool) error {
	for deadline := time.Now().Add(15 * time.Second); time.Now().
		Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		client, err := c.client()
		if err != nil {
			continue
		}
		if s, err := client.Status(ctx); err == nil {
			fmt.Fprintf(c.out, "Cove %s is running already: http://127.0.0.1:%d\n", s.Version, s.APIPort)
			if window {
				c.showWindow(ctx, home)
			}
			return nil
		}
	}
	return fault.New(fault.CodeAppNoAnswer, "Another Cove has the data folder "+string(home)+" and does not answer.",
		"See its log: "+home.AppLog())
}

func (c *config) welcome(ctx context.Context, s api.Status) {
	base := fmt.Sprintf("http://127.0.0.1:%d", s.APIPort)
	w := c.out
	fmt.Fprintf(w, "Cove %s is running.\n\n", s.Version)
	port := fmt.Sprint(s.APIPort)
	if s.PortReason != "" {
		port += " (" + s.PortReason + ")"
	}
	fmt.Fprintf(w, "  Address   %s\n  API port  %s\n  API docs  %s/docs\n  Data      %s\n", base, port, base, s.Home)
	c.welcomeBrowser(ctx, w)
	fmt.Fprintf(w, `
What to do next, in another terminal:
  see the window in a browser    %[1]s ui%[3]s
  see your profiles              %[1]s profile list%[3]s
  open one by hand and log in    %[1]s start 1%[3]s
  close it again                 %[1]s stop 1%[3]s
  connect an agent to it         %[1]s client add %[4]s 1%[3]s
  open it for a script           curl '%[2]s/v1.0/browser_profiles/1/start?automation=1'

Ctrl-C stops Cove; open profiles stay open.
`, callName(), base, strings.TrimPrefix(c.advice("cove up"), paths.CalledAs(callName(), "cove up")), c.likelyClient())
}

// likelyClient returns an MCP client that is installed here, or else the first of the table.
func (c *config) likelyClient() string {
	if r, err := c.registry(); err == nil {
		for _, one := range clients.Table() {
			if one.Installed(r.Env) {
				return one.Name
			}
		}
	}
	return clients.Table()[0].Name
}

// callName returns how this program is called here: cove if that is on the PATH, else as it was called.
func callName() string {
	self, err := os.Executable()
	if err != nil {
		return "cove"
	}
	mine, err1 := os.Stat(self)
	if found, err := exec.LookPath("cove"); err == nil && err1 == nil {
		if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
			return "cove"
		}
	}
	return os.Args[0]
}

func (c *config) welcomeBrowser(ctx context.Context, w io.Writer) {
	b, err := chromium.Find(ctx, c.browser)
	if err != nil {
		f := fault.From(err)
		c.advise(w, "  Browser   none: %s %s", f.Text, f.Hint)
		return
	}
	fmt.Fprintf(w, "  Browser   %s %s (%s)\n", b.Name, b.Version, b.Path)
}

// openWindow shows the app's page in a browser window without tabs, with a small data folder of its own. The window
// talks to nothing but the app.
func (c *config) openWindow(ctx context.Context, home paths.Home) error {
	b, err := chromium.Find(ctx, c.browser)
	if err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	link, err := client.WindowLink(ctx, true) // the page asks for the PIN, because nobody may be at the terminal
	if err != nil {
		return err
	}
	args := []string{"--app=" + link.URL, "--user-data-dir=" + home.Window(), "--no-first-run",
		"--no-default-browser-check", "--window-size=1320,840", "--no-proxy-server",
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps",
		"--disable-extensions", "--disable-sync", "--no-pings", "--password-store=basic"}
	if chromium.NoSandbox(b.Path) != "" {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(b.Path, args...)
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

func (c *config) uiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ui",
		Short: "Print a link to the app's window",
		Long: `Print a one-time link to the app's window for any browser on this computer. It is valid for five minutes.
If you have a PIN, Cove asks for it.

Whoever opens the link can do everything that you can do in Cove. Do not share it.`,
		Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			link, err := client.WindowLink(cmd.Context(), false)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.out, link.URL)
			return nil
		},
	}
}

func (c *config) stopAppCommand() *cobra.Command {
	var profiles bool
	cmd := &cobra.Command{
		Use:   "stop-app",
		Short: "Stop the app (open profiles keep running)",
		Args:  exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			home, err := c.homeDir()
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
			fmt.Fprintln(c.out, "Cove has stopped.")
			return nil
		},
	}
	cmd.Flags().BoolVar(&profiles, "profiles", false, "close the open profiles first")
	return cmd
}

func (c *config) keeperCommand() *cobra.Command {
	return &cobra.Command{
		Use: "keeper ID", Short: "Run one browser (started by the app)", Hidden: true, Args: exactly(1),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return keeper.Run(cmd.Context(), c.in, c.out, c.gauge, c.logLevel)
		},
	}
}

func (c *config) versionCommand() *cobra.Command {
	return c.withJSON(&cobra.Command{
		Use: "version", Short: "Print the version", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			return c.print(map[string]string{"version": Version},
				func(w io.Writer) { fmt.Fprintln(w, "cove "+Version) })
		},
	})
}
