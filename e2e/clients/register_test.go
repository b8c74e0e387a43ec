//go:build e2e

package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

// peer is a real MCP client, as npm has it, with a home and a project of its own and without a login.
type peer struct {
	t *testing.T
	*harness.App
	name    string // on our command line
	program string
	bin     string // a folder with it and nothing else
	home    string
	project string
	env     []string
}

// programs is where the clients are below e2e; those that are scripts run with Node 24.
var programs = map[string]struct{ program, file string }{
	"claude-code": {"claude", "node/node_modules/@anthropic-ai/claude-code-linux-x64/claude"},
	"codex":       {"codex", "clients/node_modules/@openai/codex/bin/codex.js"},
	"gemini":      {"gemini", "clients/node_modules/@google/gemini-cli/bundle/gemini.js"},
	"opencode":    {"opencode", "clients/node_modules/opencode-linux-x64/bin/opencode"},
	"qwen":        {"qwen", "clients/node_modules/@qwen-code/qwen-code/cli-entry.js"},
	"copilot":     {"copilot", "clients/node_modules/@github/copilot/npm-loader.js"},
}

func newPeer(t *testing.T, a *harness.App, name string) *peer {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("the clients are installed for amd64")
	}
	p := &peer{t: t, App: a, name: name, program: programs[name].program, bin: t.TempDir(), home: t.TempDir(),
		project: t.TempDir()}
	file, err := filepath.Abs(programs[name].file)
	if err != nil {
		t.Fatal(err)
	}
	run := file
	if strings.HasSuffix(file, ".js") {
		run = harness.LookPath(t, "node") + " " + file
	}
	harness.Script(t, filepath.Join(p.bin, p.program), "exec "+run+" \"$@\"")
	p.env = []string{"PATH=" + p.bin + ":" + os.Getenv("PATH"), "HOME=" + p.home, "TERM=dumb",
		"GORACE=halt_on_error=0 atexit_sleep_ms=10",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
		"HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost"}
	if name == "gemini" { // it uses no server at all in a folder that nobody trusts
		write(t, filepath.Join(p.home, ".gemini", "trustedFolders.json"),
			fmt.Sprintf("{%q: \"TRUST_FOLDER\"}", p.project), 0o600)
	}
	t.Cleanup(func() {
		harness.Wait(t, name+"'s servers to end", func() bool { return len(harness.Marked("HOME="+p.home)) == 0 })
	})
	return p
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// cove runs our program as the person who has this client.
func (p *peer) cove(args ...string) string {
	p.t.Helper()
	stdout, stderr, code := harness.Output(p.t,
		harness.Command{Args: append([]string{harness.Cove, "--home", p.Home}, args...), Env: p.env, Dir: p.project})
	if code != 0 || strings.Contains(stderr, "DATA RACE") {
		p.t.Fatalf("cove %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// own runs the client itself, without input.
func (p *peer) own(args ...string) string {
	p.t.Helper()
	out, err := p.run(2*harness.Patience, args...)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", p.program, strings.Join(args, " "), err, out)
	}
	return out
}

// run is own for what takes its time and may fail.
func (p *peer) run(limit time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, p.program), args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.project, p.env, harness.Patience
	out, err := cmd.CombinedOutput()
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(string(out), ""), err
}

// converse gives the client a model, and returns the arguments with which it does what words say.
func (p *peer) converse(m *harness.Model, words string) []string {
	p.t.Helper()
	switch p.name {
	case "codex":
		write(p.t, filepath.Join(p.home, ".codex", "config.toml"), "model = \"fake\" # ours\nmodel_provider = \"fake\"\n\n"+
			"[model_providers.fake]\nname = \"fake\"\nbase_url = \""+m.URL+"/v1\"\nwire_api = \"responses\"\n", 0o600)
		return []string{"exec", "--skip-git-repo-check", words}
	case "qwen":
		p.env = append(p.env, "OPENAI_API_KEY=fake", "OPENAI_BASE_URL="+m.URL+"/v1", "OPENAI_MODEL=fake")
		return []string{"--auth-type", "openai", "--yolo", "-p", words}
	case "gemini":
		write(p.t, filepath.Join(p.home, ".gemini", "settings.json"),
			"{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n", 0o600)
		p.env = append(p.env, "GEMINI_API_KEY=fake", "GOOGLE_GEMINI_BASE_URL="+m.URL)
		return []string{"-m", "gemini-2.5-flash", "--yolo", "-p", words}
	case "claude-code":
		p.env = append(p.env, "ANTHROPIC_API_KEY=sk-fake", "ANTHROPIC_BASE_URL="+m.URL, "ENABLE_TOOL_SEARCH=false")
		return []string{"-p", words, "--allowedTools", "mcp__cove-1"}
	}
	p.t.Fatalf("%s has no sessions here", p.name)
	return nil
}

// TestClientsListTheEntry: what we write is what the real clients read.
func TestClientsListTheEntry(t *testing.T) {
	a := harness.Start(t)
	for name, c := range map[string]struct{ shows, none string }{
		"claude-code": {`cove-1: \S*cove mcp 1 --home \S+ - ✔ Connected`, "No MCP servers"},
		"codex":       {`cove-1 +\S*cove +mcp 1 --home \S+ .*enabled`, "No MCP servers"},
		"gemini":      {`✓ cove-1: \S*cove mcp 1 --home \S+ \(stdio\) - Connected`, "No MCP servers"},
		"opencode":    {`✓ cove-1 +connected`, "No MCP servers"},
		"qwen":        {`✓ cove-1: \S*cove mcp 1 --home \S+ \(stdio\) - Connected`, "No MCP servers"},
		"copilot":     {`cove-1 \(local\)`, "No MCP servers"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, a, name)
			if out := p.cove("client", "add", name, "1", "--scope", "user"); !strings.Contains(out, "Added cove-1") {
				t.Fatal(out)
			}
			if out := p.own("mcp", "list"); !regexp.MustCompile(c.shows).MatchString(out) {
				t.Errorf("its list is\n%s", out)
			}
			out := p.cove("client", "list", "--check", "--json")
			var list []struct {
				Name    string
				Entries []struct {
					Check struct {
						Connected bool
						Tools     int
						Own       string
					}
				}
			}
			if err := json.Unmarshal([]byte(out), &list); err != nil {
				t.Fatal(err)
			}
			for _, one := range list {
				if one.Name == name && (len(one.Entries) != 1 || !one.Entries[0].Check.Connected ||
					one.Entries[0].Check.Tools != 35 || strings.Contains(one.Entries[0].Check.Own,
					"Connected") != (name == "claude-code")) {
					t.Errorf("the live check says %+v", one)
				}
			}
			p.cove("client", "remove", name, "1")
			if out := p.own("mcp", "list"); strings.Contains(out, "cove-1") {
				t.Errorf("after remove its list is\n%s", out)
			}
		})
	}
}

