package httpapi

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// show is a profile as the caller may see it.
func (s *Server) show(p profile.Profile, owned bool) api.Profile {
	picture := s.Sessions.Get(p.ID)
	out := api.Profile{ID: int32(p.ID), Name: p.Name, Tags: orEmpty(p.Tags), State: string(picture.State)}
	if !owned {
		return out
	}
	pages, args := orEmpty(p.StartPages), orEmpty(p.Args)
	out.Mode, out.Agents = string(picture.Mode), string(presetOf(p.Policy))
	out.Folder, out.Notes, out.Locale, out.Timezone, out.Browser = &p.Folder, &p.Notes, &p.Locale, &p.Timezone, &p.Browser
	out.StartPages, out.Args = &pages, &args
	if p.Window != (profile.Size{}) {
		out.Window = &api.Size{Width: p.Window.Width, Height: p.Window.Height}
	}
	if p.Proxy.Set() {
		out.Proxy = &api.Proxy{Type: p.Proxy.Type, Host: p.Proxy.Host, Port: p.Proxy.Port, Login: p.Proxy.Login, Password: p.Proxy.Password}
	}
	out.CreatedAt, out.UpdatedAt, out.OpenedAt, out.DeletedAt = moment(p.Created), moment(p.Updated), moment(p.Opened), moment(p.Trashed)
	return out
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (s *Server) list(c *call) (any, error) {
	q, err := c.listQuery()
	if err != nil {
		return nil, err
	}
	_, owned, err := c.credential()
	if err != nil {
		return nil, err
	}
	if err := c.mustLogIn(); err != nil {
		return nil, err
	}
	if q.Public = !owned; q.Public && (q.Folder != "" || q.Trashed || (q.Sort != profile.ByID && q.Sort != profile.ByName)) {
		return nil, c.mustOwn()
	}
	found, err := s.Profiles.List(c.Context(), q)
	if err != nil {
		return nil, err
	}
	out := api.ProfileList{Data: make([]api.Profile, 0, len(found.Profiles)), CurrentPage: q.Page, PerPage: q.PerPage, Total: found.Total,
		LastPage: max(1, (found.Total+q.PerPage-1)/q.PerPage), Path: address(c.Host, "/v1.0/browser_profiles")}
	for _, p := range found.Profiles {
		out.Data = append(out.Data, s.show(p, owned))
	}
	if n := len(out.Data); n > 0 {
		out.From = (q.Page-1)*q.PerPage + 1
		out.To = out.From + n - 1
	}
	if q.Page < out.LastPage {
		out.NextPageURL = c.pageURL(q.Page + 1)
	}
	if q.Page > 1 {
		out.PrevPageURL = c.pageURL(q.Page - 1)
	}
	return out, nil
}

func (c *call) pageURL(n int) *string {
	values := c.URL.Query()
	values.Set("page", strconv.Itoa(n))
	u := address(c.Host, "/v1.0/browser_profiles?"+values.Encode())
	return &u
}

func (c *call) listQuery() (profile.Query, error) {
	if err := c.query(); err != nil {
		return profile.Query{}, err
	}
	values := c.URL.Query()
	q := profile.Query{Search: firstOf(values, "query", "search"), Folder: values.Get("folder"), Sort: profile.ByID}
	for _, name := range []string{"tags[]", "tags", "tag"} {
		for _, text := range values[name] {
			for tag := range strings.SplitSeq(text, ",") {
				if tag = strings.TrimSpace(tag); tag != "" {
					q.Tags = append(q.Tags, tag)
				}
			}
		}
	}
	var err error
	if q.Page, err = c.number("page", 1); err != nil {
		return q, err
	}
	if q.PerPage, err = c.number("limit", 50); err != nil {
		return q, err
	}
	if q.Trashed, err = c.flag("trashed"); err != nil {
		return q, err
	}
	if name := values.Get("sort"); name != "" {
		name, q.Desc = strings.CutPrefix(name, "-")
		q.Sort = profile.Sort(name)
	}
	return q, q.Check()
}

func firstOf(values url.Values, names ...string) string {
	for _, name := range names {
		if v := values.Get(name); v != "" {
			return v
		}
	}
	return ""
}

func (s *Server) read(c *call) (any, error) {
	_, owned, err := c.credential()
	if err != nil {
		return nil, err
	}
	if err := c.mustLogIn(); err != nil {
		return nil, err
	}
	p, err := s.Profiles.Get(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return api.ProfileData{Data: s.show(p, owned)}, nil
}

func (s *Server) create(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	in, ignored, err := readInput(raw)
	if err != nil {
		return nil, err
	}
	var p profile.Profile
	apply(in, &p)
	if err := first(p.Clean, c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	made, err := s.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	return api.Created{Success: true, BrowserProfileID: int32(made[0].ID), Data: s.show(made[0], true), Ignored: ignored}, nil
}

const maxMany = api.MaxMass

func (s *Server) createMany(c *call) (any, error) {
	var in api.MassInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	ps, err := many(in)
	if err != nil {
		return nil, err
	}
	if err := first(c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	made, err := s.Profiles.Create(c.Context(), ps...)
	if err != nil {
		return nil, err
	}
	out := api.CreatedMany{Success: true, IDs: make([]int32, 0, len(made))}
	for _, p := range made {
		out.IDs = append(out.IDs, int32(p.ID))
	}
	return out, nil
}

// many lays out the profiles of a mass creation, all of them good or none.
func many(in api.MassInput) ([]profile.Profile, error) {
	inputs := in.Profiles
	if in.Template != nil {
		if in.Template.Name == nil {
			return nil, fault.Invalidf("A template needs a name.")
		}
		for i := range min(max(in.Count, 0), maxMany+1) {
			one, name := *in.Template, fmt.Sprintf("%s %d", *in.Template.Name, i+1)
			one.Name = &name
			inputs = append(inputs, one)
		}
	}
	if len(inputs) == 0 || len(inputs) > maxMany {
		return nil, fault.Invalidf("Between 1 and %d profiles can be made at a time.", maxMany).
			WithHint(`Send {"profiles":[{"name":"a"},…]} or {"template":{"name":"work"},"count":10}.`)
	}
	out := make([]profile.Profile, len(inputs))
	for i, one := range inputs {
		apply(one, &out[i])
		if err := out[i].Clean(); err != nil {
			f := fault.From(err)
			return nil, fault.Invalidf("Profile %d of %d: %s", i+1, len(inputs), f.Text).WithHint(f.Hint)
		}
	}
	return out, nil
}

func (s *Server) edit(c *call) (any, error)    { return s.change(c, false) }
func (s *Server) replace(c *call) (any, error) { return s.change(c, true) }

// change edits a profile; whole means that what is not sent is emptied.
func (s *Server) change(c *call, whole bool) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fault.Invalidf("The request says nothing to change.")
	}
	in, _, err := readInput(raw)
	if err != nil {
		return nil, err
	}
	if in.Policy != nil {
		return nil, fault.Invalidf("The policy of a profile has a call of its own.").WithHint("Send it with PUT to /v1.0/browser_profiles/" + c.id.String() + "/policy, or use: cove policy set " + c.id.String())
	}
	var trial profile.Profile
	if !whole {
		trial.Name = "trial"
	}
	apply(in, &trial)
	if err := first(trial.Clean, c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	if in.Args != nil || in.Browser != nil || in.Proxy != nil {
		if err := c.mayChangeBrowser(); err != nil {
			return nil, err
		}
	}
	p, err := s.Profiles.Update(c.Context(), c.id, func(p *profile.Profile) error {
		if whole {
			*p = profile.Profile{ID: p.ID, Policy: p.Policy}
		}
		apply(in, p)
		return p.Clean()
	})
	if err != nil {
		return nil, err
	}
	return api.ProfileData{Data: s.show(p, true)}, nil
}

// mayChangeBrowser asks for the person and the PIN before a profile with rules gets another browser, other arguments or another proxy: with these the
// rules could be gone around. Behind a proxy it is the proxy that knows where a name leads.
func (c *call) mayChangeBrowser() error {
	p, err := c.server.Profiles.Get(c.Context(), c.id)
	if err != nil || !p.Policy.Binds() {
		return err
	}
	return first(c.mustBePerson, c.confirm)
}

func (s *Server) delete(c *call) (any, error) { return s.remove(c, []profile.ID{c.id}) }

func (s *Server) deleteMany(c *call) (any, error) {
	var in api.IDs
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > maxMany {
		return nil, fault.Invalidf("Between 1 and %d profiles can be deleted at a time.", maxMany).WithHint(`Send {"ids":[1,2]}.`)
	}
	ids := make([]profile.ID, len(in.IDs))
	for i, n := range in.IDs {
		id, err := profile.ParseID(strconv.Itoa(int(n)))
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return s.remove(c, ids)
}

func (s *Server) remove(c *call, ids []profile.ID) (any, error) {
	if err := c.query(); err != nil {
		return nil, err
	}
	forGood, err := c.flag("forceDelete")
	if err != nil {
		return nil, err
	}
	if err := first(c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	if forGood {
		return api.OK{Success: true}, s.Profiles.Delete(c.Context(), ids...)
	}
	return api.OK{Success: true}, s.Profiles.Trash(c.Context(), ids...)
}

func (s *Server) restore(c *call) (any, error) {
	if err := first(c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	p, err := s.Profiles.Restore(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return api.ProfileData{Data: s.show(p, true)}, nil
}

func (s *Server) clone(c *call) (any, error) {
	var in api.CloneInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	trial := profile.Profile{Name: in.Name}
	if in.Name == "" {
		trial.Name = "trial"
	}
	if err := first(trial.Clean, c.mustOwn, c.mustLogIn); err != nil {
		return nil, err
	}
	c.patient()
	p, err := s.Profiles.Clone(c.Context(), c.id, in.Name, in.Data)
	if err != nil {
		return nil, err
	}
	return api.Created{Success: true, BrowserProfileID: int32(p.ID), Data: s.show(p, true)}, nil
}
