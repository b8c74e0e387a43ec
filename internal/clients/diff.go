package clients

import (
	"fmt"
	"strings"
)

// around is how many lines are shown around a change.
const around = 3

// diff shows what a change does to a file: the lines between what both have in common at the start and at the end.
func diff(file string, there bool, before []byte, gone bool, after []byte) string {
	from, to := file, file
	if !there {
		from = "(no file)"
	}
	if gone {
		to, after = "(no file)", nil
	}
	a, b := split(string(before)), split(string(after))
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	first := max(0, head-around)
	last := min(tail, around)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", from, to, first+1, len(a)-tail+last-first, first+1, len(b)-tail+last-first)
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
