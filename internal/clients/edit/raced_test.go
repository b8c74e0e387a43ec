//go:build race

package edit_test

// slower is what the race detector makes of a test; it has nothing to find in the random ones.
const slower = 20
