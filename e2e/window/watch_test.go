//go:build e2e

package window

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cove/e2e/harness"
)

func TestWindowShowsWhatAgentsTouch(t *testing.T) { visit(t, harness.Start(t), "touch") }

func TestWindowChoosesAProxyAndTriesIt(t *testing.T) { visit(t, harness.Start(t), "network") }

func TestManyWindowsLeaveConnectionsToTheOneThatIsSeen(t *testing.T) {
	visit(t, harness.Start(t), "crowd")
}

func TestWindowOutlivesAnAppThatIsKilled(t *testing.T) {
	a := harness.Start(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(a.Base, "http://"), ":")
	file := filepath.Join(t.TempDir(), "app") // with these endings it says what the person is ready for
	back := make(chan struct{})
	first := a.Cmd
	go func() {
		defer close(back)
		harness.Poll(2*harness.Patience, func() bool { return harness.Exists(file + ".kill") })
		_ = syscall.Kill(first.Process.Pid, syscall.SIGKILL)
		_ = first.Wait()
		harness.Poll(2*harness.Patience, func() bool { return harness.Exists(file + ".back") })
		a.Launch("up", "--no-window", "--port", port)
	}()
	visit(t, a, "killed", "file", file)
	for _, end := range []string{".kill", ".back"} { // also after a visit that went wrong
		if err := os.WriteFile(file+end, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	<-back
}

func TestWindowShowsWhyAStartFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "browser")
	harness.Script(t, file, `case "$*" in *--version*) echo "Chromium 156.0.1.2"; exit ;; esac
echo no display for you >&2
exit 7`)
	visit(t, harness.Start(t), "failed", "file", file)
}

func TestWindowDragsProfilesToAFolder(t *testing.T) { visit(t, harness.Start(t), "drag") }

func TestWindowPausesAndDisconnectsOneAgent(t *testing.T) { visit(t, harness.Start(t), "agents") }

func TestWindowIsHeardOnlyOnWish(t *testing.T) { visit(t, harness.Start(t), "sound") }

func TestNarrowWindowLabelsItsRail(t *testing.T) { visit(t, harness.Start(t), "rail") }
