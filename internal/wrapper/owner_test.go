package wrapper

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
)

// TestAWrapperIsNeverReplacedByAnotherDataFolders: a client that runs it would open that one's profile of the same
// number.
func TestAWrapperIsNeverReplacedByAnotherDataFolders(t *testing.T) {
	usual, err := paths.UsualHome()
	if err != nil {
		t.Fatal(err)
	}
	// As the first version wrote it for the usual folder.
	first := strings.Replace(Text(3001, home), `"`+string(home)+`"`, "''", 1)
	for name, c := range map[string]struct {
		text  string
		mine  paths.Home
		other paths.Home
	}{
		"as installed":               {Text(3001, home), home, "/home/me/other"},
		"edited":                     {Text(3001, home) + "// mine\n", home, "/home/me/other"},
		"with Windows' line ends":    {strings.ReplaceAll(Text(3001, home), "\n", "\r\n"), home, "/home/me/other"},
		"for the usual data folder":  {Text(3001, usual), usual, home},
		"of the first version":       {first, usual, home},
		"the folder's name by hand":  {strings.Replace(first, "''", "'/srv/cove'", 1), "/srv/cove", usual},
		"the other is the usual one": {Text(3001, home), home, usual},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, Name)
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, force := range []bool{false, true} {
				_, written, err := Install(dir, 3001, c.other, force)
				var f *fault.Error
				if written || !errors.As(err, &f) || f.Kind != fault.Conflict ||
					!strings.Contains(f.Text, string(c.mine)) || !strings.Contains(f.Hint, "--dir") {
					t.Errorf("force %v: written %v, %v", force, written, err)
				}
			}
			if raw, _ := os.ReadFile(file); string(raw) != c.text {
				t.Error("the file was changed")
			}
			if err := CheckOwner(file, c.other); fault.From(err).Code != "E_OTHER_FOLDER" {
				t.Errorf("used from the other folder: %v", err)
			}
			if err := CheckOwner(file, c.mine); err != nil {
				t.Errorf("used from its own: %v", err)
			}
			if _, _, err := Install(dir, 4000, c.mine, true); err != nil {
				t.Errorf("its own folder: %v", err)
			}
		})
	}
}

// TestEachDataFolderHasAWrapperOfItsOwn, and keeps it whatever is installed or removed later.
func TestEachDataFolderHasAWrapperOfItsOwn(t *testing.T) {
	person := t.TempDir()
	t.Setenv("HOME", person)
	t.Setenv("USERPROFILE", person)
	dir, err := DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(dir, person) {
		t.Skip("the usual place is not below the person's folder here")
	}
	homes := []paths.Home{"/home/me/one", "/home/me/with space", "/srv/one", "/home/me/日本"}
	installed := map[paths.Home]string{}
	install := func(home paths.Home) string {
		t.Helper()
		dir, err := DirFor(home)
		if err != nil {
			t.Fatal(err)
		}
		file, _, err := Install(dir, 3001, home, false)
		if err != nil {
			t.Fatalf("%s: %v", home, err)
		}
		return file
	}
	for _, home := range homes {
		installed[home] = install(home)
	}
	if installed[homes[0]] != filepath.Join(dir, Name) {
		t.Errorf("the first one is at %s", installed[homes[0]])
	}
	seen := map[string]bool{}
	for _, home := range homes {
		file := installed[home]
		spaces := strings.Contains(strings.TrimPrefix(file, person), " ")
		if owner, ok := Owner(file); seen[file] || !ok || owner != home || spaces || filepath.Base(file) != Name {
			t.Errorf("%s has %s, which belongs to %s", home, file, owner)
		}
		seen[file] = true
	}
	if err := os.Remove(installed[homes[0]]); err != nil {
		t.Fatal(err)
	}
	for _, home := range homes[1:] {
		if got := install(home); got != installed[home] {
			t.Errorf("%s moved from %s to %s", home, installed[home], got)
		}
	}
	if got := install(homes[0]); got != installed[homes[0]] {
		t.Errorf("the first one came back at %s", got)
	}
}

func TestOfManyInstallationsAtOnceOneWins(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		var won atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				home := paths.Home("/home/me/" + string(rune('a'+i)))
				file, written, err := Install(dir, 3001, home, false)
				switch {
				case written && err == nil:
					won.Add(1)
				case fault.From(err).Code != "E_OTHER_FOLDER":
					t.Errorf("%s: written %v, %v", file, written, err)
				}
			})
		}
		all.Wait()
		left, err := os.ReadDir(dir)
		if won.Load() != 1 || err != nil || len(left) != 1 {
			t.Fatalf("%d installations wrote it; in the folder: %v, %v", won.Load(), left, err)
		}
	}
}

// TestAWrapperOfADataFolderThatIsGone stays too, since the folder may be on a disk that is not mounted. The refusal
// says how to replace it.
func TestAWrapperOfADataFolderThatIsGone(t *testing.T) {
	gone, there := paths.Home(filepath.Join(t.TempDir(), "gone")), paths.Home(t.TempDir())
	for home, want := range map[paths.Home]bool{gone: true, there: false} {
		dir := t.TempDir()
		if _, _, err := Install(dir, 3001, home, false); err != nil {
			t.Fatal(err)
		}
		for _, force := range []bool{false, true} {
			_, written, err := Install(dir, 3001, "/home/me/other", force)
			f := fault.From(err)
			if written || f.Code != "E_OTHER_FOLDER" || !strings.Contains(f.Hint, "--dir") {
				t.Errorf("force %v: written %v, %v", force, written, err)
			}
			if remove := "remove " + filepath.Join(dir, Name); strings.Contains(f.Hint, remove) != want {
				t.Errorf("%s, force %v: the hint is %q", home, force, f.Hint)
			}
		}
		// What the hint says helps.
		if err := os.Remove(filepath.Join(dir, Name)); err != nil {
			t.Fatal(err)
		}
		if _, written, err := Install(dir, 3001, "/home/me/other", false); err != nil || !written {
			t.Errorf("after that: written %v, %v", written, err)
		}
	}
}
