// Package random makes names and secrets that nobody can guess.
package random

import (
	"crypto/rand"
	"encoding/hex"
)

// Hex returns size random bytes in hexadecimal digits. Sixteen are enough for a name, 24 or more for a secret that
// lasts.
func Hex(size int) string {
	b := make([]byte, size)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}
