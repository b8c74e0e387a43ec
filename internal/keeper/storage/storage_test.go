package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"cove/internal/chromium"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/keeper/undo"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// event is an entry that a Storage wrote into the journal.
type event struct {
	name   string
	args   map[string]any
	failed error
}

// newStorage makes the Storage of a profile without a browser. It returns what it writes into the journal.
func newStorage(t *testing.T, hidden, ready bool) (*Storage, *[]event) {
	t.Helper()
	dir := paths.Home(t.TempDir()).Profile(3)
	spec := &keeperclient.Spec{ID: 3, Dir: dir, Options: chromium.Options{DataDir: dir.Data()}}
	if err := os.MkdirAll(filepath.Join(dir.Data(), "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	var events []event
	return New(Config{
		Spec: spec, Hidden: hidden, Ready: func() bool { return ready }, Log: slog.New(slog.DiscardHandler),
		Record: func(name string, args any, failed error) {
			events = append(events, event{name, args.(map[string]any), failed})
		},
	}), &events
}

func TestNothingIsReadOrWrittenBeforeTheBrowserIsReady(t *testing.T) {
	s, events := newStorage(t, true, false)
	ctx := t.Context()
	_, read := s.Read(ctx, cookie.Query{})
	_, copied := s.Copy(ctx, profile.External{})
	_, transferred := s.Transfer(ctx, cookie.Transfer{})
	for name, err := range map[string]error{
		"read": read, "write": s.Write(ctx, cookie.Data{}), "copy": copied, "transfer": transferred,
	} {
		if fault.From(err).Code != fault.CodeNotOpen {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(*events) != 0 {
		t.Errorf("the journal got %v", *events)
	}
}

func TestAnImportNeedsAClosedProfile(t *testing.T) {
	s, _ := newStorage(t, false, true)
	_, copied := s.Copy(t.Context(), profile.External{})
	_, transferred := s.Transfer(t.Context(), cookie.Transfer{})
	for name, err := range map[string]error{"copy": copied, "transfer": transferred} {
		if fault.From(err).Code != fault.CodeImportOpen {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheJournalCountsAndNamesSites(t *testing.T) {
	s, events := newStorage(t, false, true)
	var data cookie.Data
	for i := range maxDomains + 2 {
		data.Cookies = append(data.Cookies, cookie.Cookie{Name: "n", Value: "secret", Domain: fmt.Sprintf("s%03d.test", i)})
	}
	failed := errors.New("no")
	s.record("imported", data, failed)
	if len(*events) != 1 {
		t.Fatalf("%d entries", len(*events))
	}
	e := (*events)[0]
	if e.name != "cookies imported" || e.args["count"] != maxDomains+2 || e.args["more"] != 2 ||
		len(e.args["sites"].([]string)) != maxDomains || !errors.Is(e.failed, failed) {
		t.Errorf("%+v", e)
	}

	*events = nil
	s.record("exported", cookie.Data{Origins: []cookie.Origin{{Origin: "https://a.test"}}}, nil)
	if len(*events) != 1 || (*events)[0].name != "local storage exported" || (*events)[0].args["more"] != nil {
		t.Errorf("%+v", *events)
	}
}

// TestAKeeperThatWasKilledIsUndone: the hidden browser had put the tabs aside and changed cookies, and the next launch
// finds both as they were.
func TestAKeeperThatWasKilledIsUndone(t *testing.T) {
	hidden, _ := newStorage(t, true, true)
	data := hidden.config.Spec.Options.DataDir
	cookies, tabs := filepath.Join(data, "Default", "Cookies"), filepath.Join(data, "Default", "Sessions", "Tabs_1")
	write := func(name, text string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(name), 0o700)
		if err = errors.Join(err, os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(cookies, "before")
	write(tabs, "tabs")
	staged := filepath.Join(hidden.stagingDir(), "0", "Cookies")
	write(staged, "half")
	if err := hidden.Prepare(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tabs); err == nil {
		t.Error("the hidden browser would open the tabs")
	}
	if _, err := os.Stat(staged); err == nil {
		t.Error("the database of a temporary browser is still there")
	}
	if err := undo.Arm(data); err != nil {
		t.Fatal(err)
	}
	write(cookies, "after")

	next := New(Config{Spec: hidden.config.Spec, Log: slog.New(slog.DiscardHandler)})
	if err := next.Prepare(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{cookies: "before", tabs: "tabs"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", filepath.Base(name), got, err)
		}
	}
}

func TestABrowserThatDidNotSaveIsUndone(t *testing.T) {
	for name, row := range map[string]struct {
		exitCode int
		open     error
		change   error
		text     string
	}{
		"it saved":          {text: "after"},
		"it crashed":        {exitCode: 1, text: "before"},
		"the change failed": {change: errors.New("no"), text: "before"},
		"it does not close": {open: context.DeadlineExceeded, text: "after"}, // Restore takes it back
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newStorage(t, true, true)
			s.config.Close = func(context.Context) (int, error) { return row.exitCode, row.open }
			cookies := filepath.Join(s.config.Spec.Options.DataDir, "Default", "Cookies")
			if err := os.WriteFile(cookies, []byte("before"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := s.Prepare(); err != nil {
				t.Fatal(err)
			}
			err := s.writeClosed(t.Context(), func() ([]string, error) {
				return nil, errors.Join(row.change, os.WriteFile(cookies, []byte("after"), 0o600))
			})
			if ok := row.exitCode == 0 && row.open == nil && row.change == nil; (err == nil) != ok {
				t.Errorf("it returned %v", err)
			}
			if got, _ := os.ReadFile(cookies); string(got) != row.text {
				t.Errorf("the cookies are %q", got)
			}
			if row.open == nil {
				return
			}
			s.Restore()
			if got, _ := os.ReadFile(cookies); string(got) != "before" {
				t.Errorf("after the end the cookies are %q", got)
			}
		})
	}
}

func TestManyCookiesGoThroughAsFewBrowsersAsHoldThem(t *testing.T) {
	for n, want := range map[int]int{1: 1, roomFor: roomFor, roomFor + 2: roomFor/2 + 1, maxImported: roomFor} {
		if got := partSize(n); got != want {
			t.Errorf("%d cookies: %d for each browser, want %d", n, got, want)
		}
	}
	some := make([]cookie.Cookie, roomFor)
	if needsStages(some, nil) || needsStages(nil, some) || !needsStages(some[:1], some) {
		t.Error("it is wrong about the room of a browser")
	}
	s, _ := newStorage(t, true, true)
	_, _, err := s.stageCookies(t.Context(), make([]cookie.Cookie, maxImported+1), setAll)
	if fault.KindOf(err) != fault.Unprocessable {
		t.Errorf("too many cookies: %v", err)
	}
}
