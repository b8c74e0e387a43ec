package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

func TestMaintain(t *testing.T) {
	nothing := func() error { return nil }
	t.Run("opens a closed profile hidden and closes it before it returns", func(t *testing.T) {
		w, s := newWorld()
		err := s.Maintain(t.Context(), 1, func() error {
			if got := s.Get(1); got.State != Open || got.Mode != Maintenance {
				t.Errorf("inside it is %s, %s", got.State, got.Mode)
			}
			return nil
		})
		if err != nil || s.Get(1).State != Closed || len(w.closed) != 1 {
			t.Errorf("%v, and the profile is %s", err, s.Get(1).State)
		}
	})
	t.Run("closes it after a failure too", func(t *testing.T) {
		_, s := newWorld()
		failed := fault.Unprocessablef("x", "No.")
		if err := s.Maintain(t.Context(), 1, func() error { return failed }); !errors.Is(err, failed) {
			t.Errorf("it returned %v", err)
		}
		if s.Get(1).State != Closed {
			t.Error("the profile is open")
		}
	})
	t.Run("uses a profile that is open for automation and leaves it open", func(t *testing.T) {
		w, s := newWorld()
		if _, err := s.Start(t.Context(), 1, Options{Mode: Automation}); err != nil {
			t.Fatal(err)
		}
		used := false
		err := s.Maintain(t.Context(), 1, func() error { used = true; return nil })
		if err != nil || !used || s.Get(1).State != Open || len(w.started) != 1 {
			t.Errorf("%v, used %t, the profile is %s after %d starts", err, used, s.Get(1).State, len(w.started))
		}
	})
	t.Run("refuses a person's browser", func(t *testing.T) {
		_, s := newWorld()
		if _, err := s.Start(t.Context(), 1, Options{Mode: Ordinary}); err != nil {
			t.Fatal(err)
		}
		used := false
		err := s.Maintain(t.Context(), 1, func() error { used = true; return nil })
		if code(err) != "E_BROWSER_OPEN_ORDINARY" || used || s.Get(1).State != Open {
			t.Errorf("%v, used %t, the profile is %s", err, used, s.Get(1).State)
		}
	})
	t.Run("checks who is logged in and whether the profile exists", func(t *testing.T) {
		w, s := newWorld()
		if err := s.Maintain(t.Context(), 999, nothing); code(err) != "E_NOT_FOUND" {
			t.Error(err)
		}
		w.loggedOut = true
		if err := s.Maintain(t.Context(), 1, nothing); code(err) != "E_UNAUTHORIZED" || len(w.started) > 0 {
			t.Errorf("%v after %d starts", err, len(w.started))
		}
	})
}

// A start that comes while a profile is maintained gets a browser of its own afterwards, and never the hidden one.
func TestAStartWaitsForTheEndOfMaintenance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld()
		w.slow = time.Second
		go func() {
			_ = s.Maintain(context.Background(), 1, func() error { <-time.After(time.Minute); return nil })
		}()
		synctest.Wait()
		began := time.Now()
		status, err := s.Start(t.Context(), 1, Options{Mode: Automation})
		if err != nil || status.Mode != Automation || time.Since(began) < time.Minute {
			t.Errorf("%v: mode %s after %s", err, status.Mode, time.Since(began))
		}
		if err := s.Stop(t.Context(), profile.ID(1)); err != nil {
			t.Fatal(err)
		}
	})
}

// A caller who gives up while the hidden browser starts leaves nothing open.
func TestMaintenanceThatNobodyWaitsForEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld()
		w.slow = time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := s.Maintain(ctx, 1, func() error { t.Error("it was used"); return nil })
		if !errors.Is(err, context.DeadlineExceeded) || s.Get(1).State != Closed {
			t.Errorf("%v, and the profile is %s", err, s.Get(1).State)
		}
	})
}
