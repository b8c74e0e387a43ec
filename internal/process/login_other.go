//go:build !linux

package process

// LoginEnvironment finds what this process lacks to reach the person's screen: nothing, on this system.
func LoginEnvironment() []string { return nil }
