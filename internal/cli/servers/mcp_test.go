package servers

import (
	"slices"
	"testing"

	"cove/internal/mcpserver/tools"
)

func TestEveryGroupOfToolsCanBeAskedFor(t *testing.T) {
	for _, tool := range tools.All() {
		if tool.Group != "" && !slices.Contains(ToolGroups(), tool.Group) {
			t.Errorf("%s is in the group %q, and --tools refuses it", tool.Name, tool.Group)
		}
	}
}
