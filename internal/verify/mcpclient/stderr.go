package mcpclient

import (
	"sync"

	"cove/internal/wording"
)

// stderrTail is a writer that retains the end of what a server writes to stderr.
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

	return wording.LastLine(string(w.text))
}
