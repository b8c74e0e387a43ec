// Package adopt answers the calls by which a person lets agents work in a browser that they have open outside Cove.
package adopt

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"

	"cove/api"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls. All of them are the person's alone: the browser holds everything that they are logged in
// to.
type Handlers struct {
	Profiles interface {
		Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error)
		Get(ctx context.Context, id profile.ID) (profile.Profile, error)
		List(ctx context.Context, q profile.Query) (profile.Page, error)
		Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error)
	}
	Sessions *session.Supervisor
	// Questions are the browsers that are asked for a connection.
	Questions Questions
	Tabs      Tabs
	// Started answers for a browser that is shared now, as a start does.
	Started func(c *call.Call, s session.Status) any

	creating sync.Mutex // held while a profile is looked for and made, so that a browser gets only one
}

// Questions reserves browsers that are asked for a connection, as external.Questions does.
type Questions interface {
	Reserve(dataDir string, by external.Requester) (release func(), holder external.Requester, ok bool)
}

// Tabs reaches the tabs of a shared browser.
type Tabs interface {
	SharedTabs(ctx context.Context, id profile.ID) ([]api.SharedTab, error)
	ShareTabs(ctx context.Context, id profile.ID, in api.TabChoice) ([]api.SharedTab, error)
}

const action = "share a browser with agents"

func may(c *call.Call) error {
	return call.First(func() error { return c.RequirePersonFor(action) }, c.RequireLogin)
}

// Create answers POST /adopt.
func (h *Handlers) Create(c *call.Call) (any, error) {
	var in api.AdoptInput
	if err := call.First(func() error { return c.Decode(&in) }, func() error { return may(c) }); err != nil {
		return nil, err
	}
	source, err := external.Choose(in.DataDir, in.Dir)
	if err != nil {
		return nil, err
	}
	h.creating.Lock()
	defer h.creating.Unlock()
	p := profile.Profile{Name: strings.TrimSpace(in.Name), External: source, Policy: initialPolicy()}
	there, err := h.standsFor(c.Context(), source)
	switch {
	case err != nil:
		return nil, err
	case p.Name == "" && there.ID != 0:
		return created(there), nil
	case there.ID != 0 && !strings.EqualFold(p.Name, there.Name):
		if state := h.Sessions.Get(there.ID).State; state != session.Closed {
			return nil, errTwice(there, state == session.Open)
		}
	}
	p.Name = cmp.Or(p.Name, usualName)
	// Whoever cannot share it gets no profile that stays behind.
	if err := call.First(p.Clean, func() error { return h.Sessions.AdmitsAutomation(c.Context(), p) }); err != nil {
		return nil, err
	}
	p, err = h.findOrCreate(c.Context(), p)
	if err != nil {
		return nil, err
	}
	return created(p), nil
}

func created(p profile.Profile) api.Created {
	return api.Created{Success: true, BrowserProfileID: p.ID, Data: api.Profile{ID: p.ID, Name: p.Name},
		Ignored: []string{}}
}

// usualName is the name of a profile that stands for a browser, unless the person chooses another.
const usualName = "my-browser"

// standsFor returns the profile that stands for a browser already: the one that is not closed, if several do, or else
// the oldest. Its id is 0 when there is none.
func (h *Handlers) standsFor(ctx context.Context, source profile.External) (found profile.Profile, err error) {
	err = h.eachExternal(ctx, func(p profile.Profile) bool {
		if !same(p.External, source) {
			return true
		}
		open := h.Sessions.Get(p.ID).State != session.Closed
		if found.ID == 0 || open {
			found = p
		}
		return !open
	})
	return found, err
}

// same reports whether two mean one folder, however it is written.
func same(a, b profile.External) bool { return a.Dir == b.Dir && paths.Same(a.DataDir, b.DataDir) }

// perPage is how many profiles are read at a time.
const perPage = 1000

// eachExternal calls each with every profile that stands for a browser, in the order of their ids, until it says false.
func (h *Handlers) eachExternal(ctx context.Context, each func(profile.Profile) bool) error {
	for page := 1; ; page++ {
		got, err := h.Profiles.List(ctx, profile.Query{Sort: profile.ByID, Page: page, PerPage: perPage})
		if err != nil {
			return err
		}
		for _, p := range got.Profiles {
			if p.External.Set() && !each(p) {
				return nil
			}
		}
		if len(got.Profiles) < perPage {
			return nil
		}
	}
}

// initialPolicy is what agents may do in a person's own browser until the person decides otherwise.
func initialPolicy() policy.Policy {
	return policy.Policy{Preset: policy.Guarded, Rights: map[policy.Class]policy.Answer{
		policy.Script: policy.Ask, policy.Storage: policy.Ask,
	}}
}

