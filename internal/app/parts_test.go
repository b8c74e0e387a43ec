package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/api"
	"cove/internal/app/records"
	"cove/internal/app/suspend"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newParts is an app that does not serve.
func newParts(t *testing.T) *app {
	t.Helper()
	home := paths.Home(filepath.Join(t.TempDir(), "a [1]")) // brackets mean something in patterns of names
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	a, err := open(t.Context(), Config{Home: home, Version: "1.2.3", Executable: "/nonexistent"}, discard())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	return a
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (a *app) create(t *testing.T, name string) profile.ID {
	t.Helper()
	made, err := a.profiles.Create(t.Context(), profile.Profile{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return made[0].ID
}

func TestSettings(t *testing.T) {
	a := newParts(t)
	for name, c := range map[string]struct {
		key, value string
		kind       fault.Kind // "" when it is accepted
	}{
		"a port":                           {"api_port", " 3100 ", ""},
		"no port":                          {"api_port", "0", fault.Invalid},
		"a port that is a word":            {"api_port", "http", fault.Invalid},
		"a browser that is not there":      {"browser", "/no/such/browser", fault.Invalid},
		"the browser that Cove finds":      {"browser", "", ""},
		"arguments":                        {"browser_args", "--mute-audio --force-dark-mode", ""},
		"an argument that is not allowed":  {"browser_args", "--remote-debugging-port=1", fault.Invalid},
		"days":                             {"journal_days", "7", ""},
		"days that are none":               {"journal_days", "-1", fault.Invalid},
		"megabytes beyond reason":          {"journal_mb", "100001", fault.Invalid},
		"a flag":                           {"require_token", "true", ""},
		"a flag that is neither":           {"require_token", "perhaps", fault.Invalid},
		"a setting that there is not":      {"api_prot", "3100", fault.NotFound},
		"a setting of the app's own":       {suspend.Setting, "", fault.NotFound},
		"an empty value, which is default": {"journal_mb", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := a.machine.SetSetting(t.Context(), c.key, c.value)
			if c.kind != "" {
				if fault.KindOf(err) != c.kind {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || got.Value != strings.TrimSpace(c.value) {
				t.Fatalf("got %+v, %v", got, err)
			}
			all, err := a.machine.Settings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				if s.Key == c.key && s.Value != got.Value {
					t.Errorf("stored %q", s.Value)
				}
			}
		})
	}
	if _, err := a.machine.SetSetting(t.Context(), "api_prot", "1"); !strings.Contains(fault.From(err).
		Hint, "api_port") {
		t.Errorf("the hint is %q", fault.From(err).Hint)
	}
}

func TestTheCommandLineOutranksTheSettings(t *testing.T) {
	a := newParts(t)
	ctx := t.Context()
	if _, err := a.machine.SetSetting(ctx, "browser_args", "--mute-audio"); err != nil {
		t.Fatal(err)
	}
	if path, args, err := a.machine.Preferred(ctx); err != nil || path != "" ||
		strings.Join(args, " ") != "--mute-audio" {
		t.Errorf("the settings: %q, %v, %v", path, args, err)
	}
	a.machine.Browser, a.machine.BrowserArgs = "/opt/browser", "--force-dark-mode"
	path, args, err := a.machine.Preferred(ctx)
	if err != nil || path != "/opt/browser" || strings.Join(args, " ") != "--force-dark-mode" {
		t.Errorf("the command line: %q, %v, %v", path, args, err)
	}
	a.machine.BrowserArgs = "--remote-debugging-port=1"
	if _, _, err := a.machine.Preferred(ctx); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an argument that is not allowed: %v", err)
	}
}

func TestAPanicIsStoredTwice(t *testing.T) {
	a := newParts(t)
	home, ctx := a.config.Home, t.Context()
	again := func() *suspend.State {
		t.Helper()
		p, err := suspend.Open(ctx, home, a.db)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if again().On() {
		t.Fatal("a panic from the beginning")
	}
	if err := suspend.Write(home); err != nil { // as the command line does without an app
		t.Fatal(err)
	}
	if !a.access.Panic() || !again().On() {
		t.Error("the file alone is not enough")
	}
	if err := os.Remove(home.Panic()); err != nil {
		t.Fatal(err)
	}
	if p := again(); !p.On() || !exists(home.Panic()) {
		t.Error("removing the file undid the panic")
	}
	if _, err := a.access.SetPanic(ctx, false); err != nil || exists(home.Panic()) || again().On() {
		t.Errorf("undone: %v", err)
	}
}

func TestCloneCopiesTheDataAndNoLocks(t *testing.T) {
	a := newParts(t)
	ctx := t.Context()
	id := a.create(t, "work")
	data := a.config.Home.Profile(id).Data()
	write(t, filepath.Join(data, "Default", "Cookies"), "secret")
	write(t, filepath.Join(data, "DevToolsActivePort"), "1\n/x")
	if err := os.Symlink("here-1", filepath.Join(data, "SingletonLock")); err != nil {
		t.Fatal(err)
	}

	whole, err := a.profiles.Clone(ctx, id, "", true)
	if err != nil || whole.Name != "work copy" || whole.Temporary {
		t.Fatalf("%+v, %v", whole, err)
	}
	copied := a.config.Home.Profile(whole.ID).Data()
	if raw, err := os.ReadFile(filepath.Join(copied, "Default", "Cookies")); err != nil || string(raw) != "secret" {
		t.Errorf("the cookies: %q, %v", raw, err)
	}
	if exists(filepath.Join(copied, "SingletonLock")) || exists(filepath.Join(copied, "DevToolsActivePort")) {
		t.Error("a lock was copied")
	}
	empty, err := a.profiles.Clone(ctx, id, "empty", false)
	if err != nil || exists(string(a.config.Home.Profile(empty.ID))) {
		t.Errorf("a copy without data: %+v, %v", empty, err)
	}
	if _, err := a.profiles.Clone(ctx, 99, "", true); fault.KindOf(err) != fault.NotFound {
		t.Errorf("of an unknown profile: %v", err)
	}
}

func TestACloneThatFailsLeavesNothing(t *testing.T) {
	a := newParts(t)
	ctx := t.Context()
	id := a.create(t, "work")
	data := a.config.Home.Profile(id).Data()
	write(t, filepath.Join(data, "a"), "x")
	// The copy's id is the next one: a file where its data belongs makes the copy fail.
	next := a.config.Home.Profile(id + 1)
	write(t, filepath.Join(next.Data(), "a"), "in the way")
	if _, err := a.profiles.Clone(ctx, id, "half", true); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("got %v", err)
	}
	page, err := a.profiles.List(ctx, profile.Query{Page: 1, PerPage: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range page.Profiles {
		if p.Name == "half" {
			t.Error("half a profile is left")
		}
	}
	if exists(string(next)) {
		t.Error("its folder is left")
	}
}

func TestDeletionsThatACrashInterrupted(t *testing.T) {
	a := newParts(t)
	ctx, home := t.Context(), a.config.Home
	kept := a.create(t, "still in the store")
	write(t, filepath.Join(home.Profile(kept).Deleted(), "data_dir", "a"), "x") // the row was not deleted yet
	gone := home.Profile(77)
	write(t, filepath.Join(gone.Deleted(), "data_dir", "a"), "x") // the row was
	write(t, filepath.Join(home.Profile(50).Data(), "a"), "x")    // a folder without a row

	if err := a.profiles.Sweep(ctx, a.db.Profiles().ReserveThrough); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(home.Profile(kept).Data(), "a")) {
		t.Error("the folder of a stored profile did not come back")
	}
	if exists(gone.Deleted()) || exists(string(gone)) {
		t.Error("the folder of a deleted profile is left")
	}
	if id := a.create(t, "new"); id <= 50 {
		t.Errorf("a new profile got the id %s, and the folder 50 is somebody's", id)
	}
	finding := folderFinding(t, a)
	if finding.OK || !strings.Contains(finding.Text, "50") {
		t.Errorf("the doctor says %+v", finding)
	}
}

// folderFinding is what the doctor says of the data folders.
func folderFinding(t *testing.T, a *app) api.Finding {
	t.Helper()
	for _, f := range a.machine.Examine(t.Context()) {
		if f.Name == "folders" {
			return f
		}
	}
	t.Fatal("the doctor says nothing of folders")
	return api.Finding{}
}

func TestAProfileWhoseFolderIsLockedIsNotDeleted(t *testing.T) {
	a := newParts(t)
	id := a.create(t, "open elsewhere")
	dir := a.config.Home.Profile(id)
	write(t, filepath.Join(dir.Data(), "a"), "x")
	lock, err := process.WaitLock(t.Context(), dir.Lock())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // it waits for a keeper that is about to end
	defer cancel()
	err = a.profiles.Delete(ctx, id)
	if fault.From(err).Code != "E_PROFILE_OPEN" || !exists(filepath.Join(dir.Data(), "a")) {
		t.Errorf("got %v", err)
	}
	if _, err := a.profiles.Get(t.Context(), id); err != nil {
		t.Errorf("the row is gone: %v", err)
	}
}

func TestChangesOfProfilesArePublished(t *testing.T) {
	a := newParts(t)
	sub := a.changes.Subscribe(10)
	defer sub.Close()
	ctx := t.Context()
	next := func(change string, id profile.ID) {
		t.Helper()
		if e := <-sub.C(); e.Change != change || len(e.IDs) != 1 || e.IDs[0] != id {
			t.Errorf("published %+v, not %s of %s", e, change, id)
		}
	}
	id := a.create(t, "one")
	next("created", id)
	if _, err := a.profiles.Update(ctx, id, func(p *profile.Profile) error { p.Name = "two"; return nil }); err != nil {
		t.Fatal(err)
	}
	next("edited", id)
	if err := a.profiles.Trash(ctx, id); err != nil {
		t.Fatal(err)
	}
	next("trashed", id)
	if _, err := a.profiles.Restore(ctx, id); err != nil {
		t.Fatal(err)
	}
	next("restored", id)
	if err := a.profiles.Delete(ctx, id); err != nil {
		t.Fatal(err)
	}
	next("deleted", id)
	if err := a.profiles.Trash(ctx, 99); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown profile: %v", err)
	}
}

func TestABrowserThatIsGoneStopsNoOtherChange(t *testing.T) {
	a := newParts(t)
	ctx := t.Context()
	_, err := a.profiles.Create(ctx, profile.Profile{Name: "x", Browser: "/no/such"})
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("created with no browser: %v", err)
	}
	made, err := a.db.Profiles().Create(ctx, profile.Profile{Name: "x", Browser: "/gone"}) // it was there once
	if err != nil {
		t.Fatal(err)
	}
	id := made[0].ID
	rename := func(p *profile.Profile) error { p.Name = "y"; return nil }
	if _, err := a.profiles.Update(ctx, id, rename); err != nil {
		t.Errorf("renamed: %v", err)
	}
	change := func(p *profile.Profile) error { p.Browser = "/no/such"; return nil }
	if _, err := a.profiles.Update(ctx, id, change); fault.KindOf(err) != fault.Invalid {
		t.Errorf("given no browser: %v", err)
	}
}

// withoutBus keeps a test away from the keyring of whoever runs it.
func withoutBus(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
}

func TestTheAppStoresPasswordsAndCodesAndNoCommands(t *testing.T) {
	withoutBus(t)
	s := &records.Secrets{Home: newParts(t).config.Home}
	const key = "JBSWY3DPEHPK3PXP"
	for field, in := range map[string]api.NewSecret{
		"kind":  {Name: "a", Site: "https://a.test", Kind: "command", Value: "/bin/true"},
		"value": {Name: "a", Site: "https://a.test", Kind: "totp", Value: "otpauth://hotp/x?secret=" + key},
		"skew":  {Name: "a", Site: "https://a.test", Value: "a password", Skew: 5},
		"site":  {Name: "a", Site: "*", Kind: "totp", Value: key},
	} {
		if err := s.Set(1, in, false); fault.From(err).Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for kind, in := range map[string]api.NewSecret{
		"no such kind": {Name: "a", Site: "https://a.test", Kind: "passkey", Value: "a password"},
		"too far":      {Name: "a", Site: "https://a.test", Kind: "totp", Value: key, Skew: 3601},
	} {
		if err := s.Set(1, in, false); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if err := s.Set(1, api.NewSecret{Name: "code", Site: "https://a.test", Kind: "totp", Value: key}, false); err != nil {
		t.Fatal(err)
	}
	now, err := s.Code(1, "code")
	if err != nil || len(now.Code) != 6 || now.Seconds > 30 {
		t.Errorf("%+v, %v", now, err)
	}
	if err := s.Correct(1, "code", api.SecretChange{Skew: 1800}); err != nil {
		t.Fatal(err)
	}
	if later, err := s.Code(1, "code"); err != nil || later.Code == now.Code {
		t.Errorf("the clock was not corrected: %v", err)
	}
	if list, err := s.List(1); err != nil || len(list) != 1 || list[0].Kind != "totp" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestASecretIsReplacedOnlyOnPurpose(t *testing.T) {
	withoutBus(t)
	s := &records.Secrets{Home: newParts(t).config.Home}
	in := api.NewSecret{Name: "login", Site: "https://a.test", Value: "the first"}
	if err := s.Set(1, in, false); err != nil {
		t.Fatal(err)
	}
	in.Value = "the second"
	if err := s.Set(1, in, false); fault.From(err).Code != "E_SECRET_CHANGED" {
		t.Errorf("replaced by accident: %v", err)
	}
	if err := s.Set(1, in, true); err != nil {
		t.Errorf("replaced on purpose: %v", err)
	}
	if all, err := s.List(1); err != nil || len(all) != 1 || all[0].Name != "login" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Remove(1, "login"); err != nil {
		t.Error(err)
	}
	if all, err := s.List(1); err != nil || len(all) != 0 {
		t.Errorf("after removing it: %+v, %v", all, err)
	}
}

func TestAKeyThatCannotBeReadIsSaid(t *testing.T) {
	a := newParts(t)
	j := a.journals()
	if _, b, err := j.Open(t.Context(), 1); err != nil || b.Days != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	if _, err := a.machine.SetSetting(t.Context(), "journal_days", "7"); err != nil {
		t.Fatal(err)
	}
	if _, b, err := j.Open(t.Context(), 1); err != nil || b.Days != 7 {
		t.Errorf("the bounds of the settings: %+v, %v", b, err)
	}
	if r, err := j.Verify(1); err != nil || !r.OK || r.Problems == nil {
		t.Errorf("an empty journal: %+v, %v", r, err)
	}
	write(t, a.config.Home.JournalKey(), "no key")
	if _, _, err := j.Open(t.Context(), 1); fault.From(err).Code != "E_JOURNAL_KEY" {
		t.Errorf("got %v", err)
	}
}

func TestSignInsAreRemembered(t *testing.T) {
	m := memory{filepath.Join(t.TempDir(), "sign-ins"), discard()}
	if m.Recall() != nil {
		t.Error("something from nothing")
	}
	m.Remember([]byte("one"))
	m.Remember([]byte("two"))
	if string(m.Recall()) != "two" {
		t.Errorf("recalled %q", m.Recall())
	}
}

func TestTheOwnersTokenIsMadeOnce(t *testing.T) {
	home := paths.Home(t.TempDir())
	one, err := ownerToken(home)
	if err != nil || one == "" {
		t.Fatalf("%q, %v", one, err)
	}
	if two, err := ownerToken(home); err != nil || two != one {
		t.Errorf("%q, %v", two, err)
	}
	info, err := os.Stat(home.OwnerToken())
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}
