package importer

import (
	"encoding/json"
	"strings"

	"cove/internal/fault"
)

// record is one item of a list, or one row of a table.
type record struct {
	place  Place
	kind   kind
	list   int    // which one it is of, from 1
	fields object // of a list
	row    row    // of a table; nil for an item of a list
}

// open reads one file into records, or as the cookies of a profile.
func (r *reader) open(f File) {
	r.place = Place{File: f.Name}
	text, err := decodeText(f.Data)
	if err != nil {
		r.fail(err)
		return
	}
	begin := strings.TrimSpace(text)
	switch {
	case begin[0] == '{' || begin[0] == '[':
		r.openJSON(text)
	case isNetscape(begin):
		r.cookies = append(r.cookies, cookieFile{r.place, text})
	default:
		r.openTable(text)
	}
}

// add takes one item of a list.
func (r *reader) add(raw json.RawMessage) {
	var o object
	if json.Unmarshal(raw, &o) != nil || o == nil {
		r.fail(fault.Invalidf("The item is not an object."))
		return
	}
	it := record{place: r.place, list: len(r.lists), fields: o}
	switch r.product {
	case Dolphin:
		it.kind = dolphinKind(o)
	case AdsPower:
		it.kind = adsPowerKind(o)
	}
	if it.kind == unknown {
		r.fail(r.errUnknown())
		return
	}
	r.records = append(r.records, it)
}

// refer reads what profiles refer to.
func (r *reader) refer(it record) {
	switch it.kind {
	case aProxy:
		p, err := r.storedProxy(it.fields)
		if err != nil {
			r.fail(err)
			return
		}
		id := it.fields.text("proxy_id", "id")
		if r.define("Proxy", id, r.proxies[id].Proxy == p.Proxy) {
			r.proxies[id] = p
			r.addProxy(p)
		}
	case aFolder:
		id, name := it.fields.text("group_id", "id"), it.fields.text("group_name", "name")
		if r.define("Folder", id, r.folders[id] == name) {
			r.folders[id] = name
		}
	case aStatus:
		id, status := it.fields.text("id"), statusOf(it.fields)
		if r.define("Status", id, r.statuses[id] == status) {
			r.statuses[id] = status
		}
	}
}

// define notes where an id stands, and refuses one that stands in the files for another thing already.
func (r *reader) define(what, id string, same bool) bool {
	key := what + " " + id
	before, twice := r.defined[key]
	switch {
	case id == "":
	case twice && !same:
		r.fail(fault.Invalidf("%s is another one in %s.", key, before).
			WithHint("Save the lists again, and give each of them once."))
		return false
	default:
		r.defined[key] = r.place
	}
	return true
}

// readProfile reads a profile.
func (r *reader) readProfile(it record) {
	if it.kind != aProfile {
		return
	}
	var p Profile
	var err error
	switch {
	case it.row != nil:
		p, err = r.rowProfile(it.row)
	case r.product == Dolphin:
		p, err = r.dolphinProfile(it.fields)
	default:
		p, err = r.adsPowerProfile(it.fields)
	}
	if err == nil {
		err = p.name()
	}
	if err == nil {
		err = p.Clean()
	}
	if err != nil {
		r.fail(err)
		return
	}
	p.Place = it.place
	r.plan.Profiles = append(r.plan.Profiles, p)
}

// name gives a profile without a name the one that Cove gives to profiles of such scripts.
func (p *Profile) name() error {
	if p.Name = strings.TrimSpace(p.Name); p.Name != "" {
		return nil
	}
	if p.SourceID == "" {
		return fault.Invalidf("The profile has no name.").WithHint("Write a name into the column name.")
	}
	p.Name = "Profile " + p.SourceID
	return nil
}
