package extension

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

const allURLs = "<all_urls>"

// powers say what an agent could reach through a permission, the gravest first.
var powers = []struct{ permission, text string }{
	{"debugger", "Controls every tab like a debugger: an agent could use it to get around the profile's permissions."},
	{"nativeMessaging", "Talks to programs on this computer, outside the browser."},
	{"proxy", "Changes the proxy: in a window that you open yourself, traffic could bypass the profile's proxy."},
	{"vpnProvider", "Changes the network that the browser uses."},
	{"webAuthenticationProxy", "Answers for passkeys and security keys."},
	{"cookies", "Reads and sets the cookies of its sites, also those that log you in."},
	{"webRequest", "Reads the requests to its sites, with their headers."},
	{"webRequestBlocking", "Changes and blocks the requests to its sites."},
	{"webRequestAuthProvider", "Answers when its sites ask for a login."},
	{"declarativeNetRequest", "Blocks and redirects requests."},
	{"declarativeNetRequestWithHostAccess", "Blocks and redirects requests to its sites."},
	{"management", "Turns other extensions on and off."},
	{"downloads", "Downloads files to this computer and lists earlier downloads."},
	{"downloads.open", "Opens files that were downloaded."},
	{"fileSystem", "Opens files on this computer that you choose."},
	{"clipboardRead", "Reads what you copy."},
	{"clipboardWrite", "Replaces what you copied."},
	{"certificateProvider", "Offers certificates that log you in to sites."},
	{"platformKeys", "Uses the certificates of this computer that log you in to sites."},
	{"desktopCapture", "Records the screen."},
	{"tabCapture", "Records what tabs show."},
	{"pageCapture", "Saves whole pages."},
	{"history", "Reads and deletes the browsing history."},
	{"browsingData", "Deletes cookies, logins and history."},
	{"privacy", "Changes privacy settings."},
	{"contentSettings", "Changes what sites are allowed to do."},
	{devTools, "Adds to the developer tools."},
	{"scripting", "Runs scripts in its sites."},
	{"userScripts", "Runs scripts of its choice in its sites."},
	{"activeTab", "Reads and changes the page that you have open when you click its button."},
	{"webNavigation", "Sees the address of every page that opens."},
	{"tabs", "Sees the address and the title of every tab."},
	{"topSites", "Reads the most visited sites."},
	{"bookmarks", "Reads and changes bookmarks."},
	{"sessions", "Reads and restores closed tabs."},
	{"geolocation", "Asks where this computer is."},
	{"identity", "Asks for the account of the browser's user."},
	{"identity.email", "Reads the email address of the browser's user."},
	{"declarativeNetRequestFeedback", "Sees which requests it has blocked and redirected."},
	{urlOverrides, "Replaces pages of the browser, such as new tabs."},
	{settingsOverrides, "Changes the home page, the start pages or the search engine."},
}

// harmless are the permissions that reach nothing beyond the extension itself.
var harmless = []string{"alarms", "background", "contextMenus", "declarativeContent", "downloads.shelf", "downloads.ui",
	"favicon", "fontSettings", "gcm", "idle", "menus", "notifications", "offscreen", "power", "search", "sidePanel",
	"storage", "system.cpu", "system.display", "system.memory", "tabGroups", "theme", "tts", "unlimitedStorage"}

// Reach says in plain sentences what an agent could reach through the extension, the gravest first. It is empty for
// an extension that reaches nothing beyond itself.
func (m Manifest) Reach() []string {
	out := []string{}
	if m.everywhere() {
		out = append(out, "Reads and changes every site.")
	} else if sites := m.sites(); len(sites) > 0 {
		out = append(out, "Reads and changes "+listed(sites, "sites")+".")
	}
	for _, p := range powers {
		if slices.Contains(m.Permissions, p.permission) {
			out = append(out, p.text)
		}
	}
	if more := m.unknown(); len(more) > 0 {
		out = append(out, "May do more: "+listed(more, "permissions")+".")
	}
	return out
}

// unknown returns the permissions of which Cove does not know what they reach.
func (m Manifest) unknown() (names []string) {
	for _, name := range m.Permissions {
		if gravity(name) == len(powers) && !slices.Contains(harmless, name) {
			names = append(names, name)
		}
	}
	return names
}

// Grave reports whether an agent could use the extension to get around what a profile's policy allows.
func (m Manifest) Grave() bool {
	return slices.ContainsFunc([]string{"debugger", "nativeMessaging", "proxy"},
		func(name string) bool { return slices.Contains(m.Permissions, name) })
}

// gravity is the place of a permission among the powers. A permission that is not one of them comes last.
func gravity(permission string) int {
	for i, p := range powers {
		if p.permission == permission {
			return i
		}
	}
	return len(powers)
}

// everywhere reports whether the extension reaches all sites.
func (m Manifest) everywhere() bool {
	return slices.ContainsFunc(m.Hosts, func(pattern string) bool { return breadth(pattern) == 0 })
}

// breadth ranks patterns: 0 is all sites, then come the files of this computer, *.com and *.example.com. Single hosts
// are last.
func breadth(pattern string) int {
	h := host(pattern)
	switch {
	case pattern == allURLs || h == "*":
		return 0
	case h == localFiles:
		return 1
	case strings.HasPrefix(h, "*."):
		return 1 + strings.Count(h, ".")
	}
	return math.MaxInt
}

// sites returns the hosts of all patterns without repetitions, the broadest first.
func (m Manifest) sites() (all []string) {
	patterns := slices.Clone(m.Hosts)
	slices.SortStableFunc(patterns, func(a, b string) int { return cmp.Compare(breadth(a), breadth(b)) })
	for _, pattern := range patterns {
		if h := host(pattern); h != "" && !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// localFiles is what a pattern such as file:///* reaches.
const localFiles = "files on this computer"

// host returns the host of a pattern such as *://*.example.com/*, and localFiles for file:///*.
func host(pattern string) string {
	scheme, rest, ok := strings.Cut(pattern, "://")
	if !ok {
		return ""
	}
	if scheme == "file" {
		return localFiles
	}
	h, _, _ := strings.Cut(rest, "/")
	if every, _, _ := strings.Cut(h, ":"); every == "*" {
		return every
	}
	return strings.TrimSuffix(h, ":*")
}

// listed writes a list of things for people, and says how many it leaves out.
func listed(words []string, things string) string {
	const most = 5
	switch n := len(words); {
	case n > most:
		return strings.Join(words[:most], ", ") + " and " + strconv.Itoa(n-most) + " more " + things
	case n > 1:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}
