package clients

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"cove/internal/clients/edit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/wrapper"
)

func client(t *testing.T, name string) Client {
	t.Helper()
	c, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fails checks the code, the kind and the words of a failure.
func fails(t *testing.T, err error, kind fault.Kind, code string, words ...string) {
	t.Helper()
	f := fault.From(err)
	if err == nil || f.Kind != kind || f.Code != code || f.Hint == "" {
		t.Fatalf("%v (%s, %s; %s), not %s", err, f.Kind, f.Code, f.Hint, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Text+" "+f.Hint, w) {
			t.Errorf("%q, %q do not say %q", f.Text, f.Hint, w)
		}
	}
}

func TestAnUnknownClientIsRefusedByName(t *testing.T) {
	_, err := Find("emacs")
	fails(t, err, fault.NotFound, "E_NO_CLIENT", `"emacs"`, "claude-code")
}

func TestAClientThatIsNotThereIsRefused(t *testing.T) {
	for _, c := range Table() {
		e := fakeEnv(t, "linux")
		r := &Registry{Env: e, Home: paths.Home(t.TempDir())}
		_, err := r.Add(context.Background(), c, User, profile(e, 1), false)
		fails(t, err, fault.NotFound, "E_NOT_INSTALLED", c.Title, "cove client snippet "+c.Name+" 1", "its folder "+c.folders(e)[0])
		if e.exists(c.folders(e)[0]) {
			t.Errorf("%s: %s is there", c.Name, c.folders(e)[0])
		}
		// A program on the PATH is enough.
		if len(c.Programs) > 0 {
			r.Env.LookPath = func(p string) (string, error) {
				if p == c.Programs[0] {
					return "/usr/bin/" + p, nil
				}
				return "", errors.New("no")
			}
			if _, err := r.Add(context.Background(), c, User, profile(e, 1), false); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
}

func TestAScopeThatAClientDoesNotHave(t *testing.T) {
	d := newFixture(t, "linux", client(t, "goose"), Project)
	_, err := d.add(1)
	fails(t, err, fault.Invalid, "E_INVALID", "Goose has no project scope", "user")
	d.scope = "galaxy"
	_, err = d.add(1)
	fails(t, err, fault.Invalid, "E_INVALID", "not a scope")
}

func TestNamesThatNoClientTakes(t *testing.T) {
	for _, name := range []string{"", "a b", "Cove", "a_b", "-a", "é", strings.Repeat("x", 65)} {
		if CheckName(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"cove-1", "a", "7"} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

func TestATakenNameIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"cursor": `{"mcpServers": {"cove-1": {"command": "other"}}}`,
		"codex":  "[mcp_servers.cove-1]\ncommand = \"other\"\n",
		"goose":  "extensions:\n  cove-1:\n    cmd: other\n",
		"zed":    `{"context_servers": {"cove-1": {"command": "/opt/cove", "args": ["mcp", "2"]}}}`, // another profile's
	} {
		d := newFixture(t, "linux", client(t, name), User)
		d.write(text)
		_, err := d.add(1)
		fails(t, err, fault.Conflict, "E_NAME_TAKEN", `"cove-1"`, "--name")
		if d.read() != text {
			t.Errorf("%s was changed", name)
		}
		if n, err := d.remove(1); n != 0 || err != nil || d.read() != text {
			t.Errorf("%s: removed %d, %v", name, n, err)
		}
	}
}

func TestAnEntryOfOursIsBroughtUpToDate(t *testing.T) {
	for _, c := range Table() {
		for _, extended := range []bool{false, true} {
			d := newFixture(t, "linux", c, User)
			d.write(existing(c, "  ", "\n"))
			if _, err := d.add(12); err != nil {
				t.Fatal(err)
			}
			if extended { // a person has added something to it
				switch c.Format {
				case edit.TOML:
					d.write(d.read() + "mine = true # by hand\n\n[mcp_servers.cove-12.env]\nA = \"b\"\n")
				case edit.YAML:
					d.write(strings.Replace(d.read(), "    enabled: true", "    mine: true # by hand\n    enabled: true", 1))
				default:
					d.write(strings.Replace(d.read(), `"cove-12": {`, `"cove-12": {`+"\n      \"mine\": true,", 1))
				}
			}
			node := Entry{Name: "cove-12", Profile: 12, Command: "/usr/bin/node", Args: []string{"/home/me/mcp/" + wrapper.Name, "12"}}
			done, err := d.Add(context.Background(), c, User, node, false)
			if err != nil || done[0].Action != Updated {
				t.Fatalf("%s: %v, %v", c.Name, done, err)
			}
			found, err := d.search(c, anywhere)
			if err != nil || len(found) != 1 || !found[0].Entry.same(node) {
				t.Errorf("%s: %v, %v\n%s", c.Name, found, err, d.read())
			}
			if extended != strings.Contains(d.read(), "mine") {
				t.Errorf("%s: what a person added is gone:\n%s", c.Name, d.read())
			}
			if n, err := d.remove(12); n != 1 || err != nil || d.read() != existing(c, "  ", "\n") {
				t.Errorf("%s: %d, %v, left\n%s", c.Name, n, err, d.read())
			}
		}
	}
}

func TestALinkStaysALink(t *testing.T) {
	for _, c := range Table() {
		for _, dangling := range []bool{false, true} {
			d := newFixture(t, "linux", c, User)
			_, file := d.file()
			target := filepath.Join(t.TempDir(), "dotfiles")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			before := existing(c, "  ", "\n")
			if !dangling {
				if err := os.WriteFile(target, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(target, file); err != nil {
				t.Fatal(err)
			}
			if _, err := d.add(1); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if to, err := os.Readlink(file); err != nil || to != target || !strings.Contains(d.read(), "cove-1") {
				t.Errorf("%s: the link leads to %q, %v", c.Name, to, err)
			}
			if _, err := d.remove(1); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			if after := d.read(); dangling && after != "(no file)\n" || !dangling && after != before {
				t.Errorf("%s: left %q", c.Name, after)
			}
			if _, err := os.Lstat(file); err != nil {
				t.Errorf("%s: the link is gone", c.Name)
			}
		}
	}
}

func TestAReadOnlyFileIsNotWritten(t *testing.T) {
	for _, c := range Table() {
		d := newFixture(t, "linux", c, User)
		before := existing(c, "  ", "\n")
		d.write(before)
		named, file := d.file()
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		_, err := d.add(1)
		fails(t, err, fault.Denied, "E_UNWRITABLE", named, "read-only", "or add this to it yourself:\n"+Snippet(c, c.Key, profile(d.Env, 1)))
		if d.read() != before {
			t.Errorf("%s was changed", c.Name)
		}
		if l, err := loadLedger(d.Home); err != nil || len(l.Entries) != 0 {
			t.Errorf("%s: the ledger has %v, %v", c.Name, l, err)
		}
	}
}

// TestAFolderInPlaceOfTheFile, as any other thing that is not a file, is told at once: reading a pipe would never end.
func TestAFolderInPlaceOfTheFile(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	_, file := d.file()
	if err := os.MkdirAll(file, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := d.add(1)
	fails(t, err, fault.Denied, "E_UNREADABLE", "not an ordinary file")
}

func TestFoldersThatWereMadeGoAgain(t *testing.T) {
	d := newFixture(t, "linux", client(t, "kiro"), Project)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(2); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int32{1, 2} {
		if _, err := d.remove(id); err != nil {
			t.Fatal(err)
		}
	}
	if d.Env.exists(d.Env.dir(".kiro")) {
		t.Error(".kiro is still there")
	}
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(d.Env.Real(d.Env.dir(".kiro")), "mine")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.remove(1); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine); err != nil || d.read() != "(no file)\n" {
		t.Errorf("left %q, %v", d.read(), err)
	}
}

// TestWhatOthersAddedStays: the key that we made holds somebody else's server now.
func TestWhatOthersAddedStays(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	d.write(strings.Replace(d.read(), `"mcpServers": {`, `"mcpServers": {`+"\n    \"mine\": {\"command\": \"x\"},", 1))
	if _, err := d.remove(1); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"mcpServers\": {\n    \"mine\": {\"command\": \"x\"}\n  }\n}\n"; d.read() != want {
		t.Errorf("left %q", d.read())
	}
}

// TestWithoutALedger: an entry that somebody pasted, or whose record is lost.
func TestWithoutALedger(t *testing.T) {
	for _, c := range Table() {
		d := newFixture(t, "linux", c, User)
		before := existing(c, "  ", "\n")
		d.write(before)
		if _, err := d.add(1); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(d.Home.Clients()); err != nil {
			t.Fatal(err)
		}
		if action, err := d.add(1); err != nil || action != Unchanged {
			t.Errorf("%s: %s, %v", c.Name, action, err)
		}
		if n, err := d.remove(1); err != nil || n != 1 || d.read() != before {
			t.Errorf("%s: %d, %v, left\n%s", c.Name, n, err, d.read())
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	d := newFixture(t, "linux", client(t, "vscode"), User)
	before := existing(d.client, "  ", "\n")
	d.write(before)
	done, err := d.Add(context.Background(), d.client, User, profile(d.Env, 3), true)
	if err != nil || d.read() != before || done[0].Action != Added {
		t.Fatalf("%v, %v", done, err)
	}
	for _, want := range []string{"--- /home/me/.config/Code/User/mcp.json\n", "+    \"cove-3\": {\n", "-    \"two\": { \"command\": \"two\" }\n", "+    \"two\": { \"command\": \"two\" },\n"} {
		if !strings.Contains(done[0].Diff, want) {
			t.Errorf("%q is not in\n%s", want, done[0].Diff)
		}
	}
	if _, err := os.Stat(d.Home.Clients()); err == nil {
		t.Error("the ledger was written")
	}
}

func TestAFileIsBackedUpOnceADay(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	before := existing(d.client, "  ", "\n")
	d.write(before)
	for id := range int32(3) {
		if _, err := d.add(id + 1); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(d.Home.ClientBackups("cursor"), "*"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	raw, _ := os.ReadFile(files[0])
	if string(raw) != before {
		t.Errorf("the backup is %q", raw)
	}
}

func TestClaudeDesktopHasTwoPlacesOnWindows(t *testing.T) {
	d := newFixture(t, "windows", client(t, "claude-desktop"), User)
	files := d.client.User(d.Env)
	if err := os.MkdirAll(filepath.Dir(d.Env.Real(files[1])), 0o755); err != nil {
		t.Fatal(err)
	}
	done, err := d.Add(context.Background(), d.client, User, profile(d.Env, 1), false)
	if err != nil || len(done) != 2 || done[0].File != files[0] || done[1].File != files[1] {
		t.Fatalf("%v, %v", done, err)
	}
	if n, err := d.remove(1); err != nil || n != 2 || d.Env.exists(files[0]) || d.Env.exists(files[1]) {
		t.Errorf("removed %d, %v", n, err)
	}
}

func TestTheEnvironmentMovesFiles(t *testing.T) {
	for _, c := range []struct{ client, variable, value, want string }{
		{"claude-code", "CLAUDE_CONFIG_DIR", "/x", "/x/.claude.json"},
		{"codex", "CODEX_HOME", "/x", "/x/config.toml"},
		{"opencode", "XDG_CONFIG_HOME", "/x", "/x/opencode/opencode.jsonc"},
		{"vscode", "XDG_CONFIG_HOME", "/x", "/x/Code/User/mcp.json"},
		{"cline", "CLINE_MCP_SETTINGS_PATH", "/x/y.json", "/x/y.json"},
		{"cline", "CLINE_DIR", "/x", "/x/data/settings/cline_mcp_settings.json"},
		{"qwen", "QWEN_HOME", "/x", "/x/settings.json"},
		{"copilot", "COPILOT_HOME", "/x", "/x/mcp-config.json"},
	} {
		e := fakeEnv(t, "linux")
		e.Getenv = func(name string) string {
			if name == c.variable {
				return c.value
			}
			return ""
		}
		if got := client(t, c.client).User(e)[0]; got != c.want {
			t.Errorf("%s with %s: %s", c.client, c.variable, got)
		}
	}
}

func TestAFileThatIsThereIsPreferred(t *testing.T) {
	d := newFixture(t, "linux", client(t, "opencode"), User)
	file := d.Env.Real(d.Env.xdg("opencode", "opencode.json"))
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if named, _ := d.file(); !strings.HasSuffix(named, "opencode.json") || !strings.Contains(d.read(), `"command": ["/opt/my tools/cove", "mcp", "1"]`) {
		t.Errorf("%s: %s", named, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != "{}" {
		t.Errorf("%q, %v", d.read(), err)
	}
}

// TestClaudesFirstFile counts as long as it is there: tried with 2.1.325. An entry in the other one would not be seen.
func TestClaudesFirstFile(t *testing.T) {
	for _, scope := range []Scope{User, Local} {
		d := newFixture(t, "linux", client(t, "claude-code"), scope)
		usual := d.Env.home(".claude.json")
		d.write("{}")
		if _, err := d.add(1); err != nil {
			t.Fatal(err)
		}
		old := d.Env.home(".claude", ".config.json")
		for _, text := range []string{"", "{\"theme\": \"dark\"}"} {
			if err := os.MkdirAll(d.Env.real(d.Env.home(".claude")), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(d.Env.real(old), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			want, action := usual, Unchanged
			if text != "" {
				want, action = old, Added
			}
			if done, err := d.Add(context.Background(), d.client, scope, profile(d.Env, 1), false); err != nil || len(done) != 1 || done[0].File != want || done[0].Action != action {
				t.Errorf("%q: %v, %v", text, done, err)
			}
		}
		if n, err := d.remove(1); n != 2 || err != nil || d.read() != "{\"theme\": \"dark\"}" {
			t.Errorf("%d, %v, left %s", n, err, d.read())
		}
	}
}

func TestClaudesLocalScopeKeepsWhatClaudeWroteThere(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), Local)
	before := `{
  "numStartups": 3,
  "projects": {
    "/home/me/work": {
      "allowedTools": [],
      "mcpServers": {}
    },
    "/elsewhere": {"mcpServers": {"cove-1": {"command": "/opt/my tools/cove", "args": ["mcp", "1"]}}}
  }
}`
	d.write(before)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	var f struct {
		Projects map[string]struct {
			MCPServers map[string]any `json:"mcpServers"`
		}
	}
	if err := json.Unmarshal([]byte(d.read()), &f); err != nil || f.Projects["/home/me/work"].MCPServers["cove-1"] == nil {
		t.Fatalf("%v: %s", err, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: %s", err, d.read())
	}
	d.Env.Dir = "/home/me/new"
	if _, err := d.add(1); err != nil || !strings.Contains(d.read(), "\"/home/me/new\": {\n      \"mcpServers\": {\n        \"cove-1\"") {
		t.Errorf("%v: %s", err, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: %s", err, d.read())
	}
}

// TestScopesOfOneFileComeAndGoInAnyOrder: the last one to go takes away what the first had made.
func TestScopesOfOneFileComeAndGoInAnyOrder(t *testing.T) {
	places := []struct {
		scope Scope
		dir   string
	}{{User, ""}, {Local, "/home/me/a b"}, {Local, `/home/me/back\slash`}, {Local, "/home/me/\"new\nline\""}}
	for _, before := range []string{"(no file)\n", "", "{ }\n", "{\"projects\":{ }}", "{\n  \"mcpServers\": {},\n  \"projects\": {\n    \"/home/me/a b\": {}\n  }\n}\n"} {
		for first := range places {
			d := newFixture(t, "linux", client(t, "claude-code"), User)
			if before != "(no file)\n" {
				d.write(before)
			}
			each := func(start int, do func() error) {
				for i := range places {
					p := places[(start+i)%len(places)]
					if d.scope = p.scope; p.dir != "" {
						d.Env.Dir = p.dir
					}
					if err := do(); err != nil {
						t.Fatalf("%q, %v: %v", before, p, err)
					}
				}
			}
			for last := range places {
				each(first, func() error { _, err := d.add(1); return err })
				if text := d.read(); !strings.Contains(text, `"/home/me/back\\slash":`) {
					t.Fatal(text)
				}
				each(last, func() error {
					if n, err := d.remove(1); n != 1 || err != nil {
						return fmt.Errorf("%d, %w", n, err)
					}
					return nil
				})
				if d.read() != before {
					t.Fatalf("from %d to %d %q became %q", first, last, before, d.read())
				}
			}
		}
	}
}

// TestALocalScopeBelongsToTheRepository: Claude Code knows a project by the root of its repository, worktrees by the
// main one's.
func TestALocalScopeBelongsToTheRepository(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		e := fakeEnv(t, system)
		write := func(text string, parts ...string) {
			file := e.Real(e.join(append([]string{e.Dir}, parts...)...))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		work := e.Dir
		write("", "repo", ".git", "HEAD")
		write("", "repo", "sub", "file")
		slashed := strings.ReplaceAll(work, `\`, "/")
		tree := func(name, repository, to, back string) {
			write("gitdir: "+to+"\n", name, ".git")
			write("", name, "sub", "file")
			write("../..\n", repository, "worktrees", name, "commondir")
			write(back+"\n", repository, "worktrees", name, "gitdir")
		}
		tree("tree", "repo/.git", slashed+"/repo/.git/worktrees/tree", slashed+"/tree/.git")
		tree("near", "repo/.git", "../repo/.git/worktrees/near", "../../../../near/.git")
		tree("bare", "all/.bare", slashed+"/all/.bare/worktrees/bare", slashed+"/bare/.git")
		tree("moved", "repo/.git", slashed+"/repo/.git/worktrees/moved", slashed+"/elsewhere/.git")
		write("nonsense", "odd", ".git")
		write("gitdir: ../.git/modules/mod\n", "repo", "mod", ".git")
		for dir, want := range map[string]string{"": "", "repo": "repo", "repo/sub": "repo", "tree": "repo", "tree/sub": "repo", "repo/mod": "repo/mod",
			"near": "repo", "near/sub": "repo", "bare/sub": "all/.bare", "moved/sub": "moved", "odd": "odd"} {
			e.Dir = e.join(append([]string{work}, strings.Split(dir, "/")...)...)
			if got := e.repository(); got != e.join(append([]string{work}, strings.Split(want, "/")...)...) {
				t.Errorf("%s, %q: %q", system, dir, got)
			}
		}
		e.Dir = work
	}
}

func TestClaudesLockIsRespected(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), User)
	_, file := d.file()
	lock := file + ".lock"
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(300 * time.Millisecond)
		_ = os.Remove(lock)
	}()
	began := time.Now()
	if _, err := d.add(1); err != nil || time.Since(began) < 300*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if _, err := os.Stat(lock); err == nil {
		t.Error("the lock is still there")
	}
	// One that a killed program left behind.
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(2); err != nil {
		t.Error(err)
	}
}

func TestEightProcessesKeepAllEight(t *testing.T) {
	for _, name := range []string{"claude-code", "codex", "goose", "vscode"} {
		t.Run(name, func(t *testing.T) {
			home, data := t.TempDir(), t.TempDir()
			c := client(t, name)
			e := Env{OS: "linux", Home: home, Dir: home, Getenv: func(string) string { return "" }, LookPath: exec.LookPath}
			file := c.User(e)[0]
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			before := existing(c, "  ", "\n")
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for id := 1; id <= 8; id++ {
				all.Go(func() {
					cmd := exec.Command(os.Args[0])
					cmd.Env = []string{"HOME=" + home, fmt.Sprint("CLIENTS_TEST_ADD=", id), "CLIENTS_TEST_DIR=" + home, "CLIENTS_TEST_CLIENT=" + name, "CLIENTS_TEST_DATA=" + data}
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%d: %v: %s", id, err, out)
					}
				})
			}
			all.Wait()
			r := &Registry{Env: e, Home: paths.Home(data)}
			found, err := r.search(c, anywhere)
			if err != nil || len(found) != 8 {
				t.Errorf("%d entries, %v", len(found), err)
			}
			for _, f := range found {
				if _, err := r.Remove(context.Background(), c, Removal{Profile: f.Entry.Profile}, false); err != nil {
					t.Error(err)
				}
			}
			if raw, _ := os.ReadFile(file); string(raw) != before {
				t.Errorf("left %s", raw)
			}
		})
	}
}

// TestASecondWriterIsNotOverwritten: somebody without a lock writes between our reading and our writing.
func TestASecondWriterIsNotOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(file, []byte("old"), true, []byte("ours"), 0o600); !errors.Is(err, errMoved) {
		t.Error(err)
	}
	if err := replaceFile(file, nil, false, []byte("ours"), 0o600); !errors.Is(err, errMoved) {
		t.Error(err)
	}
	if raw, _ := os.ReadFile(file); string(raw) != "new" {
		t.Errorf("%q", raw)
	}
	if left, _ := filepath.Glob(filepath.Dir(file) + "/.*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestOtherFoldersStayUnlessAsked(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), Project)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	first := d.Env.Dir
	d.Env.Dir = d.Env.home("second")
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	// What is wrong in another folder is no matter of this one's.
	other := d.Env.real(d.Env.join(first, ".cursor", "mcp.json"))
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := d.remove(1); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	_, err = d.Remove(context.Background(), d.client, Removal{Profile: 1, Everywhere: true}, false)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", first)
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := d.Remove(context.Background(), d.client, Removal{Profile: 1, Everywhere: true}, false)
	if err != nil || len(done) != 1 || !strings.HasPrefix(done[0].File, first) {
		t.Errorf("%v, %v", done, err)
	}
}

func TestAllStatesAreToldDespiteABrokenFile(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	d.write("{")
	for _, s := range d.States() {
		if (s.Err != nil) != (s.Client.Name == "cursor") || s.Installed != (s.Client.Name == "cursor") {
			t.Errorf("%s: installed %v, %v", s.Client.Name, s.Installed, s.Err)
		}
	}
}

// TestARelativeLinkInALinkedFolder: ".." of a link leads out of the folder that it lies in, not out of a link to that
// folder.
func TestARelativeLinkInALinkedFolder(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	_, file := d.file()
	dotfiles := t.TempDir()
	target := filepath.Join(dotfiles, "shared", "mcp.json")
	for _, dir := range []string{"shared", "cursor"} {
		if err := os.Mkdir(filepath.Join(dotfiles, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := existing(d.client, "  ", "\n")
	if err := errors.Join(os.WriteFile(target, []byte(before), 0o600), os.Remove(filepath.Dir(file)), os.Symlink(filepath.Join(dotfiles, "cursor"), filepath.Dir(file)),
		os.Symlink(filepath.Join("..", "shared", "mcp.json"), file)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(target); err != nil || !strings.Contains(string(raw), "cove-1") {
		t.Errorf("%v: %s", err, raw)
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: left %q", err, d.read())
	}
}

// TestALockThatCannotBeTakenAway is waited for, and no longer than the caller wants.
func TestALockThatCannotBeTakenAway(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), User)
	_, file := d.file()
	if err := os.MkdirAll(filepath.Join(file+".lock", "somebody's"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := d.Add(ctx, d.client, User, profile(d.Env, 1), false); err == nil {
		t.Error("the lock counts as taken")
	}
	if d.read() != "(no file)\n" {
		t.Errorf("wrote %s", d.read())
	}
}

// TestCovesOfSeveralDataFoldersLoseNothing: each has a ledger and a lock of its own, but the file is one.
func TestCovesOfSeveralDataFoldersLoseNothing(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	c := client(t, "cursor")
	e := Env{OS: "linux", Home: home, Dir: home, Getenv: func(string) string { return "" }, LookPath: exec.LookPath}
	file := c.User(e)[0]
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	const coves = 8
	together := func(do func(r *Registry, id int32) error) int {
		var all sync.WaitGroup
		for id := int32(1); id <= coves; id++ {
			all.Go(func() {
				r := &Registry{Env: e, Home: paths.Home(filepath.Join(data, fmt.Sprint(id)))}
				if err := do(r, id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		raw, _ := os.ReadFile(file)
		return strings.Count(string(raw), `"cove-`)
	}
	for range 60 {
		if n := together(func(r *Registry, id int32) error {
			_, err := r.Add(context.Background(), c, User, Native("/opt/cove", r.Home, id), false)
			return err
		}); n != coves {
			t.Fatalf("%d of %d entries are there", n, coves)
		}
		if n := together(func(r *Registry, id int32) error {
			_, err := r.Remove(context.Background(), c, Removal{Profile: id}, false)
			return err
		}); n != 0 {
			t.Fatalf("%d entries came back", n)
		}
	}
}

// TestAFileThatCannotBeWrittenIsNotReplaced, even where the folder would allow it: it is somebody else's. A running
// program stands for it here, which nobody may write, not even root.
func TestAFileThatCannotBeWrittenIsNotReplaced(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a running program can be written there")
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	before, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sleep")
	if err := os.WriteFile(file, before, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, "60")
	cmd.Args[0] = "sleep" // some systems have one program for many names
	if err := cmd.Start(); err != nil {
		t.Skip(err) // from a disk that holds no programs
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := replaceFile(file, before, true, []byte("ours"), 0o600); err == nil || errors.Is(err, errMoved) {
		t.Error(err)
	}
	if raw, _ := os.ReadFile(file); !bytes.Equal(raw, before) {
		t.Error("it was replaced")
	}
}

// TestWhatTheSystemSaysIsToldWithoutItsPaths: those of a scratch file tell a person nothing.
func TestWhatTheSystemSaysIsToldWithoutItsPaths(t *testing.T) {
	s := location{client: client(t, "cursor"), file: "/f/mcp.json", byHand: "add it."}
	err := s.unwritable(&os.LinkError{Op: "rename", Old: "/f/.mcp.json.cove-1", New: "/f/mcp.json", Err: syscall.EBUSY})
	fails(t, err, fault.Denied, "E_UNWRITABLE", "/f/mcp.json cannot be written: device or resource busy.", "or add it.")
	if strings.Contains(err.Error(), "cove-1") {
		t.Error(err)
	}
	err = replaceFile(filepath.Join(t.TempDir(), "none", "f"), nil, false, nil, 0o600)
	fails(t, s.unwritable(err), fault.Denied, "E_UNWRITABLE", "/f/mcp.json cannot be written: nothing can be written into its folder: no such file or directory.")
}

func TestADataFolderThatCannotBeUsedIsToldByName(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	d.Home = paths.Home(filepath.Join(t.TempDir(), "a file"))
	if err := os.WriteFile(string(d.Home), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.add(1)
	fails(t, err, fault.Denied, "E_UNWRITABLE", string(d.Home), "not a directory")
	if d.read() != "(no file)\n" {
		t.Errorf("wrote %s", d.read())
	}
	fails(t, unwritable("f", &os.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC}), fault.Unavailable, "E_DISK_FULL", "Free some space")
}

// TestALinkArrivesAsItWasMeant, at clients that read a + as a blank, at those that read it as itself, and where an &
// ends a value.
func TestALinkArrivesAsItWasMeant(t *testing.T) {
	x := Entry{Name: "cove-1", Profile: 1, Command: `C:\my tools\c++ & "50%20" #1?=;é$(x)\cove.exe`, Args: []string{"mcp", "1", "--home", "/home/me/a b"}}
	type server struct {
		Name, Command string
		Args          []string
	}
	for _, c := range Table() {
		if c.Link == nil {
			continue
		}
		link := c.Link(x)
		got := server{}
		address, query, _ := strings.Cut(link, "?")
		if strings.ContainsAny(query, "+ \"#?") {
			t.Errorf("%s: %s", c.Name, link)
		}
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Errorf("%s: %v: %s", c.Name, err, link)
		}
		got.Name = values.Get("name")
		config, err := base64.StdEncoding.DecodeString(values.Get("config"))
		switch address {
		case "goose://extension":
			config, err = json.Marshal(server{got.Name, values.Get("cmd"), values["arg"]})
		case "kiro://kiro.mcp/add":
			config, err = []byte(values.Get("config")), nil
		case "vscode:mcp/install", "vscode-insiders:mcp/install": // all of it is one value
			var text string
			text, err = url.PathUnescape(query)
			config = []byte(text)
		case "cursor://anysphere.cursor-deeplink/mcp/install", "lmstudio://add_mcp":
		default:
			t.Errorf("%s: %s", c.Name, address)
		}
		if err == nil {
			err = json.Unmarshal(config, &got)
		}
		if want := (server{x.Name, x.Command, x.Args}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v of %s", c.Name, got, err, link)
		}
	}
}

// TestAPathThatAClientWouldChangeIsRefused: some replace variables in the words of an entry, and none can be told not
// to.
func TestAPathThatAClientWouldChangeIsRefused(t *testing.T) {
	for name, words := range map[string][]string{
		"gemini": {"/a/$HOME/b", "/a/${HOME}"}, "qwen": {"/a/$x"}, "opencode": {"/{env:HOME}", "/{file:x}"}, "claude-code": {"/${HOME}"}, "vscode": {"/${userHome}"}, "codex": nil,
	} {
		d := newFixture(t, "linux", client(t, name), User)
		for _, word := range words {
			x := profile(d.Env, 1)
			x.Args = append(x.Args, "--home", word)
			_, err := d.Add(context.Background(), d.client, User, x, false)
			fails(t, err, fault.Invalid, "E_INVALID", d.client.Title, word)
		}
		x := profile(d.Env, 1)
		x.Command = "/a $ {b} $(c) 100%/cove"
		if name == "codex" {
			x.Command = "/a/$HOME/${HOME}/{env:HOME}/cove"
		}
		if _, err := d.Add(context.Background(), d.client, User, x, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryPathArrivesAsItIs, in a file that is there and in a new one; a path that no file can hold is refused.
func TestEveryPathArrivesAsItIs(t *testing.T) {
	for _, name := range []string{"claude-code", "codex", "goose"} {
		for _, path := range []string{"/a b/'\"\\/cove", "/\t\n\r\b\f\x01\x1f\x7f/cove", "/\u0080\u0085\u009f\u00a0\u2028\u2029\ufeff\ufffd\ufffe/cove", "/\U0001f600é%s#: - *&/cove", "/\xff/cove"} {
			for _, blank := range []bool{false, true} {
				d := newFixture(t, "linux", client(t, name), User)
				before := existing(d.client, "  ", "\n")
				if blank {
					before = ""
				}
				d.write(before)
				x := profile(d.Env, 12)
				x.Command = path
				_, err := d.Add(context.Background(), d.client, User, x, false)
				if !utf8.ValidString(path) {
					fails(t, err, fault.Invalid, "E_INVALID", "not UTF-8")
					continue
				}
				if err != nil {
					t.Errorf("%s, %q: %v", name, path, err)
					continue
				}
				if found, err := d.search(d.client, anywhere); err != nil || len(found) != 1 || found[0].Entry.Command != path {
					t.Errorf("%s, %q: %v, %v", name, path, found, err)
				}
				if strings.ContainsFunc(d.read(), func(r rune) bool { return r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfeff) }) {
					t.Errorf("%s, %q: a character that some parsers refuse is in\n%q", name, path, d.read())
				}
				if n, err := d.remove(12); n != 1 || err != nil || d.read() != before {
					t.Errorf("%s, %q: %d, %v, left %q", name, path, n, err, d.read())
				}
			}
		}
	}
}
