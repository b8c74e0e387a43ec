//go:build e2e

package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// entryOf is what a client's file runs under a name.
func entryOf(t *testing.T, file, name string) []string {
	t.Helper()
	var f struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(read(t, file)), &f); err != nil || f.Servers[name].Command == "" {
		t.Fatalf("%v: no %s in %s", err, name, read(t, file))
	}
	return append([]string{f.Servers[name].Command}, f.Servers[name].Args...)
}

// TestAnEntryLeadsToItsOwnDataFolder, whatever is installed from another one later and whatever the client's
// environment says.
func TestAnEntryLeadsToItsOwnDataFolder(t *testing.T) {
	person, web := t.TempDir(), harness.NewSite(t)
	file := filepath.Join(person, ".cursor", "mcp.json")
	write(t, file, "{}\n", 0o600)
	apps := map[string]*harness.App{}
	for _, name := range []string{"one", "two"} {
		a := harness.Start(t, harness.With("HOME="+person, "NODE_PATH="+harness.Modules(t)))
		a.Own(http.MethodPatch, "/v1.0/browser_profiles/1", fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/tab/"+name))
		a.Must("wrapper", "install", "--no-fetch")
		a.Must("client", "add", "cursor", "1", "--scope", "user", "--wrapper", "--name", "wrapped-"+name)
		a.Must("client", "add", "cursor", "1", "--scope", "user", "--name", "native-"+name)
		apps[name] = a
	}
	for _, name := range []string{"one", "two"} {
		other := apps["two"].Home
		if name == "two" {
			other = apps["one"].Home
		}
		for _, entry := range []string{"wrapped-" + name, "native-" + name} {
			for _, misleading := range []string{"COVE_E2E=nothing", "COVE_HOME=" + other,
				"XDG_CONFIG_HOME=" + filepath.Dir(other)} {
				t.Run(entry+" with "+strings.SplitN(misleading, "=", 2)[0], func(t *testing.T) {
					m := harness.StartMCP(t, harness.Command{Args: entryOf(t, file, entry), Dir: t.TempDir(),
						Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + person, "NODE_PATH=" + harness.Modules(t),
							misleading}})
					m.Initialize()
					if pages := m.Works("list_pages", nil); !strings.Contains(pages, web.URL+"/tab/"+name) ||
						strings.Count(pages, "/tab/") != 1 {
						t.Errorf("it is in the profile with the pages\n%s", pages)
					}
					m.Close()
				})
			}
		}
	}
	for _, a := range apps {
		a.Close(1)
	}
}

// TestVerifyRunsTheEntryOfTheClient: the very command, its variables and the client's environment, and nothing of ours.
func TestVerifyRunsTheEntryOfTheClient(t *testing.T) {
	person := t.TempDir()
	a := harness.Start(t, harness.With("HOME="+person))
	for name, c := range map[string]struct {
		client, file, entry string
		fails               bool
	}{
		"as Cove wrote it": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--home",%q]}}}`, harness.Cove,
				a.Home), false},
		"the folder in its variables": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"],"env":{"COVE_HOME":%q}}}}`, harness.Cove, a.Home), false},
		"a strict client strips ours": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"]}}}`, harness.Cove),
			true},
		"another one hands it on": {"droid", ".factory/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"]}}}`, harness.Cove),
			false},
		"with what a person has added": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart","--tools","pdf","--home",%q]}}}`, harness.Cove, a.Home), false},
		"with a mistake of the person's": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--bogus","--home",%q]}}}`,
				harness.Cove, a.Home), true},
		"in a shape of the client's own": {"opencode", ".config/opencode/opencode.json",
			fmt.Sprintf(`{"mcp":{"cove-1":{"type":"local","command":[%q,"mcp","1","--home",%q],"environment":{"A":"b"}}}}`, harness.Cove, a.Home), false},
		"with a variable that breaks it": {"cursor", ".cursor/mcp.json",
			fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"],"env":{"COVE_HOME":%q,"HOME":"/nowhere"}}}}`, harness.Cove, a.Home), false},
		"in TOML, where the client strips": {"codex", ".codex/config.toml",
			fmt.Sprintf("[mcp_servers.cove-1]\ncommand = %q\nargs = [\"mcp\", \"1\", \"--no-autostart\"]\nenv = { COVE_HOME = %q }\n", harness.Cove, a.Home), false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(person, c.file)
			write(t, file, c.entry, 0o600)
			defer func() { _ = os.Remove(file) }()
			out, code := a.Cli("verify", "1", "--client", c.client)
			if (code != 0) != c.fails || strings.Contains(out, "Register") || read(t, file) != c.entry {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}
