//go:build race

package racetest

// Slower is how many times slower the race detector makes a test that it has nothing to find in: one of many rounds in
// one goroutine. Such a test has fewer rounds with the detector, and all of them in a run without it.
const Slower = 20
