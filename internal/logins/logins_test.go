//go:build unix

package logins

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/profile"
)

// waiting begins an import from a browser that runs and lets no program ask: this process is its browser.
func waiting(t *testing.T) (*Imports, Status) {
	t.Helper()
	dir := t.TempDir()
	host, err := os.Hostname()
	if err == nil {
		err = os.Symlink(fmt.Sprintf("%s-%d", host, os.Getpid()), filepath.Join(dir, "SingletonLock"))
	}
	if err != nil {
		t.Fatal(err)
	}
	imports := New(nil, slog.New(slog.DiscardHandler))
	s, err := imports.Begin(1, profile.External{DataDir: dir, Dir: "Default"})
	for err == nil && s.Step != external.StepSwitchOff {
		s, err = imports.Get(t.Context(), s.ID, s.Version)
	}
	if err != nil {
		t.Fatal(err)
	}
	return imports, s
}

func TestAnImportThatNobodyWatchesEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		imports, s := waiting(t)
		for range 10 { // somebody watches, with pauses
			ctx, cancel := context.WithTimeout(t.Context(), watchLimit)
			got, err := imports.Get(ctx, s.ID, s.Version)
			cancel()
			if err != nil || got.Ended() {
				t.Fatalf("%+v, %v", got, err)
			}
			<-time.After(watchLimit / 2)
		}
		<-time.After(watchLimit)
		synctest.Wait()
		got, err := imports.Get(t.Context(), s.ID, -1)
		if err != nil || got.Step != Failed || got.Fault.Code != fault.CodeCancelled {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestOneImportRunsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		imports, s := waiting(t)
		if _, err := imports.Begin(2, s.Source); fault.From(err).Code != fault.CodeImportTwice {
			t.Errorf("a second import: %v", err)
		}
		if _, err := imports.Choose(s.ID, Choice{All: true}); fault.From(err).Code != fault.CodeImportTwice {
			t.Errorf("a choice before the sites are known: %v", err)
		}
		imports.Close()
		if all := imports.List(); len(all) != 1 || all[0].Step != Failed {
			t.Errorf("after the end: %+v", all)
		}
		if _, err := imports.Get(t.Context(), "other", 0); fault.From(err).Code != fault.CodeNotFound {
			t.Errorf("an import that is not there: %v", err)
		}
	})
}
