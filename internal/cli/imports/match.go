package imports

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"cove/api"
	"cove/internal/importer"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// MissingTag is the tag of a profile that was created and does not have its cookies yet.
const MissingTag = "cookies-missing"

// state is what happens to a profile of the files.
type state string

const (
	create state = "create"
	there  state = "already there"
	resume state = "import cookies" // it is there, and gets its cookies now
)

// item is a profile of the files beside what Cove has.
type item struct {
	importer.Profile
	state  state
	id     profile.ID // 0 until it is created
	tagged bool       // whether it has MissingTag, or will have it
}

// skipsCookies reports whether the cookies of the files stay out of a profile that is there.
func (it item) skipsCookies() bool { return it.state == there && it.Cookies.Count > 0 }

// key is how a profile is recognised: two with one name and one proxy are the same to a person.
type key struct {
	name  string
	proxy proxy.Proxy
}

// match finds which profiles are there already. If the files have a key twice, Cove must have it twice. A profile that
// is there gets cookies if an earlier run did not get to them and nobody has opened it since, or if update says so: the
// cookies of the files may be older than its own.
func match(plan importer.Plan, have []api.Profile, update bool) []item {
	known := map[key][]api.Profile{}
	for _, p := range have {
		k := key{name: p.Name}
		if p.Proxy != nil {
			k.proxy = proxy.Proxy(*p.Proxy)
		}
		known[k] = append(known[k], p)
	}

	items := make([]item, len(plan.Profiles))
	for i, p := range plan.Profiles {
		items[i] = item{Profile: p, state: create, tagged: p.Cookies.Count > 0}
		k := key{p.Name, p.Proxy}
		if len(known[k]) == 0 {
			continue
		}
		found := known[k][0]
		known[k] = known[k][1:]
		tagged := slices.Contains(found.Tags, MissingTag)
		items[i].state, items[i].id, items[i].tagged = there, found.ID, tagged
		if p.Cookies.Count > 0 && (update || tagged && found.OpenedAt == nil) {
			items[i].state = resume
		}
	}
	return items
}

// perPage is how many profiles are read at once.
const perPage = 1000

// allProfiles reads every profile outside the trash.
func allProfiles(ctx context.Context, c app) (all []api.Profile, err error) {
	for page := 1; ; page++ {
		l, err := c.profiles.List(ctx, url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(perPage)}})
		if err != nil {
			return nil, err
		}
		all = append(all, l.Data...)
		if len(l.Data) < perPage {
			return all, nil
		}
	}
}

// request is what the app has to create.
func request(items []item, proxies []proxy.Record) (in api.ImportInput) {
	for _, it := range items {
		if it.state != create {
			continue
		}
		one := api.ImportProfile{
			Name: it.Name, Tags: it.Tags, Notes: it.Notes, Folder: it.Folder, StartPages: it.StartPages,
			Locale: it.Locale, Timezone: it.Timezone, Args: it.Args,
		}
		if it.Cookies.Count > 0 {
			one.Tags = append(slices.Clone(one.Tags), MissingTag)
		}
		if it.Proxy.Set() {
			p := api.Proxy(it.Proxy)
			one.Proxy = &p
		}
		if it.Status.Name != "" {
			one.Status = &api.ImportStatus{Name: it.Status.Name, Color: it.Status.Color}
		}
		in.Profiles = append(in.Profiles, one)
	}
	for _, r := range proxies {
		in.Proxies = append(in.Proxies, api.ImportProxy{Name: r.Name, Type: r.Type, Host: r.Host, Port: r.Port,
			Login: r.Login, Password: r.Password, ChangeIPURL: r.ChangeIPURL})
	}
	return in
}
