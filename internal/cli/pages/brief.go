package pages

import (
	"regexp"
	"strings"
	"sync"
)

// wordy are the parts of a snapshot's lines that an agent in a shell hardly needs, and pays for with every page: where
// a link of the same site leads, the level of a heading, the snapshot's number. What a page writes stands in quotes,
// with a backslash before a quote of its own, so that no page can make a line that another one is taken for.
var wordy = sync.OnceValue(func() *regexp.Regexp {
	const name = `"(?:[^"\\]|\\.)*"`
	return regexp.MustCompile(`^([ ~+-]*(?:uid=\S+ )?(?:` +
		`link ` + name + `)) url="/(?:[^"\\]|\\.)*"|` +
		`^([ ~+-]*(?:uid=\S+ )?heading ` + name + `) level="\d+"|` +
		`^(uid=\S+ RootWebArea .*) snapshot=\d+|` +
		`^()Since snapshot \d+: `)
})

// ownNumber matches what says the number of a snapshot at the end of a line about changes.
var ownNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:Since|Nothing)[^"]*) This is snapshot \d+\.$`)
})

// counted matches the line that counts matches which stand below it, all of them.
var counted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+ match(?:es)? for ".*":$`) })

// brief returns a snapshot without what an agent in a shell hardly needs; with told also without the line of the page
// itself, whose address the agent knows already.
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
