package pages

import (
	"regexp"
	"strings"
	"sync"
)

// wordy matches the parts of a snapshot's lines that an agent in a shell hardly needs and pays for with every page: the
// address of a link to the same site, the level of a heading, the snapshot's number. A page's text stands in quotes,
// and its own quotes have a backslash, so a page cannot imitate one of these parts.
var wordy = sync.OnceValue(func() *regexp.Regexp {
	const name = `"(?:[^"\\]|\\.)*"`
	return regexp.MustCompile(`^([ ~+-]*(?:uid=\S+ )?(?:` +
		`link ` + name + `)) url="/(?:[^"\\]|\\.)*"|` +
		`^([ ~+-]*(?:uid=\S+ )?heading ` + name + `) level="\d+"|` +
		`^(uid=\S+ RootWebArea .*) snapshot=\d+|` +
		`^()Since snapshot \d+: `)
})

// ownNumber matches a line about changes that ends with the number of the snapshot.
var ownNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:Since|Nothing)[^"]*) This is snapshot \d+\.$`)
})

// counted matches the line with the number of matches, where all of them follow.
var counted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+ match(?:es)? for ".*":$`) })

// brief returns a snapshot without the parts that an agent in a shell hardly needs. told means that the agent knows the
// page's address already; then the line of the page itself is left out, too.
func brief(text string, told bool) string {
	first, rest, _ := strings.Cut(text, "\n")
	if told && strings.HasPrefix(first, "uid=") && strings.Contains(first, " RootWebArea ") {
		text = rest
	}
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if counted().MatchString(line) {
			continue
		}
		line = ownNumber().ReplaceAllString(line, "$1")
		all = append(all, wordy().ReplaceAllString(line, "$1$2$3$4"))
	}
	return strings.Join(all, "\n")
}
