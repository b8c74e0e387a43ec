package gate

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cove/internal/policy"
)

func TestNoKeyReachesTheClipboardWithoutTheRight(t *testing.T) {
	uses := []string{
		`"type":"keyDown","key":"v","code":"KeyV","windowsVirtualKeyCode":86,"modifiers":2`,
		`"type":"rawKeyDown","windowsVirtualKeyCode":86,"modifiers":10`,
		`"type":"rawKeyDown","key":"c","modifiers":4`,
		`"type":"keyDown","code":"KeyX","modifiers":2`,
		`"type":"keyDown","nativeVirtualKeyCode":86,"modifiers":2`,
		`"type":"keyDown","key":"v","modifiers":2.0`,
		`"type":"rawKeyDown","windowsVirtualKeyCode":131158`,
		`"type":"rawKeyDown","windowsVirtualKeyCode":65581`,
		`"type":"keyDown","key":"Insert","modifiers":8`,
		`"type":"keyDown","windowsVirtualKeyCode":45,"modifiers":2`,
		`"type":"keyDown","key":"Delete","modifiers":8`,
		`"type":"keyDown","key":"Paste"`,
		`"type":"keyDown","key":"q","commands":["paste"]`,
		`"type":"keyUp","key":"q","commands":["PasteAndMatchStyle"]`,
		`"type":"keyDown","commands":["selectAll","Copy"]`,
		`"type":"keyDown","commands":["cut"]`,
		`"type":"keyDown","commands":["\u0070aste"]`,
	}
	free := []string{
		`"type":"keyDown","key":"v","text":"v","windowsVirtualKeyCode":86`,
		`"type":"keyDown","key":"V","text":"V","modifiers":8`,
		`"type":"keyDown","key":"a","modifiers":2,"commands":["selectAll"]`,
		`"type":"keyDown","key":"Delete","windowsVirtualKeyCode":46`,
		`"type":"keyUp","key":"v","modifiers":2`,
	}
	for _, answer := range []policy.Answer{policy.No, policy.Yes} {
		g := newGate(t, policy.Policy{Preset: policy.Guarded,
			Rights: map[policy.Class]policy.Answer{policy.Clipboard: answer, policy.Submit: policy.Yes}})
		p := g.client()
		for i, params := range uses {
			got := p.request(i, "Input.dispatchKeyEvent", "{"+params+"}")
			if refused := strings.Contains(got, `"code":-32000`); refused != (answer == policy.No) {
				t.Errorf("%s: %s: %s", answer, params, got)
			}
		}
		for i, params := range free {
			if got := p.request(100+i, "Input.dispatchKeyEvent", "{"+params+"}"); !strings.Contains(got, `"result"`) {
				t.Errorf("%s: %s: %s", answer, params, got)
			}
		}
		for i, button := range []string{"left", "middle"} {
			got := p.request(200+i, "Input.dispatchMouseEvent",
				fmt.Sprintf(`{"type":"mousePressed","x":1,"y":1,"button":%q}`, button))
			if refused := strings.Contains(got, `"code":-32000`); refused != (answer == policy.No &&
				button == "middle" &&
				runtime.GOOS == "linux") {
				t.Errorf("%s: the %s button: %s", answer, button, got)
			}
		}
	}
}
