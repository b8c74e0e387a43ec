//go:build e2e

package external

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

var update = flag.Bool("update", false, "write testdata/protocol.txt")

// method is a command that the browser knows.
type method struct {
	name   string
	params []param
}

// param is a parameter of a command.
type param struct {
	Name, Type string
	Optional   bool
	Enum       []string
	Ref        string `json:"$ref"`
}

// protocol returns all commands that this browser knows, and the kinds of their parameters that have a name.
func protocol(t *testing.T) (methods []method, kinds map[string]param) {
	t.Helper()
	dir := t.TempDir()
	cmd := harness.Exec(t, harness.LookPath(t, "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() }()
	var port string
	harness.Wait(t, "a browser", func() bool {
		raw, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(raw), "\n")
		return err == nil && port != ""
	})
	r, err := http.Get("http://127.0.0.1:" + port + "/json/protocol") //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Domains []struct {
			Domain   string
			Commands []struct {
				Name       string
				Parameters []param
			}
			Types []struct {
				ID string
				param
			}
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	kinds = map[string]param{}
	for _, d := range all.Domains {
		for _, c := range d.Commands {
			methods = append(methods, method{d.Domain + "." + c.Name, c.Parameters})
		}
		for _, k := range d.Types {
			kinds[k.ID], kinds[d.Domain+"."+k.ID] = k.param, k.param
		}
	}
	slices.SortFunc(methods, func(a, b method) int { return strings.Compare(a.name, b.name) })
	return methods, kinds
}

// elsewhere are commands that other tests try: they end what this test needs, or the browser forgets to answer the
// commands after them.
var elsewhere = []string{"Browser.close", "Page.close", "Page.reload", "Target.detachFromTarget"}

// TestEveryCommandInASharedBrowser: testdata/protocol.txt says of every command that this browser knows whether it
// passes to the browser's own session and to that of a shared tab, under the preset that binds programs least. A
// command that is not there is new: look what it reaches before you write it down.
func TestEveryCommandInASharedBrowser(t *testing.T) {
	methods, _ := protocol(t)
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/secret-tab"))
	p.Visit("Default", s.url(1, "/open"))
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	openToPrograms(a)
	share(t, a, "/open")
	d := program(t, a)
	tab := d.attach(d.pages("/open")[0]["targetId"])
	var got strings.Builder
	for _, m := range methods {
		name := m.name
		if slices.Contains(elsewhere, name) {
			continue
		}
		verdicts := make([]string, 2)
		for i, session := range []string{"", tab} {
			verdicts[i] = d.verdict(session, name)
		}
		fmt.Fprintf(&got, "%s %s %s\n", name, verdicts[0], verdicts[1])
	}
	const file = "testdata/protocol.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got.String()) {
		if !strings.Contains("\n"+string(want), "\n"+line) {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	if p.Asked() || !p.Open() {
		t.Error("the person's browser has gone, or asks")
	}
	a.Must("stop", "my-browser")
	after, _ := connect(p, p.Allow)
	if len(after.pages("/secret-tab")) != 1 || len(after.pages("/open")) != 1 || len(after.pages("localhost")) != 2 {
		t.Errorf("the person's tabs are %v", after.pages(""))
	}
}

// verdict tries a command without parameters.
func (d *devtools) verdict(session, method string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), 20*time.Second)
	defer cancel()
	_, err := d.callUntil(ctx, session, method, object{})
	switch {
	case err == nil:
		return "answered"
	case errors.Is(err, context.DeadlineExceeded):
		d.t.Errorf("%s: no answer", method)
		return "silent"
	case strings.Contains(err.Error(), "reaches beyond") || strings.Contains(err.Error(), "in a browser that a person shares"):
		return "refused"
	}
	return "judged" // by its parameters, by us or by the browser
}

// victim is a tab that the person does not share, by all the names that a command can have for it.
type victim struct {
	page, context, node, window any
	origin                      string
}

// value returns what a program that is after a victim gives for a parameter; nil for nothing.
func (v victim) value(q param, kinds map[string]param) any {
	switch q.Name {
	case "targetId", "frameId":
		return v.page
	case "browserContextId":
		return v.context
	case "backendNodeId":
		return v.node
	case "backendNodeIds":
		return []any{v.node}
	case "windowId":
		return v.window
	case "origin", "securityOrigin", "ownerOrigin":
		return v.origin
	case "storageKey":
		return v.origin + "/"
	case "storageId":
		return object{"securityOrigin": v.origin, "isLocalStorage": true}
	case "url":
		return v.origin + "/elsewhere"
	case "urls":
		return []any{v.origin + "/"}
	case "flatten", "discover", "autoAttach":
		return true
	case "filter":
		return []any{object{}}
	}
	if q.Optional {
		return nil
	}
	if q.Ref != "" {
		q.Type, q.Enum = kinds[q.Ref].Type, kinds[q.Ref].Enum
	}
	switch {
	case len(q.Enum) > 0:
		return q.Enum[0]
	case q.Type == "integer" || q.Type == "number":
		return 1
	case q.Type == "boolean":
		return true
	case q.Type == "array":
		return []any{}
	case q.Type == "object":
		return object{}
	}
	return "1"
}