// TestVerifyAsksTheClientItself: cove verify --client registers, sees it listed, and leaves nothing.
func TestVerifyAsksTheClientItself(t *testing.T) {
	a := harness.Start(t)
	p := newPeer(t, a, "claude-code")
	out := p.cove("verify", "1", "--client", "claude-code")
	for _, want := range []string{"✓ Register with Claude Code", "✓ Claude Code's own list shows it", "✔ Connected",
		"✓ Remove from Claude Code"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if out := p.own("mcp", "list"); strings.Contains(out, "cove-") {
		t.Errorf("it left %s", out)
	}
	harness.NoTraces(t, a, 1)
}

// TestClaudeCodeSeesALocalEntry, also from a folder further down in the repository.
func TestClaudeCodeSeesALocalEntry(t *testing.T) {
	a := harness.Start(t)
	p := newPeer(t, a, "claude-code")
	root := p.project
	if out, err := harness.Exec(t, "git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.project = filepath.Join(root, "further", "down")
	if err := os.MkdirAll(p.project, 0o755); err != nil {
		t.Fatal(err)
	}
	p.cove("client", "add", "claude-code", "1")
	for _, dir := range []string{p.project, root} {
		p.project = dir
		if out := p.own("mcp", "list"); !strings.Contains(out, "cove-1: ") || !strings.Contains(out, "Connected") {
			t.Errorf("in %s its list is\n%s", dir, out)
		}
	}
	p.cove("client", "remove", "claude-code", "1")
	if out := p.own("mcp", "list"); strings.Contains(out, "cove-1") {
		t.Errorf("after remove its list is\n%s", out)
	}
}

// TestEightAddsBesideAWritingClient: nothing is lost while Claude Code writes its own file all the time.
func TestEightAddsBesideAWritingClient(t *testing.T) {
	a := harness.Start(t)
	for range 7 {
		a.Create(`{"name":"one of eight"}`)
	}
	p := newPeer(t, a, "claude-code")
	p.own("mcp", "add", "first", "-s", "user", "--", "/bin/true")
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() { p.own("mcp", "add", fmt.Sprint("theirs-", n), "-s", "user", "--", "/bin/true") })
	}
	for id := 1; id <= 8; id++ {
		all.Go(func() { p.cove("client", "add", "claude-code", fmt.Sprint(id), "--scope", "user") })
	}
	all.Wait()
	var f struct {
		Servers map[string]any `json:"mcpServers"`
	}
	raw, err := os.ReadFile(filepath.Join(p.home, ".claude.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	for id := 1; id <= 8; id++ {
		if f.Servers[fmt.Sprint("cove-", id)] == nil {
			t.Errorf("cove-%d is lost", id)
		}
	}
	for n := range 4 {
		if f.Servers[fmt.Sprint("theirs-", n)] == nil {
			t.Errorf("theirs-%d is lost", n)
		}
	}
	if len(f.Servers) != 13 {
		t.Errorf("%d servers: %s", len(f.Servers), raw)
	}
}

// TestASessionUsesTheProfile: a real client with a model on loopback calls list_pages through the registered server.
func TestASessionUsesTheProfile(t *testing.T) {
	a := harness.Start(t)
	web := harness.NewSite(t)
	port := a.Open(1)
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPut,
		fmt.Sprintf("http://127.0.0.1:%d/json/new?%s", port, web.URL+"/tab/7"), nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	for _, name := range []string{"codex", "qwen", "gemini", "claude-code"} {
		t.Run(name, func(t *testing.T) {
			p, m := newPeer(t, a, name), harness.NewModel(t, func(saw []string) *harness.ToolCall {
				if len(saw) > 0 {
					return nil
				}
				return &harness.ToolCall{Name: "list_pages"}
			})
			args := p.converse(m, "which tabs are open?")
			p.cove("client", "add", name, "1", "--scope", "user")
			out := p.own(args...)
			m.Mu.Lock()
			defer m.Mu.Unlock()
			if len(m.Tools) == 0 || len(m.Saw) == 0 || !strings.Contains(m.Saw[0], web.URL+"/tab/7") {
				t.Errorf("it offered %v, the tool answered %v; it asked %v and printed\n%s", m.Tools, m.Saw, m.Asked,
					out)
			}
		})
	}
}

// TestTheBundleIsInOrder: the tool of its makers reads the manifest, and the program inside is ours.
func TestTheBundleIsInOrder(t *testing.T) {
	a := harness.Start(t)
	p := newPeer(t, a, "claude-code")
	p.cove("client", "bundle", "1", "--out", filepath.Join(p.project, "x.mcpb"))
	tool, err := filepath.Abs("clients/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js")
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		stdout, stderr, code := harness.Output(t, harness.Command{Args: args, Env: p.env, Dir: p.project})
		if code != 0 {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
		return stdout
	}
	run(harness.LookPath(t, "node"), tool, "unpack", "x.mcpb", "out")
	if out := run(harness.LookPath(t, "node"), tool, "validate", "out/manifest.json"); !strings.Contains(out,
		"passes") {
		t.Error(out)
	}
	m := harness.StartMCP(t, harness.Command{Args: []string{filepath.Join(p.project, "out", "server", "cove"), "mcp",
		"1", "--home", a.Home}, Env: p.env, Dir: p.project})
	m.Initialize()
	if n := len(m.Tools()); n != 35 {
		t.Errorf("%d tools", n)
	}
}

// TestClientsThroughTheAPI is what the window does.
func TestClientsThroughTheAPI(t *testing.T) {
	home := t.TempDir()
	a := harness.Start(t, harness.With("HOME="+home, "XDG_CONFIG_HOME="))
	file := filepath.Join(home, ".cursor", "mcp.json")
	before := "{\n\t// mine\n\t\"mcpServers\": {},\n}\n"
	write(t, file, before, 0o640)
	if r := a.Own(http.MethodPost, "/v1.0/clients/cursor/add", `{"profile":1,"dryRun":true}`); r.Status != 200 ||
		!strings.Contains(r.Raw, "+") || read(t, file) != before {
		t.Fatalf("%d %s", r.Status, r.Raw)
	}
	r := a.Own(http.MethodPost, "/v1.0/clients/cursor/add", `{"profile":1}`)
	if r.Status != 200 || !strings.Contains(r.Raw, `"action":"added"`) || !strings.Contains(r.Raw, "full access") ||
		!strings.Contains(read(t, file), "\n\t\t\"cove-1\": {\n") {
		t.Fatalf("%d %s", r.Status, r.Raw)
	}
	if r := a.Own(http.MethodGet, "/v1.0/clients", ""); r.Status != 200 ||
		!strings.Contains(r.Raw, `"name":"cove-1","profile":1,"scope":"user"`) {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	if r := a.Own(http.MethodPost, "/v1.0/clients/vscode/snippet", `{"profile":1}`); r.Status != 200 ||
		!strings.Contains(r.Raw, "vscode:mcp/install") {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	skill := filepath.Join(home, ".agents", "skills", "cove", "SKILL.md")
	for _, c := range []struct{ path, body, want string }{
		{"cursor/skill/add", `{"dryRun":true}`, `"action":"added"`},
		{"cursor/skill/add", `{}`, `"action":"added","scope":"user","file":"` + skill + `"`},
		{"cursor/skill/add", `{"scope":"user"}`, `"action":"unchanged"`},
		{"zed/skill/add", `{}`, "E_NO_SKILL"},
		{"cursor/skill/add", `{"scope":"project","folder":"/nowhere/at/all"}`, "E_INVALID"},
	} {
		if r := a.Own(http.MethodPost, "/v1.0/clients/"+c.path, c.body); !strings.Contains(r.Raw, c.want) {
			t.Errorf("%s %s: %d %s", c.path, c.body, r.Status, r.Raw)
		}
	}
	if r := a.Own(http.MethodGet, "/v1.0/clients", ""); !strings.Contains(r.Raw,
		`"skill":{"client":"cursor","scope":"user","file":"`+skill+`","status":"found"`) {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	write(t, skill, read(t, skill)+"mine", 0o600)
	if r := a.Own(http.MethodPost, "/v1.0/clients/cursor/skill/remove", `{}`); r.Status != 409 ||
		r.Code() != "E_SKILL_CHANGED" {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	if r := a.Own(http.MethodPost, "/v1.0/clients/cursor/skill/remove", `{"force":true}`); r.Status != 200 ||
		harness.Exists(filepath.Join(home, ".agents")) {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	folder := t.TempDir()
	if r := a.Own(http.MethodPost, "/v1.0/clients/cursor/add",
		fmt.Sprintf(`{"profile":1,"scope":"project","folder":%q}`,
			folder)); r.Status != 200 || !harness.Exists(filepath.Join(folder, ".cursor", "mcp.json")) {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	for path, want := range map[string]struct {
		body, code string
		status     int
	}{
		"/v1.0/clients/emacs/add":      {`{"profile":1}`, "E_NO_CLIENT", 404},
		"/v1.0/clients/goose/add":      {`{"profile":1}`, "E_NOT_INSTALLED", 404},
		"/v1.0/clients/cursor/add":     {`{"profile":77}`, "E_NOT_FOUND", 404},
		"/v1.0/clients/cursor/snippet": {`{"profile":1,"name":"My Cove"}`, "E_INVALID", 400},
		"/v1.0/clients/cursor/remove": {`{"profile":1,"scope":"project","folder":"/nowhere/at/all"}`, "E_INVALID",
			400},
		"/v1.0/clients/zed/remove":     {`{"profile":1,"folder":"nowhere"}`, "E_INVALID", 400},
		"/v1.0/clients/zed/add":        {`{"profile":2147483648}`, "E_INVALID", 400},
		"/v1.0/clients/zed/snippet":    {`[{"profile":1}]`, "E_INVALID", 400},
		"/v1.0/clients/%2e%2e/snippet": {`{"profile":1}`, "E_NO_CLIENT", 404},
	} {
		if r := a.Own(http.MethodPost, path, want.body); r.Status != want.status || r.Code() != want.code {
			t.Errorf("%s: %d %s", path, r.Status, r.Raw)
		}
	}
	if r := a.Own(http.MethodPost, "/v1.0/clients/cursor/remove", `{"profile":1}`); r.Status != 200 ||
		strings.Count(r.Raw, `"action":"removed"`) != 2 || read(t, file) != before ||
		harness.Exists(filepath.Join(folder, ".cursor")) {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
