//go:build e2e

package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// faulty is a page with known faults: a picture without words, a field without a name, no language.
const faulty = `<!doctype html><title>faulty</title><meta name=viewport content="width=device-width"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20><input id=unnamed><p>text`

func TestLighthouse(t *testing.T) {
	// Not installed, but fetched: npx as it leaves things, without the download.
	npx := t.TempDir()
	bin := filepath.Dir(harness.Checker(t, ".bin/x"))
	harness.Script(t, filepath.Join(npx, "npx"),
		fmt.Sprintf("[ \"$1 $2 $3 $4\" = \"-y -p lighthouse@13.5.0 --\" ] || exit 9\nshift 4\nPATH=%s:$PATH exec \"$@\"", bin))
	path := npx + ":" + os.Getenv("PATH")
	a, web := harness.Start(t, harness.With("PATH="+path)), harness.NewSite(t)
	address := harness.StateServe(t, web, "/faulty", faulty)
	a.Open(1)
	m := a.Agent("1")
	m.Fails("lighthouse_audit", nil, "web pages only")
	m.Works("new_page", harness.Object{"url": address + "/faulty"})
	m.Works("evaluate_script",
		harness.Object{"function": "() => { localStorage.setItem('kept', 'yes'); window.mark = 1 }"})
	t.Run("snapshot", func(t *testing.T) {
		dir := t.TempDir()
		var raw json.RawMessage
		m.Must("tools/call", harness.Object{"name": "lighthouse_audit", "arguments": harness.Object{"mode": "snapshot",
			"outputDirPath": dir}, "_meta": harness.Object{"progressToken": "audit"}}, &raw)
		got := harness.ReadTool(t, raw)
		for _, want := range []string{"Mode: snapshot", "Device: desktop", "- Accessibility: ", "(seo)",
			"(best-practices)", "Failed: ", "image-alt [accessibility]", `selector="body > img"`, "label [accessibility]", "html-has-lang", filepath.Join(dir, "report.html")} {
			if got.IsError || !strings.Contains(got.Text, want) {
				t.Fatalf("no %q in:\n%s", want, got.Text)
			}
		}
		for _, name := range []string{"report.json", "report.html"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 10000 {
				t.Errorf("%s: %v %v", name, info, err)
			}
		}
		if len(m.Progress("audit")) < 3 {
			t.Errorf("progress: %v", m.Progress("audit"))
		}
		if got := m.Works("evaluate_script", harness.Object{"function": "() => window.mark"}); !strings.Contains(got,
			"1") {
			t.Errorf("the snapshot has left the page: %s", got)
		}
	})
	t.Run("under a policy that binds programs", func(t *testing.T) {
		a.Must("policy", "set", "1", "--preset", "guarded")
		defer a.Must("policy", "set", "1", "--preset", "open")
		if got := m.Works("lighthouse_audit", harness.Object{"mode": "snapshot"}); !strings.Contains(got,
			"image-alt") || strings.Contains(got, "devtools/browser") {
			t.Errorf("the audit:\n%s", got)
		}
	})
	t.Run("navigation on a telephone", func(t *testing.T) {
		got := m.Works("lighthouse_audit", harness.Object{"device": "mobile"})
		if !strings.Contains(got, "Mode: navigation") || !strings.Contains(got, "Device: mobile") ||
			!strings.Contains(got, "image-alt") {
			t.Errorf("the audit:\n%s", got)
		}
		if got := m.Works("evaluate_script",
			harness.Object{"function": "() => [location.pathname, localStorage.getItem('kept'), innerWidth > 500]"}); !strings.Contains(got, "faulty") || !strings.Contains(got, "yes") || !strings.Contains(got, "true") {
			t.Errorf("afterwards the page is: %s", got)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		r := m.Begin("tools/call", harness.Object{"name": "lighthouse_audit", "arguments": harness.Object{},
			"_meta": harness.Object{"progressToken": "stop"}})
		harness.Wait(t, "the audit to begin", func() bool { return len(m.Progress("stop")) > 1 })
		r.Cancel()
		if got := m.Works("take_snapshot", nil); !strings.Contains(got, "text") {
			t.Errorf("the page after it: %s", got)
		}
		harness.Wait(t, "Lighthouse to end", func() bool {
			all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
			for _, name := range all {
				line, _ := os.ReadFile(name)
				env, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
				if strings.Contains(string(line), "lighthouse.mjs") &&
					strings.Contains(string(env), "COVE_HOME="+a.Home) && !harness.Zombie(filepath.Dir(name)) {
					return false
				}
			}
			return true
		})
	})
}

func TestLighthouseSaysWhatItNeeds(t *testing.T) {
	old := filepath.Dir(filepath.Join(harness.Modules(t), "node18", "bin", "node"))
	alone := t.TempDir()
	if err := os.Symlink(harness.LookPath(t, "node"), filepath.Join(alone, "node")); err != nil {
		t.Fatal(err)
	}
	browser := t.TempDir()
	if err := os.Symlink(harness.LookPath(t, "chromium"), filepath.Join(browser, "chromium")); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ path, want string }{
		"a newer Node": {old + ":" + os.Getenv("PATH"), "needs Node 22.19 or later, and the one on Cove's PATH is v18"},
		"a Node":       {browser, "there is none on Cove's PATH"},
		"npx":          {alone + ":" + browser, "no npx"},
	} {
		t.Run(name, func(t *testing.T) {
			a, web := harness.Start(t, harness.With("PATH="+tc.path)), harness.NewSite(t)
			a.Open(1)
			m := a.Agent("1")
			m.Works("new_page", harness.Object{"url": web.URL + "/form"})
			m.Fails("lighthouse_audit", nil, tc.want, "nstall")
		})
	}
}
