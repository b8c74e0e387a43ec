//go:build e2e

package tools

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// talkingSite serves a page, an API that echoes, and a WebSocket that echoes.
func talkingSite(t *testing.T) string {
	t.Helper()
	mux := routes(map[string]string{"/": `<title>talking</title><script>
		const say = (...all) => new Promise(done => {
			const ws = new WebSocket('/ws?password=hunter' + 1 * 2)
			ws.binaryType = 'arraybuffer'
			let left = all.length
			ws.onopen = () => all.forEach(one => ws.send(one))
			ws.onmessage = () => { if (--left == 0) { done('said'); ws.close() } }
		})</script>`})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		_, _ = io.Copy(w, r.Body)
	})
	mux.HandleFunc("/sink", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "session=cookie-value-0451")
	})
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		for {
			kind, raw, err := ws.Read(r.Context())
			if err != nil || ws.Write(r.Context(), kind, raw) != nil {
				return
			}
		}
	})
	return host(t, mux)
}

// The members that HAR 1.2 requires, as a schema would say it.
var harRequired = map[string][]string{
	"log":      {"version", "creator", "entries"},
	"entry":    {"startedDateTime", "time", "request", "response", "cache", "timings"},
	"request":  {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"},
	"response": {"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"},
	"content":  {"size", "mimeType"},
	"timings":  {"send", "wait", "receive"},
}

func harHas(t *testing.T, kind string, v any) map[string]any {
	t.Helper()
	members, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%s is %v", kind, v)
	}
	for _, name := range harRequired[kind] {
		if members[name] == nil {
			t.Errorf("%s has no %s", kind, name)
		}
	}
	return members
}

func TestRequestsAreExportedWithoutCredentials(t *testing.T) {
	base := talkingSite(t)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base})
	g.Works("evaluate_script", harness.Object{"function": `async () => {
		const headers = {authorization: 'Bearer token-0451', 'content-type': 'application/json'}
		await fetch('/sink?q=a%20b&password=hunter2', {method: 'POST', headers,
			body: JSON.stringify({user: 'me', password: 'hunter2'})})
		await fetch('/echo', {method: 'POST', body: new Uint8Array([0, 255, 254])}).then(r => r.arrayBuffer())
		await say('{"password":"hunter2","say":"hello"}', new Uint8Array([1, 2, 3]))
	}`})
	dir := t.TempDir()
	file := filepath.Join(dir, "page.har")
	says(t, g.Works("export_har", harness.Object{"filePath": file, "includeBodies": true}), "saved to", file)

	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "token-0451", "cookie-value-0451"} {
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("the file holds %s", secret)
		}
	}
	for _, word := range []string{"/sink?q=a%20b", "a b", `"user`, "hello", `"send"`, `"receive"`, "talking", "base64", "AP/+"} {
		if !bytes.Contains(raw, []byte(word)) {
			t.Errorf("the file does not hold %s", word)
		}
	}
	var har map[string]any
	if err := json.Unmarshal(raw, &har); err != nil {
		t.Fatal(err)
	}
	log := harHas(t, "log", har["log"])
	if log["version"] != "1.2" {
		t.Errorf("version %v", log["version"])
	}
	entries := log["entries"].([]any)
	if len(entries) < 4 {
		t.Errorf("%d entries", len(entries))
	}
	for _, one := range entries {
		e := harHas(t, "entry", one)
		harHas(t, "request", e["request"])
		harHas(t, "content", harHas(t, "response", e["response"])["content"])
		harHas(t, "timings", e["timings"])
	}

	g.Works("export_har", harness.Object{"filePath": file})
	if raw, _ = os.ReadFile(file); bytes.Contains(raw, []byte("<title>")) {
		t.Error("a body that nobody asked for")
	}
	g.Fails("denied", "export_har", harness.Object{"filePath": "/etc/page.har"})
}

func TestMessagesOfWebSocketsAreShownWithoutPasswords(t *testing.T) {
	base := talkingSite(t)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base})
	says(t, g.Works("list_websockets", nil), "No WebSockets")
	g.Works("evaluate_script", harness.Object{
		"function": `() => say('{"password":"hunter2","say":"hello"}', new Uint8Array([1, 2, 3]))`})
	list := g.Works("list_websockets", nil)
	says(t, list, "2 sent, 2 received", "/ws?password=redacted", "!hunter2")
	id := strings.Fields(strings.SplitN(list, "reqid=", 2)[1])[0]
	frames := g.Works("list_websockets", harness.Object{"reqid": id})
	says(t, frames, "sent: ", "received: ", "hello", "<binary, 3 bytes>", "!hunter2")

	g.Works("evaluate_script", harness.Object{
		"function": `() => say(...Array.from({length: 1500}, (_, i) => 'message ' + i))`})
	list = g.Works("list_websockets", nil)
	says(t, list, "1500 sent, 1500 received")
	id = strings.Fields(strings.Split(list, "reqid=")[2])[0]
	frames = g.Works("list_websockets", harness.Object{"reqid": id})
	says(t, frames, "Showing the last 100 of", "message 1499", "!message 20\n")
	g.Fails("no WebSocket 1", "list_websockets", harness.Object{"reqid": 1})
	g.Works("navigate_page", harness.Object{"type": "reload"})
	says(t, g.Works("list_websockets", nil), "No WebSockets")
	a.Must("policy", "set", "1", "--preset", "read-only")
	says(t, g.Works("list_websockets", nil), "No WebSockets")
}

// What the page has sent is saved as it was sent.
func TestRequestBodiesAreSavedByteForByte(t *testing.T) {
	base := talkingSite(t)
	g := newDeveloper(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base})
	for name, one := range map[string]struct{ script, want string }{
		"text":                  {`'line\r\nline\n\ttab'`, "line\r\nline\n\ttab"},
		"letters of any script": {`'ü 漢字 🙂'`, "ü 漢字 🙂"},
		"bytes":                 {`new Uint8Array([0, 1, 127, 128, 255, 10, 13])`, "\x00\x01\x7f\x80\xff\n\r"},
		"a blob in two parts":   {`new Blob(['ab', new Uint8Array([200, 0])])`, "ab\xc8\x00"},
		"much text":             {`'0123456789'.repeat(30000)`, strings.Repeat("0123456789", 30000)},
		"a form":                {`new URLSearchParams({a: 'ü &', b: ''})`, "a=%C3%BC+%26&b="},
	} {
		g.Works("navigate_page", harness.Object{"type": "reload"})
		g.Works("evaluate_script", harness.Object{
			"function": "() => fetch('/echo', {method: 'POST', body: " + one.script + "}).then(r => r.arrayBuffer()).then(b => b.byteLength)"})
		list := g.Works("list_network_requests", harness.Object{"resourceTypes": []string{"fetch"}})
		id := strings.Fields(strings.SplitN(list, "reqid=", 2)[1])[0]
		dir := t.TempDir()
		g.Works("get_network_request", harness.Object{"reqid": id,
			"requestFilePath": filepath.Join(dir, "request"), "responseFilePath": filepath.Join(dir, "response")})
		for _, file := range []string{"request", "response"} {
			if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != one.want {
				t.Errorf("%s, %s: %d bytes %.60q, not %d bytes %.60q (%v)", name, file, len(got), got, len(one.want), one.want, err)
			}
		}
	}
}
