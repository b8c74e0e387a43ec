package wire

import (
	"encoding/json"
	"errors"
	"slices"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
)

// Aliases are other names of the fields of a profile, as scripts for Dolphin send them.
var Aliases = []string{"tabs", "newHomepages", "folderId", "statusId", "proxyId", "proxy_id"}

// skipped are fields that Cove itself writes into a profile. Scripts change a profile that they have read and send it
// back whole.
var skipped = []string{"id", "running", "state", "mode", "agents", "created_at", "updated_at", "createdAt", "updatedAt",
	"openedAt", "deletedAt", "lastStartTime", "access"}

// resolveAliases replaces other names by those of Cove. It returns the names that say nothing beside a field that says
// more.
func resolveAliases(all map[string]json.RawMessage) (ignored []string, err error) {
	for _, alias := range []struct{ name, field string }{{"folderId", "folder"}, {"statusId", "status"}} {
		value, sent := all[alias.name]
		if !sent {
			continue
		}
		delete(all, alias.name)
		if _, twice := all[alias.field]; twice && !input.SaysNothing(value) && !sameID(all[alias.field], value) {
			return nil, twoMeanings(alias.name, alias.field)
		}
		if other, twice := all[alias.field]; !twice || input.SaysNothing(other) {
			all[alias.field] = asNumber(value)
		}
	}
	for _, name := range []string{"proxyId", "proxy_id"} {
		value, sent := all[name]
		if !sent {
			continue
		}
		delete(all, name)
		other, twice := all["proxy"]
		switch {
		case !twice:
			all["proxy"] = value
		case input.SaysNothing(value):
			ignored = append(ignored, name)
		case input.SaysNothing(other):
			all["proxy"] = value
		case !sameID(withID(other, value), value):
			return nil, twoMeanings(name, "proxy")
		default:
			all["proxy"] = withID(other, value)
		}
	}
	return ignored, resolveTabs(all)
}

func twoMeanings(one, other string) error {
	return fault.Unprocessablef(one, "The fields %q and %q name different things.", one, other).
		WithHint("Send one of them.")
}

// sameID reports whether value is the id in field, which may be an object.
func sameID(field, value json.RawMessage) bool {
	var object struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(field, &object) == nil && object.ID != nil {
		field = object.ID
	}
	return string(asNumber(field)) == string(asNumber(value))
}

// withID gives an object an id, unless it has one. What it says besides must agree with what the id stands for.
func withID(object, id json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || members == nil || members["id"] != nil {
		return object
	}
	members["id"] = id
	raw, err := json.Marshal(members)
	if err != nil {
		return object
	}
	return raw
}

// asNumber returns digits in a text as a number, because a text that is not an id is a name.
func asNumber(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) == nil && json.Unmarshal([]byte(text), new(int32)) == nil {
		return json.RawMessage(text)
	}
	return value
}

// resolveTabs makes start pages of the tabs and home pages of a request.
func resolveTabs(all map[string]json.RawMessage) error {
	_, own := all["startPages"]
	pages, sent := []string{}, false
	for _, name := range []string{"tabs", "newHomepages"} {
		value, there := all[name]
		if !there {
			continue
		}
		delete(all, name)
		if own || string(value) == "null" {
			continue
		}
		read, err := readPages(value)
		if err != nil {
			return fault.In(name, err)
		}
		pages, sent = append(pages, read...), true
	}
	if !sent {
		return nil
	}
	raw, err := json.Marshal(pages)
	all["startPages"] = raw
	return err
}

// readPages reads a list of URLs, as texts or as objects with an url, or one of them.
func readPages(value json.RawMessage) (pages []string, err error) {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		items = []json.RawMessage{value}
	}
	for _, item := range items {
		var page string
		var object struct {
			URL string `json:"url"`
		}
		switch {
		case json.Unmarshal(item, &page) == nil:
		case json.Unmarshal(item, &object) == nil:
			page = object.URL
		default:
			return nil, fault.Invalidf("Expected a list of URLs.")
		}
		if page != "" {
			pages = append(pages, page)
		}
	}
	return pages, nil
}

// otherNames returns the other names of a field.
func otherNames(field string) []string {
	switch field {
	case "folder":
		return []string{"folderId"}
	case "status":
		return []string{"statusId"}
	case "proxy":
		return []string{"proxyId", "proxy_id"}
	case "startPages":
		return []string{"tabs", "newHomepages"}
	}
	return nil
}

// Spellings returns the names by which a request sends fields, because some fields have several names.
func Spellings(raw json.RawMessage, fields ...string) []string {
	var sent map[string]json.RawMessage
	_ = json.Unmarshal(raw, &sent)
	names := slices.Clone(fields)
	for i, field := range fields {
		if _, own := sent[field]; own {
			continue
		}
		for _, name := range otherNames(field) {
			if _, ok := sent[name]; ok {
				names[i] = name
			}
		}
	}
	return names
}

// Spelled names the field of an error as the request spells it.
func Spelled(raw json.RawMessage, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Field == "" {
		return err
	}
	if name := Spellings(raw, f.Field)[0]; name != f.Field {
		return f.WithField(name)
	}
	return err
}
