package logging

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"cove/internal/fault"
)

func TestParseLevel(t *testing.T) {
	for name, want := range map[string]slog.Level{"": slog.LevelInfo, "debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warn":  slog.LevelWarn,
		"error": slog.LevelError, "DEBUG\n": slog.LevelDebug} {
		if got, err := ParseLevel(name); err != nil || got != want {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	for _, name := range Names() {
		if _, err := ParseLevel(name); err != nil {
			t.Error(err)
		}
	}
	_, err := ParseLevel("loud")
	if f := fault.From(err); f.Kind != fault.Invalid || !strings.Contains(f.Text, `COVE_LOG is "loud"`) ||
		!strings.Contains(f.Hint, "debug") {
		t.Errorf("%v, %q", err, f.Hint)
	}
}

func TestALevelHidesWhatIsBelowIt(t *testing.T) {
	for level, want := range map[slog.Level]int{slog.LevelDebug: 4, slog.LevelInfo: 3, slog.LevelWarn: 2,
		slog.LevelError: 1} {
		var out bytes.Buffer
		log := New(&out, level)
		log.Debug("debug")
		log.Info("info")
		log.Warn("warn")
		log.Error("error", "err", "why")
		if got := strings.Count(out.String(), "\n"); got != want || !strings.Contains(out.String(), "err=why") {
			t.Errorf("%v: %s", level, out.String())
		}
	}
}
