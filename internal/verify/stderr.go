package verify

import (
	"slices"
	"strings"
	"sync"
)

// stderrTail is a writer that retains the end of what a server says on stderr.
type stderrTail struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (w *stderrTail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	if over := len(w.text) - 4096; over > 0 {
		w.text = append([]byte(nil), w.text[over:]...)
	}

	return len(p), nil
}

func (w *stderrTail) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()

	return LastLine(string(w.text))
}

// LastLine is the last line of a program's output that says something: npm ends with the path of its log. An error of
// Cove's own is two lines, what happened and what to do, and LastLine is both.
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
