package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// massInput is api.MassInput before its profiles are read.
type massInput struct {
	Profiles []json.RawMessage `json:"profiles"`
	Count    int               `json:"count"`
	Template json.RawMessage   `json:"template"`
}

var massFields = []string{"profiles", "count", "template"}

func (s *Server) createMany(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	ps, ignored, err := many(raw)
	if err != nil {
		return nil, err
	}
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	if err := c.mayMake(ps...); err != nil {
		return nil, err
	}
	made, err := s.Profiles.Create(c.Context(), ps...)
	if err != nil {
		return nil, err
	}
	out := api.CreatedMany{Success: true, IDs: make([]int32, 0, len(made)), Ignored: ignored}
	for _, p := range made {
		out.IDs = append(out.IDs, int32(p.ID))
	}
	return out, nil
}

// many lays out the profiles of a mass creation, all of them good or none.
func many(raw json.RawMessage) (out []profile.Profile, ignored []string, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	all, err := readFields(raw, massFields)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(massFields, name) {
			if err := mustUnderstand(name, all[name]); err != nil {
				return nil, nil, err
			}
			ignored = append(ignored, name)
		}
	}
	var in massInput
	if err := decodeJSON(raw, &in); err != nil {
		return nil, nil, err
	}
	inputs, more, err := in.read()
	if err != nil {
		return nil, nil, err
	}
	if len(inputs) == 0 || len(inputs) > maxMany {
		return nil, nil, fault.Invalidf("Between 1 and %d profiles can be made at a time.", maxMany).
			WithHint(`Send {"profiles":[{"name":"a"},…]} or {"template":{"name":"work"},"count":10}.`)
	}
	out = make([]profile.Profile, len(inputs))
	for i, one := range inputs {
		apply(one, &out[i])
		if err := out[i].Clean(); err != nil {
			return nil, nil, ofMany(err, i, len(inputs))
		}
	}
	return out, sorted(append(ignored, more...)), nil
}

// read reads the profiles, those of a template numbered.
func (in massInput) read() (inputs []api.ProfileInput, ignored []string, err error) {
	for i, raw := range in.Profiles[:min(len(in.Profiles), maxMany+1)] {
		one, more, err := readInput(raw)
		if err != nil {
			return nil, nil, ofMany(err, i, len(in.Profiles))
		}
		inputs, ignored = append(inputs, one), append(ignored, more...)
	}
	if len(in.Template) == 0 || string(in.Template) == "null" {
		return inputs, ignored, nil
	}
	template, more, err := readInput(in.Template)
	if err != nil {
		return nil, nil, err
	}
	if template.Name == nil {
		return nil, nil, fault.Invalidf("A template needs a name.")
	}
	for i := range min(max(in.Count, 0), maxMany+1) {
		one, name := template, fmt.Sprintf("%s %d", *template.Name, i+1)
		one.Name = &name
		inputs = append(inputs, one)
	}
	return inputs, append(ignored, more...), nil
}

// ofMany says which of several profiles a fault is about.
func ofMany(err error, i, n int) error {
	f := fault.From(err)
	return fault.Invalidf("Profile %d of %d: %s", i+1, n, f.Text).WithHint(f.Hint)
}
