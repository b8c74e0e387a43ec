package cove_test

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// table says what each package may import: other packages of ours, and the libraries whose home it is. Paths without a
// host are below cove/internal, unless they begin with cove. Everyone may import the leaves. A package that is not in
// the table fails the test: decide where it belongs first.
const table = `
account: account/password account/throttle
account/password: golang.org/x/crypto
account/pin: account/password
account/throttle:
answer:
app: account account/pin app/access app/extensions app/folders app/machine app/notices app/records app/register
    app/storage app/suspend chromium/probe cove/api httpapi httpapi/adspower job keeperclient/runner logins notify
    policy process profile session sqlite webui
app/access: app/suspend cove/api keeperclient policy profile session
app/extensions: extension extension/library profile session
app/folders: cove/api keeperclient process profile session
app/machine: account chromium chromium/probe clients cove/api keeperclient notify process profile
app/notices: cove/api notify policy profile
app/records: cove/api journal journal/replay profile secret secret/redactor secret/totp
app/register: clients cove/api profile verify/mcpclient wrapper
app/storage: cookie keeperclient profile
app/suspend:
binding: process profile
bridge: cove/api keeperclient process profile session
bundle: github.com/evanw/esbuild
cdp:
cdp/cdptest: cdp
cdp/mux: cdp
chromium: process profile golang.org/x/sys
chromium/chromiumtest:
chromium/oneshot: cdp chromium
chromium/probe: cdp chromium chromium/oneshot
cli: cli/acceptance cli/accounts cli/adopt cli/agents cli/command cli/completion cli/cookies cli/exit cli/extensions
    cli/imports cli/journals cli/manual cli/mcpclients cli/pages cli/policies cli/profiles cli/proxies cli/secrets
    cli/servers cli/sessions cli/settings cli/skills cli/status cli/up github.com/spf13/cobra
cli/acceptance: cli/command cli/entries clients cove/api profile verify github.com/spf13/cobra
cli/accounts: account cli/command cli/exit cove/api github.com/spf13/cobra
cli/agents: app/suspend cli/command cli/exit cove/api keeperclient profile github.com/spf13/cobra
cli/command: app cli/exit cove/api process profile github.com/spf13/cobra golang.org/x/term
cli/completion: cli/command cli/policies cli/servers cli/settings clients cookie cove/api policy
    github.com/spf13/cobra
cli/cookies: cli/command cookie cove/api profile github.com/spf13/cobra
cli/entries: cli/command clients profile skill verify/mcpclient wrapper github.com/spf13/cobra
cli/extensions: cli/command cli/exit cove/api extension github.com/spf13/cobra
cli/exit: cove/api github.com/spf13/cobra
cli/adopt: cli/command cove/api profile github.com/spf13/cobra
cli/imports: cli/command cli/exit cove/api importer profile proxy github.com/spf13/cobra
cli/journals: cli/command cli/exit cove/api journal journal/replay profile github.com/spf13/cobra
cli/manual: cli/command cli/exit github.com/spf13/cobra
cli/mcpclients: binding cli/command cli/entries cli/exit clients cove/api verify/mcpclient github.com/spf13/cobra
cli/pages: answer binding cli/command cli/exit clients cove/api keeperclient process profile
    github.com/spf13/cobra
cli/policies: cli/command cli/exit cove/api policy policy/site profile github.com/spf13/cobra
cli/profiles: cli/command cli/entries cli/exit cove/api profile proxy github.com/spf13/cobra
cli/proxies: cli/command cli/exit cove/api proxy github.com/spf13/cobra
cli/secrets: cli/command cli/exit cove/api profile secret github.com/spf13/cobra
cli/servers: bridge cli/command cli/entries cli/exit cove/api wrapper github.com/spf13/cobra
cli/sessions: cli/command cove/api profile github.com/spf13/cobra
cli/settings: app/machine chromium cli/command cove/api github.com/spf13/cobra
cli/skills: binding cli/command cli/entries cli/exit clients cove/api skill github.com/spf13/cobra
cli/status: app/machine cli/command cove/api github.com/spf13/cobra
cli/up: app chromium cli/command cli/entries cli/exit clients cove/api keeper process github.com/spf13/cobra
clients: clients/edit cove/api profile skill wrapper github.com/gofrs/flock
clients/edit: github.com/pelletier/go-toml/v2 github.com/tailscale/hujson go.yaml.in/yaml/v3
clients/edit/edittest: clients/edit profile github.com/pelletier/go-toml/v2 github.com/tailscale/hujson
    go.yaml.in/yaml/v3
cookie: golang.org/x/net/publicsuffix
event:
extension:
extension/library: extension profile
external/scope: cdp gate/method random
external: cdp cdp/mux chromium cookie jar jar/cookiedb process profile github.com/coder/websocket
fault:
gate: cdp cdp/mux gate/audit gate/forbidden gate/formguard gate/method gate/redaction gate/socket gate/summary guard
    journal policy policy/owner policy/site protect github.com/coder/websocket
gate/audit: journal policy
gate/forbidden: cdp protect
gate/formguard: cdp/mux gate/markup
gate/markup:
gate/method: policy
gate/redaction: cdp/mux gate/markup policy
gate/socket: cdp cdp/mux github.com/coder/websocket
gate/summary: cdp
guard:
httpapi: account cove/api guard httpapi/accounts httpapi/adopt httpapi/agents httpapi/call httpapi/cookies
    httpapi/dolphin httpapi/extensions httpapi/fingerprints httpapi/folders httpapi/imports httpapi/input httpapi/jobs
    httpapi/machine httpapi/pages httpapi/permit httpapi/profiles httpapi/proxies httpapi/reference httpapi/sessions
    httpapi/logins httpapi/signin httpapi/statuses httpapi/stream httpapi/views job logins process profile proxy
    proxy/changeip session
httpapi/adopt: cove/api external httpapi/call policy profile session
httpapi/accounts: account account/pin cove/api httpapi/call httpapi/signin httpapi/wire
httpapi/adspower: account cookie cove/api guard httpapi/call httpapi/input httpapi/permit httpapi/signin profile proxy
    session
httpapi/agents: cove/api httpapi/call httpapi/permit httpapi/wire policy profile session
httpapi/call: account cove/api httpapi/input httpapi/signin profile
httpapi/cookies: cookie cove/api httpapi/call httpapi/input httpapi/permit profile session
httpapi/dolphin: cove/api httpapi/call
httpapi/extensions: cove/api extension extension/library httpapi/call httpapi/input httpapi/permit profile
httpapi/fingerprints: cove/api httpapi/call
httpapi/folders: cove/api httpapi/call httpapi/permit policy profile proxy
httpapi/imports: cove/api httpapi/call httpapi/input httpapi/permit profile proxy
httpapi/input:
httpapi/jobs: cove/api httpapi/call httpapi/input httpapi/permit httpapi/reference httpapi/wire job profile session
httpapi/logins: cookie cove/api external httpapi/call logins profile session
httpapi/machine: account cove/api httpapi/call profile session
httpapi/pages: cove/api httpapi/call
httpapi/permit: httpapi/call httpapi/input policy profile proxy
httpapi/profiles: cookie cove/api httpapi/call httpapi/input httpapi/permit httpapi/reference httpapi/wire profile
    proxy session
httpapi/proxies: cove/api httpapi/call httpapi/input httpapi/permit httpapi/wire profile proxy proxy/changeip
    proxy/check
httpapi/reference: cove/api profile proxy
httpapi/sessions: account cove/api httpapi/call httpapi/input httpapi/permit httpapi/reference httpapi/wire policy
    process profile session
httpapi/signin: account
httpapi/statuses: cove/api httpapi/call httpapi/wire profile
httpapi/stream: cove/api httpapi/call httpapi/jobs httpapi/wire job profile session
httpapi/views: cove/api httpapi/call profile
httpapi/wire: cove/api httpapi/input policy profile proxy session
importer: cookie cove/api profile proxy
interrupt:
jar: cdp cdp/mux cookie jar/leveldb
jar/cookiedb: modernc.org/sqlite
jar/leveldb:
job: profile
journal: policy profile step
journal/replay: journal step
keeper: answer cdp cdp/mux chromium clients cookie external external/scope gate journal keeper/control keeper/credential
    keeper/install keeper/live keeper/pageconn keeper/siterules keeper/storage keeper/takeover keeper/undo keeperclient
    mcpserver mcpserver/pagetool mcpserver/tools page page/input page/risk page/webmcp policy policy/owner process
    profile protect proxy redact relay secret session
keeper/control: page page/input page/target policy
keeper/credential: process
keeper/install: cdp chromium chromium/oneshot extension extension/library process
keeper/live: keeper/control mcpserver/activity page page/capture policy/owner
keeper/pageconn: cdp cdp/mux
keeper/siterules: page policy policy/site protect relay
keeper/storage: cdp/mux chromium chromium/oneshot cookie external jar jar/cookiedb keeper/undo keeperclient profile
keeper/takeover: page
keeper/undo:
logins: cdp chromium cookie external profile
keeperclient: answer chromium cookie extension journal policy process profile proxy session
keeperclient/runner: chromium extension journal keeperclient process profile session
lighthouse: process snapshot/text
logging:
mcpserver: answer journal mcpserver/activity mcpserver/admission mcpserver/download mcpserver/files mcpserver/onetime
    mcpserver/pagelist mcpserver/pagetool mcpserver/payload mcpserver/peer mcpserver/picture mcpserver/progress
    mcpserver/record mcpserver/redaction mcpserver/schema page page/capture page/input page/input/keyboard page/risk
    page/webmcp policy policy/owner policy/site protect secret snapshot/text step
    github.com/modelcontextprotocol/go-sdk
mcpserver/activity: step
mcpserver/admission: page policy policy/owner
mcpserver/download: page policy
mcpserver/files: mcpserver/peer mcpserver/redaction protect
mcpserver/onetime: secret/totp
mcpserver/pagelist: mcpserver/redaction page
mcpserver/pagetool: mcpserver/record mcpserver/redaction page page/webmcp
mcpserver/payload: github.com/modelcontextprotocol/go-sdk
mcpserver/peer: mcpserver/redaction policy github.com/modelcontextprotocol/go-sdk
mcpserver/picture: page page/capture
mcpserver/progress: mcpserver/redaction github.com/modelcontextprotocol/go-sdk
mcpserver/record: journal mcpserver/picture mcpserver/redaction page redact secret step
mcpserver/redaction: page redact secret secret/redactor secret/totp snapshot/text
mcpserver/schema:
mcpserver/tools: answer lighthouse mcpserver mcpserver/pagetool mcpserver/redaction mcpserver/tools/inspect
    mcpserver/tools/performance mcpserver/tools/storage page page/capture page/dom page/emulation page/input page/risk
    page/webmcp policy redact secret secret/redactor snapshot snapshot/document snapshot/index snapshot/text
mcpserver/tools/inspect: mcpserver page page/devlog page/dom page/logpoint page/mock policy redact
    snapshot/text
mcpserver/tools/performance: mcpserver page redact trace trace/report
mcpserver/tools/storage: cookie jar mcpserver mcpserver/redaction page page/dom policy
notify: sessionbus github.com/godbus/dbus/v5
page: cdp cookie page/capture page/devlog page/dom page/emulation page/logpoint page/mock
    page/profiler page/remote page/target page/webmcp
page/capture: cdp page/dom page/target webm
page/devlog: cdp page/remote page/target
page/dom: cdp page/remote page/target snapshot/document snapshot/index
page/emulation: page/target
page/input: cdp page page/capture page/dom page/input/keyboard page/target
page/input/keyboard:
page/logpoint: cdp page/remote page/target
page/mock: cdp page/target
page/profiler: cdp page/target
page/remote:
page/risk: cdp page page/capture page/dom page/input/keyboard page/remote page/target page/webmcp
page/target: cdp
page/webmcp: cdp page/target
paths: profile/id
policy: policy/owner policy/site
policy/owner:
policy/site:
process: golang.org/x/sys
profile: policy profile/args profile/id proxy
profile/args:
profile/id:
protect:
proxy:
proxy/changeip: proxy
proxy/check: proxy proxy/dial
proxy/dial: proxy
proxy/proxytest: proxy
racetest:
random:
redact:
relay: guard policy policy/site proxy proxy/dial
secret: policy/site process secret/keyring secret/totp
secret/keyring: sessionbus github.com/godbus/dbus/v5 golang.org/x/sys
secret/keyring/keyringtest: sessionbus github.com/godbus/dbus/v5
secret/redactor: secret
secret/totp:
sensitive:
session: profile
sessionbus: github.com/godbus/dbus/v5
skill:
snapshot: snapshot/budget snapshot/build snapshot/diff snapshot/document snapshot/fold snapshot/index
    snapshot/interactive snapshot/item snapshot/search snapshot/text
snapshot/budget: snapshot/fold snapshot/item snapshot/layout snapshot/role snapshot/text snapshot/tokens
snapshot/build: snapshot/document snapshot/item snapshot/role snapshot/text
snapshot/diff: snapshot/document snapshot/excerpt snapshot/fold snapshot/index snapshot/item snapshot/layout
    snapshot/text snapshot/tokens
snapshot/document:
snapshot/excerpt: snapshot/item snapshot/text snapshot/tokens
snapshot/fold: snapshot/item snapshot/role snapshot/text
snapshot/index: snapshot/document snapshot/item snapshot/role snapshot/text
snapshot/interactive: snapshot/item snapshot/role
snapshot/item: snapshot/document snapshot/role snapshot/text
snapshot/layout: snapshot/fold snapshot/item snapshot/text snapshot/tokens
snapshot/role:
snapshot/search: snapshot/excerpt snapshot/item snapshot/text
snapshot/text:
snapshot/tokens:
sqlite: account account/pin extension profile proxy modernc.org/sqlite
step:
trace: trace/event trace/interaction trace/network trace/page trace/paint trace/report trace/shift trace/task
trace/event: trace/format
trace/format:
trace/interaction: trace/event trace/page
trace/network: trace/event trace/format trace/page
trace/page: trace/event trace/format
trace/paint: trace/event trace/network trace/page
trace/report: trace/event trace/format trace/interaction trace/network trace/paint trace/shift trace/task
trace/shift: trace/event trace/format trace/page trace/paint
trace/task: trace/event trace/page
verify: cove/api profile verify/mcpclient
verify/mcpclient:
verify/mcptest: verify/mcpclient
webm:
webui:
wording:
wrapper:
cove:
cove/api: profile/id proxy
cove/bench: cdp chromium cove/api cove/e2e/widgets journal policy profile github.com/coder/websocket
cove/cmd/cove: cli interrupt
cove/e2e/widgets:
cove/scripts/bundle: bundle
cove/scripts/figures:
cove/scripts/film:
cove/scripts/vet: golang.org/x/tools
`

