package edit

import (
	"sort"
	"strings"
)

// white is the white space of all formats.
const white = " \t\r\n"

// splice is one change of a text: it replaces the bytes from start to end with text.
type splice struct {
	start, end int
	text       string
}

// apply returns a text with changes, which must not overlap.
func apply(text string, splices ...splice) string {
	sort.SliceStable(splices, func(i, j int) bool { return splices[i].start < splices[j].start })

	var b strings.Builder
	at := 0
	for _, s := range splices {
		b.WriteString(text[at:s.start] + s.text)
		at = s.end
	}
	b.WriteString(text[at:])

	return b.String()
}

// eolOf returns the first line end of a text.
func eolOf(text string) string {
	if at := strings.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}

	return "\n"
}

// endsBlank reports whether a text ends with an empty line.
func endsBlank(text string) bool {
	return strings.HasSuffix(text, "\n\n") || strings.HasSuffix(text, "\n\r\n")
}

// lineOf returns the number of the line of an offset.
func lineOf(text string, offset int) int {
	return 1 + strings.Count(text[:min(offset, len(text))], "\n")
}

// lines holds the offsets at which the lines of a text begin, for texts in which many lines are looked up.
type lines struct {
	text   string
	starts []int
}

func linesOf(text string) lines {
	l := lines{text, []int{0, 0}}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}

	return l
}

// start returns the offset at which line n begins, or the end of the text for a line after the last.
func (l lines) start(n int) int {
	if n < len(l.starts) {
		return l.starts[n]
	}

	return len(l.text)
}

// of returns the number of the line of an offset.
func (l lines) of(offset int) int { return sort.SearchInts(l.starts[1:], offset+1) }

// lineStart returns where the line of an offset begins.
func lineStart(text string, offset int) int { return strings.LastIndexByte(text[:offset], '\n') + 1 }

// lineEnd returns where the line of an offset ends, after its line end.
func lineEnd(text string, offset int) int {
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}

	return len(text)
}

// indentOf returns the white space at the beginning of the line of an offset.
func indentOf(text string, offset int) string {
	line := text[lineStart(text, offset):offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// stringEnd returns the offset of the closing quote of the string that begins at an offset, or -1.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[at] == '"':
			i++
		case text[i] == text[at]:
			return i
		}
	}

	return -1
}

// cutItem cuts one item of a list in brackets or braces, with the comma that has to go with it. It returns candidates
// in order of preference.
func cutItem(text string, start, end int, first bool) []string {
	rest := strings.TrimLeft(text[end:], white)
	gap := len(text[end:]) - len(rest)
	if after, ok := strings.CutPrefix(rest, ","); ok {
		// One blank is cut too: Add wrote it. Further blanks were there before.
		blank := min(1, len(after)-len(strings.TrimLeft(after, " ")))
		return []string{
			apply(text, splice{start, end + gap + 1 + blank, ""}),
			apply(text, splice{start, end + gap + 1, ""}),
		}
	}

	before := strings.TrimRight(text[:start], white)
	if !first && strings.HasSuffix(before, ",") {
		return []string{apply(text, splice{len(before) - 1, end, ""})}
	}

	return []string{apply(text, splice{start, end, ""})}
}
