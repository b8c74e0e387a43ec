package totp

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// Bounds of a Setup. No site gives a shorter key.
const (
	minKey, maxKey       = 10, 256
	minDigits, maxDigits = 6, 8
	minPeriod, maxPeriod = 15 * time.Second, 60 * time.Second
	// MaxSkew is how far a clock can be corrected.
	MaxSkew = time.Hour
)

// Parse reads what a site gives: the address in a QR code (otpauth://totp/…) or the key alone, in base32. An error
// never quotes the text.
func Parse(text string) (Setup, error) {
	text = strings.TrimSpace(text)
	s := Setup{Algorithm: "SHA1", Digits: 6, Period: 30 * time.Second}
	var err error
	if scheme, _, is := strings.Cut(text, "://"); is {
		err = s.parseAddress(strings.ToLower(scheme), text)
	} else {
		s.Key, err = parseKey(text)
	}
	if err != nil {
		return Setup{}, err
	}
	return s, nil
}

func (s *Setup) parseAddress(scheme, text string) error {
	if scheme == "otpauth-migration" {
		return invalid("This address holds several accounts.", "Enter the setup key of one account.")
	}
	u, err := url.Parse(text)
	if err != nil || scheme != "otpauth" {
		return invalid("This is not a setup key.", keyHint)
	}
	switch strings.ToLower(u.Host) {
	case "totp":
	case "hotp":
		return invalid("Codes that count uses (HOTP) are not supported.",
			"Choose codes by time (TOTP) in the settings of the site.")
	default:
		return invalid("This kind of code is not supported.", "Cove computes codes by time: otpauth://totp/…")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return invalid("This is not a setup key.", keyHint)
	}
	for _, values := range query {
		if len(values) > 1 {
			return invalid("The address says something twice.", keyHint)
		}
	}
	return s.parseQuery(query)
}

func (s *Setup) parseQuery(query url.Values) (err error) {
	if s.Key, err = parseKey(query.Get("secret")); err != nil {
		return err
	}
	if text := query.Get("algorithm"); text != "" {
		s.Algorithm = strings.ReplaceAll(strings.TrimPrefix(strings.ToUpper(text), "HMAC"), "-", "")
	}
	if hashOf(s.Algorithm) == nil {
		return invalid("The algorithm of these codes is not supported.", "Cove knows SHA1, SHA256 and SHA512.")
	}
	if text := query.Get("digits"); text != "" {
		if s.Digits, err = strconv.Atoi(text); err != nil || s.Digits < minDigits || s.Digits > maxDigits {
			return invalid("A code must have 6 to 8 digits.", "")
		}
	}
	if text := query.Get("period"); text != "" {
		seconds, err := strconv.Atoi(text)
		s.Period = time.Duration(seconds) * time.Second
		if err != nil || seconds < int(minPeriod/time.Second) || seconds > int(maxPeriod/time.Second) {
			return invalid("A code must be valid for 15 to 60 seconds.", "")
		}
	}
	return nil
}

const keyHint = "Enter the key that the site shows beside its QR code, or the otpauth:// address in that code."

// parseKey reads base32 as people copy it: in groups, in small letters, with or without its padding.
func parseKey(text string) ([]byte, error) {
	text = strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\u00a0' {
			return -1
		}
		return r
	}, text)
	key, err := encoding.DecodeString(strings.ToUpper(strings.TrimRight(text, "=")))
	if err != nil {
		return nil, invalid("This is not a setup key: it has letters and the digits 2 to 7.", keyHint)
	}
	if len(key) < minKey || len(key) > maxKey {
		return nil, invalid("This is not a setup key: it has 16 letters or more.", keyHint)
	}
	return key, nil
}

func invalid(text, hint string) error { return fault.Fieldf("value", "%s", text).WithHint(hint) }
