package cookie

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// item is a cookie in JSON, with the names of every format.
type item struct {
	Domain     *text     `json:"domain"`
	Host       *text     `json:"host"` // of Firefox's exports
	HostOnly   *flag     `json:"hostOnly"`
	Path       *text     `json:"path"`
	Name       *text     `json:"name"`
	Value      *text     `json:"value"`
	Secure     *flag     `json:"secure"`
	HTTPOnly   *flag     `json:"httpOnly"`
	SameSite   *sameSite `json:"sameSite"`
	Session    *flag     `json:"session"`
	Expiration *moment   `json:"expirationDate"`
	Expires    *moment   `json:"expires"`
	Expiry     *moment   `json:"expiry"` // of Selenium
	Partition  *site     `json:"partitionKey"`
	Ancestor   *flag     `json:"_crHasCrossSiteAncestor"` // of Playwright
}

// wrong is why a part of an item cannot be read. It holds nothing of the item.
type wrong string

func (w wrong) Error() string { return string(w) }

// readItem reads one cookie. It returns "" or what is wrong with the cookie.
func readItem(raw json.RawMessage) (Cookie, string) {
	var in item
	if err := json.Unmarshal(raw, &in); err != nil {
		if w := wrong(""); errors.As(err, &w) {
			return Cookie{}, string(w)
		}
		return Cookie{}, "is not an object of JSON"
	}
	if in.Domain == nil {
		in.Domain = in.Host
	}
	switch {
	case in.Domain == nil:
		return Cookie{}, "has no domain"
	case in.Name == nil:
		return Cookie{}, "has no name"
	}
	return in.cookie()
}

func (in item) cookie() (Cookie, string) {
	c := Cookie{
		Domain: string(*in.Domain), HostOnly: in.HostOnly == nil || bool(*in.HostOnly), Name: string(*in.Name),
		Path: deref(in.Path), Value: deref(in.Value), Secure: isSet(in.Secure), HTTPOnly: isSet(in.HTTPOnly),
	}
	if in.SameSite != nil {
		c.SameSite = SameSite(*in.SameSite)
	}
	if in.Partition != nil {
		c.Partition, c.CrossSiteAncestor = in.Partition.site, in.Partition.crossSite || isSet(in.Ancestor)
	}
	var seen bool
	for _, m := range []*moment{in.Expiration, in.Expires, in.Expiry} {
		if m == nil {
			continue
		}
		if seen && math.Abs(c.Expires-float64(*m)) > 1 {
			return Cookie{}, "has two different expiry times"
		}
		c.Expires, seen = float64(*m), true
	}
	if isSet(in.Session) {
		c.Expires = 0
	}
	return c, ""
}

func deref(t *text) string {
	if t == nil {
		return ""
	}
	return string(*t)
}

func isSet(f *flag) bool { return f != nil && bool(*f) }

// text is a string, or a number that somebody forgot to quote.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
		return nil
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		*t = text(n)
		return nil
	}
	return wrong("has a part that must be a text and is not")
}

// flag is true or false, as JSON, as a number or as a text.
type flag bool

func (f *flag) UnmarshalJSON(raw []byte) error {
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "1":
		*f = true
	case "false", "0", "":
		*f = false
	default:
		return wrong("has a part that must be true or false and is not")
	}
	return nil
}

type sameSite SameSite

func (s *sameSite) UnmarshalJSON(raw []byte) error {
	value, ok := parseSameSite(strings.Trim(string(raw), `"`))
	*s = sameSite(value)
	if !ok {
		return wrong("has a sameSite that is none of no_restriction, lax, strict, none and unspecified")
	}
	return nil
}

func parseSameSite(s string) (SameSite, bool) {
	switch strings.ToLower(s) {
	case "", "unspecified", "unset":
		return Unset, true
	case "no_restriction", "none":
		return None, true
	case "lax":
		return Lax, true
	case "strict":
		return Strict, true
	}
	return Unset, false
}

// moment is an expiry: seconds or, from 10¹¹ on, milliseconds since 1970, as a number or a text. Zero and −1
// stand for a session.
type moment float64

func (m *moment) UnmarshalJSON(raw []byte) error {
	seconds, why := parseExpiry(strings.Trim(string(raw), `"`))
	*m = moment(seconds)
	if why != "" {
		return wrong(why)
	}
	return nil
}

func parseExpiry(s string) (seconds float64, why string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, ""
	}
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(n) || strings.ContainsAny(s, "xXpP_"):
		return 0, "has an expiry that is not a number of seconds or milliseconds"
	case n >= 1e14:
		return 0, "has an expiry that is too far away to be seconds or milliseconds"
	case n >= 1e11:
		n /= 1000
	case n == -1:
		n = 0
	}
	return microseconds(n), ""
}

// site is a partition key: a text, or an object.
type site struct {
	site      string
	crossSite bool
}

func (s *site) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &s.site) == nil {
		return nil
	}
	var key struct {
		TopLevelSite string `json:"topLevelSite"`
		SourceOrigin string `json:"sourceOrigin"` // of Puppeteer
		CrossSite    flag   `json:"hasCrossSiteAncestor"`
	}
	if json.Unmarshal(raw, &key) != nil || key.TopLevelSite != "" && key.SourceOrigin != "" {
		return wrong("has a partition key that cannot be read")
	}
	s.site, s.crossSite = key.TopLevelSite+key.SourceOrigin, bool(key.CrossSite)
	return nil
}
