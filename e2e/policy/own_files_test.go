//go:build e2e

package policy

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// receiver is a site that is given files: in its form, and by scripts.
func receiver(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>Give</title><input type=file aria-label=File>`)
	}))
	t.Cleanup(s.Close)
	return s
}

// picture of all files of Cove that a tool must not have changed.
func ownFiles(t *testing.T, a *harness.App, names ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(a.Home, name))
		if err == nil {
			all[name] = string(raw)
		}
	}
	return all
}

func TestNoToolReadsOrWritesCovesOwnFiles(t *testing.T) {
	web := receiver(t)
	a := harness.Start(t)
	second := a.Create(`{"name":"second"}`)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL})
	uid := m.Find(`button "File"`)
	project := t.TempDir()
	link, hard := filepath.Join(project, "link"), filepath.Join(project, "hard")
	if err := os.Symlink(a.Home, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(a.Home, "owner.token"), hard); err != nil {
		t.Fatal(err)
	}
	kept := []string{"owner.token", "app.json", "browser_profiles/1/keeper.json", "panic", "secret.key"}
	before := ownFiles(t, a, kept...)
	own := []string{filepath.Join(a.Home, "owner.token"), filepath.Join(a.Home, "secret.key"),
		filepath.Join(a.Home, "panic"), a.File(1, "journal/00000001.jsonl"), a.File(1, "keeper.json"),
		a.File(1, "data_dir/x"), a.File(second, "data_dir/Default/Preferences"), filepath.Join(a.Home, "cove.db"),
		a.Home + "/../" + filepath.Base(a.Home) + "/panic", filepath.Join(link, "panic"),
		filepath.Join(link, "owner.token"), hard, "/proc/self/environ", harness.Cove,
		filepath.Join(project, ".mcp.json"), filepath.Join(project, ".vscode", "mcp.json"),
		filepath.Join(project, ".agents", "skills", "theirs", "SKILL.md")}
	for _, preset := range []string{"open", "read-only"} {
		a.Must("policy", "set", "1", "--preset", preset)
		for _, name := range own {
			for _, tool := range []string{"take_snapshot", "take_screenshot"} {
				m.Fails(tool, harness.Object{"filePath": name}, "was not used")
			}
			if preset == "read-only" {
				continue
			}
			m.Fails("upload_file", harness.Object{"uid": uid, "filePaths": []string{name}}, "was not used")
			m.Fails("evaluate_script", harness.Object{"sourcePath": name}, "was not used")
			m.Fails("evaluate_script", harness.Object{"function": "() => 'x'", "filePath": name}, "was not used")
			m.Fails("take_heapsnapshot", harness.Object{"filePath": name}, "was not used")
			m.Fails("performance_start_trace", harness.Object{"filePath": name}, "was not used")
		}
	}
	if after := ownFiles(t, a, kept...); !sameFiles(before, after) {
		t.Errorf("changed: %v", after)
	}
	a.Must("policy", "set", "1", "--preset", "open", "--right", "local=yes")
	page := filepath.Join(project, "page.html")
	if err := os.WriteFile(page, []byte(`<h1>Mine</h1><iframe src="file://`+a.Home+`/owner.token"></iframe>`),
		0o600); err != nil {
		t.Fatal(err)
	}
	m.Fails("navigate_page", harness.Object{"url": "file://" + a.Home + "/owner.token"}, "was not used")
	m.Fails("new_page", harness.Object{"url": "view-source:file://" + a.Home + "/owner.token"}, "was not used")
	m.Works("new_page", harness.Object{"url": "file://" + page})
	harness.Wait(t, "the frame to be emptied", func() bool {
		text := m.Works("take_snapshot", nil)
		return strings.Contains(text, "Mine") && !strings.Contains(text, a.Token()[:20])
	})
	m.Works("take_snapshot", harness.Object{"filePath": filepath.Join(project, "mine.txt")})
}

func sameFiles(a, b map[string]string) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

func TestProgramsGetNoFileOfCoves(t *testing.T) {
	web := receiver(t)
	home := t.TempDir()
	plain, hidden := filepath.Join(home, "plain"), filepath.Join(home, ".ssh", "key")
	for _, name := range []string{plain, hidden} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := harness.Start(t, harness.With("HOME="+home))
	a.Open(1)
	for _, preset := range []string{"open", "guarded"} {
		if preset == "guarded" {
			a.Must("policy", "set", "1", "--preset", preset, "--right", "upload=yes", "--right", "download=yes",
				"--right", "local=yes")
		}
		w, _ := dialWire(t, a.Socket(1))
		_, session := w.tab(web.URL)
		input := func() int { // by a new number each time: the old ones end with the loading
			var doc struct{ Root struct{ NodeID int } }
			var found struct{ NodeID int }
			harness.Wait(t, "the form", func() bool {
				w.must(session, "DOM.getDocument", harness.Object{"depth": -1}, &doc)
				return w.do(session, "DOM.querySelector", harness.Object{"nodeId": doc.Root.NodeID, "selector": "input"},
					&found) == "" && found.NodeID != 0
			})
			return found.NodeID
		}
		for name, why := range map[string]string{filepath.Join(a.Home, "owner.token"): "was not used",
			"/proc/self/environ": "was not used",
			a.Home + "/../" + filepath.Base(a.Home) +
				"/owner.token": "not a whole one", "owner.token": "not a whole one"} {
			w.refused(session, "DOM.setFileInputFiles",
				harness.Object{"nodeId": input(), "files": []string{plain, name}}, why)
			w.refused(session, "Input.dispatchDragEvent", harness.Object{"type": "drop", "x": 10, "y": 10,
				"data": harness.Object{"items": []any{}, "files": []string{name}, "dragOperationsMask": 1}}, why)
		}
		for _, dir := range []string{a.Home, a.File(1, "data_dir"), filepath.Join(a.Home, "logs")} {
			w.refused("", "Browser.setDownloadBehavior", harness.Object{"behavior": "allow", "downloadPath": dir},
				"was not used")
		}
		w.refused(session, "Page.navigate", harness.Object{"url": "file://" + a.Home + "/owner.token"}, "was not used")
		w.refused("", "Target.createTarget", harness.Object{"url": "file://" + a.Home + "/owner.token"}, "was not used")
		w.must(session, "DOM.setFileInputFiles", harness.Object{"nodeId": input(), "files": []string{plain}}, nil)
		if preset == "guarded" {
			w.refused(session, "DOM.setFileInputFiles",
				harness.Object{"nodeId": input(), "files": []string{hidden}}, "hidden files of a home folder")
			w.refused("", "Browser.setDownloadBehavior",
				harness.Object{"behavior": "allow", "downloadPath": filepath.Dir(hidden)}, "hidden files of a home folder")
		}
		w.must("", "Browser.setDownloadBehavior", harness.Object{"behavior": "allow", "downloadPath": t.TempDir()}, nil)
		_ = w.ws.CloseNow()
	}
}

// A client that names all of the disk, or a home with what is hidden in it, has named nothing.
func TestRootsAreBounded(t *testing.T) {
	// Not in the folder for temporary files, which is open to every agent.
	home, err := os.MkdirTemp("/var/tmp", "cove-person")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	for _, dir := range []string{".ssh", "work", ".config/tool"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	a := harness.Start(t, harness.With("HOME="+home))
	a.Open(1)
	for _, root := range []string{"/", home, filepath.Dir(home), filepath.Join(home, ".ssh"),
		filepath.Join(home, ".config")} {
		m := a.Bridge("1")
		m.Can["roots"] = harness.Object{}
		m.Answers["roots/list"] = func(any) any {
			return harness.Object{"roots": []harness.Object{{"uri": "file://" +
				root}}}
		}
		m.Initialize()
		for _, name := range []string{"free.txt", ".ssh/key", ".config/tool/x", "work/x"} {
			m.Fails("take_snapshot", harness.Object{"filePath": filepath.Join(home, name)}, "denied")
		}
		m.Close()
	}
	m := a.Bridge("1")
	m.Can["roots"] = harness.Object{}
	m.Answers["roots/list"] = func(any) any {
		return harness.Object{"roots": []harness.Object{{"uri": "file://" + filepath.Join(home, "work")}}}
	}
	m.Initialize()
	m.Works("take_snapshot", harness.Object{"filePath": "x.txt"})
	m.Fails("take_snapshot", harness.Object{"filePath": ".env"}, "hidden")
	m.Fails("take_snapshot", harness.Object{"filePath": filepath.Join(home, ".ssh", "key")}, "denied")
}
