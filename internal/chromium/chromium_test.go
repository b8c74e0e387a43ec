package chromium

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/process"
	"cove/internal/profile"
)

func TestFlags(t *testing.T) {
	base := Options{DataDir: "/d"}
	t.Run("ordinary mode has no debugging flag of any kind", func(t *testing.T) {
		for _, f := range base.Flags() {
			if strings.Contains(f, "remote-debugging") || strings.Contains(f, "enable-automation") {
				t.Errorf("found %s", f)
			}
		}
	})
	t.Run("automation mode has the pipe and no port", func(t *testing.T) {
		o := base
		o.Pipe = true
		if flags := o.Flags(); !slices.Contains(flags, "--remote-debugging-pipe") ||
			strings.Contains(strings.Join(flags, " "), "port") {
			t.Errorf("got %v", flags)
		}
	})
	t.Run("keys scroll at once where agents press them, unless the person wants it smooth", func(t *testing.T) {
		const atOnce = "--disable-smooth-scrolling"
		o := base
		if slices.Contains(o.Flags(), atOnce) {
			t.Error("a person's own browser does not scroll smoothly")
		}
		if o.Pipe = true; !slices.Contains(o.Flags(), atOnce) {
			t.Error("a browser of agents scrolls smoothly")
		}
		if o.Extra = []string{"--enable-smooth-scrolling"}; slices.Contains(o.Flags(), atOnce) {
			t.Error("the person's argument has no effect")
		}
	})
	t.Run("page tools are a feature beside those of the person", func(t *testing.T) {
		const enable = "--enable-features="
		last := func(o Options) (value string) {
			for _, flag := range o.Flags() {
				if strings.HasPrefix(flag, enable) {
					value = strings.TrimPrefix(flag, enable)
				}
			}
			return value
		}
		o := base
		if o.Extra = []string{enable + "A"}; last(o) != "A" {
			t.Errorf("without page tools: %s", last(o))
		}
		o.PageTools = true
		for _, c := range []struct {
			extra []string
			want  string
		}{
			{nil, "WebMCP"},
			{[]string{enable + "A,B", "--mute-audio"}, "A,B,WebMCP"},
			{[]string{enable + "A", enable + "B"}, "B,WebMCP"}, // as the browser reads them
			{[]string{enable + "A", enable}, "WebMCP"},
		} {
			if o.Extra = c.extra; last(o) != c.want {
				t.Errorf("%v: %s", c.extra, last(o))
			}
		}
	})
	t.Run("an address never stands beside restored tabs", func(t *testing.T) {
		o := base
		o.Restored, o.Pages = true, []string{"https://example.com"}
		if last := o.Flags()[len(o.Flags())-1]; !strings.HasPrefix(last, "--") {
			t.Errorf("got %s", last)
		}
	})
	t.Run("a page of this start stands first, also beside restored tabs", func(t *testing.T) {
		o := base
		o.Requested, o.Pages = []string{"https://asked.example"}, []string{"https://a.example"}
		if flags := o.Flags(); !slices.Equal(flags[len(flags)-2:], []string{o.Requested[0], o.Pages[0]}) {
			t.Errorf("got %v", flags)
		}
		o.Restored = true
		if flags := o.Flags(); flags[len(flags)-1] != o.Requested[0] || slices.Contains(flags, o.Pages[0]) {
			t.Errorf("beside restored tabs: %v", flags)
		}
		o.Restored, o.Headless = false, true
		if flags := o.Flags(); flags[len(flags)-1] != o.Requested[0] || slices.Contains(flags, o.Pages[0]) {
			t.Errorf("headless takes one address: %v", flags)
		}
	})
	t.Run("start pages, or a blank one", func(t *testing.T) {
		o := base
		if flags := o.Flags(); flags[len(flags)-1] != "about:blank" {
			t.Errorf("got %v", flags)
		}
		o.Pages = []string{"https://a.example", "https://b.example"}
		if flags := o.Flags(); !slices.Equal(flags[len(flags)-2:], o.Pages) {
			t.Errorf("got %v", flags)
		}
		o.Headless = true
		if flags := o.Flags(); flags[len(flags)-1] != "https://a.example" ||
			strings.HasPrefix(flags[len(flags)-2], "https") {
			t.Errorf("headless takes one address: %v", flags)
		}
	})
	t.Run("what the profile says", func(t *testing.T) {
		o := base
		o.Window, o.Locale, o.Proxy, o.Extra, o.NoSandbox = profile.Size{Width: 800, Height: 600}, "de-AT",
			"http://p:1", []string{"--mute-audio"}, true
		flags := o.Flags()
		for _, want := range []string{"--window-size=800,600", "--lang=de-AT", "--accept-lang=de-AT,de",
			"--proxy-server=http://p:1", "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--mute-audio", "--no-sandbox"} {
			if !slices.Contains(flags, want) {
				t.Errorf("%s is missing in %v", want, flags)
			}
		}
		if slices.Contains(base.Flags(), "--no-sandbox") {
			t.Error("the sandbox is off for everybody")
		}
	})
}

