//go:build e2e

package tools

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// addingSite serves a page whose script counts, and the same in a frame of another site.
func addingSite(t *testing.T) string {
	t.Helper()
	mux := routes(map[string]string{
		"/": `<title>counting</title><script src=/count.js></script><button onclick="count(3)">Count</button>`,
	})
	mux.HandleFunc("/count.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, "let sum = 0\nfunction count(by) {\n  sum += by\n  debugger\n  return sum\n}\ncount(1)\n")
	})
	base := host(t, mux)
	mux.HandleFunc("/framed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>framed</title><iframe src="`+
			strings.Replace(base, "127.0.0.1", "localhost", 1)+`"></iframe>`)
	})
	return base
}

func logpoint(url string, line int, expression string) harness.Object {
	return harness.Object{"url": url, "line": line, "expression": expression}
}

func TestLogpointsLogWithoutAStop(t *testing.T) {
	base := addingSite(t)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base})
	script := base + "/count.js"
	console := func() string { return g.Works("list_console_messages", nil) }

	says(t, g.Works("set_logpoints", harness.Object{"logpoints": []harness.Object{
		logpoint(script, 5, "'sum', sum, by"), logpoint(script, 3, "missing.member"),
		logpoint(base+"/later.js", 1, "1")}}),
		"3 logpoints", "/later.js:1: no script with this line", "!/count.js:5: no script")
	says(t, console(), "!count.js")
	g.Works("click", harness.Object{"uid": g.Find(`button "Count"`)})
	says(t, console(), "[count.js:5] sum 4 3", "[count.js:3] ReferenceError")
	g.Works("navigate_page", harness.Object{"type": "reload"}) // a new document has them too
	says(t, console(), "[count.js:5] sum 1 1")

	t.Run("a frame of another site", func(t *testing.T) {
		inner := strings.Replace(script, "127.0.0.1", "localhost", 1)
		g.Works("set_logpoints", harness.Object{"logpoints": []harness.Object{logpoint(inner, 5, "location.host, sum")}})
		g.Works("navigate_page", harness.Object{"url": base + "/framed"})
		harness.Wait(t, "the frame's console", func() bool { return strings.Contains(console(), "[count.js:5] localhost") })
		g.Works("click", harness.Object{"uid": g.Find(`button "Count"`)})
		says(t, console(), strings.TrimPrefix(strings.Replace(base, "127.0.0.1", "localhost", 1), "http://")+" 4")
	})
	t.Run("other tabs have none", func(t *testing.T) {
		g.Works("set_logpoints", harness.Object{"logpoints": []harness.Object{logpoint(script, 5, "sum")}})
		g.Works("new_page", harness.Object{"url": base})
		says(t, console(), "!count.js:5")
		g.Works("close_page", nil)
	})
	t.Run("removed", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base})
		says(t, console(), "[count.js:5]")
		g.Works("set_logpoints", harness.Object{"logpoints": []harness.Object{}})
		g.Works("navigate_page", harness.Object{"type": "reload"})
		says(t, console(), "!count.js:5")
	})
	t.Run("gone with their agent", func(t *testing.T) {
		other := newDeveloper(t, a)
		other.Works("new_page", harness.Object{"url": base})
		set := harness.Object{"logpoints": []harness.Object{logpoint(script, 5, "sum")}}
		other.Works("set_logpoints", set)
		other.Works("navigate_page", harness.Object{"type": "reload"})
		says(t, other.Works("list_console_messages", nil), "[count.js:5]")
		theirs := harness.Object{"pageId": lastPage(t, g)}
		g.Fails("Nothing was done", "set_logpoints", harness.Object{"logpoints": set["logpoints"], "pageId": theirs["pageId"]})
		other.Close()
		harness.Wait(t, "the tab to be free", func() bool { return strings.Contains(g.Works("list_pages", nil), "[free]") })
		g.Works("navigate_page", harness.Object{"type": "reload", "pageId": theirs["pageId"]})
		says(t, g.Works("list_console_messages", theirs), "!count.js:5")
	})
	says(t, a.Must("journal", "show", "1"), "Logged values of the page's scripts (3 places)")
}

func TestLogpointsAreRefused(t *testing.T) {
	base := addingSite(t)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base})
	set := func(words string, points ...harness.Object) {
		t.Helper()
		g.Fails(words, "set_logpoints", harness.Object{"logpoints": points})
	}
	script := base + "/count.js"
	set("cannot be read", logpoint(script, 5, "1 +"))
	set("line and a column from 1", logpoint(script, 0, "1"))
	set("needs an expression", logpoint(script, 1, " "))
	set("needs the url", logpoint("", 1, "1"))
	set("more than 2000 bytes", logpoint(script, 1, strings.Repeat("1", 2001)))
	var many []harness.Object
	for i := range 51 {
		many = append(many, logpoint(script, i+1, "1"))
	}
	set("at most 50", many...)
	a.Must("policy", "set", "1", "--preset", "guarded")
	set("policy does not allow", logpoint(script, 5, "document.cookie"))
}
