// Package id holds the number by which everything knows a profile.
package id

import (
	"encoding/json"
	"strconv"

	"cove/internal/fault"
	"cove/internal/wording"
)

// ID is the number of a profile. The store assigns it and never reuses it.
type ID int32

// Parse reads the digits of an ID and accepts nothing else.
func Parse(s string) (ID, error) {
	bad := fault.Invalidf("%s is not a profile id.", strconv.Quote(wording.Shorten(s, 40))).
		WithHint("A profile id is a whole number such as 1; `cove profile list` shows them.")
	if s == "" || s[0] == '0' || len(s) > 10 {
		return 0, bad
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, bad
		}
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, bad
	}
	return ID(n), nil
}

// String returns the digits of an ID.
func (id ID) String() string { return strconv.Itoa(int(id)) }

// UnmarshalJSON accepts a number, and its digits as a text. It leaves the check of the number to Parse.
func (id *ID) UnmarshalJSON(raw []byte) error {
	if len(raw) > 2 && raw[0] == '"' {
		parsed, err := Parse(string(raw[1 : len(raw)-1]))
		*id = parsed
		return err
	}
	var n int32
	if err := json.Unmarshal(raw, &n); err != nil {
		return err
	}
	*id = ID(n)
	return nil
}
