package edit

import (
	"fmt"
	"strings"
)

// context is how many lines Diff shows around a change.
const context = 3

// Diff shows a change of a file as a unified diff with one hunk: all lines between the common start and the common end
// of both texts.
func Diff(from string, before []byte, to string, after []byte) string {
	a, b := split(string(before)), split(string(after))
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}

	first := max(0, head-context)
	last := min(tail, context)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", from, to,
		first+1, len(a)-tail+last-first, first+1, len(b)-tail+last-first)
	put := func(mark string, lines []string) {
		for _, line := range lines {
			out.WriteString(mark + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	put(" ", a[first:head])
	put("-", a[head:len(a)-tail])
	put("+", b[head:len(b)-tail])
	put(" ", a[len(a)-tail:len(a)-tail+last])

	return out.String()
}

func split(text string) []string {
	if text == "" {
		return nil
	}

	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
}