// leaves may be imported by everyone.
var leaves = []string{"fault", "event", "paths", "sensitive", "logging", "wording", "random"}

func TestImports(t *testing.T) {
	packages := parse(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		for pkg, imports := range list(t, system) {
			allowed, ok := packages[pkg]
			if !ok {
				t.Errorf("%s is not in the table: add it, also in docs/ARCHITECTURE.md", pkg)
				continue
			}
			for _, i := range imports {
				host, _, _ := strings.Cut(i, "/")
				if (host == "cove" || strings.Contains(host, ".")) && !permits(allowed, i) {
					t.Errorf("%s may not import %s (%s)", pkg, i, system)
				}
			}
		}
	}
}

// The table of packages in docs/ARCHITECTURE.md has all of them, and no others.
func TestTheArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(text), "\n## Packages\n")
	rows, _, _ = strings.Cut(rows, "\n## ")
	packages := parse(t)
	named := map[string]bool{"cove": true, "cove/cmd/cove": true}
	for row := range strings.Lines(rows) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		if !strings.HasPrefix(cell, "`") || strings.HasPrefix(cell, "`e2e/harness") {
			continue
		}
		first := ""
		for name := range strings.SplitSeq(strings.ReplaceAll(cell, "`", ""), ", ") {
			// A name after the first is beside it, below it, or below internal.
			found := false
			for _, in := range []string{path.Dir(first), first, "internal", ""} {
				full := path.Join("cove", in, name)
				if _, ok := packages[full]; ok && !named[full] {
					named[full], found = true, true
					break
				}
			}
			if !found {
				t.Errorf("docs/ARCHITECTURE.md: no package is named %s beside %q, or a row has it already", name, first)
			}
			if first == "" {
				first = name
			}
		}
	}
	for pkg := range packages {
		if !named[pkg] {
			t.Errorf("docs/ARCHITECTURE.md: the table of packages does not have %s", pkg)
		}
	}
}

