package permit

import (
	"context"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// EditProxy changes a stored proxy, which then stays without profiles. If a profile with rules uses the proxy, only the
// person can change where it leads, or the link that changes its exit address.
func EditProxy(c *call.Call, proxies proxy.Store, id proxy.ID, edit func(*proxy.Record) error) (proxy.Record, error) {
	before, err := proxies.Get(c.Context(), id)
	if err != nil {
		return before, err
	}
	after := before
	if err := edit(&after); err != nil {
		return before, err
	}
	granted := proxyNeedsPerson(before, after)
	if granted {
		if err := c.RequirePersonFor("change a proxy that a profile with rules uses"); err != nil {
			return before, err
		}
	}

	return proxies.Update(c.Context(), id, func(r *proxy.Record) error {
		was := *r
		if err := edit(r); err != nil {
			return err
		}
		if !granted && proxyNeedsPerson(was, *r) { // the caller was judged by what was there before
			return fault.New(fault.CodeProfileChanged, "The proxy was changed in the meantime.",
				"Review it and try again.")
		}
		r.Saved = true
		return nil
	})
}

// proxyNeedsPerson reports whether only the person can make a change of a stored proxy.
func proxyNeedsPerson(before, after proxy.Record) bool {
	return before.Bound && (before.Proxy != after.Proxy || before.ChangeIPURL != after.ChangeIPURL)
}

// UsersOf returns the profiles that use each of the proxies, the trash included.
func UsersOf(ctx context.Context, profiles profile.Lister, ids ...proxy.ID) (map[proxy.ID][]profile.ID, error) {
	users := map[proxy.ID][]profile.ID{}
	if len(ids) == 0 {
		return users, nil
	}
	for _, trashed := range []bool{false, true} {
		q := profile.Query{Proxies: ids, Trashed: trashed, Sort: profile.ByID}
		err := profile.Each(ctx, profiles, q, func(p profile.Profile) error {
			users[p.ProxyID] = append(users[p.ProxyID], p.ID)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return users, nil
}