func TestEnv(t *testing.T) {
	t.Setenv("COVE_HOME", "/secret")
	o := Options{Timezone: "Europe/Berlin"}
	env := o.Env()
	if !slices.Contains(env, "TZ=Europe/Berlin") {
		t.Error("the timezone is missing")
	}
	for _, kv := range env {
		if strings.HasPrefix(kv, "COVE_") {
			t.Errorf("the browser sees %s", kv)
		}
	}
}

func TestTabs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [1]") // brackets mean something in patterns of names
	if HasTabs(dir) {
		t.Error("a new folder has tabs")
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "Default", "Sessions", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Session_1", "SNSS\x03\x00\x00about:blank\x00chrome://newtab/")
	if HasTabs(dir) {
		t.Error("blank tabs are worth restoring")
	}
	write("Session_2", "SNSS\x03\x00\x00https://mail.example/inbox")
	if !HasTabs(dir) {
		t.Error("a web page is not worth restoring")
	}
	if err := RemoveTabs(dir); err != nil || HasTabs(dir) {
		t.Errorf("still there: %v", err)
	}
}

func TestCheckDowngrade(t *testing.T) {
	dir := t.TempDir()
	b := Browser{Name: "Chromium", Version: "156.0.1.2"}
	if err := CheckDowngrade(dir, b); err != nil {
		t.Errorf("a new folder: %v", err)
	}
	for last, code := range map[string]string{"155.9.9.9": "", "156.0.9.9": "", "157.0.0.1": "E_BROWSER_TOO_OLD",
		"junk": ""} {
		if err := os.WriteFile(filepath.Join(dir, "Last Version"), []byte(last), 0o600); err != nil {
			t.Fatal(err)
		}
		err := CheckDowngrade(dir, b)
		if got := fault.KindOf(err); (got == fault.Conflict) != (code != "") {
			t.Errorf("last opened with %s: %v", last, err)
		}
	}
}

func TestFindOwner(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "SingletonLock")
	host, _ := os.Hostname()
	if _, held := FindOwner(dir, process.ID{}); held {
		t.Error("a new folder is held")
	}
	link := func(to string) {
		t.Helper()
		_ = os.Remove(lock)
		if err := os.Symlink(to, lock); err != nil {
			t.Fatal(err)
		}
	}
	link(host + "-1") // alive, and not a browser on this folder
	if h, held := FindOwner(dir, process.ID{}); held {
		t.Errorf("another process counts as holder: %+v", h)
	}
	link(host + "-99999999")
	if _, held := FindOwner(dir, process.ID{}); held {
		t.Error("a dead process counts as holder")
	}
	link("elsewhere-1")
	if h, held := FindOwner(dir, process.ID{}); !held || h.Host != "elsewhere" {
		t.Errorf("another computer's lock: %+v, %v", h, held)
	}
	link("junk")
	if _, held := FindOwner(dir, process.ID{}); held {
		t.Error("junk counts as holder")
	}
	ClearLocks(dir)
	if _, err := os.Lstat(lock); err == nil {
		t.Error("the lock is still there")
	}
}

func TestFindSaysWhatIsMissing(t *testing.T) {
	if _, err := Find(t.Context(), filepath.Join(t.TempDir(), "none")); fault.KindOf(err) != fault.Unavailable ||
		fault.From(err).Hint == "" {
		t.Errorf("got %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	fake := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho 'Fancy Browser 157.1.2.3 beta'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if b, err := Find(t.Context(), "", fake); err != nil || b.Version != "157.1.2.3" || b.Major() != 157 {
		t.Errorf("got %+v, %v", b, err)
	}
}
