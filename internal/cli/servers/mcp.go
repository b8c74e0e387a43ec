// Package servers has the commands behind an entry of an MCP client: the bridge and the devtools wrapper.
package servers

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/bridge"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/logging"
)

// MCP returns `cove mcp`.
func MCP(env *command.Env) *cobra.Command {
	var noAutostart bool
	var tools string
	cmd := &cobra.Command{
		Use:   "mcp ID",
		Short: "Run a profile's MCP server (started by MCP clients)",
		Long: `Speak MCP on standard input and output, with the tools of one profile.

If the profile is closed, it opens immediately. It stays open when the client exits.
MCP clients (Claude Code, Cursor, Codex, …) run this command; when run manually, it waits for client input.`,
		Example: `  claude mcp add cove-1 -- cove mcp 1
  cove mcp work --tools batch,downloads,pdf`,
		Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runBridge(cmd.Context(), env, args[0], tools, !noAutostart)
		},
	}

	cmd.Flags().BoolVar(&noAutostart, "no-autostart", false, "do not start the app if it is not running")
	cmd.Flags().StringVar(&tools, "tools", "",
		"additional tools: batch, debug, downloads, pdf, storage, vision, or all")
	return cmd
}

// runBridge connects the standard streams to the keeper of a profile until the client ends.
func runBridge(ctx context.Context, env *command.Env, which, tools string, autostart bool) error {
	home, err := env.HomeDir()
	if err != nil {
		return err
	}
	log := logging.New(env.Err, env.LogLevel) // standard output is for the protocol
	b := &bridge.Bridge{Tools: tools, In: env.In, Out: env.Out}
	b.App = func(ctx context.Context) (*api.Client, error) {
		log.Debug("the profile's keeper does not answer: looking for the app", "autostart", autostart)
		client, err := env.ClientOrStart(ctx, autostart)
		log.Debug("looked for the app", "err", err)
		return client, err
	}
	b.Dir, _ = os.Getwd()
	b.Folder = home.Profile(0) // what the client reads names the data folder
	id, err := command.DialProfileID(ctx, which, b.App)
	if err == nil {
		err = checkTools(tools)
	}
	if err != nil {
		b.Refuse(err)
		return err
	}
	b.ID, b.Folder = id, home.Profile(id)
	log.Debug("the bridge begins", "profile", id, "home", home, "dir", b.Dir, "tools", tools)

	err = b.Run(ctx)
	log.Debug("the bridge ended", "err", err)
	return err
}

// ToolGroups returns the values of --tools.
func ToolGroups() []string {
	return []string{"batch", "debug", "downloads", "pdf", "storage", "vision", "all"}
}

// checkTools refuses an unknown group. Without the refusal nobody would know why its tools are missing.
func checkTools(text string) error {
	groups := ToolGroups()
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(groups, name) {
			return fault.Invalidf("There are no tools named %q.", name).
				WithHint(fault.Suggest(name, groups...) + "--tools takes " + strings.Join(groups, ", ") + ".")
		}
	}

	return nil
}
