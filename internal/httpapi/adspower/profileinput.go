package adspower

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// profileInput is what a request says of a profile. Nil and false leave things as they are.
type profileInput struct {
	name, remark *string
	folder       *profile.Folder
	domain       string
	pages        *[]string
	tags         *[]string
	addTags      bool
	args         *[]string
	proxy        *proxy.Record
	cookies      *cookie.Data
	ignored      []string
}

// apply copies what was said into p.
func (in *profileInput) apply(p *profile.Profile) {
	if in.name != nil {
		p.Name = *in.name
	}
	if in.remark != nil {
		p.Notes = *in.remark
	}
	if in.folder != nil {
		p.FolderID, p.Folder = in.folder.ID, in.folder.Name
	}
	if in.args != nil {
		p.Args = slices.Clone(*in.args)
	}
	if in.proxy != nil && (in.proxy.ID != 0 || in.proxy.Proxy != p.Proxy) { // one that equals its own changes nothing
		p.ProxyID, p.Proxy = in.proxy.ID, in.proxy.Proxy
	}
	if in.tags != nil && in.addTags {
		p.Tags = append(slices.Clone(p.Tags), *in.tags...)
	} else if in.tags != nil {
		p.Tags = slices.Clone(*in.tags)
	}
	in.applyPages(p)
}

// applyPages sets the start pages: the platform first, then the others. A platform alone takes the first place.
func (in *profileInput) applyPages(p *profile.Profile) {
	switch {
	case in.pages != nil && in.domain != "":
		p.StartPages = append([]string{in.domain}, *in.pages...)
	case in.pages != nil:
		p.StartPages = slices.Clone(*in.pages)
	case in.domain == "" || in.domain == domainOf(*p):
	case len(p.StartPages) == 0:
		p.StartPages = []string{in.domain}
	default:
		p.StartPages = slices.Clone(p.StartPages)
		p.StartPages[0] = in.domain
	}
}

// profileNames are the fields of a profile that have an effect.
var profileNames = []string{"user_id", "profile_id", "serial_number", "profile_no", "name", "remark", "group_id",
	"group_name", "domain_name", "platform", "open_urls", "tabs", "profile_tag_ids", "tags_update_type", launchArgs,
	"proxyid", "user_proxy_config", "cookie", "ignore_cookie_error"}

// decisive are the fields that decide how sites see a profile.
var decisive = []string{"user_proxy_config", "proxyid", "cookie", launchArgs, "browser_kernel_config"}

// readProfile reads what a request says of a profile.
func (s *Server) readProfile(c *request, isNew bool) (*profileInput, error) {
	in := &profileInput{}
	for _, read := range []func(*request, *profileInput) error{
		readIgnored, readTexts, readPages, readTags, readArgs,
	} {
		if err := read(c, in); err != nil {
			return nil, err
		}
	}
	if err := s.readFolder(c, in, isNew); err != nil {
		return nil, err
	}
	if err := s.readProxy(c, in); err != nil {
		return nil, err
	}
	return in, s.readCookies(c, in)
}

// readIgnored names the fields that have no effect. It refuses those that ask for what Cove cannot be, and those that
// could be meant for a field that decides who a profile is.
func readIgnored(c *request, in *profileInput) error {
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		if slices.Contains(profileNames, name) {
			continue
		}
		if err := checkKernel(c, name); err != nil {
			return err
		}
		if !slices.Contains(decisive, name) && !input.SaysNothing(c.fields[name]) {
			known := input.Meant(name, decisive)
			if _, yes := input.Decides(name); yes || known != "" {
				const hint = "Use user_proxy_config or proxyid for the proxy, cookie for cookies and launch_args for " +
					"arguments."
				return fault.Fieldf(input.Clip(name), "Unknown field %q. It could change the profile's identity.",
					input.Clip(name)).WithHint(hint)
			}
		}
		in.ignored = append(in.ignored, name)
	}
	return nil
}

// checkKernel refuses a profile of another browser than Chromium, in the field itself or in the fingerprint.
func checkKernel(c *request, name string) error {
	const field = "browser_kernel_config"
	if (name != "fingerprint_config" && name != field) || !c.says(name) {
		return nil
	}
	config, err := c.object(name)
	if err != nil {
		return err
	}
	if name == "fingerprint_config" {
		inner := &request{fields: map[string]json.RawMessage{field: config[field]}}
		if !inner.says(field) || string(config[field]) == "null" {
			return nil
		}
		if config, err = inner.object(field); err != nil {
			return fault.In(name, err)
		}
	}
	raw, there := config["type"]
	kind, ok := scalar(raw)
	if !there || (ok && (kind == "" || strings.EqualFold(kind, "chrome"))) {
		return nil
	}
	return fault.New(fault.CodeNotOffered, "Cove has no browser of the type "+strconv.Quote(input.Clip(kind))+".",
		"Cove opens Chromium, Chrome, Edge and Brave. Leave browser_kernel_config out, or use the type chrome.")
}

