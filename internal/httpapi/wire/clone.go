package wire

import (
	"encoding/json"
	"maps"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
)

var cloneFields = []string{"name", "data"}

// ReadClone reads how to copy a profile. It refuses fields that would make the copy differ from the original: the edit
// call is for those.
func ReadClone(raw json.RawMessage, in *api.CloneInput) (ignored []string, err error) {
	if raw == nil {
		return nil, nil
	}
	all, err := input.ReadFields(raw, cloneFields)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(cloneFields, name) {
			continue
		}
		if _, yes := input.Decides(name); yes && !input.SaysNothing(all[name]) {
			return nil, fault.Fieldf(input.Clip(name),
				"A copy has the same settings as the original, so %q is not allowed.",
				input.Clip(name)).
				WithHint("Create the copy, then edit it with PATCH.")
		}
		ignored = append(ignored, name)
	}
	return ignored, input.DecodeJSON(raw, in)
}
