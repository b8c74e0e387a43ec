//go:build race

package edit_test

// slower is how many times slower the race detector makes a test. It has nothing to find in the random tests.
const slower = 20
