//go:build e2e

package window

import (
	"testing"

	"cove/e2e/harness"
)

func TestWindowShowsWhatAgentsTouch(t *testing.T) { visit(t, harness.Start(t), "touch") }
