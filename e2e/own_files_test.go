//go:build e2e

package e2e

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
func ownFiles(t *testing.T, a *app, names ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(a.home, name))
		if err == nil {
			all[name] = string(raw)
		}
	}
	return all
}

func TestNoToolReadsOrWritesCovesOwnFiles(t *testing.T) {
	web := receiver(t)
	a := start(t)
	second := a.create(`{"name":"second"}`)
	a.open(1)
	m := a.agent("1")
	m.works("navigate_page", object{"url": web.URL})
	uid := m.find(`button "File"`)
	project := t.TempDir()
	link, hard := filepath.Join(project, "link"), filepath.Join(project, "hard")
	if err := os.Symlink(a.home, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(a.home, "owner.token"), hard); err != nil {
		t.Fatal(err)
	}
	kept := []string{"owner.token", "app.json", "browser_profiles/1/keeper.json", "panic", "secret.key"}
	before := ownFiles(t, a, kept...)
	own := []string{filepath.Join(a.home, "owner.token"), filepath.Join(a.home, "secret.key"), filepath.Join(a.home, "panic"), a.file(1, "journal/00000001.jsonl"), a.file(1, "keeper.json"),
		a.file(1, "data_dir/x"), a.file(second, "data_dir/Default/Preferences"), filepath.Join(a.home, "cove.db"), a.home + "/../" + filepath.Base(a.home) + "/panic", filepath.Join(link, "panic"),
		filepath.Join(link, "owner.token"), hard, "/proc/self/environ", cove, filepath.Join(project, ".mcp.json"), filepath.Join(project, ".vscode", "mcp.json")}
	for _, preset := range []string{"open", "read-only"} {
		a.must("policy", "set", "1", "--preset", preset)
		for _, name := range own {
			for _, tool := range []string{"take_snapshot", "take_screenshot"} {
				m.fails(tool, object{"filePath": name}, "was not used")
			}
			if preset == "read-only" {
				continue
			}
			m.fails("upload_file", object{"uid": uid, "filePaths": []string{name}}, "was not used")
			m.fails("evaluate_script", object{"sourcePath": name}, "was not used")
			m.fails("evaluate_script", object{"function": "() => 'x'", "filePath": name}, "was not used")
			m.fails("take_heapsnapshot", object{"filePath": name}, "was not used")
			m.fails("performance_start_trace", object{"filePath": name}, "was not used")
		}
	}
	if after := ownFiles(t, a, kept...); !sameFiles(before, after) {
		t.Errorf("changed: %v", after)
	}
	a.must("policy", "set", "1", "--preset", "open", "--right", "local=yes")
	page := filepath.Join(project, "page.html")
	if err := os.WriteFile(page, []byte(`<h1>Mine</h1><iframe src="file://`+a.home+`/owner.token"></iframe>`), 0o600); err != nil {
		t.Fatal(err)
	}
	m.fails("navigate_page", object{"url": "file://" + a.home + "/owner.token"}, "was not used")
	m.fails("new_page", object{"url": "view-source:file://" + a.home + "/owner.token"}, "was not used")
	m.works("new_page", object{"url": "file://" + page})
	wait(t, "the frame to be emptied", func() bool {
		text := m.works("take_snapshot", nil)
		return strings.Contains(text, "Mine") && !strings.Contains(text, a.token()[:20])
	})
	m.works("take_snapshot", object{"filePath": filepath.Join(project, "mine.txt")})
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
	a := start(t, with("HOME="+home))
	a.open(1)
	for _, preset := range []string{"open", "guarded"} {
		if preset == "guarded" {
			a.must("policy", "set", "1", "--preset", preset, "--right", "upload=yes", "--right", "download=yes", "--right", "local=yes")
		}
		w, _ := dialWire(t, a.socket(1))
		_, session := w.tab(web.URL)
		var doc struct{ Root struct{ NodeID int } }
		var input struct{ NodeID int }
		wait(t, "the form", func() bool {
			w.must(session, "DOM.getDocument", object{"depth": -1}, &doc)
			return w.do(session, "DOM.querySelector", object{"nodeId": doc.Root.NodeID, "selector": "input"}, &input) == "" && input.NodeID != 0
		})
		for name, why := range map[string]string{filepath.Join(a.home, "owner.token"): "was not used", "/proc/self/environ": "was not used",
			a.home + "/../" + filepath.Base(a.home) + "/owner.token": "not a whole one", "owner.token": "not a whole one"} {
			w.refused(session, "DOM.setFileInputFiles", object{"nodeId": input.NodeID, "files": []string{plain, name}}, why)
			w.refused(session, "Input.dispatchDragEvent", object{"type": "drop", "x": 10, "y": 10, "data": object{"items": []any{}, "files": []string{name}, "dragOperationsMask": 1}}, why)
		}
		for _, dir := range []string{a.home, a.file(1, "data_dir"), filepath.Join(a.home, "logs")} {
			w.refused("", "Browser.setDownloadBehavior", object{"behavior": "allow", "downloadPath": dir}, "was not used")
		}
		w.refused(session, "Page.navigate", object{"url": "file://" + a.home + "/owner.token"}, "was not used")
		w.refused("", "Target.createTarget", object{"url": "file://" + a.home + "/owner.token"}, "was not used")
		w.must(session, "DOM.setFileInputFiles", object{"nodeId": input.NodeID, "files": []string{plain}}, nil)
		if preset == "guarded" {
			w.refused(session, "DOM.setFileInputFiles", object{"nodeId": input.NodeID, "files": []string{hidden}}, "hidden in a home folder")
			w.refused("", "Browser.setDownloadBehavior", object{"behavior": "allow", "downloadPath": filepath.Dir(hidden)}, "hidden in a home folder")
		}
		w.must("", "Browser.setDownloadBehavior", object{"behavior": "allow", "downloadPath": t.TempDir()}, nil)
		_ = w.ws.CloseNow()
	}
}

// A client that names all of the disk, or a home with what is hidden in it, has named nothing.
func TestRootsAreBounded(t *testing.T) {
	home, err := os.MkdirTemp("/var/tmp", "cove-person") // not in the folder for temporary files, which is open to every agent
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	for _, dir := range []string{".ssh", "work", ".config/tool"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	a := start(t, with("HOME="+home))
	a.open(1)
	for _, root := range []string{"/", home, filepath.Dir(home), filepath.Join(home, ".ssh"), filepath.Join(home, ".config")} {
		m := a.bridge("1")
		m.can["roots"] = object{}
		m.answers["roots/list"] = func(any) any { return object{"roots": []object{{"uri": "file://" + root}}} }
		m.initialize()
		for _, name := range []string{"free.txt", ".ssh/key", ".config/tool/x", "work/x"} {
			m.fails("take_snapshot", object{"filePath": filepath.Join(home, name)}, "denied")
		}
		m.close()
	}
	m := a.bridge("1")
	m.can["roots"] = object{}
	m.answers["roots/list"] = func(any) any {
		return object{"roots": []object{{"uri": "file://" + filepath.Join(home, "work")}}}
	}
	m.initialize()
	m.works("take_snapshot", object{"filePath": "x.txt"})
	m.fails("take_snapshot", object{"filePath": ".env"}, "hidden")
	m.fails("take_snapshot", object{"filePath": filepath.Join(home, ".ssh", "key")}, "denied")
}
