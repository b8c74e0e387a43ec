package account

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"

	"cove/internal/random"
)

// NewToken returns a new API token.
func NewToken() string {
	return "cove_" + random.Hex(24)
}

// hashToken uses a plain hash, because a token is long and random.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func sameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
