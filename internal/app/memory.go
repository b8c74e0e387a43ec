package app

import (
	"log/slog"
	"os"

	"cove/internal/paths"
)

// memory is a file that outlives the app. It holds the window's sign-ins.
type memory struct {
	file string
	log  *slog.Logger
}

// Recall returns the content of the file; nil when there is none.
func (m memory) Recall() []byte {
	raw, _ := os.ReadFile(m.file)
	return raw
}

// Remember replaces the content of the file.
func (m memory) Remember(raw []byte) {
	if err := paths.WriteFile(m.file, raw); err != nil {
		m.log.Warn("the window's sign-in is not remembered", "err", err)
	}
}
