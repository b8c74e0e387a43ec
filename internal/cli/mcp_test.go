package cli

import (
	"slices"
	"testing"

	"cove/internal/mcpserver/tools"
	"cove/internal/paths"
)

// TestAdviceKnowsEveryCommand: the data folder is added to those that it knows.
func TestAdviceKnowsEveryCommand(t *testing.T) {
	for _, cmd := range (&config{}).root().Commands() {
		if needsNoFolder := cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" ||
			cmd.Name() == "exit-codes"; needsNoFolder == slices.Contains(paths.Commands, cmd.Name()) {
			t.Errorf("%s: it is missing in paths.Commands, or does not belong there", cmd.Name())
		}
	}
}

func TestEveryGroupOfToolsCanBeAskedFor(t *testing.T) {
	for _, tool := range tools.All() {
		if tool.Group != "" && !slices.Contains(toolGroups, tool.Group) {
			t.Errorf("%s is in the group %q, and --tools refuses it", tool.Name, tool.Group)
		}
	}
}
