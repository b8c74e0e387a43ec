package extension

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"cove/internal/fault"
	"cove/internal/wording"
)

// manifestName is the file that makes a folder an extension.
const manifestName = "manifest.json"

// Manifest is what an extension says of itself.
type Manifest struct {
	Title           string
	Version         string
	Description     string
	ManifestVersion int
	// Permissions are those that it has and those that it can ask for, without sites.
	Permissions []string
	// Hosts are the sites that it reads and changes, as patterns.
	Hosts []string
	// Background says that code of it runs all the time.
	Background bool
}

// fileManifest is manifest.json, as far as Cove reads it.
type fileManifest struct {
	ManifestVersion     json.Number       `json:"manifest_version"`
	Name                string            `json:"name"`
	Version             string            `json:"version"`
	Description         string            `json:"description"`
	DefaultLocale       string            `json:"default_locale"`
	Key                 string            `json:"key"`
	Permissions         []json.RawMessage `json:"permissions"`
	OptionalPermissions []json.RawMessage `json:"optional_permissions"`
	HostPermissions     []string          `json:"host_permissions"`
	OptionalHosts       []string          `json:"optional_host_permissions"`
	// ContentScripts are maps, which have exact names: see exactNames.
	ContentScripts    []map[string]json.RawMessage `json:"content_scripts"`
	Background        json.RawMessage              `json:"background"`
	DevTools          string                       `json:"devtools_page"`
	URLOverrides      json.RawMessage              `json:"chrome_url_overrides"`
	SettingsOverrides json.RawMessage              `json:"chrome_settings_overrides"`
}

// Names for fields of a manifest that are as good as permissions.
const (
	devTools          = "devtools"
	urlOverrides      = "chrome_url_overrides"
	settingsOverrides = "chrome_settings_overrides"
)

const manifestHint = "Choose the folder or the archive that has manifest.json, as the browser's own page for " +
	"extensions would load it."

// Limits of the texts that Cove shows.
const (
	maxTitle       = 100
	maxDescription = 500
	maxListed      = 1000
)

var versionPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{1,9}(\.\d{1,9}){0,3}$`)
})

// parseManifest reads a manifest. messages returns the text of a language's messages.json.
func parseManifest(raw []byte, messages func(locale string) []byte) (Manifest, fileManifest, error) {
	var in fileManifest
	clean, err := exactNames(withoutComments(raw))
	if err == nil {
		err = json.Unmarshal(clean, &in)
	}
	if err != nil {
		return Manifest{}, in, fault.Unprocessablef("file", "The extension's manifest.json cannot be read: %s.", err).
			WithHint(manifestHint)
	}
	version, err := strconv.Atoi(in.ManifestVersion.String())
	if err != nil || version != 2 && version != 3 {
		return Manifest{}, in, fault.Unprocessablef("file",
			"The extension's manifest version is %q, and Cove knows 2 and 3.", in.ManifestVersion).
			WithHint("Get a newer version of the extension.")
	}
	if !versionPattern().MatchString(in.Version) {
		return Manifest{}, in, fault.Unprocessablef("file", "The extension's manifest has no valid version.").
			WithHint("A version has one to four numbers, such as 1.2.3.")
	}

	m := Manifest{Version: in.Version, ManifestVersion: version}
	text := localizer(messages(in.DefaultLocale))
	m.Title, m.Description = oneLine(text(in.Name), maxTitle), oneLine(text(in.Description), maxDescription)
	if m.Title == "" {
		return Manifest{}, in, fault.Unprocessablef("file", "The extension's manifest has no name.").
			WithHint(manifestHint)
	}
	m.Background = isGiven(in.Background)
	if m.Permissions, m.Hosts, err = in.rights(); err != nil {
		return Manifest{}, in, fault.Unprocessablef("file", "The extension's content scripts cannot be read: %s.", err).
			WithHint(manifestHint)
	}
	return m, in, nil
}

// exactNames drops the fields of a manifest whose names only resemble those that Cove reads. Chromium ignores
// Permissions, and Go would read it in place of permissions.
func exactNames(raw []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool {
		return strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	})
	return json.Marshal(fields)
}

// rights sorts everything that the manifest asks for into permissions and sites.
func (in fileManifest) rights() (permissions, hosts []string, err error) {
	for _, raw := range slices.Concat(in.Permissions, in.OptionalPermissions) {
		for _, name := range permissionNames(raw) {
			if isHost(name) {
				hosts = append(hosts, name)
			} else {
				permissions = append(permissions, name)
			}
		}
	}
	hosts = slices.Concat(hosts, in.HostPermissions, in.OptionalHosts)
	for _, script := range in.ContentScripts {
		var matches []string
		if raw, there := script["matches"]; there {
			if err := json.Unmarshal(raw, &matches); err != nil {
				return nil, nil, err
			}
		}
		hosts = append(hosts, matches...)
	}
	for name, given := range map[string]bool{devTools: in.DevTools != "", urlOverrides: isGiven(in.URLOverrides),
		settingsOverrides: isGiven(in.SettingsOverrides)} {
		if given {
			permissions = append(permissions, name)
		}
	}
	return sorted(permissions, gravity), sorted(hosts, breadth), nil
}

func isGiven(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// permissionNames reads a permission, which is a text or an object whose keys are the names.
func permissionNames(raw json.RawMessage) (names []string) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return []string{name}
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(raw, &object)
	for name := range object {
		names = append(names, name)
	}
	return names
}

func isHost(name string) bool { return name == allURLs || strings.Contains(name, "://") }

// sorted returns a list without repetitions, and at most maxListed of it. Of a longer list it keeps what has the lowest
// rank: padding must not push out what Reach and Grave judge by.
func sorted(list []string, rank func(string) int) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		if s = oneLine(s, maxTitle); s != "" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxListed {
		slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		out = out[:maxListed]
		slices.Sort(out)
	}
	return out
}

// oneLine makes a text of an extension fit for a line that Cove prints.
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return wording.Shorten(strings.Join(strings.Fields(s), " "), limit)
}

// withKey returns the manifest with a key. Chromium reads comments, other programs do not, so they are gone.
func withKey(raw []byte, key string) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(withoutComments(raw), &fields); err != nil {
		return nil, err
	}
	fields["key"], _ = json.Marshal(key)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(fields)
	return out.Bytes(), err
}

// withoutComments replaces the comments that Chromium allows in JSON with blanks, and drops a byte order mark.
func withoutComments(raw []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(out[i:], []byte("//")):
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case bytes.HasPrefix(out[i:], []byte("/*")):
			end := bytes.Index(out[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			for end += i + 4; i < end; i++ {
				out[i] = ' '
			}
			i--
		}
	}
	return out
}
