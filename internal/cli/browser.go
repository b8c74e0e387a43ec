package cli

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
	"cove/internal/fault"
)

func (c *config) browserCommand() *cobra.Command {
	return group(&cobra.Command{Use: "browser", Short: "List the installed browsers, or install one"},
		c.withJSON(&cobra.Command{Use: "list", Short: "List the browsers that Cove can open profiles with",
			Args: exactly(0), RunE: c.browserList}),
		&cobra.Command{Use: "install", Short: "Install a browser with the system's packages", Args: exactly(0),
			RunE: func(cmd *cobra.Command, _ []string) error { return c.browserInstall(cmd.Context()) }},
	)
}

func (c *config) browserList(cmd *cobra.Command, _ []string) error {
	var all api.Browsers
	client, err := c.client()
	if err == nil {
		if err := client.Do(cmd.Context(), "GET", "/browsers", nil, &all); err != nil {
			return err
		}
	} else { // the list needs no app
		used, _ := chromium.Find(cmd.Context(), c.browser)
		for _, b := range chromium.Installed(cmd.Context()) {
			all.Data = append(all.Data, api.Browser{Name: b.Name, Path: b.Path, Version: b.Version,
				Used: b.Path == used.Path})
		}
	}
	return c.print(all.Data, func(w io.Writer) {
		if len(all.Data) == 0 {
			c.advise(w, "No browser was found. Install one with: cove browser install")
			return
		}
		t := table(w, "BROWSER", "VERSION", "PATH", "")
		for _, b := range all.Data {
			used := ""
			if b.Used {
				used = "used"
			}
			row(t, b.Name, b.Version, b.Path, used)
		}
		_ = t.Flush()
	})
}

// browserInstall installs Debian's Chromium if it can, and otherwise says what to do.
func (c *config) browserInstall(ctx context.Context) error {
	if b, err := chromium.Find(ctx, c.browser); err == nil {
		fmt.Fprintf(c.out, "%s %s is installed already: %s\n", b.Name, b.Version, b.Path)
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
		cmd.Stdout, cmd.Stderr = c.err, c.err
		if err := cmd.Run(); err != nil {
			return fault.New(fault.CodeNoBrowser, "apt-get did not install Chromium: "+err.Error()+".",
				"Read what it said above, or install another browser.")
		}
	}
	b, err := chromium.Find(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Installed %s %s.\n", b.Name, b.Version)
	return nil
}
