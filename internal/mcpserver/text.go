package mcpserver

import (
	"encoding/json"
	"strconv"
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

// summarize says in a few words what a call is about: addresses, elements and keys, never what is typed.
func summarize(raw json.RawMessage) string {
	var in struct {
		URL      string            `json:"url"`
		Type     string            `json:"type"`
		UID      string            `json:"uid"`
		Key      string            `json:"key"`
		Query    string            `json:"query"`
		Elements []json.RawMessage `json:"elements"`
	}
	_ = json.Unmarshal(raw, &in)

	switch {
	case in.URL != "":
		return URLText(in.URL)
	case len(in.Elements) == 1:
		return "1 field"
	case len(in.Elements) > 1:
		return strconv.Itoa(len(in.Elements)) + " fields"
	case in.UID != "":
		return "element " + wording.Shorten(in.UID, 40)
	case in.Key != "" && len(in.Key) > 1: // a single character may be part of what is typed
		return wording.Shorten(in.Key, 40)
	case in.Query != "":
		return wording.Shorten(in.Query, 60)
	}
	return wording.Shorten(in.Type, 40)
}
