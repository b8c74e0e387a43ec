package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/profile/id"
)

// Flag is a yes or no as clients send it: true, 1, "1" or "true". Absent or empty means no.
type Flag bool

// ParseFlag reads a yes or no. ok is false for anything else.
func ParseFlag(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return true, true
	case "", "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

// UnmarshalJSON accepts true and false, 1 and 0, and the same as texts.
func (f *Flag) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	if text == "null" {
		text = ""
	}
	value, ok := ParseFlag(text)
	if !ok {
		return fault.Invalidf("Expected true or false.")
	}
	*f = Flag(value)
	return nil
}

// LooseText is a text, even if a client wraps it: {"mode":"manual","value":"de"}, {"content":"…"}. The mode auto leaves
// the choice to the browser.
type LooseText string

// UnmarshalJSON accepts a text, and an object that holds one.
func (t *LooseText) UnmarshalJSON(raw []byte) error {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		*t = LooseText(plain)
		return nil
	}
	var wrapped struct {
		Mode    string          `json:"mode"`
		Value   *string         `json:"value"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(raw, &wrapped); err != nil {
		var wrong *json.UnmarshalTypeError
		_ = errors.As(err, &wrong)
		return fault.Fieldf(wrong.Field, "Expected a text.")
	}
	*t = ""
	switch strings.ToLower(wrapped.Mode) {
	case "", "manual":
	case "auto", "real", "off": // the browser decides, whatever value is sent as well
		return nil
	default:
		return fault.Fieldf("mode", "Unknown mode %q.", wrapped.Mode).
			WithHint("Send a text, or one of the modes manual and auto.")
	}
	switch {
	case wrapped.Value != nil:
		*t = LooseText(*wrapped.Value)
	case len(wrapped.Content) > 0: // notes send their text here, or null for none
		if json.Unmarshal(wrapped.Content, (*string)(t)) != nil {
			return fault.Fieldf("content", "Expected a text.")
		}
	default:
		return fault.Invalidf("Expected a text.")
	}
	return nil
}

// Strings is a list of texts. A single text counts as a list of one, and a number as its digits.
type Strings []string

// UnmarshalJSON accepts a list of texts and numbers, and one of them.
func (s *Strings) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*s = Strings{}
		if one != "" {
			*s = Strings{one}
		}
		return nil
	}
	var many []json.RawMessage
	if json.Unmarshal(raw, &many) != nil {
		many = []json.RawMessage{raw}
	}
	out := make(Strings, len(many))
	for i, item := range many {
		text, ok := looseScalar(item)
		if !ok || string(item) == "null" {
			return fault.Invalidf("Expected a list of texts.")
		}
		out[i] = text
	}
	*s = out
	return nil
}

// IDList is a list of IDs. A single one, and several in one text with commas, count as a list.
type IDList []ProfileID

// UnmarshalJSON accepts numbers and digits.
func (l *IDList) UnmarshalJSON(raw []byte) error {
	var texts Strings
	if texts.UnmarshalJSON(raw) != nil {
		return fault.Invalidf("Expected a list of ids.").WithHint(`Send numbers, such as [1,2].`)
	}
	if len(texts) == 1 {
		texts = strings.Split(texts[0], ",")
	}
	out := make(IDList, len(texts))
	for i, text := range texts {
		parsed, err := id.Parse(strings.TrimSpace(text))
		if err != nil {
			return fault.In(strconv.Itoa(i), err)
		}
		out[i] = parsed
	}
	*l = out
	return nil
}

// Number is a whole number as clients send it: forms have no numbers, only texts.
type Number int

// UnmarshalJSON accepts a whole number, and its digits as a text.
func (n *Number) UnmarshalJSON(raw []byte) error {
	text, ok := looseScalar(raw)
	value, err := strconv.Atoi(strings.TrimSpace(text))
	if !ok || err != nil && text != "" {
		return fault.Invalidf("Expected a whole number.")
	}
	*n = Number(value)
	return nil
}

// UnmarshalJSON accepts numbers and their digits as texts.
func (s *Size) UnmarshalJSON(raw []byte) error {
	var in struct {
		Width  json.RawMessage `json:"width"`
		Height json.RawMessage `json:"height"`
	}
	if json.Unmarshal(raw, &in) != nil {
		return fault.Invalidf("Expected a width and a height.")
	}
	var width, height Number
	if in.Width != nil && json.Unmarshal(in.Width, &width) != nil {
		return fault.Fieldf("width", "The width must be a whole number.")
	}
	if in.Height != nil && json.Unmarshal(in.Height, &height) != nil {
		return fault.Fieldf("height", "The height must be a whole number.")
	}
	*s = Size{Width: int(width), Height: int(height)}
	return nil
}

// looseScalar reads a text, a number or null as a text.
func looseScalar(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String(), true
	}
	return "", false
}

// StrictPolicy is a policy that refuses unknown fields: a misspelled rule must not be ignored.
type StrictPolicy Policy

// UnmarshalJSON refuses fields that a policy does not have.
func (p *StrictPolicy) UnmarshalJSON(raw []byte) error {
	var in Policy
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		if quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			name, _ := strconv.Unquote(quoted)
			return fault.Fieldf(name, "A policy has no field %q.", name)
		}
		return err
	}
	*p = StrictPolicy(in)
	return nil
}
