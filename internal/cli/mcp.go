package cli

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/bridge"
	"cove/internal/fault"
	"cove/internal/logging"
	"cove/internal/process"
	"cove/internal/profile"
)

func (c *config) mcpCommand() *cobra.Command {
	var noAutostart bool
	var tools string
	cmd := &cobra.Command{
		Use:   "mcp ID",
		Short: "Run a profile's MCP server (started by MCP clients)",
		Long: `Speak MCP on standard input and output, with the tools of one profile.

The profile opens at once when it is closed, and stays open when the client ends.
MCP clients (Claude Code, Cursor, Codex, …) run this command; when run manually, it waits for client input.`,
		Example: `  claude mcp add cove-1 -- cove mcp 1
  cove mcp work --tools batch,downloads,pdf`,
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.bridge(cmd, args[0], tools, !noAutostart)
		},
	}
	cmd.Flags().BoolVar(&noAutostart, "no-autostart", false, "do not start the app when it is not running")
	cmd.Flags().StringVar(&tools, "tools", "", "more tools than the usual ones: batch, downloads, pdf, or all")
	return cmd
}

func (c *config) bridge(cmd *cobra.Command, which, tools string, autostart bool) error {
	home, err := c.homeDir()
	if err != nil {
		return err
	}
	log := logging.New(c.err, c.logLevel) // standard output is for the protocol
	b := &bridge.Bridge{Tools: tools, In: c.in, Out: c.out}
	b.App = func(ctx context.Context) (*api.Client, error) {
		log.Debug("the profile's keeper does not answer: looking for the app", "autostart", autostart)
		client, err := c.clientOrStart(ctx, autostart)
		log.Debug("looked for the app", "err", err)
		return client, err
	}
	b.Dir, _ = os.Getwd()
	b.Folder = home.Profile(0) // what the client reads names the data folder
	id, err := c.bridgeID(cmd, which, b.App)
	if err == nil {
		err = checkTools(tools)
	}
	if err != nil {
		b.Refuse(err)
		return err
	}
	b.ID, b.Folder = id, home.Profile(id)
	log.Debug("the bridge begins", "profile", id, "home", home, "dir", b.Dir, "tools", tools)

	err = b.Run(cmd.Context())
	log.Debug("the bridge ended", "err", err)
	return err
}

// toolGroups are the values of --tools.
var toolGroups = []string{"batch", "downloads", "pdf", "all"}

// checkTools refuses an unknown group. Without the refusal nobody would know why its tools are missing.
func checkTools(text string) error {
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(toolGroups, name) {
			return fault.Invalidf("There are no tools named %q.", name).
				WithHint(fault.Suggest(name, toolGroups...) + "--tools takes " + strings.Join(toolGroups, ", ") + ".")
		}
	}
	return nil
}

// bridgeID returns the id of a profile. It asks the app only for a name; a number needs no app.
func (c *config) bridgeID(cmd *cobra.Command, which string, app func(context.Context) (*api.Client, error)) (int32,
	error) {
	if which != "" && onlyDigits(which) {
		id, err := profile.ParseID(which)
		return int32(id), err
	}
	client, err := app(cmd.Context())
	if err != nil {
		return 0, err
	}
	return c.profileID(cmd, client, which, false)
}

// startLimit is how long the app can take to answer after it was started.
const startLimit = 20 * time.Second

// clientOrStart connects to the app, and starts it if it is not running.
func (c *config) clientOrStart(ctx context.Context, autostart bool) (*api.Client, error) {
	client, err := c.client()
	if err == nil || !autostart {
		return client, err
	}
	home, err := c.homeDir()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "up", "--no-window", "--home", string(home))
	cmd.Env = append(os.Environ(), process.LoginEnvironment()...)
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fault.New(fault.CodeNoApp, "Cove is not running and could not be started: "+err.Error()+".",
			"Start it with: cove up")
	}
	go func() { _ = cmd.Wait() }()
	for deadline := time.Now().Add(startLimit); time.Now().
		Before(deadline) && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if client, err := c.client(); err == nil {
			if _, err := client.Status(ctx); err == nil {
				return client, nil
			}
		}
	}
	return nil, fault.New(fault.CodeNoApp, "Cove was started and does not answer.",
		"See its log: "+home.AppLog()+", then start it with: cove up")
}
