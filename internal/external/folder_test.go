package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/profile"
)

// browser makes the data folder of a browser with profiles. state is what it says of them, which it writes late.
func browser(t *testing.T, state string, profiles ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append([]string{"Crashpad"}, profiles...) {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "Local State"), []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTheProfilesOfABrowserAreFound(t *testing.T) {
	dir := browser(t, `{"profile":{"info_cache":{"Default":{"name":"Ann"},"Work":{"name":"Job"},"Gone":{"name":"x"}}}}`,
		"Default", "Profile 7", "Work")
	b, err := Look(dir)
	want := []Profile{{"Default", "Ann"}, {"Profile 7", "Profile 7"}, {"Work", "Job"}}
	if err != nil || len(b.Profiles) != 3 || b.Open {
		t.Fatalf("%+v, %v", b, err)
	}
	for i := range want {
		if b.Profiles[i] != want[i] {
			t.Errorf("%+v", b.Profiles[i])
		}
	}
}

func TestASourceIsNamedByAnyOfItsFolders(t *testing.T) {
	one, two := browser(t, `{}`, "Default"), browser(t, `{}`, "Default", "Profile 1")
	for _, c := range []struct {
		folder, dir string
		want        profile.External
		code        fault.Code
		says        string
	}{
		{folder: one, want: profile.External{DataDir: one, Dir: "Default"}},
		{folder: filepath.Join(one, "Default"), want: profile.External{DataDir: one, Dir: "Default"}},
		{folder: filepath.Join(two, "Profile 1"), want: profile.External{DataDir: two, Dir: "Profile 1"}},
		{folder: two, dir: "Profile 1", want: profile.External{DataDir: two, Dir: "Profile 1"}},
		{folder: two, code: fault.CodeAmbiguous, says: "Profile 1"},
		{folder: two, dir: "Profile 2", code: fault.CodeAmbiguous, says: "no profile in the folder Profile 2"},
		{folder: filepath.Join(one, "Crashpad"), code: fault.CodeAmbiguous, says: "Crashpad"},
		{folder: browser(t, `{}`), code: fault.CodeAdoptNoBrowser, says: "chrome://version"},
		{folder: t.TempDir(), code: fault.CodeAdoptNoBrowser, says: "chrome://version"},
	} {
		got, err := Choose(c.folder, c.dir)
		switch {
		case c.code == "" && (err != nil || got != c.want):
			t.Errorf("%s %s: %+v, %v", c.folder, c.dir, got, err)
		case c.code != "":
			if f := fault.From(err); f.Code != c.code || !strings.Contains(f.Text+f.Hint, c.says) {
				t.Errorf("%s %s: %+v", c.folder, c.dir, f)
			}
		}
	}
}
