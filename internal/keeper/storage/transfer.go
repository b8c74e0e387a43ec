package storage

import (
	"context"
	"fmt"
	"slices"

	"cove/internal/cookie"
	"cove/internal/jar"
)

// Transfer replaces what the profile has of some sites by what another browser has of them. It names what the browser
// refuses, and writes the rest. If anything else fails, everything is as it was.
func (s *Storage) Transfer(ctx context.Context, t cookie.Transfer) (done cookie.Transferred, err error) {
	ctx, cancel, err := s.begin(ctx, callLimit+t.Extra())
	if err != nil {
		return done, err
	}
	defer cancel()
	if !s.config.Hidden {
		return done, s.importOpen()
	}
	err = s.writeClosed(ctx, func() (databases []string, err error) {
		done, databases, err = s.replace(ctx, t)
		return databases, err
	})
	s.record("imported", cookie.Data{Cookies: accepted(t.Cookies, done.Refused), Origins: t.Origins}, err)
	return done, err
}

// accepted returns the cookies that were not refused.
func accepted(all []cookie.Cookie, refused []cookie.Key) []cookie.Cookie {
	return slices.DeleteFunc(slices.Clone(all), func(c cookie.Cookie) bool { return slices.Contains(refused, c.Key()) })
}

// emptied returns the profile's other origins of the same sites, without entries: what another login has stored there
// would be a part of this one.
func (s *Storage) emptied(t cookie.Transfer) (more []cookie.Origin) {
	for _, origin := range s.origins() {
		o := cookie.Origin{Origin: origin}
		brought := slices.ContainsFunc(t.Origins, func(b cookie.Origin) bool { return b.Origin == origin })
		if !brought && slices.Contains(t.StorageSites, o.Site()) && !slices.Contains(t.Unread, origin) {
			more = append(more, o)
		}
	}
	return more
}

// replace replaces the data in the hidden browser. It leaves cookies to databases for which the browser has no room.
func (s *Storage) replace(
	ctx context.Context, t cookie.Transfer,
) (done cookie.Transferred, databases []string, err error) {
	have, _, err := s.jar().Cookies(ctx)
	if err != nil {
		return done, nil, fmt.Errorf("read the cookies: %w", err)
	}
	var old, others []cookie.Cookie
	for _, c := range have {
		if slices.Contains(t.Sites, c.Site()) {
			old = append(old, c)
		} else {
			others = append(others, c)
		}
	}
	if err := s.jar().Remove(ctx, old); err != nil {
		return done, nil, err
	}
	var refused []cookie.Cookie
	if needsStages(others, t.Cookies) {
		databases, refused, err = s.stageCookies(ctx, t.Cookies, jar.Jar.SetMost)
	} else {
		refused, err = s.jar().SetMost(ctx, t.Cookies)
	}
	if err != nil {
		return done, nil, err
	}
	done.RefusedOrigins, err = jar.ReplaceStorage(ctx, s.config.Browser(), slices.Concat(t.Origins, s.emptied(t)))
	if err != nil {
		return done, nil, err
	}
	done.Cookies = len(t.Cookies) - len(refused)
	for _, c := range refused {
		done.Refused = append(done.Refused, c.Key())
	}
	for _, o := range t.Origins {
		if !slices.Contains(done.RefusedOrigins, o.Origin) {
			done.Entries += len(o.Items)
		}
	}
	return done, databases, nil
}
