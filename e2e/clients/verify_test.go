//go:build e2e

package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// outcome is what `cove verify --json` prints.
type outcome struct {
	OK    bool
	Steps []struct {
		Name, Detail, Error string
		OK                  bool
		MS                  float64
	}
}

// steps of the procedure, in their order.
var steps = []string{"Close the profile", "Start the MCP server", "The profile opens by itself", "initialize",
	"tools/list",
	"list_pages shows the profile's tabs", "End the client", "The profile is still open", "Stop the profile",
	"Port and DevToolsActivePort are gone"}

func TestVerifyGoesThroughEveryStep(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	stdout, stderr, code := a.Verify(t, w, "--json")
	var o outcome
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 || !o.OK || len(o.Steps) != len(steps) {
		t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
	}
	for i, s := range o.Steps {
		if s.Name != steps[i] || !s.OK || s.Error != "" || s.MS < 0 {
			t.Errorf("step %d is %+v, not %s", i, s, steps[i])
		}
	}
	for i, detail := range map[int]string{1: w.File + " 1", 2: "port ", 3: "protocol 20", 4: "32 tools", 5: "1 tab"} {
		if !strings.Contains(o.Steps[i].Detail, detail) {
			t.Errorf("%s tells %q, not %q", steps[i], o.Steps[i].Detail, detail)
		}
	}
	harness.NoTraces(t, a, 1)

	a.Open(1) // it does not have to be closed before
	stdout, stderr, code = a.Verify(t, w)
	if code != 0 || strings.Count(stdout, "✓ ") != len(steps) || strings.Contains(stdout, "✗") ||
		!strings.Contains(stdout, "Profile 1 works with MCP clients.") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	harness.NoTraces(t, a, 1)
}

func TestVerifyStopsAtTheStepThatFails(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	// opening is a server that opens the profile, and then does what code says.
	opening := func(code string) string {
		return fmt.Sprintf("await fetch('%s/v1.0/browser_profiles/1/start?automation=1');\n", a.Base) + code
	}
	// answering is one that answers every request with the result for its method.
	answering := func(results string) string {
		return opening(`const results = ` + results + `;
(await import('readline')).createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (m.id && results[m.method]) console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, ...results[m.method] }));
});`)
	}
	const hello = `initialize: { result: { protocolVersion: '2025-11-25' } }`
	const tools = `'tools/list': { result: { tools: [{ name: 'list_pages' }] } }`
	for name, c := range map[string]struct {
		code       string
		step, says string
	}{
		"exits at once": {`console.error('out of luck'); process.exit(1)`, steps[2],
			"ended by itself: out of luck"},
		"prints garbage":            {`console.log('hello there'); setInterval(() => {}, 1000); process.stdin.resume().on('end', process.exit)`, steps[2], "not MCP: hello there"},
		"opens and exits":           {opening(`process.stdin.once('data', () => { console.error('out of luck'); process.exit(1); })`), steps[3], "ended by itself: out of luck"},
		"prints garbage afterwards": {opening(`process.stdin.resume().once('data', () => console.log('hello there')).on('end', process.exit)`), steps[3], "not MCP: hello there"},
		"refuses initialize": {answering(`{ initialize: { error: { code: 1, message: 'not you' } } }`), steps[3],
			"not you"},
		"has no list_pages": {answering(`{ ` + hello + `, 'tools/list': { result: { tools: [{ name: 'other' }] } } }`),
			steps[4], "none of the 1 tools is list_pages"},
		"list_pages fails": {answering(`{ ` + hello + `, ` + tools +
			`, 'tools/call': { result: { isError: true, content: [{ type: 'text', text: 'no browser' }] } } }`), steps[5], "list_pages failed: no browser"},
		"shows other tabs": {answering(`{ ` + hello + `, ` + tools +
			`, 'tools/call': { result: { content: [{ type: 'text', text: '1: https://elsewhere.example' }] } } }`), steps[5], "list_pages does not show it"},
		"closes the profile": {answering(`{ `+hello+`, `+tools+
			`, 'tools/call': { result: { content: [{ type: 'text', text: 'about:blank chrome://new-tab-page/ chrome://newtab/' }] } } }`) + fmt.Sprintf("\nprocess.stdin.on('end', async () => { await fetch('%s/v1.0/browser_profiles/1/stop'); process.exit(); });", a.Base), steps[7], "closed with its client"},
		"does not end": {answering(`{ `+hello+`, `+tools+
			`, 'tools/call': { result: { content: [{ type: 'text', text: 'about:blank chrome://new-tab-page/ chrome://newtab/' }] } } }`) + "\nprocess.on('SIGTERM', () => {}); setInterval(() => {}, 1000); (await import('child_process')).spawn('sleep', ['1000'], { stdio: 'inherit' });", steps[6], "did not end with its client and was killed"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := a.Verify(t, w.Replace(t, c.code), "--json")
			var o outcome
			if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 1 || o.OK || len(o.Steps) == 0 {
				t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
			}
			last := o.Steps[len(o.Steps)-1]
			if last.Name != c.step || last.OK || !strings.Contains(last.Error, c.says) {
				t.Errorf("ends at %+v, not at %s with %s", last, c.step, c.says)
			}
			if !strings.Contains(stderr, c.step) {
				t.Errorf("stderr: %s", stderr)
			}
			harness.NoTraces(t, a, 1)
		})
	}
	t.Run("a person sees a cross", func(t *testing.T) {
		stdout, _, code := a.Verify(t, w.Replace(t, "console.error('out of luck'); process.exit(1)"))
		if code != 1 || strings.Count(stdout, "✓ ") != 2 || !strings.Contains(stdout, "✗ "+steps[2]) ||
			!strings.Contains(stdout, "out of luck") {
			t.Errorf("exit code %d: %s", code, stdout)
		}
	})
}