// TestNoCommandReachesOtherTabs gives each command that this browser knows the names of tabs that are not shared: one
// of the same process, one of another site, and one of another profile. No answer and no event has anything of them,
// and they stay as they were.
func TestNoCommandReachesOtherTabs(t *testing.T) {
	methods, kinds := protocol(t)
	s, p := newSites(t, 3), harness.NewPerson(t, "--process-per-site")
	p.Visit("Default", s.url(1, "/secret-tab"))
	p.Visit("Default", s.url(2, "/secret-site"))
	p.NewWindow("--profile-directory=Profile 1", "about:blank")
	p.Visit("Profile 1", s.url(3, "/secret-profile"))
	p.Visit("Default", s.url(1, "/open"))
	p.Focus(0)
	owner, _ := connect(p, p.Allow)
	harness.Wait(t, "the tabs", func() bool { return len(owner.pages("/secret-"))+len(owner.pages("/open")) == 4 })
	var victims []victim
	for i, path := range []string{"/secret-tab", "/secret-site", "/secret-profile"} {
		tab := owner.pages(path)[0]
		window := owner.must("", "Browser.getWindowForTarget", object{"targetId": tab["targetId"]})
		session := owner.attach(tab["targetId"])
		if i > 0 { // the cookies of the shared tab's own site are open to programs
			owner.must(session, "Runtime.evaluate", object{"expression": `document.cookie = "value=secret-cookie"`})
		}
		victims = append(victims, victim{page: tab["targetId"], context: tab["browserContextId"],
			node: owner.nodeOf(session), window: window["windowId"], origin: s.url(i+1, "")})
	}
	before := owner.picture()
	_ = owner.ws.CloseNow()

	a := harness.Start(t)
	adopt(t, a, p, "Default")
	openToPrograms(a)
	share(t, a, "/open")
	for _, v := range victims {
		d := program(t, a)
		d.seen = func(raw []byte) {
			if strings.Contains(string(raw), "secret-") {
				t.Errorf("a program reads %.300s", raw)
			}
		}
		for _, m := range methods {
			if slices.Contains(elsewhere, m.name) || m.name == "Page.navigate" || m.name == "Target.createTarget" {
				continue // these lead the agents' own tab, or a new one, anywhere
			}
			params := object{}
			for _, q := range m.params {
				if value := v.value(q, kinds); value != nil {
					params[q.Name] = value
				}
			}
			d.try("", m.name, params)
			tab := d.attach(d.pages("/open")[0]["targetId"])
			_, _ = d.call(tab, "DOM.getDocument", object{})
			d.try(tab, m.name, params)
			_, _ = d.call("", "Target.detachFromTarget", object{"sessionId": tab})
		}
	}
	if p.Asked() || !p.Open() {
		t.Fatal("the person's browser has gone, or asks")
	}
	a.Must("stop", "my-browser")
	after, _ := connect(p, p.Allow)
	if got := after.picture(); got != before {
		t.Errorf("the tabs were\n%s\nand are\n%s", before, got)
	}
}

// try sends a command, whatever comes of it.
func (d *devtools) try(session, method string, params object) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), harness.Patience)
	defer cancel()
	if _, err := d.callUntil(ctx, session, method, params); errors.Is(err, context.DeadlineExceeded) {
		d.t.Fatalf("%s %v: no answer", method, params)
	}
}

// picture returns the tabs that are not shared, with what they show and where.
func (d *devtools) picture() string {
	d.t.Helper()
	var lines []string
	for _, tab := range d.pages("/secret-") {
		window := d.must("", "Browser.getWindowForTarget", object{"targetId": tab["targetId"]})
		session := d.attach(tab["targetId"])
		text := d.must(session, "Runtime.evaluate", object{"expression": "document.documentElement.outerHTML + " +
			"history.length + sessionStorage.length + (location.host.startsWith('s1') || document.cookie)"})
		lines = append(lines, fmt.Sprint(tab["url"], tab["title"], window, text))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
