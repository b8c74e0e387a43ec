// Package racetest tells a test whether the race detector watches it.
package racetest
