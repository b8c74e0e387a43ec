package redaction

import (
	"strings"

	"cove/internal/redact"
	"cove/internal/wording"
)

// maxURL is how many characters of an address an agent reads.
const maxURL = 500

// URLText returns an address, or another word that is not ours, on one line and without anything that could look like
// a sentence of ours. It has no passwords in it.
func URLText(address string) string {
	address = redact.URL(address)
	address = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == '<' || r == '>' {
			return -1
		}
		return r
	}, address)

	return wording.Shorten(address, maxURL)
}
