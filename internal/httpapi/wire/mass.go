package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
)

// massInput is api.MassInput before its profiles are decoded.
type massInput struct {
	Profiles []json.RawMessage `json:"profiles"`
	Count    api.Number        `json:"count"`
	Template json.RawMessage   `json:"template"`
	Items    []json.RawMessage `json:"items"`
	Common   json.RawMessage   `json:"common"`
}

var massFields = []string{"profiles", "count", "template", "items", "common"}

// Mass is a request to create several profiles.
type Mass struct {
	// Profiles are those that are created together, all of them or none.
	Profiles []api.ProfileInput
	// Items are those that are created each by itself, if there are any.
	Items   []json.RawMessage
	Ignored []string

	in massInput
}

// ReadMass reads the profiles of a mass creation. It leaves the items undecoded.
func ReadMass(raw json.RawMessage) (m Mass, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	all, err := input.ReadFields(raw, massFields)
	if err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(massFields, name) {
			if err := input.CheckUnknownField(name, all[name]); err != nil {
				return m, err
			}
			m.Ignored = append(m.Ignored, name)
		}
	}
	if raw, err = json.Marshal(all); err != nil {
		return m, err
	}
	if err := input.DecodeJSON(raw, &m.in); err != nil {
		return m, err
	}

	var more []string
	if m.Profiles, more, err = m.in.read(); err != nil {
		return m, err
	}
	if m.Items, err = m.in.merged(); err != nil {
		return m, err
	}
	n := len(m.Profiles) + len(m.Items)
	if n == 0 || n > api.MaxMass || (len(m.Profiles) > 0 && len(m.Items) > 0) {
		return m, fault.Invalidf("You can create 1 to %d profiles at a time.", api.MaxMass).
			WithHint(`Send {"profiles":[{"name":"a"},…]}, {"template":{"name":"work"},"count":10} or ` +
				`{"common":{…},"items":[{"name":"a"},…]}.`)
	}
	m.Ignored = input.Sorted(append(m.Ignored, more...))
	return m, nil
}

// merged returns the items, each with the common fields that it does not have itself.
func (in massInput) merged() (items []json.RawMessage, err error) {
	var common map[string]json.RawMessage
	if len(in.Common) > 0 {
		if _, _, err := ReadInput(in.Common, "cookies"); err != nil {
			return nil, fault.In("common", err)
		}
		if err := input.DecodeJSON(in.Common, &common); err != nil {
			return nil, fault.In("common", err)
		}
	}
	for i, raw := range in.Items[:min(len(in.Items), api.MaxMass+1)] {
		var own map[string]json.RawMessage
		if err := input.DecodeJSON(raw, &own); err != nil {
			return nil, fault.In("items."+strconv.Itoa(i), err)
		}
		whole := maps.Clone(common)
		if whole == nil {
			whole = map[string]json.RawMessage{}
		}
		maps.Copy(whole, own)
		if raw, err = json.Marshal(whole); err != nil {
			return nil, err
		}
		items = append(items, raw)
	}
	return items, nil
}

// read decodes the profiles, and numbers those that come from a template.
func (in massInput) read() (inputs []api.ProfileInput, ignored []string, err error) {
	for i, raw := range in.Profiles[:min(len(in.Profiles), api.MaxMass+1)] {
		one, more, err := ReadInput(raw)
		if err != nil {
			return nil, nil, ofMany(in.nameOf(i), err, i, len(in.Profiles))
		}
		inputs, ignored = append(inputs, one), append(ignored, more...)
	}
	if len(in.Template) == 0 || string(in.Template) == "null" {
		return inputs, ignored, nil
	}
	template, more, err := ReadInput(in.Template)
	if err != nil {
		return nil, nil, fault.In("template", err)
	}
	if template.Name == nil {
		return nil, nil, fault.Fieldf("template.name", "A template needs a name.")
	}
	for i := range min(max(int(in.Count), 0), api.MaxMass+1) {
		one, name := template, fmt.Sprintf("%s %d", *template.Name, i+1)
		one.Name = &name
		inputs = append(inputs, one)
	}
	return inputs, append(ignored, more...), nil
}

// nameOf names the input that profile i comes from.
func (in massInput) nameOf(i int) string {
	if i < len(in.Profiles) {
		return "profiles." + strconv.Itoa(i)
	}
	return "template"
}

// About says which of the profiles an error is about.
func (m Mass) About(i int, err error) error { return ofMany(m.in.nameOf(i), err, i, len(m.Profiles)) }

// ofMany says which of n profiles a fault is about. input is the name of that profile in the request.
func ofMany(input string, err error, i, n int) error {
	f := fault.From(err)
	if f.Kind != fault.Invalid && f.Kind != fault.Unprocessable {
		return err
	}
	text := fmt.Sprintf("Profile %d of %d: %s", i+1, n, f.Text)
	return fault.In(input, fault.New(f.Code, text, f.Hint).WithField(f.Field))
}
