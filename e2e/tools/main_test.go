//go:build e2e

// Package tools tests the MCP tools, with the real program and real browsers.
package tools

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
