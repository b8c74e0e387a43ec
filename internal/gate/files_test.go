package gate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/policy"
	"cove/internal/protect"
)

// No policy lets a command name a protected file, and a person's approval does not either.
func TestNoCommandNamesAProtectedFile(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, plain := filepath.Join(base, "data"), filepath.Join(base, "plain.txt")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	quote := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
	token := filepath.Join(data, "owner.token")
	nested := func(method, params string) string {
		return `{"sessionId":"S9","message":` + quote(`{"id":1,"method":"`+method+`","params":`+params+`}`) + `}`
	}
	for _, preset := range []policy.Preset{policy.Open, policy.Guarded} {
		g := newGate(t, policy.Policy{Preset: preset,
			Rights: map[policy.Class]policy.Answer{policy.Upload: policy.Yes, policy.Download: policy.Yes,
				policy.Local: policy.Yes}})
		g.config.Files = protect.New(protect.Paths{Folders: []string{data}})
		p := g.client()
		give := `{"files":[` + quote(plain) + `,` + quote(token) + `],"nodeId":1}`
		for _, c := range [][2]string{
			{"DOM.setFileInputFiles", give},
			{"DOM.setFileInputFiles", `{"files":["relative"]}`},
			{"DOM.setFileInputFiles", `{"files":[` + quote(base+"/x/../data/owner.token") + `]}`},
			{"DOM.setFileInputFiles", `{"files":[` + quote(token+"\x00") + `]}`},
			{"DOM.setFileInputFiles", `{"files":"` + "x" + `"}`},
			{"Page.handleFileChooser", give},
			{"Input.dispatchDragEvent", `{"type":"drop","x":1,"y":1,"data":{"items":[],"files":[` + quote(token) +
				`],"dragOperationsMask":1}}`},
			{"Browser.setDownloadBehavior", `{"behavior":"allow","downloadPath":` + quote(data) + `}`},
			{"Page.setDownloadBehavior", `{"behavior":"allow","downloadPath":` + quote(filepath.Join(data, "logs")) +
				`}`},
			{"Browser.setDownloadBehavior", `{"behavior":"allow","downloadPath":"here"}`},
			{"Page.navigate", `{"url":` + quote("file://"+token) + `}`},
			{"Target.createTarget", `{"url":` + quote("view-source:file://"+token) + `}`},
			{"Target.sendMessageToTarget", nested("DOM.setFileInputFiles", give)},
			{"Target.sendMessageToTarget", nested("Page.navigate", `{"url":`+quote("file://"+token)+`}`)},
		} {
			before := len(g.browser.Got(c[0]))
			if got := p.request(7, c[0], c[1]); !strings.Contains(got, `"code":-32000`) ||
				len(g.browser.Got(c[0])) != before {
				t.Errorf("%s: %s %s was passed on: %s", preset, c[0], c[1], got)
			}
		}
		for _, c := range [][2]string{
			{"DOM.setFileInputFiles", `{"files":[` + quote(plain) + `],"nodeId":1}`},
			{"Browser.setDownloadBehavior", `{"behavior":"allow","downloadPath":` + quote(base) + `}`},
			{"Page.navigate", `{"url":` + quote("file://"+plain) + `}`},
		} {
			if got := p.request(8, c[0], c[1]); !strings.Contains(got, `"result"`) {
				t.Errorf("%s: %s %s: %s", preset, c[0], c[1], got)
			}
		}
	}
}

func TestAPageThatWentToAProtectedFileIsNotRead(t *testing.T) {
	data := t.TempDir()
	g := newGate(t, policy.Policy{Preset: policy.Open})
	g.config.Files = protect.New(protect.Paths{Folders: []string{data}})
	p := g.client()
	p.request(1, "Page.enable", `{}`)
	g.showPage(p, "CHILD", "T", "file:///tmp/")
	request := func(method string) string {
		p.send(`{"id":5,"method":"` + method + `","sessionId":"CHILD","params":{"url":"about:blank"}}`)
		return p.hear()
	}
	if got := request("Runtime.evaluate"); !strings.Contains(got, `"result"`) {
		t.Fatalf("another file's page: %s", got)
	}

	address := "file://" + filepath.Join(data, "owner.token")
	g.movePage("T", address)
	g.awaitPage("T", address)
	for _, method := range []string{"Runtime.evaluate", "DOM.getDocument", "Page.captureScreenshot"} {
		if got := request(method); !strings.Contains(got, `"code":-32000`) {
			t.Errorf("%s was passed on: %s", method, got)
		}
	}
	if got := request("Page.navigate"); !strings.Contains(got, `"result"`) {
		t.Errorf("the page cannot be left: %s", got)
	}
}
