// Package jar reads and writes the cookies and the local storage of a browser over its protocol, on Cove's own
// connection: policies and agents have no part in it.
package jar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/cookie"
	"cove/internal/fault"
)

// Browser sends commands to the browser; *mux.Mux does.
type Browser interface {
	CallOn(ctx context.Context, session, method string, params, result any) error
}

// Jar is the data of one browser.
type Jar struct {
	Browser Browser
	// Exclusive says that nobody else uses the browser, so that everything that differs later was done by Cove.
	Exclusive bool
}

// wireCookie is a cookie as the browser's protocol has it.
type wireCookie struct {
	Name      string         `json:"name"`
	Value     string         `json:"value"`
	URL       string         `json:"url,omitempty"`
	Domain    string         `json:"domain,omitempty"`
	Path      string         `json:"path"`
	Expires   float64        `json:"expires,omitempty"`
	Secure    bool           `json:"secure"`
	HTTPOnly  bool           `json:"httpOnly"`
	Session   bool           `json:"session,omitempty"`
	SameSite  string         `json:"sameSite,omitempty"`
	Priority  string         `json:"priority,omitempty"`
	Scheme    string         `json:"sourceScheme,omitempty"`
	Port      int            `json:"sourcePort,omitempty"`
	Partition *wirePartition `json:"partitionKey,omitempty"`
	Opaque    bool           `json:"partitionKeyOpaque,omitempty"`
}

type wirePartition struct {
	Site      string `json:"topLevelSite"`
	CrossSite bool   `json:"hasCrossSiteAncestor"`
}

// Cookies returns every cookie, sorted, and how many have a partition without a name.
func (j Jar) Cookies(ctx context.Context) (list []cookie.Cookie, opaque int, err error) {
	return readCookies(func(result any) error { return j.Browser.CallOn(ctx, "", "Storage.getCookies", nil, result) })
}

// readCookies returns the cookies that read receives.
func readCookies(read func(result any) error) (list []cookie.Cookie, opaque int, err error) {
	var r struct {
		Cookies []wireCookie `json:"cookies"`
	}
	if err := read(&r); err != nil {
		return nil, 0, err
	}
	list = make([]cookie.Cookie, 0, len(r.Cookies))
	for _, w := range r.Cookies {
		if w.Opaque {
			opaque++
			continue
		}
		list = append(list, fromWire(w))
	}
	slices.SortFunc(list, cookie.Compare)
	return list, opaque, nil
}

func fromWire(w wireCookie) cookie.Cookie {
	c := cookie.Cookie{
		Domain: w.Domain, HostOnly: true, Path: w.Path, Name: w.Name, Value: w.Value, Secure: w.Secure,
		HTTPOnly: w.HTTPOnly, SameSite: cookie.SameSite(w.SameSite),
		Source: cookie.Source{Priority: w.Priority, Scheme: w.Scheme, Port: w.Port},
	}
	if c.Domain != "" && c.Domain[0] == '.' {
		c.Domain, c.HostOnly = c.Domain[1:], false
	}
	if !w.Session && w.Expires > 0 {
		c.Expires = w.Expires
	}
	if w.Partition != nil {
		c.Partition, c.CrossSiteAncestor = w.Partition.Site, w.Partition.CrossSite
	}
	return c
}

func toWire(c cookie.Cookie) wireCookie {
	w := wireCookie{
		Name: c.Name, Value: c.Value, Path: c.Path, Expires: c.Expires, Secure: c.Secure, HTTPOnly: c.HTTPOnly,
		SameSite: string(c.SameSite), Priority: c.Source.Priority, Scheme: c.Source.Scheme, Port: c.Source.Port,
	}
	if c.HostOnly { // a domain without a dot would mean the same, but not for addresses in brackets
		w.URL = c.URL()
	} else {
		w.Domain = c.DottedDomain()
	}
	if c.Partition != "" {
		w.Partition = &wirePartition{Site: c.Partition, CrossSite: c.CrossSiteAncestor}
	}
	return w
}

// batch is how many cookies go to the browser at once.
const batch = 500

// SetCookies sets cookies: all of them, or none. The browser refuses a cookie without a word, so SetCookies reads them
// back, and undoes everything if one is missing.
func (j Jar) SetCookies(ctx context.Context, list []cookie.Cookie) error {
	if len(list) == 0 {
		return nil
	}
	before, _, err := j.Cookies(ctx)
	if err != nil {
		return err
	}
	err = j.put(ctx, list)
	if err == nil {
		err = j.verify(ctx, before, list)
	}
	if err != nil {
		return j.Undo(ctx, before, list, err)
	}
	return nil
}

// SetMost sets cookies, and returns those that the browser does not have afterwards as they were given. A refusal of
// one is a refusal of all that are sent with it, so a site's cookies are sent together, and after a refusal one by one.
// SetMost fails, and undoes everything, if the browser dropped another cookie for these.
func (j Jar) SetMost(ctx context.Context, list []cookie.Cookie) (refused []cookie.Cookie, err error) {
	before, _, err := j.Cookies(ctx)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b cookie.Cookie) int { return cmp.Compare(a.Site(), b.Site()) })
	for start, end := 0, 0; start < len(list); start = end {
		for end < len(list) && end-start < batch && list[end].Site() == list[start].Site() {
			end++
		}
		if err := j.sendMost(ctx, list[start:end]); err != nil {
			return nil, j.Undo(ctx, before, list, err)
		}
	}
	after, _, err := j.Cookies(ctx)
	if err == nil {
		err = j.dropped(before, list, after)
	}
	if err != nil {
		return nil, j.Undo(ctx, before, list, err)
	}
	has := byKey(after)
	for _, c := range list {
		if got, there := has[c.Key()]; !there || !accepted(c, got) {
			refused = append(refused, c)
		}
	}
	return refused, nil
}

