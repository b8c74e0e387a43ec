package process

import (
	"os"
	"testing"
)

func TestDyingSeesAKillBeforeItsEnd(t *testing.T) {
	const running = "12 (a (b) c) S 1 12 12 0 -1 4194560 100 0 0 0 1 2"
	const none = "Name:\ta\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000004000\nSigCgt:\t0000000000000100\n"
	for name, c := range map[string]struct {
		stat, status string
		want         bool
	}{
		"it runs":             {running, none, false},
		"it is taken apart":   {"12 (a (b) c) R 1 12 12 0 -1 4194564 100 0 0 0 1 2", none, true},
		"a thread was killed": {running, "SigPnd:\t0000000000000100\n", true},
		"it was killed":       {running, "SigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n", true},
		"nothing is known":    {"", "", false},
	} {
		if got := dying([]byte(c.stat), []byte(c.status)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	cmd, id := start(t)
	if id.Dying() || Self().Dying() {
		t.Error("a running process is dying")
	}
	if err := cmd.Process.Signal(os.Kill); err != nil {
		t.Fatal(err)
	}
	if !id.Dying() {
		t.Error("it was killed, and is not dying")
	}
}
