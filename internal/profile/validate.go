package profile

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that a computer without a timezone database knows the same names
	"unicode"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/wording"
)

const (
	maxName  = 200
	maxNotes = 20000
	maxTag   = 64
	maxTags  = 50
	maxPages = 50
	maxArgs  = 100
	maxText  = 4096
)

// localePattern is compiled when it is first used: most commands never read a locale.
var localePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$`)
})

// Clean trims the texts of p, drops empty and repeated list entries, and says in one sentence what is wrong.
func (p *Profile) Clean() error {
	p.Name, p.Folder = strings.TrimSpace(p.Name), strings.TrimSpace(p.Folder)
	p.Locale, p.Timezone = strings.TrimSpace(p.Locale), strings.TrimSpace(p.Timezone)
	p.Browser = strings.TrimSpace(p.Browser)
	p.Tags, p.StartPages = list(p.Tags, true), list(p.StartPages, false)
	p.Args = list(p.Args, false)
	for _, check := range []func() error{p.cleanTexts, p.cleanPages, p.cleanWindow, p.cleanPlace, p.cleanProxy,
		p.cleanArgs, p.cleanPolicy, p.cleanPageTools, p.cleanExternal} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// CleanEdit is Clean for an edited profile. Arguments that were allowed once and have not changed do not prevent other
// changes.
func (p *Profile) CleanEdit(before Profile) error {
	if len(p.Args) == 0 || !slices.Equal(p.Args, before.Args) {
		return p.Clean()
	}
	p.Args = nil
	err := p.Clean()
	p.Args = slices.Clone(before.Args)
	return err
}

func (p *Profile) cleanProxy() error { return fault.In("proxy", p.Proxy.Clean()) }

func (p *Profile) cleanPageTools() error {
	switch p.PageTools {
	case PageToolsOn:
		p.PageTools = ""
	case "", PageToolsOff:
	default:
		return fault.Fieldf("pageTools", "Page tools cannot be %q.", wording.Shorten(p.PageTools, 80)).
			WithHint("Choose on or off.")
	}
	return nil
}

// cleanExternal refuses settings of a browser that Cove does not start.
func (p *Profile) cleanExternal() error {
	if !p.External.Set() {
		return nil
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"proxy", p.Proxy.Set() || p.ProxyID != 0}, {"args", len(p.Args) > 0}, {"startPages", len(p.StartPages) > 0},
		{"window", p.Window != Size{}}, {"locale", p.Locale != ""}, {"timezone", p.Timezone != ""},
		{"browser", p.Browser != ""}, {"pageTools", p.PageTools != ""},
	} {
		if f.set {
			return fault.New(fault.CodeAdoptNotOurs,
				"This profile is a browser that you use outside Cove, so Cove cannot set "+f.name+" there.",
				"Set it in that browser, or leave it out.").WithField(f.name)
		}
	}
	return nil
}

func (p *Profile) cleanPolicy() error { return fault.In("policy", p.Policy.Clean()) }

func (p *Profile) cleanTexts() error {
	if p.Name == "" {
		return fault.Fieldf("name", "A profile needs a name.")
	}
	for _, f := range []struct {
		name, text string
		most       int
	}{{"name", p.Name, maxName}, {"folder", p.Folder, maxName}, {"notes", p.Notes, maxNotes},
		{"browser", p.Browser, maxText}} {
		if err := checkText(f.name, f.name, f.text, f.most); err != nil {
			return err
		}
	}
	if len(p.Tags) > maxTags {
		return fault.Fieldf("tags", "A profile has at most %d tags.", maxTags)
	}
	for _, tag := range p.Tags {
		if err := checkText("tags", "tag", tag, maxTag); err != nil {
			return err
		}
	}
	return nil
}

// checkText refuses a text that a field cannot hold. what is the field's name in sentences.
func checkText(field, what, text string, most int) error {
	if !utf8.ValidString(text) {
		return fault.Fieldf(field, "The %s is not valid UTF-8 text.", what)
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fault.Fieldf(field, "The %s is %d characters long; the maximum is %d.", what, n, most)
	}
	for _, r := range text {
		if unicode.IsControl(r) && (field != "notes" && field != "remark" || (r != '\n' && r != '\t' && r != '\r')) {
			return fault.Fieldf(field, "The %s contains a control character.", what)
		}
	}
	return nil
}

func (p *Profile) cleanPages() error {
	if len(p.StartPages) > maxPages {
		return fault.Fieldf("startPages", "A profile has at most %d start pages.", maxPages)
	}
	for i, page := range p.StartPages {
		full, err := startPage(page)
		if err != nil {
			return err
		}
		p.StartPages[i] = full
	}
	return nil
}

// startPage reads a URL as people type it. A bare host gets https.
func startPage(s string) (string, error) {
	if err := checkText("startPages", "start page", s, maxText); err != nil {
		return "", err
	}
	if s == "about:blank" {
		return s, nil
	}
	full := s
	if !strings.Contains(s, "://") {
		full = "https://" + s
	}
	u, err := url.Parse(full)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" ||
		strings.ContainsAny(full, " \"<>") || strings.ContainsAny(u.Host, "=,;") || strings.HasPrefix(u.Host, "-") ||
		strings.Trim(u.Hostname(), "0123456789") == "" {
		return "", fault.Fieldf("startPages", "The start page %q is not a web address.", wording.Shorten(s, 80)).
			WithHint("Enter an http or https URL such as https://example.com, or about:blank.")
	}
	return full, nil
}

func (p *Profile) cleanWindow() error {
	if p.Window == (Size{}) {
		return nil
	}
	for _, side := range []struct {
		field  string
		pixels int
	}{{"window.width", p.Window.Width}, {"window.height", p.Window.Height}} {
		if side.pixels < 200 || side.pixels > 10000 {
			return fault.Fieldf(side.field,
				"The window size %d×%d is not allowed: each side must be 200 to 10000 pixels.",
				p.Window.Width, p.Window.Height)
		}
	}
	return nil
}

func (p *Profile) cleanPlace() error {
	if p.Locale != "" && !localePattern().MatchString(p.Locale) {
		return fault.Fieldf("locale", "The locale %q is not a language tag such as en-GB.",
			wording.Shorten(p.Locale, 40))
	}
	p.Locale = strings.ReplaceAll(p.Locale, "_", "-")
	if p.Timezone == "" {
		return nil
	}
	if _, err := time.LoadLocation(p.Timezone); err != nil || p.Timezone == "Local" {
		return fault.Fieldf("timezone", "Unknown timezone %q.", wording.Shorten(p.Timezone, 40)).
			WithHint("Use a name such as Europe/Berlin or UTC.")
	}
	return nil
}

// ReplaceTags gives the tags of p other names, all at once. A tag whose name is "" is taken away.
func (p *Profile) ReplaceTags(names map[string]string) {
	tags := slices.Clone(p.Tags)
	for i, tag := range tags {
		if name, there := names[tag]; there {
			tags[i] = name
		}
	}
	p.Tags = list(tags, true)
}

func list(in []string, unique bool) []string {
	out := make([]string, 0, len(in))
	for _, s := range in {
		if s = strings.TrimSpace(s); s != "" && (!unique || !slices.Contains(out, s)) {
			out = append(out, s)
		}
	}
	return out
}
