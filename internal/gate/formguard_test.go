package gate

import (
	"strings"
	"testing"
	"time"

	"cove/internal/gate/markup"
	"cove/internal/policy"
	"cove/internal/sensitive"
)

func TestAFilledPasswordFieldMakesPressesAsk(t *testing.T) {
	attributes := func(pairs ...string) (texts []string, list []int) {
		for i, s := range pairs {
			texts, list = append(texts, s), append(list, i)
		}
		return texts, list
	}
	for _, c := range []struct {
		pairs []string
		want  bool
	}{
		{[]string{"TYPE", " Password "}, true},
		{[]string{"autocomplete", "section-a cc-number"}, true},
		{[]string{"autocomplete", "current-password"}, true},
		{[]string{"type", "text", "name", "password"}, true},
		{[]string{"id", "cardNumber"}, true},
		{[]string{"type", "checkbox", "name", "show_password"}, false},
		{[]string{"type", "text", "name", "user"}, false},
	} {
		texts, list := attributes(c.pairs...)
		f := markup.AttributesOf(len(list), func(i int) string { return texts[i] }).Field()
		if got := f.Kind() != sensitive.None; got != c.want {
			t.Errorf("%v: %v", c.pairs, got)
		}
	}
	g := newGate(t, policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Submit, policy.No)})
	g.browser.SetField(true, false)
	p := g.client()
	for params, needsRight := range map[string]bool{
		`{"type":"mousePressed","x":1,"y":1}`:                       true,
		`{"type":"mouseMoved","x":1,"y":1}`:                         false,
		`{"type":"keyDown","key":"a","text":"a"}`:                   false,
		`{"type":"keyDown","key":"Enter"}`:                          true,
		`{"type":"rawKeyDown","windowsVirtualKeyCode":13}`:          true,
		`{"type":"char","text":"\r"}`:                               true,
		`{"type":"keyDown","key":"a","commands":["insertNewline"]}`: true,
		`{"type":"keyDown","key":"s","modifiers":1}`:                true,
		`{"type":"keyUp","key":"Enter"}`:                            false,
		`{"type":"keyUp","code":"Space"}`:                           true,
		`{"type":"rawKeyDown","windowsVirtualKeyCode":1.3e1}`:       true,
		`{"type":"keyDown","code":"NumpadEnter"}`:                   true,
		`{"type":"mouseReleased","x":1,"y":1}`:                      true,
		`{"text":"one\nline"}`:                                      true,
		`{"text":"one line"}`:                                       false,
	} {
		method := "Input.dispatchKeyEvent"
		switch {
		case strings.Contains(params, "mouse"):
			method = "Input.dispatchMouseEvent"
		case strings.HasPrefix(params, `{"text"`):
			method = "Input.insertText"
		}
		if got := p.request(1, method, params); strings.Contains(got, "password or a payment") != needsRight {
			t.Errorf("%s: %s", params, got)
		}
	}
	if got := p.request(2, "Network.replayXHR", `{"requestId":"1"}`); !strings.Contains(got, "password or a payment") {
		t.Errorf("sending it again: %s", got)
	}
	passes := func(what, params string) {
		t.Helper()
		if got := p.request(2, "Input.dispatchMouseEvent", params); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: %s", what, got)
		}
	}
	refused := func(what, params string) {
		t.Helper()
		if got := p.request(2, "Input.dispatchMouseEvent", params); !strings.Contains(got, "password or a payment") {
			t.Errorf("%s: %s", what, got)
		}
	}
	const press, release = `{"type":"mousePressed","x":1,"y":1}`, `{"type":"mouseReleased","x":1,"y":1}`
	g.browser.SetField(false, false)
	passes("nothing is filled", press)
	g.browser.SetField(true, false)
	refused("filled between the press and its release", release)
	g.browser.SetField(true, true)
	refused("a field that has been for a password", press)
	g.enforcer.Set(policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Submit, policy.Yes)})
	passes("with the right", press)
}

// A press that the person has allowed is released without another question.
func TestAPressIsAskedAboutOnce(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded})
	g.browser.SetField(true, false)
	p := g.client()
	states := g.enforcer.Subscribe()
	defer states.Close()
	asked := func() string {
		t.Helper()
		for late := time.After(time.Minute); ; {
			select {
			case s := <-states.C():
				if len(s.Requests) > 0 {
					return s.Requests[0].ID
				}
			case <-late:
				t.Fatal("nobody is asked")
			}
		}
	}
	for range 2 {
		p.send(`{"id":1,"method":"Input.dispatchMouseEvent","params":{"type":"mousePressed","x":1,"y":1}}`)
		if err := g.enforcer.Decide(asked(), true, false); err != nil {
			t.Fatal(err)
		}
		if got := p.hear(); !strings.Contains(got, `"result"`) {
			t.Fatalf("the press: %s", got)
		}
		if got := p.request(2, "Input.dispatchMouseEvent",
			`{"type":"mouseReleased","x":1,"y":1}`); !strings.Contains(got,
			`"result"`) {
			t.Errorf("the release: %s", got)
		}
	}
}
