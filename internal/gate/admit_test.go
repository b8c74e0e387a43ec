package gate

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"cove/internal/policy"
)

func (g *testGate) http(method, path, token string) (int, string) {
	return g.request(method, path, token, nil)
}

func (g *testGate) upgrade(path, token string) (int, string) {
	return g.request("GET", path, token,
		http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
			"Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}})
}

func (g *testGate) request(method, path, token string, header http.Header) (int, string) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, fmt.Sprintf("http://127.0.0.1:%d%s", g.Port(), path),
		nil)
	if err != nil {
		g.t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusSwitchingProtocols {
		return res.StatusCode, ""
	}
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

func TestAGuardedPortNeedsACredential(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded, Sites: policy.Sites{Block: []string{"bad.example"}}})
	for _, path := range []string{"/json/version", "/json", "/json/list", "/json/new?about:blank", "/json/close/T",
		"/json/activate/T", "/json/protocol"} {
		for _, token := range []string{"", "wrong"} {
			status, body := g.http("PUT", path, token)
			if status != 401 || strings.Contains(body, g.Path()) || !strings.Contains(body, "owner.token") ||
				!strings.Contains(body, "A start that carries it") ||
				!strings.Contains(body, "cove token create NAME --home '/data of/mine'") {
				t.Errorf("%s with %q: %d %s", path, token, status, body)
			}
			if told := strings.Contains(body, "is not valid"); told != (token != "") {
				t.Errorf("%s with %q: a wrong token is told from none: %s", path, token, body)
			}
		}
	}
	if status, _ := g.upgrade("/devtools/page/T", ""); status != 401 {
		t.Errorf("a page's socket: %d", status)
	}
	if status, body := g.http("GET", "/json/version", "right"); status != 200 || !strings.Contains(body, g.Path()) {
		t.Errorf("with the token: %d %s", status, body)
	}
	if status, _ := g.upgrade(g.Path(), ""); status != 101 {
		t.Errorf("the browser's own path: %d", status)
	}
	for path, want := range map[string]int{"/json/new?file:///etc/passwd": 403, "/json/new?https://bad.example/": 403,
		"/json/new?about:blank": 200} {
		if status, body := g.http("PUT", path, "right"); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	g.enforcer.Set(policy.Policy{Preset: policy.ReadOnly})
	if status, body := g.http("PUT", "/json/new?about:blank", "right"); status != 403 ||
		!strings.Contains(body, "click, type and navigate") {
		t.Errorf("acting under read-only: %d %s", status, body)
	}
}
