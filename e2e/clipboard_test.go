//go:build e2e

package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What the person has copied is theirs: under guarded no key of an agent's brings it into a page, and none replaces it.
func TestThePersonsClipboardIsNotRead(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>Paste</title><input aria-label=From value="copied by the person"><input aria-label=To>`)
	}))
	t.Cleanup(web.Close)
	a := start(t)
	a.open(1)
	m := a.agent("1")
	m.works("navigate_page", object{"url": web.URL})
	from, to := m.find(`textbox "From"`), m.find(`textbox "To"`)
	m.works("click", object{"uid": from})
	m.works("press_key", object{"key": "Control+A"})
	m.works("press_key", object{"key": "Control+C"})
	pasted := func() bool {
		t.Helper()
		return strings.Contains(m.works("take_snapshot", nil), `textbox "To" value="copied by the person"`)
	}
	m.works("click", object{"uid": to})
	m.works("press_key", object{"key": "Control+V"})
	if !pasted() {
		t.Fatalf("under open keys do what they do in Chrome: %s", m.works("take_snapshot", nil))
	}
	m.works("fill", object{"uid": to, "value": ""})
	a.must("policy", "set", "1", "--preset", "guarded", "--right", "clipboard=no")
	m.works("click", object{"uid": to})
	for _, keys := range []string{"Control+V", "Control+Shift+V", "Shift+Insert", "Control+C", "Control+X"} {
		m.fails("press_key", object{"key": keys}, "clipboard", "type_text")
	}
	m.fails("type_text", object{"text": "x", "submitKey": "Control+V"}, "clipboard")

	w, _ := dialWire(t, a.socket(1))
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", object{}, &targets)
	var attached struct{ SessionID string }
	for _, one := range targets.TargetInfos {
		if one.Type == "page" && strings.HasPrefix(one.URL, web.URL) {
			w.must("", "Target.attachToTarget", object{"targetId": one.TargetID, "flatten": true}, &attached)
		}
	}
	const no = "clipboard"
	w.refused(attached.SessionID, "Input.dispatchKeyEvent", object{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2}, no)
	w.refused(attached.SessionID, "Input.dispatchKeyEvent", object{"type": "keyDown", "key": "q", "commands": []string{"paste"}}, no)
	w.refused(attached.SessionID, "Browser.grantPermissions", object{"permissions": []string{"clipboardReadWrite"}}, "is not open to programs")
	w.refused(attached.SessionID, "Browser.setPermission", object{"permission": object{"name": "clipboard-read"}, "setting": "granted"}, "is not open to programs")
	if pasted() {
		t.Error("it was pasted")
	}
	a.must("policy", "set", "1", "--right", "clipboard=ask")
	r := m.beginTool("press_key", object{"key": "Control+V"})
	ask := a.asked(1)
	if ask.Class != "clipboard" || !strings.Contains(ask.What, "Control+V") {
		t.Errorf("asked: %+v", ask)
	}
	a.decide(1, ask, true)
	if got := r.tool(); got.IsError || !pasted() {
		t.Errorf("after a yes: %s", got.Text)
	}
}
