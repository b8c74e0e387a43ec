//go:build unix

package oneshot

import (
	"errors"
	"os"
	"testing"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/chromium/chromiumtest"
)

func TestMain(m *testing.M) {
	chromiumtest.Main()
	os.Exit(m.Run())
}

// patience bounds every wait of these tests.
const patience = 30 * time.Second

func start(t *testing.T, how chromiumtest.Behaviour) *Browser {
	t.Helper()
	t.Setenv(chromiumtest.BehaviourEnv, string(how))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	b, err := Start(self, chromium.Options{DataDir: t.TempDir()}, null)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ended checks that nothing is left of a browser: no process and no end of its pipe.
func ended(t *testing.T, b *Browser) {
	t.Helper()
	if b.process.ID.Alive() {
		t.Error("it is still there")
	}
	if err := b.process.In.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("our end of its input is open: %v", err)
	}
	if err := b.process.Out.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("our end of its output is open: %v", err)
	}
	if err := b.Call(t.Context(), "", "Browser.getVersion", nil, nil); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("a command: %v", err)
	}
}

func TestABrowserAnswersAndCloses(t *testing.T) {
	b := start(t, "")
	var version struct{ Product string }
	if err := b.Call(t.Context(), "", "Browser.getVersion", nil, &version); err != nil || version.Product == "" {
		t.Errorf("%+v, %v", version, err)
	}
	if err := b.Close(patience); err != nil {
		t.Error(err)
	}
	ended(t, b)
}

func TestABrowserThatMayNotHaveSavedItsData(t *testing.T) {
	for name, how := range map[string]chromiumtest.Behaviour{"killed": "", "fails": chromiumtest.ExitsAtOnce} {
		t.Run(name, func(t *testing.T) {
			b := start(t, how)
			if how == "" {
				_ = b.process.ID.Kill()
			}
			if b.Close(patience) == nil {
				t.Error("it counts as closed well")
			}
			ended(t, b)
		})
	}
}
