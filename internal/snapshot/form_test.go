package snapshot

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/text"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const (
	qString = `"(?:[^"\\]|\\["\\n])*"`
	qProp   = `(?:[A-Za-z0-9_-]+(?:=(?:` + qString + `|\d+))?)`
	qUID    = `[a-z]+[1-9]\d*`
	qNode   = `(?:uid=` + qUID + ` )?[A-Za-z0-9_-]+(?: ` + qString + `)?(?: ` + qProp + `)*(?: \([^"]*\))?`
	qURL    = `[^ "|]+`
	qBit    = `(?:` + qString + `|` + qProp + `|` + qURL + `)` // of a cell: uid, name, address, properties
	qCell   = qBit + `(?: ` + qBit + `)*`
	qHead   = `(?:>*(?:` + qString + `|` + qProp + `(?: ` + qString + `)?(?: ` + qProp + `)*))`
	qPart   = `[A-Za-z0-9_-]+(?: ` + qString + `)?`
)

// lineForms has patterns of all possible lines.
var lineForms = []*regexp.Regexp{
	regexp.MustCompile(`^` + qNode + `$`),
	regexp.MustCompile(`^` + qString + `$`),
	regexp.MustCompile(`^\d+ (?:equal )?rows of: (?:[A-Za-z0-9_-]+: )?` + qHead + `(?:(?: \| | \+ | )` + qHead + `)*$`),
	regexp.MustCompile(`^` + qCell + `(?: \| ` + qCell + `)*$`),
	regexp.MustCompile(`^(?:text with )?links(?: url=` + qString + `)?:$`),
	regexp.MustCompile(
		`^(?:` + qString + `|` + qUID + ` ` + qString + `(?: ` + qURL + `| url=` + qString + `)?)(?: (?:` + qString +
			`|` + qUID + ` ` + qString + `(?: ` + qURL + `| url=` + qString + `)?))*$`,
	),
	regexp.MustCompile(`^in: ` + qPart + `(?: > ` + qPart + `)*$`),
	regexp.MustCompile(`^… \d+ more`),
	regexp.MustCompile(`^[+~-] .*$`),
	regexp.MustCompile(
		`^(?:Left out to|The page is larger|Since snapshot|Nothing changed|Most of the page|Nothing on this page|Nothing holds all|\d+ match)`,
	),
}

// wellFormed checks that every line has a known form and that there are no invisible characters.
func wellFormed(tb testing.TB, text string) {
	tb.Helper()
	if !utf8.ValidString(text) {
		tb.Error("not UTF-8")
	}
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		ok := strings.HasSuffix(line, "\n")
		for _, r := range body {
			if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
				unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
				ok = false
			}
		}
		if !ok || !anyForm(body) {
			tb.Errorf("not a line of ours: %q", line)
		}
	}
}

func anyForm(line string) bool {
	for _, f := range lineForms {
		if f.MatchString(line) {
			return true
		}
	}
	return false
}

// uids counts how often each uid introduces an element in a text.
func uids(page string) map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "… ") || strings.HasPrefix(line, "Left out to") {
			continue
		}
		for _, part := range text.Parts(line) {
			id := strings.TrimPrefix(part, "uid=")
			if _, _, ok := document.ParseUID(id); ok {
				all[id]++
			}
		}
	}
	return all
}