func TestVerifySaysWhatTheWrapperSays(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	a.Must("account", "set-plan", "free")
	if stdout, stderr, code := a.Verify(t, w); code != 7 || !strings.Contains(stderr, "set-plan solo") ||
		!strings.Contains(stdout, "✗ "+steps[2]) ||
		!strings.Contains(stdout, "`cove account set-plan solo --home "+a.Home+"`") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	// The bridge waits for a client's first words before it says why there is no profile.
	if out, code := a.Cli("verify", "1"); code != 7 || !strings.Contains(out, "✗ "+steps[2]) ||
		!strings.Contains(out, "does not include automation") {
		t.Errorf("without the wrapper: exit code %d: %s", code, out)
	}
	a.Must("account", "set-plan", "solo")
	harness.NoTraces(t, a, 1)
	a.Must("policy", "set", "1", "--preset", "off")
	if out, code := a.Cli("verify", "1"); code != 5 || !strings.Contains(out, "Agents are not allowed") ||
		!strings.Contains(out, "--preset open") {
		t.Errorf("agents are off: exit code %d: %s", code, out)
	}
	a.Must("policy", "set", "1", "--preset", "open")

	if _, stderr, code := a.Verify(t, w.Replace(t, ""), "--dir", t.TempDir()); code != 3 ||
		!strings.Contains(stderr, "There is no wrapper") || !strings.Contains(stderr, "cove wrapper install") {
		t.Errorf("without a wrapper: exit code %d: %s", code, stderr)
	}
	if out, code := a.Cli("verify", "77", "--wrapper", "--dir", filepath.Dir(w.File)); code != 3 ||
		!strings.Contains(out, "77") {
		t.Errorf("without a profile: exit code %d: %s", code, out)
	}
	if out, code := a.Cli("verify"); code != 2 {
		t.Errorf("without an id: exit code %d: %s", code, out)
	}
	a.Must("logout")
	if out, code := a.Cli("verify", "1", "--wrapper", "--dir", filepath.Dir(w.File)); code != 5 {
		t.Errorf("logged out: exit code %d: %s", code, out)
	}
	a.Must("login", "--owner")
	a.Must("stop-app")
	_ = a.Cmd.Wait()
	if _, stderr, code := a.Verify(t, w); code != 6 || !strings.Contains(stderr, "cove up") {
		t.Errorf("without the app: exit code %d: %s", code, stderr)
	}
}

// TestVerifyTakesTabsAsTheyAre: an error page, an address that changes all the time and one that is on its way are no
// faults.
func TestVerifyTakesTabsAsTheyAre(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	page := func(script string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>x</title><script>"+script+"</script>")
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	moving := page("let n = 0; setInterval(() => history.replaceState(null, '', '/at/' + n++), 5)")
	leaving := page("setTimeout(() => { location.href = '/after?a=' + 'b'.repeat(3000) }, 300)")
	for name, pages := range map[string][]string{
		"an error page": {fmt.Sprintf("http://127.0.0.1:%d/nothing", harness.FreePort(t))},
		"two of them": {fmt.Sprintf("http://127.0.0.1:%d/nothing", harness.FreePort(t)),
			"http://nowhere.invalid/"},
		"a changing address":       {moving},
		"a page that leaves":       {leaving},
		"a long address":           {page("") + "/x?" + strings.Repeat("y", 4000)},
		"an address with odd text": {page("") + "/a%20b/ü?q=ä#f"},
		"all of them":              {moving, leaving, "http://nowhere.invalid/"},
	} {
		raw, _ := json.Marshal(pages)
		id := strconv.Itoa(a.Create(fmt.Sprintf(`{"name":%q,"startPages":%s}`, name, raw)))
		for way, args := range map[string][]string{"natively": nil,
			"through the wrapper": {"--wrapper", "--dir", filepath.Dir(w.File)}} {
			t.Run(name+" "+way, func(t *testing.T) {
				stdout, stderr, code := harness.Output(t,
					harness.Command{Args: append([]string{harness.Cove, "verify", id, "--home", a.Home}, args...),
						Env: w.Env})
				if code != 0 || !strings.Contains(stdout, "✓ "+steps[5]) ||
					!strings.Contains(stdout, fmt.Sprintf("%d tab", len(pages))) {
					t.Errorf("exit code %d: %s%s", code, stdout, stderr)
				}
			})
		}
	}
}

func TestVerifyThatIsInterruptedCleansUp(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	mark := fmt.Sprintf("COVE_E2E_MARK=%d-%d", os.Getpid(), harness.Marks.Add(1))
	hanging := w.Replace(t, fmt.Sprintf("await fetch('%s/v1.0/browser_profiles/1/start?automation=1'); process.stdin.resume().on('end', process.exit)", a.Base))
	cmd := harness.Exec(t, harness.Cove, "verify", "1", "--home", a.Home, "--wrapper", "--dir",
		filepath.Dir(hanging.File))
	cmd.Env = slices.Concat(w.Env, []string{mark})
	var out harness.Words
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	harness.Wait(t, "the profile to open", func() bool { return strings.Contains(out.String(), "✓ "+steps[2]) })
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(out.String(), "✗ initialize") {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	if living := harness.Marked(mark); len(living) != 0 {
		t.Errorf("living: %v", living)
	}
	harness.NoTraces(t, a, 1)
}
