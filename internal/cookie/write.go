package cookie

import (
	"encoding/json"
	"math"
	"strings"

	"cove/internal/fault"
)

// Format is a way to write cookies.
type Format string

// The formats. What each cannot hold is said where it is written.
const (
	Dolphin      Format = "dolphin"
	Netscape     Format = "netscape"
	StorageState Format = "storageState"
	Puppeteer    Format = "puppeteer"
)

// Formats lists the formats by name.
var Formats = []Format{Dolphin, Netscape, StorageState, Puppeteer}

// ParseFormat returns the format of a name in any case; "" is Dolphin's.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Dolphin, nil
	}
	names := make([]string, 0, len(Formats))
	for _, f := range Formats {
		if strings.EqualFold(name, string(f)) {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", fault.Fieldf("format", "There is no cookie format of this name.").
		WithHint("Use one of " + strings.Join(names, ", ") + ".")
}

// Media returns the media type of a format.
func (f Format) Media() string {
	if f == Netscape {
		return "text/plain; charset=utf-8"
	}
	return "application/json; charset=utf-8"
}

// Omitted counts the cookies that a format cannot hold: it would change them into others.
func (f Format) Omitted(cookies []Cookie) (n int) {
	for _, c := range cookies {
		if f == Netscape && c.Partition != "" {
			n++
		}
	}
	return n
}

// Write writes cookies in a format. origins is the local storage; only a storageState holds it.
func Write(f Format, cookies []Cookie, origins []Origin) ([]byte, error) {
	switch f {
	case Netscape:
		return netscape(cookies), nil
	case StorageState:
		return json.Marshal(storageState{Cookies: playwright(cookies), Origins: storedOrigins(origins)})
	case Puppeteer:
		return json.Marshal(PuppeteerItems(cookies))
	default:
		return json.Marshal(DolphinItems(cookies))
	}
}

// DolphinItem is a cookie as EditThisCookie and Dolphin write it, with its expiry in whole milliseconds.
type DolphinItem struct {
	Domain     string     `json:"domain"`
	Expiration *float64   `json:"expirationDate,omitempty"`
	HostOnly   bool       `json:"hostOnly"`
	HTTPOnly   bool       `json:"httpOnly"`
	Name       string     `json:"name"`
	Path       string     `json:"path"`
	SameSite   string     `json:"sameSite"`
	Secure     bool       `json:"secure"`
	Session    bool       `json:"session"`
	Value      string     `json:"value"`
	Partition  *Partition `json:"partitionKey,omitempty"`
}

// Partition is a partition key as the browser's extensions have it.
type Partition struct {
	TopLevelSite string `json:"topLevelSite"`
	CrossSite    bool   `json:"hasCrossSiteAncestor"`
}

// DolphinItems returns cookies in Dolphin's form.
func DolphinItems(cookies []Cookie) []DolphinItem {
	names := map[SameSite]string{Unset: "unspecified", None: "no_restriction", Lax: "lax", Strict: "strict"}
	out := make([]DolphinItem, 0, len(cookies))
	for _, c := range cookies {
		i := DolphinItem{
			Domain: c.DottedDomain(), HostOnly: c.HostOnly, HTTPOnly: c.HTTPOnly, Name: c.Name, Path: c.Path,
			SameSite: names[c.SameSite], Secure: c.Secure, Session: c.Session(), Value: c.Value,
		}
		if !c.Session() {
			ms := math.Round(c.Expires * 1000)
			i.Expiration = &ms
		}
		if c.Partition != "" {
			i.Partition = &Partition{TopLevelSite: c.Partition, CrossSite: c.CrossSiteAncestor}
		}
		out = append(out, i)
	}
	return out
}

// PuppeteerItem is a cookie as Puppeteer and AdsPower write it, with its expiry in seconds.
type PuppeteerItem struct {
	Name      string        `json:"name"`
	Value     string        `json:"value"`
	Domain    string        `json:"domain"`
	Path      string        `json:"path"`
	Expires   float64       `json:"expires"`
	Size      int           `json:"size"`
	HTTPOnly  bool          `json:"httpOnly"`
	Secure    bool          `json:"secure"`
	Session   bool          `json:"session"`
	SameSite  SameSite      `json:"sameSite,omitempty"`
	Partition *sourceOrigin `json:"partitionKey,omitempty"`
}

type sourceOrigin struct {
	SourceOrigin string `json:"sourceOrigin"`
	CrossSite    bool   `json:"hasCrossSiteAncestor"`
}

// PuppeteerItems returns cookies in Puppeteer's form.
func PuppeteerItems(cookies []Cookie) []PuppeteerItem {
	out := make([]PuppeteerItem, 0, len(cookies))
	for _, c := range cookies {
		i := PuppeteerItem{
			Name: c.Name, Value: c.Value, Domain: c.DottedDomain(), Path: c.Path, Expires: expiresOrSession(c),
			Size: len(c.Name) + len(c.Value), HTTPOnly: c.HTTPOnly, Secure: c.Secure, Session: c.Session(),
			SameSite: c.SameSite,
		}
		if c.Partition != "" {
			i.Partition = &sourceOrigin{SourceOrigin: c.Partition, CrossSite: c.CrossSiteAncestor}
		}
		out = append(out, i)
	}
	return out
}

func expiresOrSession(c Cookie) float64 {
	if c.Session() {
		return -1
	}
	return c.Expires
}

// storageState is Playwright's file.
type storageState struct {
	Cookies []playwrightItem `json:"cookies"`
	Origins []storedOrigin   `json:"origins"`
}

// playwrightItem is a cookie in Playwright's file.
type playwrightItem struct {
	Name      string   `json:"name"`
	Value     string   `json:"value"`
	Domain    string   `json:"domain"`
	Path      string   `json:"path"`
	Expires   float64  `json:"expires"`
	HTTPOnly  bool     `json:"httpOnly"`
	Secure    bool     `json:"secure"`
	SameSite  SameSite `json:"sameSite,omitempty"`
	Partition string   `json:"partitionKey,omitempty"`
	CrossSite *bool    `json:"_crHasCrossSiteAncestor,omitempty"`
}

func playwright(cookies []Cookie) []playwrightItem {
	out := make([]playwrightItem, 0, len(cookies))
	for _, c := range cookies {
		i := playwrightItem{
			Name: c.Name, Value: c.Value, Domain: c.DottedDomain(), Path: c.Path, Expires: expiresOrSession(c),
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: c.Partition,
		}
		if c.Partition != "" {
			i.CrossSite = &c.CrossSiteAncestor
		}
		out = append(out, i)
	}
	return out
}