func readTexts(c *request, in *profileInput) error {
	for name, field := range map[string]**string{"name": &in.name, "remark": &in.remark} {
		if _, there := c.fields[name]; !there {
			continue
		}
		text, err := c.text(name)
		if err != nil {
			return err
		}
		if name == "name" && strings.TrimSpace(text) == "" { // scripts send every field that they know
			continue
		}
		*field = &text
	}
	return nil
}

// readPages reads the start pages, which have two names each.
func readPages(c *request, in *profileInput) error {
	for _, name := range []string{"domain_name", "platform"} {
		text, err := c.word(name)
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		if in.domain != "" && in.domain != text {
			return fault.Fieldf(name, "The fields domain_name and platform differ.").WithHint("Send one of them.")
		}
		in.domain = text
	}
	for _, name := range []string{"open_urls", "tabs"} {
		if !c.sends(name) {
			continue
		}
		pages, err := c.list(name, false)
		if err != nil {
			return err
		}
		if in.pages != nil && !slices.Equal(*in.pages, pages) {
			return fault.Fieldf(name, "The fields open_urls and tabs differ.").WithHint("Send one of them.")
		}
		in.pages = &pages
	}
	return nil
}

func readTags(c *request, in *profileInput) error {
	if c.sends("profile_tag_ids") {
		tags, err := c.list("profile_tag_ids", false)
		if err != nil {
			return err
		}
		in.tags = &tags
	}
	how, err := c.word("tags_update_type")
	if err != nil {
		return err
	}
	switch how {
	case "", "1":
	case "2":
		in.addTags = true
	default:
		return fault.Fieldf("tags_update_type", "The field tags_update_type must be 1 or 2.").
			WithHint("1 replaces the tags of the profile, 2 adds to them.")
	}
	return nil
}

// readArgs reads the arguments that a profile always has. Whoever sends an empty list takes them away.
func readArgs(c *request, in *profileInput) error {
	if !c.sends(launchArgs) {
		return nil
	}
	args, err := c.list(launchArgs, false)
	if err != nil {
		return err
	}
	in.args = &args
	return nil
}

// readFolder reads the group. A new profile is made without a group that does not exist: scripts carry the numbers of
// their old accounts.
func (s *Server) readFolder(c *request, in *profileInput, isNew bool) error {
	name, err := c.word("group_name")
	if err != nil {
		return err
	}
	if name != "" {
		in.folder = &profile.Folder{Name: name}
	}
	if !c.says("group_id") {
		return nil
	}
	id, err := c.folderID()
	if err != nil {
		return err
	}
	folder := profile.Folder{ID: id}
	if id != 0 {
		if folder, err = s.Folders.Get(c.Context(), id); fault.KindOf(err) == fault.NotFound && isNew {
			in.ignored = append(in.ignored, "group_id")
			return nil
		}
	}
	if err != nil {
		return err
	}
	if id != 0 || name == "" { // the id wins, but "0" is what scripts send by habit
		in.folder = &folder
	}
	return nil
}

// readProxy reads the proxy: a stored one, which wins, or a description.
func (s *Server) readProxy(c *request, in *profileInput) error {
	id, err := c.word("proxyid")
	if err != nil {
		return err
	}
	_, described := c.fields["user_proxy_config"]
	switch {
	case id != "" && id != "0":
		if described {
			in.ignored = append(in.ignored, "user_proxy_config")
		}
		record, err := s.storedProxy(c, id)
		in.proxy = &record
		return err
	case described:
		config, err := c.object("user_proxy_config")
		if err != nil {
			return err
		}
		record, ignored, err := readProxyConfig(config)
		in.proxy, in.ignored = &record, append(in.ignored, ignored...)
		return fault.In("user_proxy_config", err)
	}
	return nil
}

// storedProxy returns a stored proxy by its id or, for "random", any saved one whose last check did not fail.
func (s *Server) storedProxy(c *request, text string) (proxy.Record, error) {
	if !strings.EqualFold(text, "random") {
		id, err := profile.ParseID(text)
		if err != nil {
			return proxy.Record{}, fault.Unprocessablef("proxyid", "%q is not the id of a proxy.", input.Clip(text)).
				WithHint("Send the id of a stored proxy, or random; `cove proxy list` shows them.")
		}
		return s.Proxies.Get(c.Context(), proxy.ID(id))
	}
	all, err := s.Proxies.List(c.Context(), proxy.Query{Page: 1, PerPage: profile.MaxPerPage})
	if err != nil {
		return proxy.Record{}, err
	}
	saved := slices.DeleteFunc(all.Proxies, func(r proxy.Record) bool { return !r.Saved })
	if len(saved) == 0 {
		return proxy.Record{}, fault.Unprocessablef("proxyid", "There is no stored proxy to choose from.").
			WithHint("Store some first, with /api/v2/proxy-list/create.")
	}
	if good := slices.DeleteFunc(slices.Clone(saved), func(r proxy.Record) bool {
		return !r.LastCheck.At.IsZero() && !r.LastCheck.OK
	}); len(good) > 0 {
		saved = good
	}
	return saved[rand.IntN(len(saved))], nil
}
