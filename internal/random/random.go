// Package random makes names and secrets that nobody can guess.
package random

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
)

// Hex returns size random bytes in hexadecimal digits. Sixteen are enough for a name, 24 or more for a secret that
// lasts.
func Hex(size int) string {
	b := make([]byte, size)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// UUID returns a random name in the form of a UUID of version 4.
func UUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
