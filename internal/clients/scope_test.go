package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClaudeDesktopHasTwoPlacesOnWindows(t *testing.T) {
	d := newFixture(t, "windows", client(t, "claude-desktop"), User)
	files := d.client.User(d.Env)
	if err := os.MkdirAll(filepath.Dir(d.Env.Real(files[1])), 0o755); err != nil {
		t.Fatal(err)
	}
	done, err := d.Add(context.Background(), d.client, User, entryOf(d.Env, 1), false)
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
	if named, _ := d.file(); !strings.HasSuffix(named, "opencode.json") ||
		!strings.Contains(d.read(), `"command": ["/opt/my tools/cove", "mcp", "1"]`) {
		t.Errorf("%s: %s", named, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != "{}" {
		t.Errorf("%q, %v", d.read(), err)
	}
}

// TestClaudesFirstFile checks that the file of the first versions counts as long as it exists, as tried with 2.1.325.
// Claude Code would not see an entry in the other file.
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
			if done, err := d.Add(context.Background(), d.client, scope, entryOf(d.Env, 1), false); err != nil ||
				len(done) != 1 || done[0].File != want || done[0].Action != action {
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
	if err := json.Unmarshal([]byte(d.read()), &f); err != nil ||
		f.Projects["/home/me/work"].MCPServers["cove-1"] == nil {
		t.Fatalf("%v: %s", err, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: %s", err, d.read())
	}
	d.Env.Dir = "/home/me/new"
	if _, err := d.add(1); err != nil ||
		!strings.Contains(d.read(), "\"/home/me/new\": {\n      \"mcpServers\": {\n        \"cove-1\"") {
		t.Errorf("%v: %s", err, d.read())
	}
	if _, err := d.remove(1); err != nil || d.read() != before {
		t.Errorf("%v: %s", err, d.read())
	}
}

// TestScopesOfOneFileComeAndGoInAnyOrder checks that the last removal removes what the first addition made.
func TestScopesOfOneFileComeAndGoInAnyOrder(t *testing.T) {
	scopes := []struct {
		scope Scope
		dir   string
	}{{User, ""}, {Local, "/home/me/a b"}, {Local, `/home/me/back\slash`}, {Local, "/home/me/\"new\nline\""}}
	for _, before := range []string{"(no file)\n", "", "{ }\n", "{\"projects\":{ }}",
		"{\n  \"mcpServers\": {},\n  \"projects\": {\n    \"/home/me/a b\": {}\n  }\n}\n"} {
		for first := range scopes {
			d := newFixture(t, "linux", client(t, "claude-code"), User)
			if before != "(no file)\n" {
				d.write(before)
			}
			each := func(start int, do func() error) {
				for i := range scopes {
					p := scopes[(start+i)%len(scopes)]
					if d.scope = p.scope; p.dir != "" {
						d.Env.Dir = p.dir
					}
					if err := do(); err != nil {
						t.Fatalf("%q, %v: %v", before, p, err)
					}
				}
			}
			for last := range scopes {
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

// TestALocalScopeBelongsToTheRepository checks that the folder is the root of the repository, or of the main worktree,
// as in Claude Code.
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
		for dir, want := range map[string]string{"": "", "repo": "repo", "repo/sub": "repo", "tree": "repo",
			"tree/sub": "repo", "repo/mod": "repo/mod",
			"near": "repo", "near/sub": "repo", "bare/sub": "all/.bare", "moved/sub": "moved", "odd": "odd"} {
			e.Dir = e.join(append([]string{work}, strings.Split(dir, "/")...)...)
			if got := e.repository(); got != e.join(append([]string{work}, strings.Split(want, "/")...)...) {
				t.Errorf("%s, %q: %q", system, dir, got)
			}
		}
		e.Dir = work
	}
}
