package cove_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// room is what a package may import: other packages of ours, and libraries whose home it is.
type room struct{ ours, libraries []string }

// leaves may be imported by everyone.
var leaves = []string{
	"cove/internal/fault",
	"cove/internal/event",
	"cove/internal/paths",
	"cove/internal/sensitive",
	"cove/internal/logging",
	"cove/internal/wording",
	"cove/internal/random",
}

// rooms is the structure of the program. A package that is not in it fails the test: give it a place first.
var rooms = map[string]room{
	"cove":                    {},
	"cove/cmd/cove":           {ours: []string{"cove/internal/cli", "cove/internal/interrupt"}},
	"cove/api":                {ours: []string{"cove/internal/profile"}},
	"cove/internal/fault":     {},
	"cove/internal/event":     {},
	"cove/internal/paths":     {ours: []string{"cove/internal/profile"}},
	"cove/internal/sensitive": {},
	"cove/internal/logging":   {},
	"cove/internal/wording":   {},
	"cove/internal/random":    {},
	"cove/internal/process":   {libraries: []string{"golang.org/x/sys"}},
	"cove/internal/guard":     {},
	"cove/internal/interrupt": {},
	"cove/internal/profile":   {ours: []string{"cove/internal/policy"}},
	"cove/internal/session":   {ours: []string{"cove/internal/profile"}},
	"cove/internal/account":   {libraries: []string{"golang.org/x/crypto"}},
	"cove/internal/sqlite":    {ours: []string{"cove/internal/profile", "cove/internal/account"}, libraries: []string{"modernc.org/sqlite"}},
	"cove/internal/chromium":  {ours: []string{"cove/internal/profile", "cove/internal/process"}, libraries: []string{"golang.org/x/sys"}},
	"cove/internal/policy":    {},
	"cove/internal/redact":    {},
	"cove/internal/secret":    {ours: []string{"cove/internal/policy"}},
	"cove/internal/journal":   {ours: []string{"cove/internal/policy", "cove/internal/profile"}},
	"cove/internal/relay":     {ours: []string{"cove/internal/policy", "cove/internal/profile"}, libraries: []string{"golang.org/x/net"}},
	"cove/internal/protect":   {},
	"cove/internal/trace": {
		ours: []string{
			"cove/internal/trace/event",
			"cove/internal/trace/interaction",
			"cove/internal/trace/network",
			"cove/internal/trace/page",
			"cove/internal/trace/paint",
			"cove/internal/trace/report",
			"cove/internal/trace/shift",
			"cove/internal/trace/task",
		},
	},
	"cove/internal/webm":      {},
	"cove/internal/cdp":       {},
	"cove/internal/snapshot":  {},
	"cove/internal/page":      {ours: []string{"cove/internal/cdp", "cove/internal/snapshot", "cove/internal/webm", "cove/internal/page/quote", "cove/internal/page/remote", "cove/internal/page/target", "cove/internal/page/devlog", "cove/internal/page/dom", "cove/internal/page/capture", "cove/internal/page/emulation", "cove/internal/page/profiler"}},
	"cove/internal/gate":      {ours: []string{"cove/internal/protect", "cove/internal/policy", "cove/internal/journal", "cove/internal/cdp", "cove/internal/cdp/mux", "cove/internal/guard"}, libraries: []string{"github.com/coder/websocket"}},
	"cove/internal/keeper":    {ours: []string{"cove/internal/protect", "cove/internal/policy", "cove/internal/secret", "cove/internal/journal", "cove/internal/cdp", "cove/internal/cdp/mux", "cove/internal/clients", "cove/internal/chromium", "cove/internal/gate", "cove/internal/mcpserver", "cove/internal/page", "cove/internal/process", "cove/internal/profile", "cove/internal/relay", "cove/internal/session", "cove/internal/keeperclient", "cove/internal/mcpserver/tools", "cove/internal/redact", "cove/internal/page/capture"}},
	"cove/internal/wrapper":   {},
	"cove/internal/clients":   {ours: []string{"cove/api", "cove/internal/profile", "cove/internal/clients/edit", "cove/internal/wrapper"}, libraries: []string{"github.com/gofrs/flock", "github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2", "go.yaml.in/yaml/v3"}},
	"cove/internal/verify":    {ours: []string{"cove/api", "cove/internal/profile"}},
	"cove/internal/httpapi":   {ours: []string{"cove/internal/policy", "cove/api", "cove/internal/account", "cove/internal/guard", "cove/internal/profile", "cove/internal/session"}},
	"cove/internal/app":       {ours: []string{"cove/internal/policy", "cove/internal/secret", "cove/internal/journal", "cove/api", "cove/internal/account", "cove/internal/chromium", "cove/internal/clients", "cove/internal/wrapper", "cove/internal/httpapi", "cove/internal/keeper", "cove/internal/process", "cove/internal/profile", "cove/internal/session", "cove/internal/sqlite", "cove/internal/verify", "cove/internal/webui", "cove/internal/keeperclient"}},
	"cove/internal/webui":     {},
	"cove/internal/cli":       {ours: []string{"cove/internal/policy", "cove/internal/account", "cove/internal/secret", "cove/api", "cove/internal/app", "cove/internal/chromium", "cove/internal/clients", "cove/internal/keeper", "cove/internal/bridge", "cove/internal/process", "cove/internal/profile", "cove/internal/verify", "cove/internal/wrapper", "cove/internal/keeperclient"}, libraries: []string{"github.com/spf13/cobra", "golang.org/x/term"}},
	"cove/e2e/widgets":        {},
	"cove/bench":              {ours: []string{"cove/e2e/widgets", "cove/internal/journal", "cove/internal/policy", "cove/api", "cove/internal/cdp", "cove/internal/chromium", "cove/internal/profile"}, libraries: []string{"github.com/coder/websocket"}},
	"cove/scripts/figures":    {},
	"cove/internal/bridge":    {ours: []string{"cove/api", "cove/internal/profile", "cove/internal/keeper", "cove/internal/session", "cove/internal/keeperclient", "cove/internal/process"}},
	"cove/internal/mcpserver": {ours: []string{"cove/internal/protect", "cove/internal/policy", "cove/internal/secret", "cove/internal/journal", "cove/internal/page", "cove/internal/process", "cove/internal/snapshot", "cove/internal/trace", "cove/internal/redact", "cove/internal/page/capture", "cove/internal/page/devlog", "cove/internal/page/emulation", "cove/internal/page/input"}, libraries: []string{"github.com/modelcontextprotocol/go-sdk"}},

	"cove/internal/clients/edit": {libraries: []string{"github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2", "go.yaml.in/yaml/v3"}},
	// Only tests import it. It reads documents with the plain libraries, as a witness that does not use edit.
	"cove/internal/clients/edit/edittest": {ours: []string{"cove/internal/clients/edit", "cove/internal/profile"}, libraries: []string{"github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2", "go.yaml.in/yaml/v3"}},
	"cove/internal/cdp/cdptest":           {ours: []string{"cove/internal/cdp"}},
	"cove/internal/cdp/mux":               {ours: []string{"cove/internal/cdp"}},
	"cove/internal/chromium/chromiumtest": {},
	"cove/internal/keeperclient":          {ours: []string{"cove/internal/chromium", "cove/internal/journal", "cove/internal/policy", "cove/internal/process", "cove/internal/profile", "cove/internal/session"}},
	"cove/internal/mcpserver/tools": {
		ours: []string{"cove/internal/page/capture", "cove/internal/page/devlog", "cove/internal/page/dom", "cove/internal/page/emulation", "cove/internal/page/input", "cove/internal/mcpserver", "cove/internal/policy", "cove/internal/redact", "cove/internal/secret",
			"cove/internal/page", "cove/internal/process", "cove/internal/snapshot", "cove/internal/trace", "cove/internal/trace/report"},
	},

	"cove/internal/page/quote":        {},
	"cove/internal/page/remote":       {ours: []string{"cove/internal/page/quote"}},
	"cove/internal/page/target":       {ours: []string{"cove/internal/cdp", "cove/internal/page/quote"}},
	"cove/internal/page/devlog":       {ours: []string{"cove/internal/cdp", "cove/internal/page/quote", "cove/internal/page/remote", "cove/internal/page/target"}},
	"cove/internal/page/dom":          {ours: []string{"cove/internal/cdp", "cove/internal/snapshot", "cove/internal/page/quote", "cove/internal/page/remote", "cove/internal/page/target"}},
	"cove/internal/page/capture":      {ours: []string{"cove/internal/cdp", "cove/internal/webm", "cove/internal/page/dom", "cove/internal/page/target"}},
	"cove/internal/page/emulation":    {ours: []string{"cove/internal/page/target"}},
	"cove/internal/page/profiler":     {ours: []string{"cove/internal/cdp", "cove/internal/page/target"}},
	"cove/internal/page/input":        {ours: []string{"cove/internal/cdp", "cove/internal/page", "cove/internal/page/dom", "cove/internal/page/quote", "cove/internal/page/target"}},
	"cove/internal/trace/event":       {ours: []string{"cove/internal/trace/format"}},
	"cove/internal/trace/format":      {},
	"cove/internal/trace/interaction": {ours: []string{"cove/internal/trace/event", "cove/internal/trace/page"}},
	"cove/internal/trace/network": {
		ours: []string{
			"cove/internal/trace/event",
			"cove/internal/trace/format",
			"cove/internal/trace/page",
		},
	},
	"cove/internal/trace/page": {ours: []string{"cove/internal/trace/event", "cove/internal/trace/format"}},
	"cove/internal/trace/paint": {
		ours: []string{
			"cove/internal/trace/event",
			"cove/internal/trace/network",
			"cove/internal/trace/page",
		},
	},
	"cove/internal/trace/report": {
		ours: []string{
			"cove/internal/trace/event",
			"cove/internal/trace/format",
			"cove/internal/trace/interaction",
			"cove/internal/trace/network",
			"cove/internal/trace/paint",
			"cove/internal/trace/shift",
			"cove/internal/trace/task",
		},
	},
	"cove/internal/trace/shift": {
		ours: []string{
			"cove/internal/trace/event",
			"cove/internal/trace/format",
			"cove/internal/trace/page",
			"cove/internal/trace/paint",
		},
	},
	"cove/internal/trace/task": {ours: []string{"cove/internal/trace/event", "cove/internal/trace/page"}},
}

