//go:build e2e

package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// An extension's settings outrank the browser's command line. It may take the relay away, but then there is no network
// at all.
func TestAnExtensionsProxySettingOpensNoWayOut(t *testing.T) {
	bad, base := newCounter(t), allowedSite(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"proxy","version":"1","permissions":["proxy","privacy"],"host_permissions":["<all_urls>"],"background":{"service_worker":"bg.js"}}`,
		"bg.js": fmt.Sprintf(`const settings = {direct: {mode: 'direct'}, other: {mode: 'fixed_servers', rules: {singleProxy: {host: '127.0.0.1', port: %[1]d}, bypassList: ['<-loopback>']}},
pac: {mode: 'pac_script', pacScript: {data: 'function FindProxyForURL() { return "DIRECT" }'}}};
self.use = async (name) => { await chrome.proxy.settings.set({value: settings[name]}); await chrome.privacy.network.webRTCIPHandlingPolicy.set({value: 'default'}); return (await chrome.proxy.settings.get({})).levelOfControl };
self.get = (url) => fetch(url, {mode: 'no-cors'}).then(() => 'got', () => 'failed');`, bad.port),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := harness.Start(t, harness.With("COVE_BROWSER_ARGS="+harness.BrowserFlags+" --load-extension="+dir+
		" --disable-features=DisableLoadExtensionCommandLineSwitch"))
	port := a.Open(1)
	b, worker := harness.NewTab(t, port), harness.NewTab(t, port)
	// A program may speak to the extension.
	a.Rules(1, `{"preset":"open","sites":{"allow":["`+base+`"]},"rights":{"local":"yes"}}`)
	harness.Wait(t, "the extension", func() bool {
		var all struct {
			TargetInfos []struct{ TargetID, Type, URL string }
		}
		if err := worker.Conn.Call(t.Context(), "", "Target.getTargets",
			map[string]any{"filter": []any{map[string]any{}}}, &all); err != nil {
			t.Fatal(err)
		}
		for _, i := range all.TargetInfos {
			if i.Type == "service_worker" && strings.HasPrefix(i.URL, "chrome-extension:") {
				var s struct{ SessionID string }
				if err := worker.Conn.Call(t.Context(), "", "Target.attachToTarget",
					map[string]any{"targetId": i.TargetID, "flatten": true}, &s); err == nil {
					worker.Session = s.SessionID
					return true
				}
			}
		}
		return false
	})
	for _, mode := range []string{"direct", "other", "pac"} {
		var control, got string
		worker.Eval(`use('`+mode+`')`, &control)
		if control != "controlled_by_this_extension" {
			t.Fatalf("%s: the test's extension has no control: %s", mode, control)
		}
		for _, address := range []string{fmt.Sprintf("http://b.localhost:%d/hit/x", bad.port),
			fmt.Sprintf("http://127.0.0.1:%d/hit/x", bad.port), fmt.Sprintf("https://localhost:%d/hit/x", bad.other)} {
			b.Call("Page.navigate", map[string]any{"url": address}, nil)
			worker.Eval(`get('`+address+`')`, &got)
		}
		bad.stays(t, 100*time.Millisecond, mode+" gets through")
		bad.forget()
	}
	b.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.Eval(fmt.Sprintf(`(async () => { const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%d'}]}); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer()); await new Promise(ok => setTimeout(ok, 2000)); return 1 })()`, bad.udp), nil)
	t.Logf("WebRTC under the extension's setting: %q", bad.all())
}
