package httpapi

import (
	"encoding/json"
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
		return nil, c.requireCredential()
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
	if err := first(p.Clean, c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	if err := c.mayMake(p); err != nil {
		return nil, err
	}
	made, err := s.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	return api.Created{Success: true, BrowserProfileID: int32(made[0].ID), Data: s.show(made[0], true), Ignored: ignored}, nil
}

const maxMany = api.MaxMass

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
	in, ignored, err := readInput(raw)
	if err != nil {
		return nil, err
	}
	if in.Policy != nil {
		return nil, fault.Invalidf("The policy of a profile has a call of its own.").WithHint("Send it with PUT to /v1.0/browser_profiles/" + c.id.String() + "/policy, or use: cove policy set " + c.id.String())
	}
	before, err := c.judged(in, whole)
	if err != nil {
		return nil, err
	}
	after, err := changed(before, in, whole)
	if err != nil {
		return nil, err
	}
	granted, err := c.mayChange(before, after)
	if err != nil {
		return nil, err
	}
	p, err := s.Profiles.Update(c.Context(), c.id, func(p *profile.Profile) error {
		next, err := changed(*p, in, whole)
		if err != nil {
			return err
		}
		// Another browser than the one that was judged is as good as unknown.
		if !granted && needsPerson(*p, next, next.Browser == after.Browser) != "" {
			return changedMeanwhile()
		}
		*p = next
		return nil
	})
	if err != nil {
		return nil, err
	}
	return api.ProfileData{Data: s.show(p, true), Ignored: ignored}, nil
}

// judged is the profile that is to be changed, once what was sent and who sent it are fit.
func (c *call) judged(in api.ProfileInput, whole bool) (p profile.Profile, err error) {
	var trial profile.Profile
	if !whole {
		trial.Name = "trial"
	}
	apply(in, &trial)
	wrong := trial.Clean()
	if trial.Args = nil; wrong != nil && trial.Clean() != nil {
		return p, wrong
	}
	err = first(c.requireCredential, c.mustLogIn)
	if err == nil {
		p, err = c.server.Profiles.Get(c.Context(), c.id)
	}
	if err != nil && wrong != nil {
		return p, wrong // else the arguments may be those that the profile has already
	}
	return p, err
}

// changed is a profile after an edit.
func changed(p profile.Profile, in api.ProfileInput, whole bool) (profile.Profile, error) {
	next := p
	if whole {
		next = profile.Profile{ID: p.ID, Policy: p.Policy}
	}
	apply(in, &next)
	return next, next.CleanEdit(p)
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
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	if forGood {
		return api.OK{Success: true}, s.Profiles.Delete(c.Context(), ids...)
	}
	return api.OK{Success: true}, s.Profiles.Trash(c.Context(), ids...)
}

func (s *Server) restore(c *call) (any, error) {
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	p, err := s.Profiles.Restore(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return api.ProfileData{Data: s.show(p, true)}, nil
}
