// Package keyringtest has a Secret Service for tests, on a bus of its own.
package keyringtest
