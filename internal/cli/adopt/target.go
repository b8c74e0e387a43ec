package adopt

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/paths"
)

// usualName is the name of the profile unless the person chooses another.
const usualName = "my-browser"

// target is the browser to share, and the profile that stands for it.
type target struct {
	profile api.Profile
	// created says that this command made the profile, and changed that it stood for another browser before.
	created, changed bool
	// sources are the browsers of this computer, and all are the profiles that stood for one before.
	sources []api.LoginSource
	all     []api.Profile
}

// findOrCreate returns the profile that stands for the browser. Without a name that is the browser that runs.
func findOrCreate(
	ctx context.Context, env *command.Env, c *api.Client, name, from string,
) (t target, err error) {
	if t.all, err = externals(ctx, c); err != nil {
		return t, err
	}
	in := api.AdoptInput{Name: name}
	var before *api.Profile
	if name != "" {
		if before, err = named(ctx, c, name); err != nil {
			return t, err
		}
		if before != nil {
			in.Name = before.Name
		}
	}
	if t.sources, err = c.LoginImports().Sources(ctx); err != nil {
		return t, err
	}
	if name == "" && from == "" {
		before = pick(t.all, t.sources)
	}
	if before != nil && from == "" { // the browser that it stood for before
		t.profile = *before
		return t, nil
	}
	if in.DataDir, in.Dir, err = env.ChooseBrowser(ctx, c, from); err != nil {
		return t, err
	}
	id, err := c.Adopt(ctx, in)
	if err != nil {
		return t, err
	}
	if t.profile, err = c.Profiles().Get(ctx, id); err != nil {
		return t, err
	}
	at := slices.IndexFunc(t.all, func(p api.Profile) bool { return p.ID == id })
	t.created = at < 0 && t.profile.OpenedAt == nil
	t.changed = at >= 0 && *t.all[at].External != *t.profile.External
	return t, nil
}

// externals lists the profiles that stand for a browser.
func externals(ctx context.Context, c *api.Client) (found []api.Profile, err error) {
	for page := 1; ; page++ {
		l, err := c.Profiles().List(ctx, url.Values{"limit": {"1000"}, "page": {fmt.Sprint(page)}})
		if err != nil {
			return nil, err
		}
		for _, p := range l.Data {
			if p.External != nil {
				found = append(found, p)
			}
		}
		if page >= l.LastPage {
			return found, nil
		}
	}
}

// named returns the profile that a name or an id means, and nil if there is none of that name.
func named(ctx context.Context, c *api.Client, name string) (*api.Profile, error) {
	id, err := command.ProfileID(ctx, c, name, false)
	if err != nil && (fault.From(err).Code != fault.CodeNotFound || command.OnlyDigits(name)) {
		return nil, err
	}
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // there is none yet
	}
	p, err := c.Profiles().Get(ctx, id)
	if err == nil && p.External == nil {
		err = fault.New(fault.CodeAdoptNotOurs, "Profile "+id.String()+" has a browser and data of its own.",
			"Choose another name: cove adopt NAME")
	}
	return &p, err
}

// pick returns the profile of the browser that runs, or else the usual one; nil when the person has to choose.
func pick(all []api.Profile, sources []api.LoginSource) *api.Profile {
	var running []*api.Profile
	var usual *api.Profile
	for i, p := range all {
		s := sourceOf(sources, *p.External)
		runs := p.State != "closed" || (s != nil && s.Open)
		if runs {
			running = append(running, &all[i])
		}
		if p.Name == usualName {
			if runs {
				return &all[i]
			}
			usual = &all[i]
		}
	}
	open := slices.ContainsFunc(sources, func(s api.LoginSource) bool { return s.Open })
	switch {
	case len(running) == 1:
		return running[0]
	case len(running) > 1:
		return nil
	case usual == nil && len(all) == 1 && !open:
		return &all[0]
	}
	return usual
}

func sourceOf(sources []api.LoginSource, e api.External) *api.LoginSource {
	for i, s := range sources {
		if paths.Same(s.DataDir, e.DataDir) {
			return &sources[i]
		}
	}
	return nil
}

// sharedByOther reports whether another profile shares the browser, so that nothing will be asked.
func (t target) sharedByOther() bool {
	return slices.ContainsFunc(t.all, func(p api.Profile) bool {
		return p.ID != t.profile.ID && p.State != "closed" &&
			paths.Same(p.External.DataDir, t.profile.External.DataDir)
	})
}

// browser names the browser: its product, and its folder.
func (t target) browser() string {
	e := *t.profile.External
	name := "the browser"
	if s := sourceOf(t.sources, e); s != nil {
		name = s.Name
	}
	return name + " (" + filepath.Join(e.DataDir, e.Dir) + ")"
}

// word is how a command names the profile.
func (t target) word() string {
	if name := t.profile.Name; !strings.HasPrefix(name, "-") && !command.OnlyDigits(name) {
		return paths.Quote(name)
	}
	return t.profile.ID.String()
}

// cleanUp deletes the profile, if this command made it, and nobody has shared or changed it since.
func (t target) cleanUp(ctx context.Context, c *api.Client) {
	if !t.created {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUpLimit)
	defer cancel()
	now, err := c.Profiles().Get(ctx, t.profile.ID)
	if err != nil || now.State != "closed" || now.OpenedAt != nil || now.UpdatedAt == nil ||
		t.profile.UpdatedAt == nil || !now.UpdatedAt.Equal(*t.profile.UpdatedAt) {
		return
	}
	_ = c.Profiles().Delete(ctx, t.profile.ID, true)
}
