//go:build e2e

// Package external tests what Cove does with a browser that a person uses outside it: a real one, on a display of its
// own.
package external

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