// sendMost sends cookies at once, or those that the browser does not refuse.
func (j Jar) sendMost(ctx context.Context, part []cookie.Cookie) error {
	err := j.send(ctx, part)
	if !refusedByBrowser(err) {
		return err
	}
	for i := range part {
		if err := j.send(ctx, part[i:i+1]); err != nil && !refusedByBrowser(err) {
			return err
		}
	}
	return nil
}

// dropped returns an error if the browser has dropped a cookie of before for those of list. Only where nobody else uses
// the browser is that known.
func (j Jar) dropped(before, list, after []cookie.Cookie) error {
	has, set := byKey(after), byKey(list)
	for _, c := range before {
		_, there := has[c.Key()]
		_, ours := set[c.Key()]
		if j.Exclusive && !there && !ours && !ended(c) {
			return errNoRoom(c.Domain)
		}
	}
	return nil
}

// Remove removes cookies. It fails if the browser keeps one.
func (j Jar) Remove(ctx context.Context, list []cookie.Cookie) error {
	gone := make([]cookie.Cookie, len(list))
	for i, c := range list {
		c.Value, c.Expires = "-", 1 // long ago; a cookie without a name needs a value
		gone[i] = c
	}
	for part := range slices.Chunk(gone, batch) {
		if err := j.sendMost(ctx, part); err != nil {
			return err
		}
	}
	after, _, err := j.Cookies(ctx)
	if err != nil {
		return err
	}
	has := byKey(after)
	for _, c := range list {
		if _, there := has[c.Key()]; there {
			return fmt.Errorf("the browser keeps a cookie of %s that was to be replaced", c.Domain)
		}
	}
	return nil
}

// put sends cookies to the browser. A cookie that the browser refuses with an error is named by its position.
func (j Jar) put(ctx context.Context, list []cookie.Cookie) error {
	for start := 0; start < len(list); start += batch {
		part := list[start:min(start+batch, len(list))]
		err := j.send(ctx, part)
		if !refusedByBrowser(err) {
			if err != nil {
				return err
			}
			continue
		}
		for i := range part {
			if err := j.send(ctx, part[i:i+1]); refusedByBrowser(err) {
				return errRefused(list[start+i])
			}
		}
		return err
	}
	return nil
}

func (j Jar) send(ctx context.Context, part []cookie.Cookie) error {
	wire := make([]wireCookie, 0, len(part))
	for _, c := range part {
		wire = append(wire, toWire(c))
	}
	return j.Browser.CallOn(ctx, "", "Storage.setCookies", map[string]any{"cookies": wire}, nil)
}

func refusedByBrowser(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused)
}

// verify makes sure that the browser has every cookie of list and, if nobody else uses it, all others that it had.
func (j Jar) verify(ctx context.Context, before, list []cookie.Cookie) error {
	after, _, err := j.Cookies(ctx)
	if err != nil {
		return err
	}
	has := byKey(after)
	for _, c := range list {
		got, there := has[c.Key()]
		if !there || j.Exclusive && !accepted(c, got) {
			return errRefused(c)
		}
	}
	return j.dropped(before, list, after)
}

func byKey(list []cookie.Cookie) map[cookie.Key]cookie.Cookie {
	out := make(map[cookie.Key]cookie.Cookie, len(list))
	for _, c := range list {
		out[c.Key()] = c
	}
	return out
}

// longest is how long Chromium lets a cookie live at most.
const longest = 400 * 24 * time.Hour

// accepted reports whether the browser has a cookie as it was set, but for an expiry that is too far away.
func accepted(set, got cookie.Cookie) bool {
	limit := float64(time.Now().Add(longest).Unix())
	if set.Expires > limit && math.Abs(got.Expires-limit) < 3600 {
		set.Expires = got.Expires
	}
	return cookie.Same(set, got)
}

func ended(c cookie.Cookie) bool { return !c.Session() && c.Expires <= float64(time.Now().Unix()) }

// Undo puts the cookies of list back to what they were before, and returns why.
func (j Jar) Undo(ctx context.Context, before, list []cookie.Cookie, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoLimit)
	defer cancel()
	had := byKey(before)
	var wrong []cookie.Cookie
	for _, c := range list {
		if _, old := had[c.Key()]; !old {
			c.Value, c.Expires = "", 1 // long ago: the browser deletes it
			wrong = append(wrong, c)
		}
	}
	if now, _, err := j.Cookies(ctx); err == nil {
		set, has := byKey(list), byKey(now)
		for _, c := range before {
			_, ours := set[c.Key()]
			if got := has[c.Key()]; got != c && (ours || j.Exclusive) {
				wrong = append(wrong, c)
			}
		}
	}
	for start := 0; start < len(wrong); start += batch {
		part := wrong[start:min(start+batch, len(wrong))]
		if j.send(ctx, part) == nil {
			continue
		}
		for i := range part { // one that the browser refuses must not keep the others
			_ = j.send(ctx, part[i:i+1])
		}
	}
	return why
}

// undoLimit bounds the undoing of a change.
const undoLimit = 20 * time.Second

func errRefused(c cookie.Cookie) error {
	return fault.Unprocessablef(cookie.Field, "The browser did not accept a cookie of %s.", c.Domain).
		WithHint("Nothing was imported. A browser keeps at most 180 cookies of one site, none for all sites below a " +
			"public suffix such as co.uk and, while it is open, about 3,000 that no site has used yet.")
}

func errNoRoom(domain string) error {
	return fault.Unprocessablef(cookie.Field, "The browser has no room for so many cookies: it dropped one of %s.",
		domain).WithHint("Nothing was imported. Import fewer cookies of one site.")
}
