package app

import (
	"log/slog"
	"os"

	"cove/internal/paths"
)

// memory is a file that outlives the app.
type memory struct {
	file string
	log  *slog.Logger
}

func (m memory) Recall() []byte {
	raw, _ := os.ReadFile(m.file)
	return raw
}

func (m memory) Remember(raw []byte) {
	if err := paths.WriteFile(m.file, raw); err != nil {
		m.log.Warn("the window's sign-in is not remembered", "error", err)
	}
}
