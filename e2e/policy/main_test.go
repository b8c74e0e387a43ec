//go:build e2e

// Package policy tests what agents and programs are held to, with the real program and real browsers.
package policy

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
