//go:build e2e

package policy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// What the person has copied is theirs: under guarded no key of an agent's brings it into a page, and none replaces it.
func TestThePersonsClipboardIsNotRead(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>Paste</title><input aria-label=From value="copied by the person"><input aria-label=To>`)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL})
	from, to := m.Find(`textbox "From"`), m.Find(`textbox "To"`)
	m.Works("click", harness.Object{"uid": from})
	m.Works("press_key", harness.Object{"key": "Control+A"})
	m.Works("press_key", harness.Object{"key": "Control+C"})
	pasted := func() bool {
		t.Helper()
		return strings.Contains(m.Works("take_snapshot", nil), `textbox "To" value="copied by the person"`)
	}
	m.Works("click", harness.Object{"uid": to})
	m.Works("press_key", harness.Object{"key": "Control+V"})
	if !pasted() {
		t.Fatalf("under open keys do what they do in Chrome: %s", m.Works("take_snapshot", nil))
	}
	m.Works("fill", harness.Object{"uid": to, "value": ""})
	a.Must("policy", "set", "1", "--preset", "guarded", "--tabs", "shared", "--right", "clipboard=no")
	m.Works("click", harness.Object{"uid": to})
	for _, keys := range []string{"Control+V", "Control+Shift+V", "Shift+Insert", "Control+C", "Control+X"} {
		m.Fails("press_key", harness.Object{"key": keys}, "clipboard", "type_text")
	}
	m.Fails("type_text", harness.Object{"text": "x", "submitKey": "Control+V"}, "clipboard")

	w, _ := dialWire(t, a.Socket(1))
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", harness.Object{}, &targets)
	var attached struct{ SessionID string }
	for _, one := range targets.TargetInfos {
		if one.Type == "page" && strings.HasPrefix(one.URL, web.URL) {
			w.must("", "Target.attachToTarget", harness.Object{"targetId": one.TargetID, "flatten": true}, &attached)
		}
	}
	const no = "clipboard"
	w.refused(attached.SessionID, "Input.dispatchKeyEvent",
		harness.Object{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2}, no)
	w.refused(attached.SessionID, "Input.dispatchKeyEvent",
		harness.Object{"type": "keyDown", "key": "q", "commands": []string{"paste"}}, no)
	w.refused(attached.SessionID, "Browser.grantPermissions",
		harness.Object{"permissions": []string{"clipboardReadWrite"}}, "is not open to programs")
	w.refused(attached.SessionID, "Browser.setPermission",
		harness.Object{"permission": harness.Object{"name": "clipboard-read"}, "setting": "granted"},
		"is not open to programs")
	if pasted() {
		t.Error("it was pasted")
	}
	a.Must("policy", "set", "1", "--right", "clipboard=ask")
	r := m.BeginTool("press_key", harness.Object{"key": "Control+V"})
	ask := a.Asked(1)
	if ask.Class != "clipboard" || !strings.Contains(ask.What, "Control+V") {
		t.Errorf("asked: %+v", ask)
	}
	a.Decide(1, ask, true)
	if got := r.Tool(); got.IsError || !pasted() {
		t.Errorf("after a yes: %s", got.Text)
	}
}