func TestImports(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for pkg, imports := range list(t, system) {
			allowed, ok := rooms[pkg]
			if !ok {
				t.Errorf("%s has no place in the structure: add it to rooms, and to docs/ARCHITECTURE.md", pkg)
				continue
			}
			for _, i := range imports {
				first, _, _ := strings.Cut(i, "/")
				switch {
				case !strings.Contains(first, ".") && first != "cove": // the standard library
				case slices.Contains(leaves, i) || slices.Contains(allowed.ours, i):
				case slices.ContainsFunc(allowed.libraries, func(l string) bool { return i == l || strings.HasPrefix(i, l+"/") }):
				default:
					t.Errorf("%s may not import %s (%s)", pkg, i, system)
				}
			}
		}
	}
}

// list asks the go command for the imports of every package of the module.
func list(t *testing.T, system string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	cmd.Env = append(cmd.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		all[fields[0]] = fields[1:]
	}
	return all
}

// TestTheBridgeStaysSmall holds that whoever talks to a keeper links nothing of the process that owns a browser: a bridge
// runs for every MCP client.
func TestTheBridgeStaysSmall(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "cove/internal/bridge", "cove/internal/keeperclient").Output()
	if err != nil {
		t.Fatal(err)
	}
	heavy := []string{
		"cove/internal/keeper", "cove/internal/mcpserver", "cove/internal/page", "cove/internal/gate",
		"github.com/modelcontextprotocol",
	}
	for dep := range strings.Lines(string(out)) {
		dep = strings.TrimSpace(dep)
		if slices.ContainsFunc(heavy, func(h string) bool { return dep == h || strings.HasPrefix(dep, h+"/") }) {
			t.Errorf("the bridge links %s", dep)
		}
	}
}
