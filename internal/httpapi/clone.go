package httpapi

import (
	"encoding/json"
	"maps"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// mayCopyData asks for the person before the data of a profile with secrets is copied: secrets stay with their profile, and in the copy their
// values would not be hidden.
func (c *call) mayCopyData() error {
	if _, err := c.server.Profiles.Get(c.Context(), c.id); err != nil {
		return err
	}
	all, err := c.server.Secrets.List(c.id)
	if err != nil || len(all) == 0 {
		return err
	}
	return c.mustBePersonFor("copy the data of a profile that has secrets")
}

func (s *Server) clone(c *call) (any, error) {
	var in api.CloneInput
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	ignored, err := readClone(raw, &in)
	if err != nil {
		return nil, err
	}
	trial := profile.Profile{Name: in.Name}
	if in.Name == "" {
		trial.Name = "trial"
	}
	if err := first(trial.Clean, c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	if in.Data {
		if err := c.mayCopyData(); err != nil {
			return nil, err
		}
	}
	c.patient()
	p, err := s.Profiles.Clone(c.Context(), c.id, in.Name, in.Data)
	if err != nil {
		return nil, err
	}
	return api.Created{Success: true, BrowserProfileID: int32(p.ID), Data: s.show(p, true), Ignored: ignored}, nil
}

var cloneFields = []string{"name", "data"}

// readClone reads how a profile is copied. What would make the copy another than the original is refused: it has its own call.
func readClone(raw json.RawMessage, in *api.CloneInput) (ignored []string, err error) {
	if raw == nil {
		return nil, nil
	}
	all, err := readFields(raw, cloneFields)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(cloneFields, name) {
			continue
		}
		if _, yes := decides(name); yes && !saysNothing(all[name]) {
			return nil, fault.Invalidf("A copy is as its original, so it takes no %q.", clip(name)).WithHint("Make the copy, then change it with PATCH.")
		}
		ignored = append(ignored, name)
	}
	return ignored, decodeJSON(raw, in)
}
