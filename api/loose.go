package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
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

// Strings is a list of texts. A single text counts as a list of one.
type Strings []string

// UnmarshalJSON accepts a list of texts, and one text.
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
		return fault.Invalidf("Expected a list of texts.")
	}
	*s = many
	return nil
}

// LooseProxy is a proxy as clients send it: the port may be a text, and login and password have other names, too. Only
// null, "" and the type none mean no proxy. Anything else that Cove does not understand is refused, because a profile
// without its proxy is another identity.
type LooseProxy Proxy

const proxyHint = `Send a proxy such as ` +
	`{"type":"http","host":"proxy.example","port":8080,"login":"…","password":"…"}, or null for none.`

// proxyFields maps the names that clients use to the fields of a proxy.
var proxyFields = map[string]string{"type": "type", "host": "host", "port": "port", "login": "login", "user": "login",
	"username": "login", "password": "password", "pass": "password", "id": "id"}

// unusedProxyFields are fields of other products that do not decide where the traffic goes.
var unusedProxyFields = []string{"name", "title", "notes", "provider", "changeIpUrl", "change_ip_url", "savedByUser",
	"lastCheck", "createdAt", "created_at", "updatedAt", "updated_at", "browser_profiles_count"}

// IgnoredOfProxy returns the names of fields that Cove does not use.
func IgnoredOfProxy(raw json.RawMessage) (names []string) {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for name := range all {
		if isUnused(name) {
			names = append(names, name)
		}
	}
	return names
}

func isUnused(name string) bool {
	return slices.ContainsFunc(unusedProxyFields, func(other string) bool { return strings.EqualFold(other, name) })
}

// UnmarshalJSON accepts an object or a URL, and refuses a proxy that it does not understand.
func (p *LooseProxy) UnmarshalJSON(raw []byte) error {
	*p = LooseProxy{}
	text := strings.TrimSpace(string(raw))
	if text == "null" || text == `""` {
		return nil
	}
	if id := strings.Trim(text, `"`); id != "" && strings.Trim(id, "0123456789") == "" {
		return noProxy(id)
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return fault.Invalidf("This is not a valid proxy.").WithHint(proxyHint)
	}
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		if isUnused(name) {
			continue
		}
		field, known := proxyFields[strings.ToLower(name)]
		if !known {
			return fault.Fieldf(name, "Unknown proxy field %q.", name).WithHint(proxyHint)
		}
		text, ok := looseScalar(value)
		if !ok {
			return fault.Fieldf(name, "The proxy field %q must be a text or a number.", name).
				WithHint(proxyHint)
		}
		if before, twice := fields[field]; twice && before != text {
			return fault.Fieldf(name, "The proxy's %s is given twice.", field).WithHint(proxyHint)
		}
		fields[field] = text
	}
	return p.set(fields)
}

// set fills p from the fields of a request.
func (p *LooseProxy) set(fields map[string]string) error {
	if id := fields["id"]; id != "" && id != "0" {
		return noProxy(id)
	}
	if strings.EqualFold(strings.TrimSpace(fields["type"]), "none") {
		return nil
	}
	port, err := strconv.Atoi(strings.TrimSpace(fields["port"]))
	if fields["port"] != "" && err != nil {
		return fault.Fieldf("port", "The proxy's port is not a number.").WithHint(proxyHint)
	}
	if strings.TrimSpace(fields["type"]) == "" || strings.TrimSpace(fields["host"]) == "" {
		return fault.Invalidf("The proxy needs a type and a host.").WithHint(proxyHint)
	}
	*p = LooseProxy{Type: fields["type"], Host: fields["host"], Port: port, Login: fields["login"],
		Password: fields["password"]}
	return nil
}

// MarshalJSON writes null for no proxy, because an empty proxy would be refused.
func (p LooseProxy) MarshalJSON() ([]byte, error) {
	if p == (LooseProxy{}) {
		return []byte("null"), nil
	}
	return json.Marshal(Proxy(p))
}

func noProxy(id string) error {
	return fault.Invalidf("There is no stored proxy %s.", id).WithHint("Cove has no list of proxies. " + proxyHint)
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
