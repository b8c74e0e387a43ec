//go:build e2e

package tools

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"cove/e2e/harness"
)

func TestRequestsAreAnsweredAndBlockedForOneTab(t *testing.T) {
	var asked atomic.Int64
	mux := routes(map[string]string{"/": `<title>asking</title><script>
		const ask = (path, o) => fetch(path, o).then(async r => r.status + ' ' + (r.headers.get('x-mock') || '') + ' ' + await r.text(), e => 'failed')
		</script>`})
	mux.HandleFunc("/api", func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = io.WriteString(w, "the server's")
	})
	base := host(t, mux)
	mux.HandleFunc("/framed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>framed</title><iframe src="`+strings.Replace(base, "127.0.0.1", "localhost", 1)+
			`"></iframe><script>onmessage = e => document.title = e.data</script>`)
	})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base})
	ask := func(what string) string {
		t.Helper()
		return g.Works("evaluate_script", harness.Object{"function": "() => ask(" + what + ")"})
	}
	rules := func(all ...harness.Object) {
		t.Helper()
		g.Works("mock_requests", harness.Object{"rules": append([]harness.Object{}, all...)})
	}

	rules(harness.Object{"url": "*/api?blocked", "block": true},
		harness.Object{"url": "*/api*", "method": "post", "status": 503, "body": "posted"},
		harness.Object{"url": "*/api*", "headers": harness.Object{"X-Mock": "yes", "Access-Control-Expose-Headers": "x-mock"},
			"body": "mocked ü"},
		harness.Object{"url": base + "/page", "headers": harness.Object{"Content-Type": "text/html; charset=utf-8"},
			"body": "<title>made up</title><h1>Made up</h1>"})
	says(t, ask("'/api'"), `200 yes mocked \u00fc`)
	says(t, ask("'/api?blocked'"), "failed")
	says(t, ask("'/api', {method: 'POST'}"), "503  posted")
	says(t, ask("'"+other+"/api', {headers: {'x-own': '1'}}"), `200 yes mocked \u00fc`) // with a preflight
	says(t, ask("'"+other+"/api', {method: 'POST', headers: {'content-type': 'application/json'}}"), "503  posted")
	says(t, g.Works("navigate_page", harness.Object{"url": base + "/page"}), "/page")
	says(t, titleOf(g), "made up")
	if n := asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}

	t.Run("a frame of another site", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base + "/framed"})
		snapshot := g.Works("take_snapshot", nil)
		says(t, g.Works("evaluate_script", harness.Object{"function": "() => ask('/api')",
			"frame": harness.UIDOf(snapshot, "Iframe")}), "mocked")
	})
	t.Run("another tab is not concerned", func(t *testing.T) {
		g.Works("new_page", harness.Object{"url": base})
		says(t, ask("'/api'"), "the server's")
		g.Works("close_page", nil)
	})
	t.Run("the person is not deceived", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base})
		g.Works("evaluate_script", harness.Object{"function": "() => void setInterval(() => fetch('/api?person'), 50)"})
		before := asked.Load()
		says(t, ask("'/api'"), "mocked")
		a.Must("takeover", "1")
		harness.Wait(t, "a request that reaches the server", func() bool { return asked.Load() > before })
		a.Must("takeover", "1", "--back")
		says(t, ask("'/api'"), "mocked")
		g.Works("navigate_page", harness.Object{"type": "reload"})
	})
	t.Run("removed", func(t *testing.T) {
		rules()
		says(t, ask("'/api'"), "the server's")
	})
	t.Run("gone with their agent", func(t *testing.T) {
		second := newDeveloper(t, a)
		second.Works("new_page", harness.Object{"url": base})
		second.Works("mock_requests", harness.Object{"rules": []harness.Object{{"url": "*/api", "body": "second"}}})
		script := harness.Object{"function": "() => ask('/api')"}
		says(t, second.Works("evaluate_script", script), "second")
		says(t, ask("'/api'"), "the server's")
		script["pageId"] = lastPage(t, g)
		g.Works("select_page", harness.Object{"pageId": script["pageId"], "take": true})
		harness.Wait(t, "the rules to go", func() bool {
			return strings.Contains(g.Works("evaluate_script", script), "the server's")
		})
		second.Works("new_page", harness.Object{"url": base})
		second.Works("mock_requests", harness.Object{"rules": []harness.Object{{"url": "*/api", "body": "second"}}})
		second.Close()
		script["pageId"] = lastPage(t, g)
		harness.Wait(t, "the tab to be free", func() bool { return strings.Contains(g.Works("list_pages", nil), "[free]") })
		says(t, g.Works("evaluate_script", script), "the server's")
	})
}

func TestRulesForRequestsDoNotReachAroundTheRulesForSites(t *testing.T) {
	base := pages(t, map[string]string{"/": `<title>asking</title>`})
	blocked := pages(t, map[string]string{"/": `<title>blocked</title>`})
	a := harness.Start(t)
	g := newDeveloper(t, a)
	a.Must("policy", "set", "1", "--block", blocked)
	g.Works("navigate_page", harness.Object{"url": base})
	g.Works("mock_requests", harness.Object{"rules": []harness.Object{{"url": "*", "body": "made up"}}})
	says(t, g.Works("evaluate_script", harness.Object{
		"function": "() => fetch('" + blocked + "/x').then(r => r.text(), () => 'refused')"}), "refused")
	says(t, g.Works("evaluate_script", harness.Object{
		"function": "() => fetch('/x').then(r => r.text())"}), "made up")
	g.Fails("policy blocks", "navigate_page", harness.Object{"url": blocked})

	set := func(words string, rule harness.Object) {
		t.Helper()
		g.Fails(words, "mock_requests", harness.Object{"rules": []harness.Object{rule}})
	}
	set("needs a url", harness.Object{"url": ""})
	set("status from 200", harness.Object{"url": "*", "status": 99})
	set("cannot answer", harness.Object{"url": "*", "block": true, "body": "x"})
	set("cannot set a cookie", harness.Object{"url": "*", "headers": harness.Object{"set-cookie": "a=b"}})
	set("header that cannot be sent", harness.Object{"url": "*", "headers": harness.Object{"a": "b\r\nc: d"}})
	set("method that is none", harness.Object{"url": "*", "method": "GET /"})
	many := make([]harness.Object, 51)
	for i := range many {
		many[i] = harness.Object{"url": "*"}
	}
	g.Fails("at most 50", "mock_requests", harness.Object{"rules": many})
	a.Must("policy", "set", "1", "--preset", "guarded")
	set("policy does not allow", harness.Object{"url": "*", "body": "x"})
}
