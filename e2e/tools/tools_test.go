//go:build e2e

package tools

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// waitingSite serves the pages and, at /slow, an answer that takes a second; /when-slow answers when somebody waits for
// that.
func waitingSite(t *testing.T, all map[string]string) string {
	t.Helper()
	mux := routes(all)
	asked := make(chan struct{}, 100)
	mux.HandleFunc("/when-slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-asked:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-time.After(time.Second):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>slow</title><p>slow text</p>")
	})
	return host(t, mux)
}

// says checks that an answer has, or has not (with "!" in front), these words.
func says(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		without, not := strings.CutPrefix(w, "!")
		if strings.Contains(text, without) == not {
			t.Errorf("%q in: %s", w, text)
		}
	}
}

func TestNavigationIsToldAsItWent(t *testing.T) {
	base := waitingSite(t, map[string]string{
		"/one":    `<title>one</title><h1>One</h1>`,
		"/two":    `<title>two</title><h1>Two</h1>`,
		"/late":   `<title>late</title><script>fetch('/when-slow').then(() => alert('late'))</script>`,
		"/leaves": `<title>leaves</title><button onclick="location.href='/slow'; setTimeout(() => alert('mid'), 100)">Go</button>`,
	})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	// keepsItsDialog watches the dialog while the server's answer comes, one second after it was asked.
	keepsItsDialog := func(t *testing.T) {
		t.Helper()
		harness.Never(t, 1500*time.Millisecond, func() string {
			if r := g.Tool("take_snapshot", nil); !r.IsError || !strings.Contains(r.Text, "dialog") {
				return "the dialog is gone: " + r.Text
			}
			return ""
		})
	}
	t.Run("back and forward to a page that was kept whole", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base + "/one"})
		g.Works("navigate_page", harness.Object{"url": base + "/two"})
		says(t, g.Works("navigate_page", harness.Object{"type": "back"}), "navigated back", "/one", "!still loading")
		says(t, g.Works("take_snapshot", nil), `"One"`)
		says(t, g.Works("navigate_page", harness.Object{"type": "forward"}), "navigated forward", "/two",
			"!still loading")
		says(t, g.Works("take_snapshot", nil), `"Two"`)
	})
	t.Run("a dialog opens before the page is left", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base + "/late"})
		says(t, g.Works("navigate_page", harness.Object{"url": base + "/slow"}), "Unable to navigate", "alert: late",
			"!Successfully")
		keepsItsDialog(t) // what the server says comes too late to count
		g.Works("handle_dialog", harness.Object{"action": "accept"})
		says(t, g.Works("navigate_page", harness.Object{"url": base + "/slow"}), "Successfully navigated")
	})
	t.Run("a dialog that the next document waits for", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base + "/leaves"})
		says(t, g.Works("click", harness.Object{"uid": g.UID("button", "Go", nil)}), "alert: mid")
		keepsItsDialog(t)
		says(t, g.Works("handle_dialog", harness.Object{"action": "accept"}), "Successfully accepted", "/slow")
		says(t, g.Works("take_snapshot", nil), "slow text")
	})
	t.Run("the server does not answer", func(t *testing.T) {
		says(t, g.Works("navigate_page", harness.Object{"url": base + "/slow", "timeout": 100}),
			"the server did not answer in time")
	})
	t.Run("addresses without a scheme", func(t *testing.T) {
		for _, tool := range []string{"navigate_page", "new_page"} {
			says(t, g.Fails("is not an address", tool, harness.Object{"url": "localhost:3000/x"}),
				"http://localhost:3000/x")
			g.Fails("is not an address", tool, harness.Object{"url": "127.0.0.1:3000/x"})
		}
	})
	t.Run("a page that is not there", func(t *testing.T) {
		g.Fails("no page 1.5", "take_snapshot", harness.Object{"pageId": 1.5})
	})
}

func TestScriptsHaveTheirDialogsAnsweredAndWrongOnesChangeNothing(t *testing.T) {
	base := waitingSite(t, map[string]string{"/form": `<title>form</title><input id=i aria-label=Name value=kept>`})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	g.Works("navigate_page", harness.Object{"url": base + "/form"})
	if v := g.Eval("() => [confirm('sure?'), prompt('name?')]", nil); v != `[true,""]` {
		t.Errorf("the script got %s", v)
	}
	g.Works("take_snapshot", nil) // no dialog is open
	if v := g.Eval("() => confirm('sure?')", harness.Object{"dialogAction": "dismiss"}); v != "false" {
		t.Errorf("the script got %s", v)
	}
	for _, source := range []string{"document.title", "return 5", "const a = 1; a"} {
		says(t, g.Fails("Error", "evaluate_script", harness.Object{"function": source}), `format "script"`)
	}
	says(t, g.Fails("boom", "evaluate_script", harness.Object{"function": "() => { throw new Error('boom') }"}),
		`!format "script"`)
	g.Fails("exclude each other", "evaluate_script",
		harness.Object{"function": "() => 1", "sourcePath": "/tmp/none.js"})
	uid := g.UID("textbox", "Name", nil)
	g.Fails("needs a uid and a value", "fill_form",
		harness.Object{"elements": []harness.Object{{"uid": uid, "value": "new"}, {"uid": uid}}})
	if v := g.Eval("() => i.value", nil); v != `"kept"` {
		t.Errorf("the field holds %s", v)
	}
}

