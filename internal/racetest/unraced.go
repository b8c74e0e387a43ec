//go:build !race

package racetest

// Slower is 1 where nothing is slower.
const Slower = 1
