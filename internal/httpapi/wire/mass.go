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
	"cove/internal/profile"
)

// massInput is api.MassInput before its profiles are decoded.
type massInput struct {
	Profiles []json.RawMessage `json:"profiles"`
	Count    int               `json:"count"`
	Template json.RawMessage   `json:"template"`
}

var massFields = []string{"profiles", "count", "template"}

// ReadMany reads the profiles of a mass creation. One bad profile fails all of them.
func ReadMany(raw json.RawMessage) (out []profile.Profile, ignored []string, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	all, err := input.ReadFields(raw, massFields)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(massFields, name) {
			if err := input.CheckUnknownField(name, all[name]); err != nil {
				return nil, nil, err
			}
			ignored = append(ignored, name)
		}
	}
	var in massInput
	if err := input.DecodeJSON(raw, &in); err != nil {
		return nil, nil, err
	}
	inputs, more, err := in.read()
	if err != nil {
		return nil, nil, err
	}
	if len(inputs) == 0 || len(inputs) > api.MaxMass {
		return nil, nil, fault.Invalidf("You can create 1 to %d profiles at a time.", api.MaxMass).
			WithHint(`Send {"profiles":[{"name":"a"},…]} or {"template":{"name":"work"},"count":10}.`)
	}
	out = make([]profile.Profile, len(inputs))
	for i, one := range inputs {
		Apply(one, &out[i])
		if err := out[i].Clean(); err != nil {
			return nil, nil, ofMany(in.nameOf(i), err, i, len(inputs))
		}
	}
	return out, input.Sorted(append(ignored, more...)), nil
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
	for i := range min(max(in.Count, 0), api.MaxMass+1) {
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

// ofMany says which of n profiles a fault is about. input is the name of that profile in the request.
func ofMany(input string, err error, i, n int) error {
	f := fault.From(err)
	text := fmt.Sprintf("Profile %d of %d: %s", i+1, n, f.Text)
	return fault.In(input, fault.Invalidf("%s", text).WithHint(f.Hint).WithField(f.Field))
}
