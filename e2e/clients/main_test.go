//go:build e2e

// Package clients tests MCP clients, the bridge and the wrapper, with the real program and real browsers.
package clients

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
