//go:build e2e

// Package api tests the local API and the life of profiles, with the real program and real browsers.
package api

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
