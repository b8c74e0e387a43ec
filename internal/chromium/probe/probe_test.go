package probe

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/paths"
)

func TestInWindow(t *testing.T) {
	v := Values{UserAgent: "Mozilla/5.0 HeadlessChrome/148.0.0.0", AppVersion: "5.0 HeadlessChrome/148.0.0.0"}.inWindow()
	if v.UserAgent != "Mozilla/5.0 Chrome/148.0.0.0" || v.AppVersion != "5.0 Chrome/148.0.0.0" {
		t.Errorf("%+v", v)
	}
}

func TestFileURL(t *testing.T) {
	for name, want := range map[string]string{"/a b/ä.html": "file:///a%20b/%C3%A4.html", "C:/x/y": "file:///C:/x/y"} {
		if got := fileURL(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A program that is no browser: the probe ends, says so, and leaves no folder.
func TestReadOfAProgramThatIsNoBrowser(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "probe")
	v, err := Read(t.Context(), self, dir, []string{"-test.run=^$"})
	if err == nil {
		t.Errorf("%+v", v)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("the folder is left")
	}
}

var (
	one = chromium.Browser{Name: "Chromium", Path: "/usr/bin/one", Version: "148.0.1.2"}
	two = chromium.Browser{Name: "Chromium", Path: "/usr/bin/one", Version: "149.0.1.2"}
)

// newCache returns a cache whose probes take a second and tell the path's version, and how many ran.
func newCache(t *testing.T, home paths.Home, fail *atomic.Bool) (*Cache, *atomic.Int32) {
	t.Helper()
	c, runs := NewCache(home, slog.New(slog.DiscardHandler)), &atomic.Int32{}
	c.read = func(ctx context.Context, path, _ string, args []string) (Values, error) {
		n := runs.Add(1)
		select {
		case <-ctx.Done():
			return Values{}, ctx.Err()
		case <-time.After(time.Second):
		}
		if fail != nil && fail.Load() {
			return Values{}, errors.New("broken pipe")
		}
		return Values{UserAgent: path + strings.Join(args, ""), HardwareConcurrency: int(n)}, nil
	}
	return c, runs
}

func TestOneProbeForManyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home := paths.Home(t.TempDir())
		c, runs := newCache(t, home, nil)
		impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		answers := make(chan error, 11)
		go func() {
			_, err := c.Values(impatient, one, nil)
			answers <- err
		}()
		for range 10 {
			go func() {
				v, err := c.Values(t.Context(), one, nil)
				if err == nil && v.UserAgent != one.Path {
					err = errors.New(v.UserAgent)
				}
				answers <- err
			}()
		}
		if err := <-answers; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller that left: %v", err)
		}
		for range 10 {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Values(t.Context(), one, nil); err != nil || runs.Load() != 1 {
			t.Errorf("%d probes, %v", runs.Load(), err)
		}
		c.Close()

		// The next app reads the file.
		again, runs := newCache(t, home, nil)
		defer again.Close()
		if v, err := again.Values(t.Context(), one, nil); err != nil || v.HardwareConcurrency != 1 || runs.Load() != 0 {
			t.Errorf("%+v, %v after %d probes", v, err, runs.Load())
		}
	})
}

func TestAnotherBrowserIsProbedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, runs := newCache(t, paths.Home(t.TempDir()), nil)
		defer c.Close()
		done := make(chan Values, 2)
		for _, b := range []chromium.Browser{one, two} { // at once: the second waits for its turn
			go func() {
				v, _ := c.Values(t.Context(), b, nil)
				done <- v
			}()
			synctest.Wait()
		}
		if first, second := <-done, <-done; first.HardwareConcurrency != 1 || second.HardwareConcurrency != 2 {
			t.Errorf("%+v, %+v", first, second)
		}
		for _, args := range [][]string{{"--x"}, {"--x"}, {"--y"}} {
			if v, err := c.Values(t.Context(), two, args); err != nil || v.UserAgent != two.Path+args[0] {
				t.Errorf("%q: %+v, %v", args, v, err)
			}
		}
		if runs.Load() != 4 {
			t.Errorf("%d probes", runs.Load())
		}
	})
}

func TestAFailureIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home := paths.Home(t.TempDir())
		if err := os.WriteFile(home.Probe(), []byte(`{"browser":{"name"`), 0o600); err != nil {
			t.Fatal(err)
		}
		var fail atomic.Bool
		fail.Store(true)
		c, runs := newCache(t, home, &fail)
		_, err := c.Values(t.Context(), one, nil)
		if f := fault.From(err); f.Code != fault.CodeBrowserLaunch || f.Hint == "" || strings.Contains(f.Text, "pipe") {
			t.Errorf("%v", err)
		}
		fail.Store(false)
		if _, err := c.Values(t.Context(), one, nil); err != nil || runs.Load() != 2 {
			t.Errorf("%d probes, %v", runs.Load(), err)
		}
		c.Close()
		if _, err := c.Values(t.Context(), two, nil); fault.From(err).Code != fault.CodeShuttingDown {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestCloseEndsAProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newCache(t, paths.Home(t.TempDir()), nil)
		failed := make(chan error, 1)
		go func() {
			_, err := c.Values(t.Context(), one, nil)
			failed <- err
		}()
		synctest.Wait()
		began := time.Now()
		c.Close()
		if err := <-failed; err == nil || time.Since(began) > 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
