package clients

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cove/internal/clients/edit"
	"cove/internal/clients/edit/edittest"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

var update = flag.Bool("update", false, "write the golden files")

// fakeEnv returns a computer with any operating system, in a folder of this computer.
func fakeEnv(t *testing.T, system string) Env {
	t.Helper()
	root := t.TempDir()
	home := map[string]string{"linux": "/home/me", "darwin": "/Users/me", "windows": `C:\Users\me`}[system]
	e := Env{OS: system, Home: home, Getenv: func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", errors.New("not found") }}
	e.Real = func(path string) string {
		if strings.HasPrefix(path, root) {
			return path
		}
		if system == "windows" {
			path = strings.ReplaceAll(strings.TrimPrefix(path, "C:"), `\`, "/")
		}
		return filepath.Join(root, path)
	}
	e.Dir = e.home("work")
	if err := os.MkdirAll(e.Real(e.Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return e
}

// entryOf returns the entry of the tests, at a path that has to be escaped.
func entryOf(e Env, id profile.ID) Entry {
	command := "/opt/my tools/cove"
	if e.OS == "windows" {
		command = `C:\Program Files\Cove\cove.exe`
	}
	return Entry{Name: ServerName(id), Profile: id, Command: command, Args: []string{"mcp", fmt.Sprint(id)}}
}

// fixture is a registry on a fake computer with one client installed.
type fixture struct {
	*Registry
	t      *testing.T
	client Client
	scope  Scope
}

func newFixture(t *testing.T, system string, c Client, scope Scope) *fixture {
	t.Helper()
	e := fakeEnv(t, system)
	d := &fixture{&Registry{Env: e, Home: paths.Home(filepath.Join(t.TempDir(), "data"))}, t, c, scope}
	installed := e.folder(c.User(e)[0])
	if c.Folders != nil {
		installed = c.Folders(e)[0]
	}
	if err := os.MkdirAll(e.Real(installed), 0o755); err != nil {
		t.Fatal(err)
	}
	return d
}

// file returns the path of the entry's file, as the table names it and on the disk.
func (d *fixture) file() (named, onDisk string) {
	d.t.Helper()
	files := d.client.targets(d.Env, d.scope)
	if len(files) != 1 {
		d.t.Fatalf("%v", files)
	}
	return files[0], d.Env.Real(files[0])
}

func (d *fixture) write(text string) {
	d.t.Helper()
	_, file := d.file()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		d.t.Fatal(err)
	}
}

func (d *fixture) read() string {
	d.t.Helper()
	_, file := d.file()
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return "(no file)\n"
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return string(raw)
}

func (d *fixture) add(id profile.ID) (string, error) {
	done, err := d.Add(context.Background(), d.client, d.scope, entryOf(d.Env, id), false)
	if err != nil {
		return "", err
	}
	return done[0].Action, nil
}

func (d *fixture) remove(id profile.ID) (int, error) {
	done, err := d.Remove(context.Background(), d.client, Removal{Profile: id, Scope: d.scope}, false)
	return len(done), err
}

// situation is a file as people have it.
type situation struct {
	name string
	// text is nil if there is no file.
	text *string
	// refused holds words of the refusal, if the file is broken in the client's format.
	refused string
}

// existing returns a file of the client with two servers and other settings.
func existing(c Client, indent, eol string) string {
	return edittest.Existing(c.Format, strings.Join(c.Key, "."), indent, eol)
}

// situations returns the documents of edittest, each with the words of its refusal.
func situations(c Client) (all []situation) {
	refused := map[string]string{"a broken file": "line ", "another type": "is not a map",
		"a name twice": "stands twice"}
	if c.Format == edit.TOML {
		refused["a name twice"] = "already exists"
	}
	if c.Format == edit.Strict {
		refused["comments"] = "line 1"
	}
	if c.Format == edit.Strict || c.Format == edit.Commented {
		refused["trailing commas"] = "line 3"
	}
	if c.NoMark {
		refused["a BOM"] = "line 1: a byte order mark"
	}

	for _, d := range edittest.Documents() {
		s := situation{name: d.Name, refused: refused[d.Name]}
		if d.Text != nil {
			text := d.Text(c.Format, strings.Join(c.Key, "."))
			s.text = &text
		}
		all = append(all, s)
	}

	return all
}

// TestGolden compares what becomes of each file with testdata/CLIENT.txt, and checks on every system that nothing else
// changes.
func TestGolden(t *testing.T) {
	for _, c := range Table() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, system := range []string{"linux", "darwin", "windows"} {
				e := fakeEnv(t, system)
				for _, scope := range c.Scopes() {
					fmt.Fprintf(&b, "%-8s %-8s %s\n", system, scope, strings.Join(c.files(e, scope), ", "))
				}
			}
			for _, s := range situations(c) {
				for _, system := range []string{"linux", "darwin", "windows"} {
					text := tryOut(t, newFixture(t, system, c, User), s)
					if system == "linux" || s.text == nil && system == "windows" {
						fmt.Fprintf(&b, "\n== %s (%s)\n%s", s.name, system, visible(text))
					}
				}
			}
			golden(t, c.Name, b.String())
		})
	}
}

// visible makes invisible characters visible and shortens a long text.
func visible(text string) string {
	text = strings.NewReplacer("\xef\xbb\xbf", "(BOM)", "\r", "(CR)", "\t", "(TAB)").Replace(text)
	if lines := strings.SplitAfter(text, "\n"); len(lines) > 60 {
		middle := fmt.Sprintf("(%d lines)\n", len(lines)-23)
		text = strings.Join(lines[:3], "") + middle + strings.Join(lines[len(lines)-20:], "")
	}
	if !strings.HasSuffix(text, "\n") {
		text += "(no end of line)\n"
	}
	return text
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is not what becomes of it (go test ./internal/clients -update writes it):\n%s", file, d)
	}
}

// tryOut adds an entry to a file twice and removes it again. It returns the file with the entry, or the refusal.
func tryOut(t *testing.T, d *fixture, s situation) string {
	t.Helper()
	what := d.client.Name + " on " + d.Env.OS + ", " + s.name
	before := "(no file)\n"
	if s.text != nil {
		before = *s.text
		d.write(before)
	}
	action, err := d.add(12)
	if want := s.refused; want != "" {
		f := fault.From(err)
		named, _ := d.file()
		if err == nil || f.Code != "E_BROKEN_FILE" || !strings.Contains(f.Text, want) ||
			!strings.Contains(f.Text, named) || !strings.Contains(f.Hint, "cove-12") || d.read() != before {
			t.Errorf("%s: %v (%s)", what, err, f.Hint)
		}
		return "refused: " + f.Text + "\n" + f.Hint + "\n"
	}
	if err != nil || action != Added {
		t.Errorf("%s: %s, %v", what, action, err)
		return ""
	}
	added := d.read()
	d.untouched(what, before, added)
	_, file := d.file()
	old, _ := os.Stat(file)
	if action, err := d.add(12); err != nil || action != Unchanged || d.read() != added {
		t.Errorf("%s: the second add: %s, %v", what, action, err)
	}
	if now, _ := os.Stat(file); !os.SameFile(old, now) {
		t.Errorf("%s: the second add has written the file", what)
	}
	if found, err := d.search(d.client, anywhere); err != nil || len(found) != 1 ||
		!found[0].Entry.same(entryOf(d.Env, 12)) || found[0].Entry.Profile != 12 {
		t.Errorf("%s: found %v, %v", what, found, err)
	}
	if n, err := d.remove(12); err != nil || n != 1 {
		t.Errorf("%s: removed %d, %v", what, n, err)
	}
	if after := d.read(); after != before {
		t.Errorf("%s: add and remove made\n%q of\n%q", what, after, before)
	}
	if n, err := d.remove(12); err != nil || n != 0 {
		t.Errorf("%s: the second remove: %d, %v", what, n, err)
	}
	return added
}

// untouched checks, with the plain libraries, that the file lost nothing, and that it kept its mode.
func (d *fixture) untouched(what, before, after string) {
	d.t.Helper()
	_, file := d.file()
	info, err := os.Stat(file)
	want := os.FileMode(0o640)
	if before == "(no file)\n" {
		before, want = "", 0o600
		if d.scope == Project {
			want = 0o644
		}
	}
	if err != nil || info.Mode().Perm() != want {
		d.t.Errorf("%s: mode %v, %v", what, info.Mode(), err)
	}
	if strings.TrimSpace(before) == "" {
		return
	}
	keys := d.client.keys(d.Env, d.scope)[0]
	if !edittest.Subsequence(before, after) ||
		edittest.Others(d.t, d.client.Format, keys, before) != edittest.Others(d.t, d.client.Format, keys, after) {
		d.t.Errorf("%s: something else changed:\n%s", what, after)
	}
	if strings.Contains(before, "\r\n") && strings.Count(after, "\r\n") != strings.Count(after, "\n") {
		d.t.Errorf("%s: line ends are mixed:\n%q", what, after)
	}
}

func TestEveryScope(t *testing.T) {
	for _, c := range Table() {
		for _, scope := range c.Scopes() {
			for _, system := range []string{"linux", "darwin", "windows"} {
				text := existing(c, "  ", "\n")
				for _, s := range []situation{{name: "no file"}, {name: "existing servers", text: &text}} {
					tryOut(t, newFixture(t, system, c, scope), s)
				}
			}
		}
	}
}

func TestEveryClientOfTheIssueIsThere(t *testing.T) {
	want := "claude-code, claude-desktop, cursor, windsurf, vscode, vscode-insiders, copilot, codex, gemini, " +
		"antigravity, opencode, qwen, zed, cline, goose, junie, kiro, amp, lmstudio, droid"
	if got := strings.Join(Names(), ", "); got != want {
		t.Errorf("the table has %s", got)
	}
	for _, c := range Table() {
		if c.Title == "" || c.Restart == "" || len(c.Key) == 0 || c.Shape == nil || c.User == nil ||
			(c.List == nil && c.Live) {
			t.Errorf("%s is not complete", c.Name)
		}
		if !slices.Contains(c.Scopes(), User) {
			t.Errorf("%s has no user scope", c.Name)
		}
	}
}
