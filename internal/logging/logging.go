// Package logging builds the logger of each of Cove's processes: the app, the keepers and the MCP bridge.
package logging

import (
	"io"
	"log/slog"
	"strings"

	"cove/internal/fault"
)

// Variable names the environment variable that sets the level. A process passes it on to those that it starts.
const Variable = "COVE_LOG"

// Names are the levels from the most to the least.
func Names() []string { return []string{"debug", "info", "warn", "error"} }

// ParseLevel reads the name of a level. Without a name it is info.
func ParseLevel(name string) (slog.Level, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "debug":
		return slog.LevelDebug, nil
	case "", "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return slog.LevelInfo, fault.Invalidf("%s is %q, which is not a level of the log.", Variable, name).
		WithHint("Use " + strings.Join(Names(), ", ") + ".")
}

// New makes a logger that writes lines of text to w.
func New(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
