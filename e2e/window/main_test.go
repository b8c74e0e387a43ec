//go:build e2e

// Package window tests the window, with the real program and real browsers.
package window

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
