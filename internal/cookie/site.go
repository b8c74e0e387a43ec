package cookie

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// SiteOf returns the site of a host: the name below a public suffix, such as example.co.uk for www.example.co.uk. An
// address, and a host that is a public suffix itself, is a site of its own.
func SiteOf(host string) string {
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "."), "."))
	if isAddress(host) {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// Site returns the site that a cookie belongs to. A partitioned cookie belongs to the site in whose pages it is
// visible.
func (c Cookie) Site() string {
	if u, err := url.Parse(c.Partition); c.Partition != "" && err == nil && u.Hostname() != "" {
		return SiteOf(u.Hostname())
	}
	return SiteOf(c.Domain)
}

// Site returns the site that an origin belongs to.
func (o Origin) Site() string {
	u, err := url.Parse(o.Origin)
	if err != nil {
		return o.Origin
	}
	return SiteOf(u.Hostname())
}

// Origins returns the origins that a cookie was set by, as far as its source tells. They may have local storage. Only
// the usual ports tell the scheme: on this computer a cookie can be secure without encryption.
func (c Cookie) Origins() []string {
	host := strings.TrimPrefix(c.Domain, ".")
	switch {
	case c.Partition != "" || host == "" || c.Source.Port <= 0:
		return nil
	case c.Source.Port == 443:
		return []string{"https://" + host}
	case c.Source.Port == 80:
		return []string{"http://" + host}
	}
	host += ":" + strconv.Itoa(c.Source.Port)
	return []string{"https://" + host, "http://" + host}
}

// Count is how much there is of one site.
type Count struct {
	Site    string `json:"site"`
	Cookies int    `json:"cookies"`
	// Origins are those that may have local storage.
	Origins int `json:"origins"`
}

// Sites counts cookies and origins by their sites, and returns them sorted by name.
func Sites(cookies []Cookie, origins []string) []Count {
	counts := map[string]*Count{}
	at := func(site string) *Count {
		if counts[site] == nil {
			counts[site] = &Count{Site: site}
		}
		return counts[site]
	}
	for _, c := range cookies {
		at(c.Site()).Cookies++
	}
	for _, o := range origins {
		at(Origin{Origin: o}.Site()).Origins++
	}
	out := make([]Count, 0, len(counts))
	for _, c := range counts {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Compare(a.Site, b.Site) })
	return out
}