// A profile that is opened again has its tabs, but not all of them have their pages.
func TestTabsThatTheBrowserHasNotLoadedAreLoadedWhenTheyAreNeeded(t *testing.T) {
	base := waitingSite(t, map[string]string{"/a": `<title>a</title><h1>page a</h1>`,
		"/b": `<title>b</title><h1>page b</h1>`, "/c": `<title>c</title><h1>page c</h1>`})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	g.Works("navigate_page", harness.Object{"url": base + "/a"})
	g.Opened(base + "/b")
	g.Opened(base + "/c")
	a.Close(1)
	g = harness.NewDriver(t, a)
	says(t, g.Works("list_pages", nil), "/a", "/b", "/c", "![crashed]")
	for n := 1; n <= 3; n++ {
		says(t, g.Works("take_snapshot", harness.Object{"pageId": n}), `"page `)
	}
	says(t, g.Works("list_pages", nil), "![not loaded]")
}

func TestRequestsAndMessagesAreToldAsTheyAre(t *testing.T) {
	base := waitingSite(t, map[string]string{"/page": `<title>page</title><link rel=stylesheet href="/none.css"><script>console.log(new Date(0), new Map([['k', { deep: 1 }]]), /re/g)</script><button onclick="fetch('/big').then((r) => r.text()).then(() => { document.body.append('all came') })">Big</button>`,
		"/big": strings.Repeat("0123456789abcdef", 1<<20)})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	g.Works("navigate_page", harness.Object{"url": base + "/page"})
	says(t, g.Works("list_network_requests", harness.Object{"resourceTypes": []string{}}), "/none.css [404]")
	says(t, g.Works("list_console_messages", harness.Object{"types": []string{}}), "1970", `Map(1) {"k" => `, "/re/g")
	g.Fails("pageSize", "list_console_messages", harness.Object{"pageSize": 0})
	g.Works("click", harness.Object{"uid": g.UID("button", "Big", nil)})
	g.Works("wait_for", harness.Object{"text": []string{"all came"}})
	m := regexp.MustCompile(`reqid=(\d+) GET \S+/big`).FindStringSubmatch(g.Works("list_network_requests", nil))
	if m == nil {
		t.Fatal("no request")
	}
	id, _ := strconv.Atoi(m[1])
	g.Fails("was not saved", "get_network_request",
		harness.Object{"reqid": id, "responseFilePath": filepath.Join(t.TempDir(), "big.txt")})
}

func TestAReloadKeepsTheAddressThatIsReported(t *testing.T) {
	base := pages(t, map[string]string{"/": `<title>one</title><script>history.replaceState(null, '', '/kept?a=1#b')</script>`,
		"/kept": `<title>kept</title>`})
	g := harness.NewDriver(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base})
	for _, fresh := range []bool{false, true} {
		says(t, g.Works("navigate_page", harness.Object{"type": "reload", "ignoreCache": fresh}), "kept")
		says(t, g.Works("list_pages", nil), "("+base+"/kept?a=1#b)")
	}
}

func TestWaitForFindsOnlyWhatIsSeen(t *testing.T) {
	base := pages(t, map[string]string{"/": `<title>hidden</title><p hidden>hidden words</p>
		<p style="display:none">no box words</p><p style="visibility:hidden">unseen words</p>
		<template>template words</template><script>const script = 'script words'</script>
		<div style="height:5000px"></div><p>words far below</p>
		<button onclick="document.querySelector('[hidden]').hidden = false">Show</button>`})
	g := harness.NewDriver(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base})
	for _, words := range []string{"hidden words", "no box words", "unseen words", "template words", "script words"} {
		if a := g.Tool("wait_for", harness.Object{"text": []string{words}, "timeout": 300}); !a.IsError {
			t.Errorf("%s: %s", words, a.Text)
		}
	}
	g.Works("wait_for", harness.Object{"text": []string{"words far below"}, "timeout": 5000})
	g.Works("click", harness.Object{"uid": g.Find(`button "Show"`)})
	g.Works("wait_for", harness.Object{"text": []string{"hidden words"}, "timeout": 5000})
}
