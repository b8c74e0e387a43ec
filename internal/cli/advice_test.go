package cli

import (
	"slices"
	"testing"

	"cove/internal/paths"
)

// TestAdviceKnowsEveryCommand: the data folder is added to those that it knows.
func TestAdviceKnowsEveryCommand(t *testing.T) {
	for _, cmd := range all().Commands() {
		if needsNoFolder := cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" ||
			cmd.Name() == "exit-codes"; needsNoFolder == slices.Contains(paths.Commands, cmd.Name()) {
			t.Errorf("%s: it is missing in paths.Commands, or does not belong there", cmd.Name())
		}
	}
}
