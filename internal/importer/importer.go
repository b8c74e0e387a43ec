// Package importer reads what other products export, and says what Cove can make of it and what not. It does no I/O.
// What decides an identity, above all a proxy, is understood or refused; it is never left out.
package importer

import (
	"fmt"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// Product is where files come from.
type Product string

// The products. CSV is a table of any origin.
const (
	Dolphin  Product = "dolphin"
	AdsPower Product = "adspower"
	CSV      Product = "csv"
)

// File is a file that was read.
type File struct {
	Name string
	Data []byte
}

// Place is where something stands in a file.
type Place struct {
	File string
	Row  int // of a table: the line of the file on which it begins, from 1
	Item int // of a list, from 1
}

// String names the place for people.
func (p Place) String() string {
	switch {
	case p.Row > 0:
		return fmt.Sprintf("%s, line %d", p.File, p.Row)
	case p.Item > 0:
		return fmt.Sprintf("%s, item %d", p.File, p.Item)
	}
	return p.File
}

// Profile is a profile that can be made. Its status is a name, and its proxy is not stored yet.
type Profile struct {
	profile.Profile
	Place Place
	// SourceID is the id that the profile had in the other product. It may be empty.
	SourceID string
	// Cookies are those that come with it, if any.
	Cookies Cookies
}

// Cookies are a cookie file that cookie.Read has understood.
type Cookies struct {
	Text string
	// Count is how many are still valid, and Expired how many are not.
	Count, Expired int
}

// Problem is why something cannot be imported.
type Problem struct {
	Place Place
	Text  string
	Hint  string
}

// String says what is wrong where.
func (p Problem) String() string { return p.Place.String() + ": " + p.Text }

// Plan is what files hold.
type Plan struct {
	Profiles []Profile
	// Proxies are those that have a name or a link, and those of lists of proxies. No two are equal.
	Proxies []proxy.Record
	// Left is what cannot be taken along.
	Left []Left
	// Warnings are sentences about what is missing in the files.
	Warnings []string
	// Problems forbid the import. They are in the order of the files.
	Problems []Problem
}

// Cookies counts the cookies of all profiles, and the profiles that have any.
func (p Plan) Cookies() (cookies, profiles int) {
	for _, one := range p.Profiles {
		if one.Cookies.Count > 0 {
			cookies, profiles = cookies+one.Cookies.Count, profiles+1
		}
	}
	return cookies, profiles
}

// Read reads the files of a product. now decides which cookies have expired.
func Read(product Product, files []File, now time.Time) Plan {
	r := &reader{product: product, now: now, left: map[string]*Left{}, proxyAt: map[proxy.Proxy]int{},
		defined: map[string]Place{},
		proxies: map[string]proxy.Record{}, folders: map[string]string{}, statuses: map[string]profile.Status{}}
	for _, f := range files {
		r.open(f)
	}
	r.sortLabels()
	for _, it := range r.records {
		r.place = it.place
		r.refer(it)
	}
	for _, it := range r.records {
		r.place = it.place
		r.readProfile(it)
	}
	r.attachCookies()
	r.findRepeated()
	r.plan.Left = r.leftOut()
	r.warnOfPages()
	return r.plan
}

// reader collects a plan.
type reader struct {
	product Product
	now     time.Time
	plan    Plan
	place   Place // of what is being read
	records []record
	cookies []cookieFile
	left    map[string]*Left
	proxyAt map[proxy.Proxy]int // where a proxy is in the plan
	lists   []list              // of all files
	defined map[string]Place    // where an id stands

	// What profiles refer to, by its id in the other product.
	proxies  map[string]proxy.Record
	folders  map[string]string
	statuses map[string]profile.Status
}

// fail adds the reason why what is being read cannot be imported.
func (r *reader) fail(err error) {
	f := fault.From(err)
	r.plan.Problems = append(r.plan.Problems, Problem{Place: r.place, Text: f.Text, Hint: f.Hint})
}

// addProxy adds a proxy to those that are stored with a name, a link or without a profile.
func (r *reader) addProxy(p proxy.Record) {
	at, known := r.proxyAt[p.Proxy]
	if !known {
		r.proxyAt[p.Proxy] = len(r.plan.Proxies)
		r.plan.Proxies = append(r.plan.Proxies, p)
		return
	}
	old := &r.plan.Proxies[at]
	if old.Name == "" {
		old.Name = p.Name
	}
	if old.ChangeIPURL == "" {
		old.ChangeIPURL = p.ChangeIPURL
	}
}

// findRepeated refuses a profile that stands in the files twice, by its id there.
func (r *reader) findRepeated() {
	first := map[string]Place{}
	for _, p := range r.plan.Profiles {
		if p.SourceID == "" {
			continue
		}
		if before, twice := first[p.SourceID]; twice {
			r.place = p.Place
			r.fail(fault.Invalidf("Profile %s is also in %s.", p.SourceID, before).
				WithHint("Give each list once, and remove the profile from one of them."))
			continue
		}
		first[p.SourceID] = p.Place
	}
}
