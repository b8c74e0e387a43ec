package wording

import (
	"slices"
	"strings"
)

// LastLine returns the last line of a program's output that says what went wrong. It skips the path of npm's log.
// Cove's own errors have two lines, what happened and what to do, and LastLine returns both.
func LastLine(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range slices.Backward(lines) {
		words := strings.TrimSpace(line)
		if words == "" || strings.Contains(words, "A complete log of this run can be found in") {
			continue
		}
		if i > 0 && strings.HasPrefix(line, "  ") {
			if first, ours := strings.CutPrefix(lines[i-1], "cove: "); ours {
				return strings.TrimSpace(first) + " " + words
			}
		}
		return words
	}

	return ""
}