// parse reads the table. It returns what each package may import.
func parse(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	for row := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(table), "\n    ", " "), "\n") {
		name, imports, ok := strings.Cut(row, ":")
		if _, twice := packages[full(name)]; !ok || twice {
			t.Fatalf("the table has the row %q, which is a second one or none", row)
		}
		packages[full(name)] = strings.Fields(imports)
	}
	return packages
}

// full returns the import path of a name in the table.
func full(name string) string {
	host, _, _ := strings.Cut(name, "/")
	if host == "cove" || strings.Contains(host, ".") {
		return name
	}
	return "cove/internal/" + name
}

// permits reports whether a package that may import what allowed lists may import path.
func permits(allowed []string, path string) bool {
	return slices.ContainsFunc(slices.Concat(leaves, allowed), func(name string) bool {
		library := strings.Contains(name, ".") && strings.HasPrefix(path, name+"/")
		return path == full(name) || library
	})
}

// list asks the go command for the imports of every package of the module.
func list(t *testing.T, system string) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
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

// TestTheBridgeStaysSmall holds that whoever talks to a keeper links nothing of the process that owns a browser: a
// bridge runs for every MCP client.
func TestTheBridgeStaysSmall(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "cove/internal/bridge",
		"cove/internal/keeperclient").Output()
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
