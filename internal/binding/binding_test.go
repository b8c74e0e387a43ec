package binding

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"cove/internal/paths"
	"cove/internal/profile"
)

func folders(t *testing.T, names ...string) (root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTheNearestFolderDecides(t *testing.T) {
	root := folders(t, ".git", "shop/.git", "shop/web/src", "shop/tool", "other")
	for _, name := range []string{"shop/.git/HEAD", "shop/tool/.git"} { // the last one as in a worktree
		if err := os.WriteFile(filepath.Join(root, name), []byte("ref: refs/heads/main"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := Open(paths.Home(t.TempDir()))
	if _, _, ok, err := b.Of(root); ok || err != nil {
		t.Errorf("without a binding: %v %v", ok, err)
	}

	for folder, want := range map[string]string{"shop/web": "shop", "shop/tool": "shop/tool", "other": "other"} {
		id := profile.ID(len(want))
		if at, err := b.Set(filepath.Join(root, folder), id); err != nil || at != filepath.Join(root, want) {
			t.Errorf("set in %s: %s %v", folder, at, err)
		}
	}
	for folder, want := range map[string]profile.ID{
		"shop": 4, "shop/web/src": 4, "shop/tool": 9, "other": 5, "shop/web/gone": 4,
	} {
		if got, _, ok, err := b.Of(filepath.Join(root, folder)); got != want || !ok || err != nil {
			t.Errorf("%s has profile %d, %v %v", folder, got, ok, err)
		}
	}
	if _, _, ok, _ := b.Of(root); ok {
		t.Error("the folder above has a binding")
	}

	if at, err := b.Remove(filepath.Join(root, "shop/web/src")); at != filepath.Join(root, "shop") || err != nil {
		t.Errorf("removed %s %v", at, err)
	}
	if _, _, ok, _ := b.Of(filepath.Join(root, "shop/web")); ok {
		t.Error("the removed binding holds")
	}
	if at, err := b.Remove(root); at != "" || err != nil {
		t.Errorf("removed %s %v where there is none", at, err)
	}
}

func TestALinkLeadsToTheSameBinding(t *testing.T) {
	root := folders(t, "real")
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "real"), link); err != nil {
		t.Skip("this system makes no links:", err)
	}
	b := Open(paths.Home(t.TempDir()))
	if _, err := b.Set(link, 3); err != nil {
		t.Fatal(err)
	}
	if id, _, _, _ := b.Of(filepath.Join(root, "real")); id != 3 {
		t.Errorf("the folder behind the link has profile %d", id)
	}
}

// A file that is not understood decides an identity, so it is refused and not taken for an empty one.
func TestABrokenFileIsRefused(t *testing.T) {
	home := paths.Home(t.TempDir())
	if err := os.WriteFile(home.Bindings(), []byte(`{"/work":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := Open(home).Of("/work"); err == nil {
		t.Error("a broken file is read")
	}
	if _, err := Open(home).Set(t.TempDir(), 1); err == nil {
		t.Error("a broken file is overwritten")
	}
}

func TestChangesAtTheSameTimeAreAllKept(t *testing.T) {
	root := folders(t)
	b := Open(paths.Home(t.TempDir()))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			dir := filepath.Join(root, string(rune('a'+i)))
			_ = os.Mkdir(dir, 0o755)
			if _, err := b.Set(dir, profile.ID(i+1)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 20 {
		if id, _, _, _ := b.Of(filepath.Join(root, string(rune('a'+i)))); int(id) != i+1 {
			t.Errorf("folder %d has profile %d", i, id)
		}
	}
}

// A link in a repository that somebody has cloned leads to no profile.
func TestALinkInARepositoryChoosesNothing(t *testing.T) {
	root := folders(t, "mine", "clone/.git", "clone/src")
	if err := os.WriteFile(filepath.Join(root, "clone/.git/HEAD"), []byte("ref: refs/heads/main"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "clone", "inner")
	if err := os.Symlink(filepath.Join(root, "mine"), link); err != nil {
		t.Skip("this system makes no links:", err)
	}
	b := Open(paths.Home(t.TempDir()))
	if _, err := b.Set(filepath.Join(root, "mine"), 3); err != nil {
		t.Fatal(err)
	}
	if id, _, ok, _ := b.Of(link); ok {
		t.Errorf("the link chooses profile %d", id)
	}
	if _, err := b.Set(filepath.Join(root, "clone"), 4); err != nil {
		t.Fatal(err)
	}
	if id, _, ok, _ := b.Of(filepath.Join(root, "clone", "src")); !ok || id != 4 {
		t.Errorf("the repository's own profile is %d, %v", id, ok)
	}
}
