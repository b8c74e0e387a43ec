package adspower

import (
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// The names of one profile in a request. Ids win over numbers.
var (
	idNames     = []string{"user_id", "profile_id"}
	numberNames = []string{"serial_number", "profile_no"}
)

// profileID reads the one profile that a call is about.
func (c *request) profileID() (profile.ID, error) {
	ids, err := c.profileIDs()
	if err != nil {
		return 0, err
	}
	if len(ids) != 1 {
		return 0, fault.Fieldf("user_id", "This call needs the id of one profile.").
			WithHint("Send user_id or profile_id; `cove profile list` shows the ids.")
	}
	return ids[0], nil
}

// profileIDs reads the profiles that a call names.
func (c *request) profileIDs(more ...string) ([]profile.ID, error) {
	for _, names := range [][]string{append(slices.Clone(more), idNames...), numberNames} {
		var found []profile.ID
		from := ""
		for _, name := range names {
			texts, err := c.list(name, true)
			if err != nil || len(texts) == 0 {
				if err != nil {
					return nil, err
				}
				continue
			}
			ids, err := parseIDs(name, texts)
			if err != nil {
				return nil, err
			}
			if found != nil && !slices.Equal(found, ids) {
				return nil, fault.Fieldf(name, "The fields %s and %s name different profiles.", from, name).
					WithHint("Send one of them.")
			}
			found, from = ids, name
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, nil
}

func parseIDs(name string, texts []string) ([]profile.ID, error) {
	ids := make([]profile.ID, len(texts))
	for i, text := range texts {
		id, err := profile.ParseID(strings.TrimSpace(text))
		if err != nil {
			return nil, fault.In(name, err)
		}
		ids[i] = id
	}
	return ids, nil
}

// manyIDs reads the profiles that a call changes together.
func (c *request) manyIDs() ([]profile.ID, error) {
	ids, err := c.profileIDs("user_ids")
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 || len(ids) > api.MaxMass {
		return nil, fault.Fieldf("user_ids", "This call takes 1 to %d profiles at a time.", api.MaxMass).
			WithHint(`Send {"user_ids":["1","2"]}, or {"profile_id":["1","2"]}.`)
	}
	return ids, nil
}
