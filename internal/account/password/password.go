// Package password checks and hashes what a person remembers: passwords and the PIN.
package password

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"cove/internal/fault"
)

// The cost of one password: 19 MiB and two passes, the least that is advised for argon2id.
const (
	argonMemory = 19 << 10
	argonTime   = 2
	argonLanes  = 1
	argonKey    = 32
)

const minPassword = 8

// CheckNew says what is wrong with a new password.
func CheckNew(password string) error {
	if utf8.RuneCountInString(password) < minPassword {
		return fault.Fieldf("password", "The password must have at least %d characters.", minPassword)
	}
	if len(password) > 1024 {
		return fault.Fieldf("password", "The password is too long: the maximum is 1024 bytes.")
	}
	return nil
}

// Hash hashes something that a person remembers, for storage.
func Hash(secret string) string {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt)
	key := argon2.IDKey([]byte(secret), salt, argonTime, argonMemory, argonLanes, argonKey)
	enc := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonLanes,
		enc(salt), enc(key))
}

// Matches reports whether a password has this hash. It needs the same time for a missing hash, so that timing does not
// reveal which emails have an account.
func Matches(hash, password string) bool {
	var version, memory, time int
	var lanes uint8
	salt, want := make([]byte, 16), make([]byte, argonKey)
	known := false
	if parts := strings.Split(hash, "$"); len(parts) == 6 && parts[1] == "argon2id" {
		_, err1 := fmt.Sscanf(parts[2], "v=%d", &version)
		_, err2 := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &lanes)
		s, err3 := base64.RawStdEncoding.DecodeString(parts[4])
		k, err4 := base64.RawStdEncoding.DecodeString(parts[5])
		if err1 == nil && err2 == nil && err3 == nil && err4 == nil && version == argon2.Version && len(k) > 0 &&
			time > 0 && lanes > 0 {
			salt, want, known = s, k, true
		}
	}
	if !known {
		memory, time, lanes = argonMemory, argonTime, argonLanes
	}
	got := argon2.IDKey([]byte(password), salt, uint32(time), uint32(memory), lanes, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1 && known
}
