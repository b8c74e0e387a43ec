package up

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"cove/internal/chromium"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/process"
)

// UI returns `cove ui`.
func UI(env *command.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "ui",
		Short: "Print a link to the app's window",
		Long: `Print a one-time link to the app's window for any browser on this computer. It is valid for five minutes.
If you have a PIN, Cove asks for it.

Whoever opens the link can do everything that you can do in Cove. Do not share it.`,
		Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			link, err := client.WindowLink(cmd.Context(), false)
			if err != nil {
				return err
			}
			fmt.Fprintln(env.Out, link.URL)
			return nil
		},
	}
}

// showWindow opens the window, or says why it cannot. The app runs in either case.
func showWindow(ctx context.Context, env *command.Env, home paths.Home) {
	if err := openWindow(ctx, env, home); err != nil {
		env.Advise(env.Err, "The window could not be opened: %s\nOpen it in any browser with the link from: %s ui",
			fault.From(err).Text, command.CallName())
	}
}

// openWindow shows the app's page in a browser window without tabs. The browser has a data folder of its own and
// connects only to the app.
func openWindow(ctx context.Context, env *command.Env, home paths.Home) error {
	b, err := chromium.Find(ctx, env.Browser)
	if err != nil {
		return err
	}
	client, err := env.Client()
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
	cmd := exec.CommandContext(context.WithoutCancel(ctx), b.Path, args...)
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
