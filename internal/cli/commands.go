package cli

import (
	"github.com/spf13/cobra"

	"cove/internal/cli/acceptance"
	"cove/internal/cli/accounts"
	"cove/internal/cli/adopt"
	"cove/internal/cli/agents"
	"cove/internal/cli/command"
	"cove/internal/cli/cookies"
	"cove/internal/cli/extensions"
	"cove/internal/cli/imports"
	"cove/internal/cli/journals"
	"cove/internal/cli/mcpclients"
	"cove/internal/cli/pages"
	"cove/internal/cli/policies"
	"cove/internal/cli/profiles"
	"cove/internal/cli/proxies"
	"cove/internal/cli/secrets"
	"cove/internal/cli/servers"
	"cove/internal/cli/sessions"
	"cove/internal/cli/settings"
	"cove/internal/cli/skills"
	"cove/internal/cli/status"
	"cove/internal/cli/up"
)

// commandGroup is a group of commands as the help shows them. The one without a title is for the program itself.
type commandGroup struct {
	title    string
	commands []namedCommand
}

// namedCommand makes a command. Most runs need one command and make no other.
type namedCommand struct {
	name string
	make func(*command.Env) *cobra.Command
}

// commandGroups returns all commands but those that need all others.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"App", []namedCommand{
			{"up", up.Command}, {"status", status.Status}, {"ui", up.UI}, {"stop-app", up.StopApp},
			{"doctor", status.Doctor}, {"logs", status.Logs}, {"config", settings.Config},
			{"browser", settings.Browser}, {"version", status.Version},
		}},
		{"Profiles", []namedCommand{
			{"profile", profiles.Command}, {"start", sessions.Start}, {"stop", sessions.Stop},
			{"running", sessions.Running}, {"proxy", proxies.Command}, {"cookies", cookies.Command},
			{"import", imports.Command}, {"extension", extensions.Command},
			{"adopt", adopt.Command},
		}},
		{"Connect agents", []namedCommand{
			{"client", mcpclients.Command}, {"mcp", servers.MCP}, {"wrapper", servers.Wrapper},
			{"page", pages.Command}, {"call", pages.Call}, {"skills", skills.Command},
			{"verify", acceptance.Command},
		}},
		{"Control agents", []namedCommand{
			{"policy", policies.Command}, {"secret", secrets.Command}, {"asks", agents.Requests},
			{"approvals", agents.Approvals}, {"takeover", agents.Takeover}, {"panic", agents.Panic},
			{"pin", accounts.PIN},
			{"journal", journals.Command},
		}},
		{"Accounts", []namedCommand{
			{"login", accounts.Login}, {"logout", accounts.Logout}, {"account", accounts.Account},
			{"token", accounts.Token},
		}},
		{"", []namedCommand{{"keeper", up.Keeper}}},
	}
}

// named returns the command that the first word names, or "" if it names none: then all of them are needed, to help or
// to suggest one.
func named(args []string) string {
	if len(args) == 0 {
		return ""
	}

	for _, g := range commandGroups() {
		for _, one := range g.commands {
			if args[0] == one.name {
				return one.name
			}
		}
	}

	return ""
}
