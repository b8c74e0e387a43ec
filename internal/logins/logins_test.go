//go:build unix

package logins

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/profile"
)

func mayAsk() error { return nil }

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
	s, err := imports.Begin(1, profile.External{DataDir: dir, Dir: "Default"}, mayAsk)
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
		if _, err := imports.Begin(2, s.Source, mayAsk); fault.From(err).Code != fault.CodeImportTwice {
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

func TestAnImportAndASharingDoNotAskTheSameBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		imports, s := waiting(t)
		sharing := external.Requester{Profile: 5}
		if _, holder, ok := imports.Reserve(s.Source.DataDir, sharing); ok || !holder.Import || holder.Profile != 1 {
			t.Errorf("a sharing during an import: %v, %+v", ok, holder)
		}
		imports.Close()
		release, _, ok := imports.Reserve(s.Source.DataDir, sharing)
		if !ok {
			t.Fatal("the import has ended, and the browser stays reserved")
		}
		if _, err := imports.Begin(2, s.Source, mayAsk); fault.From(err).Code != fault.CodeImportTwice {
			t.Errorf("an import during a sharing: %v", err)
		}
		release()
		no := ErrAsked(5)
		if _, err := imports.Begin(2, s.Source, func() error { return no }); !errors.Is(err, no) {
			t.Errorf("an import from a browser that asks: %v", err)
		}
		if release, _, ok = imports.Reserve(s.Source.DataDir, sharing); !ok {
			t.Fatal("a refused import keeps the browser")
		}
		release()
	})
}

func TestAsManyImportsAndSharingsAsCome(t *testing.T) {
	imports, dir := New(nil, slog.New(slog.DiscardHandler)), t.TempDir()
	host, err := os.Hostname()
	if err == nil {
		err = os.Symlink(fmt.Sprintf("%s-%d", host, os.Getpid()), filepath.Join(dir, "SingletonLock"))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer imports.Close()
	var all sync.WaitGroup
	var won atomic.Int32
	for n := range 100 {
		all.Go(func() {
			id := profile.ID(n + 1)
			if n%2 == 0 {
				if _, _, ok := imports.Reserve(dir, external.Requester{Profile: id}); ok {
					won.Add(1)
				}
				return
			}
			_, err := imports.Begin(id, profile.External{DataDir: dir, Dir: "Default"}, mayAsk)
			if err == nil {
				won.Add(1)
			} else if fault.From(err).Code != fault.CodeImportTwice {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d ask the browser", won.Load())
	}
}
