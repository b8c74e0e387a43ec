//go:build e2e

// Package compat tests Cove with what public clients of Dolphin{anty} and AdsPower send.
package compat

import (
	"testing"

	"cove/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
