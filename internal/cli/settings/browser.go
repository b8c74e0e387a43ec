package settings

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/chromium"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// Browser returns `cove browser`.
func Browser(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "browser", Short: "List the installed browsers, or install one"},
		env.WithJSON(&cobra.Command{Use: "list", Short: "List the browsers that Cove can open profiles with",
			Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return listBrowsers(cmd.Context(), env) }}),
		&cobra.Command{Use: "install", Short: "Install a browser with the system's packages", Args: command.Exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return installBrowser(cmd.Context(), env) }},
	)
}

func listBrowsers(ctx context.Context, env *command.Env) error {
	var all api.Browsers
	client, err := env.Client()
	if err == nil {
		if err := client.Do(ctx, "GET", "/browsers", nil, &all); err != nil {
			return err
		}
	} else { // the list needs no app
		used, _ := chromium.Find(ctx, env.Browser)
		for _, b := range chromium.Installed(ctx) {
			all.Data = append(all.Data, api.Browser{Name: b.Name, Path: b.Path, Version: b.Version,
				Used: b.Path == used.Path})
		}
	}

	return env.Print(all.Data, func(w io.Writer) {
		if len(all.Data) == 0 {
			env.Advise(w, "No browser was found. Install one with: cove browser install")
			return
		}
		t := command.Table(w, "BROWSER", "VERSION", "PATH", "")
		for _, b := range all.Data {
			used := ""
			if b.Used {
				used = "used"
			}
			command.Row(t, b.Name, b.Version, b.Path, used)
		}
		_ = t.Flush()
	})
}

// installBrowser installs Debian's Chromium if it can, and otherwise says what to do.
func installBrowser(ctx context.Context, env *command.Env) error {
	if b, err := chromium.Find(ctx, env.Browser); err == nil {
		fmt.Fprintf(env.Out, "%s %s is already installed: %s\n", b.Name, b.Version, b.Path)
		return nil
	}
	apt, err := exec.LookPath("apt-get")
	if runtime.GOOS != "linux" || err != nil || os.Geteuid() != 0 {
		return fault.New(fault.CodeNoBrowser, "Cove cannot install a browser here by itself.",
			"Install Google Chrome, Chromium, Microsoft Edge or Brave (Debian: sudo apt-get install chromium).")
	}
	for _, args := range [][]string{{"update"}, {"install", "-y", "chromium"}} {
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = env.Err, env.Err
		if err := cmd.Run(); err != nil {
			return fault.New(fault.CodeNoBrowser, "apt-get did not install Chromium: "+err.Error()+".",
				"Read its output above, or install another browser.")
		}
	}
	b, err := chromium.Find(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Out, "Installed %s %s.\n", b.Name, b.Version)
	return nil
}
