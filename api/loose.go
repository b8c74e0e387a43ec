package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Flag is a yes or no as clients send it: true, 1, "1", "true"; absent or empty is no.
type Flag bool

// ParseFlag reads a yes or no; ok is false for anything else.
func ParseFlag(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return true, true
	case "", "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

func (f *Flag) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	if text == "null" {
		text = ""
	}
	value, ok := ParseFlag(text)
	if !ok {
		return errors.New("expected true or false")
	}
	*f = Flag(value)
	return nil
}

// LooseText is a text, also when a client wraps it: {"mode":"manual","value":"de"}, {"content":"…"}, null.
type LooseText string

func (t *LooseText) UnmarshalJSON(raw []byte) error {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		*t = LooseText(plain)
		return nil
	}
	var wrapped struct {
		Value   *string `json:"value"`
		Content *string `json:"content"`
	}
	if err := json.Unmarshal(raw, &wrapped); err != nil {
		return errors.New("expected a text")
	}
	for _, s := range []*string{wrapped.Value, wrapped.Content} {
		if s != nil {
			*t = LooseText(*s)
		}
	}
	return nil
}

// Strings is a list of texts; one text alone is a list of one.
type Strings []string

func (s *Strings) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*s = Strings{}
		if one != "" {
			*s = Strings{one}
		}
		return nil
	}
	var many []string
	if err := json.Unmarshal(raw, &many); err != nil {
		return errors.New("expected a list of texts")
	}
	*s = many
	return nil
}

// LooseProxy is a proxy whose port may be a text; null and "" are none.
type LooseProxy Proxy

func (p *LooseProxy) UnmarshalJSON(raw []byte) error {
	if bytes.Equal(raw, []byte("null")) || bytes.Equal(raw, []byte(`""`)) {
		*p = LooseProxy{}
		return nil
	}
	var in struct {
		Type     string          `json:"type"`
		Host     string          `json:"host"`
		Port     json.RawMessage `json:"port"`
		Login    string          `json:"login"`
		Password string          `json:"password"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return errors.New("expected a proxy such as {\"type\":\"http\",\"host\":\"proxy.example\",\"port\":8080}")
	}
	port := 0
	if text := strings.Trim(string(in.Port), `"`); text != "" && text != "null" {
		var err error
		if port, err = strconv.Atoi(text); err != nil {
			return errors.New("expected a port number")
		}
	}
	*p = LooseProxy{Type: in.Type, Host: in.Host, Port: port, Login: in.Login, Password: in.Password}
	return nil
}

// StrictPolicy is a policy in which a field that is not known is an error: a rule with a slip of the pen must not be left aside.
type StrictPolicy Policy

func (p *StrictPolicy) UnmarshalJSON(raw []byte) error {
	var in Policy
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return errors.New("a policy has no field " + name)
		}
		return err
	}
	*p = StrictPolicy(in)
	return nil
}
