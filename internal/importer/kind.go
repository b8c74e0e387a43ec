package importer

import (
	"maps"
	"slices"

	"cove/internal/fault"
	"cove/internal/wording"
)

// kind is what an item of a list is.
type kind int

const (
	unknown kind = iota
	aProfile
	aProxy
	aFolder
	aStatus
	aLabel // a folder or a status: the whole list decides
)

// dolphinKind says what an item of Dolphin's is. A profile has something that only profiles have.
func dolphinKind(o object) kind {
	switch {
	case o["host"] != nil && o["port"] != nil:
		if o["proxy"] != nil || o["proxyId"] != nil || o["browserType"] != nil {
			return unknown
		}
		return aProxy
	case !o.has("name"):
		return unknown
	case slices.ContainsFunc(slices.Collect(maps.Keys(o)), isOfProfile):
		return aProfile
	case o.has("id"):
		return aLabel
	}
	return unknown
}

// isOfProfile reports whether a field of Dolphin's belongs to a profile.
func isOfProfile(field string) bool {
	what := group(field)
	return field != "name" && slices.Contains(dolphinTaken, field) || what != labels && what != others
}

// adsPowerKind says what an item of AdsPower's is.
func adsPowerKind(o object) kind {
	switch {
	case o.has("host") && o["port"] != nil && !o.has("user_proxy_config"):
		if o.has("profile_id", "serial_number", "profile_no") {
			return unknown
		}
		return aProxy
	case o.has("user_id", "profile_id", "serial_number", "profile_no") || o["user_proxy_config"] != nil:
		return aProfile
	case o.has("group_id") && o.has("group_name"):
		return aFolder
	case o.has("name"):
		return aProfile
	}
	return unknown
}

// errUnknown refuses an item that is nothing that Cove knows.
func (r *reader) errUnknown() error {
	return fault.Invalidf("The item is neither a profile nor a proxy, a folder or a status of %s.", r.product).
		WithHint("Save what the API answers to a list of profiles, or an export.")
}

// leaveRest notes the fields of a profile that are not taken along. It refuses one that may be its proxy.
func (r *reader) leaveRest(o object, known ...[]string) error {
	taken := slices.Concat(known...)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if slices.Contains(taken, name) || r.product == AdsPower && isZero(o[name]) {
			continue
		}
		if isProxyName(name) && columnOf(normal(name)) != quiet && !isEmpty(o[name]) && scalar(o[name]) != "0" {
			return fault.Unprocessablef("proxy", "The field %q is about a proxy, and Cove does not know it.",
				wording.Shorten(name, 40)).WithHint("Write the proxy as the product's API does, and remove the field.")
		}
		r.leave(name, o[name])
	}
	return nil
}