// findOrCreate returns the profile of that name, which then stands for the browser.
func (h *Handlers) findOrCreate(ctx context.Context, p profile.Profile) (profile.Profile, error) {
	named, err := h.Profiles.List(ctx, profile.Query{Search: p.Name, Public: true, ExactFirst: true,
		Sort: profile.ByID, Page: 1, PerPage: 1})
	if err != nil {
		return p, err
	}
	if len(named.Profiles) == 0 || !strings.EqualFold(named.Profiles[0].Name, p.Name) {
		made, err := h.Profiles.Create(ctx, p)
		if err != nil {
			return p, err
		}
		return made[0], nil
	}
	there := named.Profiles[0]
	switch {
	case !there.External.Set():
		return p, fault.New(fault.CodeExists, "There is a profile "+strconv.Quote(there.Name)+" with data of its own.",
			"Choose another name: cove adopt NAME")
	case same(there.External, p.External):
		return there, nil
	case h.Sessions.Get(there.ID).State != session.Closed:
		return p, fault.New(fault.CodeInUse, "The profile "+strconv.Quote(there.Name)+" shares another browser now.",
			"End that first with: cove stop "+there.ID.String())
	}
	return h.Profiles.Update(ctx, there.ID, func(stored *profile.Profile) error {
		stored.External, stored.Policy = p.External, p.Policy // what was allowed was allowed for another browser
		return nil
	})
}

// Share answers POST /browser_profiles/{id}/adopt.
func (h *Handlers) Share(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	p, err := h.find(c)
	if err != nil {
		return nil, err
	}
	c.LiftLimits() // the person may have to look for the browser first
	status, err := h.share(c.Context(), p)
	if err != nil {
		return nil, err
	}
	return h.Started(c, status), nil
}

// share asks the browser, unless it is shared already. Nobody else asks it until it has answered.
func (h *Handlers) share(ctx context.Context, p profile.Profile) (session.Status, error) {
	release, holder, ok := h.Questions.Reserve(p.External.DataDir, external.Requester{Profile: p.ID})
	if !ok {
		if status := h.Sessions.Get(p.ID); status.State == session.Open {
			return status, nil
		}
		return session.Status{}, h.errAsked(ctx, holder)
	}
	defer release()
	for _, s := range h.Sessions.Running() { // one that nobody waits for any more has no reservation
		other, err := h.Profiles.Get(ctx, s.ID)
		if err == nil && s.ID != p.ID && other.External.Set() &&
			paths.Same(other.External.DataDir, p.External.DataDir) {
			return session.Status{}, errTwice(other, s.State == session.Open)
		}
	}
	status, err := h.Sessions.Start(ctx, p.ID, session.Options{Mode: session.Automation, Shared: true})
	if err != nil && fault.From(err).Code == fault.CodeBrowserRunDuplicate && status.State == session.Open {
		err = nil // it is shared already, as was asked
	}
	return status, err
}

// errAsked says who asks the browser already.
func (h *Handlers) errAsked(ctx context.Context, holder external.Requester) error {
	if holder.Import {
		return fault.New(fault.CodeAdoptTwice, "Logins are being imported from that browser into profile "+
			holder.Profile.String()+".", "Finish or cancel that import first, then share the browser.")
	}
	other, err := h.Profiles.Get(ctx, holder.Profile)
	if err != nil {
		return err
	}
	return errTwice(other, false)
}

// errTwice says which profile has the browser.
func errTwice(other profile.Profile, shared bool) error {
	if shared {
		return fault.New(fault.CodeAdoptTwice, "That browser is shared by the profile "+strconv.Quote(other.Name)+
			" already.", "Use that one, or end it first with: cove stop "+other.ID.String())
	}
	return fault.New(fault.CodeAdoptTwice, "That browser is waiting to be shared as the profile "+
		strconv.Quote(other.Name)+".", "Answer it there, or end that with: cove stop "+other.ID.String())
}

// find returns the profile of a call, which has to stand for a person's browser.
func (h *Handlers) find(c *call.Call) (profile.Profile, error) {
	p, err := h.Profiles.Get(c.Context(), c.ID)
	if err == nil && !p.External.Set() {
		err = fault.New(fault.CodeAdoptNotOurs, "Profile "+p.ID.String()+" has a browser of its own.",
			"To share a browser that you use outside Cove, run: cove adopt")
	}
	return p, err
}

// List answers GET /browser_profiles/{id}/tabs. It needs no PIN: it gives agents nothing.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	if _, err := h.find(c); err != nil {
		return nil, err
	}
	return h.tabs(c, func() ([]api.SharedTab, error) { return h.Tabs.SharedTabs(c.Context(), c.ID) })
}

// Choose answers POST /browser_profiles/{id}/tabs.
func (h *Handlers) Choose(c *call.Call) (any, error) {
	var in api.TabChoice
	allowed := func() error {
		if len(in.Share) == 0 {
			return call.First(c.RequirePerson, c.RequireLogin)
		}
		return may(c)
	}
	if err := call.First(func() error { return c.Decode(&in) }, allowed); err != nil {
		return nil, err
	}
	if _, err := h.find(c); err != nil {
		return nil, err
	}
	return h.tabs(c, func() ([]api.SharedTab, error) { return h.Tabs.ShareTabs(c.Context(), c.ID, in) })
}

func (h *Handlers) tabs(c *call.Call, read func() ([]api.SharedTab, error)) (any, error) {
	if h.Sessions.Get(c.ID).State != session.Open {
		return nil, errNotShared(c.ID)
	}
	list, err := read()
	if err != nil && fault.From(err).Code == fault.CodeNotOpen {
		err = errNotShared(c.ID)
	}
	return api.SharedTabs{Data: list}, err
}

func errNotShared(id profile.ID) error {
	return fault.New(fault.CodeNotOpen, "The browser is not shared now.", "Share it with: cove adopt "+id.String())
}
