package sessions

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/session"
)

// startInput is the body of a start. The query can say the same.
type startInput struct {
	Automation api.Flag `json:"automation"`
	Headless   api.Flag `json:"headless"`
	NoTabs     api.Flag `json:"noTabs"`
}

// StartFields are the fields of startInput.
var StartFields = []string{"automation", "headless", "noTabs"}

// startOptions reads how to start a profile, from the query and the body together. It returns the names that it does
// not know. more are fields of the body that another function reads.
func startOptions(c *call.Call, raw json.RawMessage, more ...string) (w session.Options, ignored []string, err error) {
	if err := c.CheckQuery(); err != nil {
		return w, nil, err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	body, err := input.ReadFields(raw, append(slices.Clone(more), StartFields...))
	if err != nil {
		return w, nil, err
	}
	if ignored, err = checkStartFields(c, body, more); err != nil {
		return w, nil, err
	}
	var in startInput
	for name, field := range map[string]*api.Flag{"automation": &in.Automation, "headless": &in.Headless,
		"noTabs": &in.NoTabs} {
		if value, there := body[name]; there {
			if err := json.Unmarshal(value, field); err != nil {
				return w, nil, fault.Fieldf(name, "%q must be true or false.", name).
					WithHint("Send true or false.")
			}
		}
		value, err := c.Flag(name)
		if err != nil {
			return w, nil, err
		}
		*field = *field || api.Flag(value)
	}
	w = session.Options{Mode: session.Ordinary, Headless: bool(in.Headless), NoTabs: bool(in.NoTabs)}
	if in.Automation {
		w.Mode = session.Automation
	}
	return w, ignored, nil
}

// checkStartFields refuses fields that could change the identity of a profile that is only to be opened. It also
// refuses misspelled fields: a start for scripts must not become one for a person.
func checkStartFields(c *call.Call, body map[string]json.RawMessage, more []string) (ignored []string, err error) {
	named := map[string]json.RawMessage{}
	for name, values := range c.URL.Query() {
		named[name] = json.RawMessage(strconv.Quote(strings.Join(values, ",")))
	}
	for _, name := range input.Identity {
		if value, there := named[name]; there && more != nil && !input.SaysNothing(value) {
			if err := c.RequireCredentialFor(name); err != nil {
				return nil, err
			}
			return nil, fault.Fieldf(name, "The field %q belongs in the request's body, not in its URL.",
				name).WithHint("Send it with POST as JSON.")
		}
	}
	for name, value := range body {
		if !slices.Contains(more, name) {
			named[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if slices.Contains(StartFields, name) {
			continue
		}
		if _, yes := input.Decides(name); yes && !input.SaysNothing(named[name]) {
			if err := c.RequireCredentialFor(name); err != nil {
				return nil, err
			}
			if more != nil {
				return nil, input.CheckUnknownField(name, named[name])
			}
			return nil, fault.Fieldf(input.Clip(name),
				"Starting a profile cannot change its identity, so %q is not allowed.",
				input.Clip(name)).WithHint("Change the profile first: cove profile edit " + c.ID.String())
		}
		if known := input.Meant(name, StartFields); known != "" {
			return nil, fault.Fieldf(input.Clip(name), "Starting a profile has no option %q.", input.Clip(name)).
				WithHint("Did you mean " + known + "?")
		}
		ignored = append(ignored, name)
	}
	return ignored, nil
}
