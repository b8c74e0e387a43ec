//go:build race

package clients

// slower is how many times slower the race detector makes a test. It has nothing to find in the random tests.
const slower = 20
