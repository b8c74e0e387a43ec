package files

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/redaction"
	"cove/internal/protect"
)

// filesIn returns the files of a client that may use one folder, which is not below the one for temporary files.
func filesIn(t *testing.T) (f *Files, project, other string) {
	t.Helper()
	base := t.TempDir()
	if resolved, err := filepath.EvalSymlinks(base); err == nil {
		base = resolved
	}
	project, other = filepath.Join(base, "project"), filepath.Join(base, "project-other")
	for _, dir := range []string{project, other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dirs := &Folders{Dir: project, found: []string{project}}
	return New(Config{Folders: dirs, Peer: &peer.Peer{}, Redact: &redaction.Redactor{}}), project, other
}

func TestPathsStayInsideTheFolders(t *testing.T) {
	f, project, other := filesIn(t)
	inside := filepath.Join(project, "inside")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{
			"out": other, "deep/../up": "..", "in": inside, "file": filepath.Join(other, "secret"),
			"dangling": filepath.Join(other, "not there"),
		} {
			if err := os.Symlink(to, filepath.Join(project, filepath.Base(link))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(other, "secret"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	allowed := map[string]string{
		"a.txt": "a.txt", "./b/c.txt": "b/c.txt", "b/../d.txt": "d.txt", filepath.Join(project, "e.txt"): "e.txt",
		"new/deep/g.txt": "new/deep/g.txt", `C:\windows.txt`: `C:\windows.txt`,
	}
	denied := []string{
		"../x", "b/../../x", "/etc/passwd", filepath.Join(other, "x"), project + "-other/x",
		project + "/../project-other/x", "..", "/", "~/../../x/../../../../etc/passwd",
	}
	if runtime.GOOS != "windows" {
		allowed["in/h.txt"] = "in/h.txt"
		denied = append(denied, "out/x", "out/new/x", "up/project-other/x", "file", "dangling", "dangling/x",
			"in/../out/x")
	} else {
		delete(allowed, `C:\windows.txt`)
		denied = append(denied, `C:\windows.txt`, `\\server\share\x`)
	}
	for name, want := range allowed {
		got, err := f.Resolve(t.Context(), name)
		if err != nil || got != filepath.Join(project, filepath.FromSlash(want)) {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	for _, name := range denied {
		got, err := f.Resolve(t.Context(), name)
		if kind := fault.KindOf(err); err == nil || (kind != fault.Denied && kind != fault.Invalid) {
			t.Errorf("%s is allowed: %s %v", name, got, err)
		}
	}
	if _, err := f.Resolve(t.Context(), "a\x00b"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a zero byte: %v", err)
	}
}

func TestNothingIsWrittenThroughALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	f, project, other := filesIn(t)
	if err := os.Symlink(filepath.Join(other, "new"), filepath.Join(project, "dangling")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Save(t.Context(), "dangling", []byte("x")); err == nil {
		t.Error("saved")
	}
	if _, err := os.Stat(filepath.Join(other, "new")); err == nil {
		t.Error("a file outside was written")
	}
	full, err := f.Save(t.Context(), "deep/er/a.txt", []byte("x"))
	if info, serr := os.Stat(full); err != nil || serr != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v %v", full, err, serr)
	}
}

func TestAClientInItsHomeHasChosenNoFolder(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(base, "person")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{"project", ".ssh", "data"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	protected := protect.New(protect.Paths{Folders: []string{filepath.Join(home, "data")}})
	for dir, want := range map[string]bool{
		home: false, "/": false, base: false, filepath.Join(home, ".ssh"): false, filepath.Join(home, "data"): false,
		filepath.Join(home, "project"): true,
	} {
		got, err := (&Folders{Dir: dir}).get(t.Context(), &peer.Peer{}, protected)
		if err != nil || slices.Contains(got, dir) != want {
			t.Errorf("%s: %v %v", dir, got, err)
		}
	}
}

// Every tool that reads or writes a file goes through these.
func TestNoToolTouchesCovesOwnFiles(t *testing.T) {
	f, project, _ := filesIn(t)
	data := filepath.Join(project, "data") // also inside of a folder that the agent may use
	for _, name := range []string{
		"owner.token", "secret.key", "journal/00000001.jsonl", "browser_profiles/2/data_dir/Cookies",
	} {
		full := filepath.Join(data, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f.config.Protected = protect.New(protect.Paths{
		Folders: []string{data}, Names: []string{".mcp.json", "sub/mcp.json"}})
	f.allowed = map[string]bool{}
	for _, name := range []string{
		"data/owner.token", "data/secret.key", "data/journal/00000001.jsonl", "data/panic", "data/new/x",
		"data/browser_profiles/2/data_dir/Cookies", "x/../data/panic", ".mcp.json", "sub/mcp.json",
	} {
		f.allowed[filepath.Join(project, filepath.FromSlash(name))] = true // whatever a client says
		if _, err := f.Resolve(t.Context(), name); fault.KindOf(err) != fault.Denied {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := f.Save(t.Context(), name, []byte("x")); err == nil {
			t.Errorf("%s was written", name)
		}
		if _, err := f.Load(t.Context(), name); err == nil {
			t.Errorf("%s was read", name)
		}
		if _, err := f.ForBrowser(t.Context(), name); err == nil {
			t.Errorf("%s was given to a page", name)
		}
	}
	if got, err := os.ReadFile(filepath.Join(data, "owner.token")); err != nil || string(got) != "secret" {
		t.Errorf("%q %v", got, err)
	}
}

func TestHiddenFilesAreForThePersonToGive(t *testing.T) {
	f, project, _ := filesIn(t)
	for _, name := range []string{".env", ".git/hooks/pre-commit", "deep/.secret/x"} {
		_, err := f.Resolve(t.Context(), name)
		if fault.KindOf(err) != fault.Denied || !strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
		full := filepath.Join(project, filepath.FromSlash(name))
		f.allowed = map[string]bool{full: true}
		if got, err := f.Resolve(t.Context(), name); err != nil || got != full {
			t.Errorf("allowed %s: %s %v", name, got, err)
		}
	}
	if _, err := f.Resolve(t.Context(), "a.b/c."); err != nil {
		t.Error(err)
	}
}

func TestFileNamesAreFoundInArguments(t *testing.T) {
	got := PathsIn(map[string]any{
		"filePath": "a", "filePaths": []any{"b", "c", 1}, "outputDirPath": "", "path": "no",
		"calls": []any{map[string]any{"arguments": map[string]any{"sourcePath": "d"}}},
	})
	if slices.Sort(got); !reflect.DeepEqual(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("%v", got)
	}
}
