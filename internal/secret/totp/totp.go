// Package totp computes the one-time codes of RFC 6238 that sites ask for after the password.
package totp

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what sites use; HMAC does not need a hash without collisions
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"time"
)

// Setup is what a site gives once, as a QR code or as a text, and the codes are computed from.
type Setup struct {
	Key       []byte        `json:"key"`
	Algorithm string        `json:"algorithm"` // SHA1, SHA256 or SHA512
	Digits    int           `json:"digits"`
	Period    time.Duration `json:"period"`
	// Skew is how far the site's clock is ahead of this computer's.
	Skew time.Duration `json:"skew,omitempty"`
}

// Valid reports whether codes can be computed.
func (s *Setup) Valid() bool {
	return len(s.Key) >= minKey && len(s.Key) <= maxKey && hashOf(s.Algorithm) != nil &&
		s.Digits >= minDigits && s.Digits <= maxDigits && s.Period >= minPeriod && s.Period <= maxPeriod &&
		s.Period%time.Second == 0 && s.Skew.Abs() <= MaxSkew
}

// hashOf returns the hash function of an algorithm; nil for one that is none of the three.
func hashOf(algorithm string) func() hash.Hash {
	switch algorithm {
	case "SHA1":
		return sha1.New
	case "SHA256":
		return sha256.New
	case "SHA512":
		return sha512.New
	}
	return nil
}

// Step returns the number of the period that a time is in, and how much of the period is left.
func (s *Setup) Step(at time.Time) (step int64, left time.Duration) {
	at = at.Add(s.Skew)
	seconds := int64(s.Period / time.Second)
	step = at.Unix() / seconds
	return step, time.Unix((step+1)*seconds, 0).Sub(at)
}

// Code returns the code of a period.
func (s *Setup) Code(step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step)) //nolint:gosec // no clock is before 1970
	mac := hmac.New(hashOf(s.Algorithm), s.Key)
	mac.Write(counter[:])
	sum := mac.Sum(nil)

	at := sum[len(sum)-1] & 0xf
	number := uint64(binary.BigEndian.Uint32(sum[at:at+4]) & 0x7fffffff)
	most := uint64(1)
	for range s.Digits {
		most *= 10
	}
	return fmt.Sprintf("%0*d", s.Digits, number%most)
}

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// Forms returns the texts in which pages and programs write the key: as sites show it, also in groups of four letters,
// and as its bytes.
func (s *Setup) Forms() []string {
	text := encoding.EncodeToString(s.Key)
	var groups []string
	for rest := text; rest != ""; {
		n := min(4, len(rest))
		groups = append(groups, rest[:n])
		rest = rest[n:]
	}
	forms := []string{text, strings.Join(groups, " "), strings.Join(groups, "-")}
	for _, form := range forms {
		forms = append(forms, strings.ToLower(form))
	}
	digits := hex.EncodeToString(s.Key)
	return append(forms, digits, strings.ToUpper(digits), base64.RawStdEncoding.EncodeToString(s.Key),
		base64.RawURLEncoding.EncodeToString(s.Key))
}

// CodeForms returns the texts in which pages write a code: as it is, and in two halves.
func CodeForms(code string) []string {
	half := (len(code) + 1) / 2
	return []string{code, code[:half] + " " + code[half:], code[:half] + "-" + code[half:],
		code[:half] + "\u00a0" + code[half:]}
}
