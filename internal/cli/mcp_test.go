package cli

import (
	"slices"
	"testing"

	"cove/internal/mcpserver"
)

func TestEveryGroupOfToolsCanBeAskedFor(t *testing.T) {
	for _, tool := range mcpserver.Tools() {
		if tool.Set != "" && !slices.Contains(toolGroups, tool.Set) {
			t.Errorf("%s is in the group %q, and --tools refuses it", tool.Name, tool.Set)
		}
	}
}
