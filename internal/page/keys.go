package page

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// key is a key of a US keyboard.
type key struct {
	key, code string
	vk        int
	text      string // what it writes
	shift     bool   // only with Shift
	location  int
}

// Modifiers as the protocol counts them.
const (
	modAlt     = 1
	modControl = 2
	modMeta    = 4
	modShift   = 8
)

var modifiers = map[string]struct {
	bit int
	key key
}{
	"Alt":     {modAlt, key{key: "Alt", code: "AltLeft", vk: 18, location: 1}},
	"Control": {modControl, key{key: "Control", code: "ControlLeft", vk: 17, location: 1}},
	"Meta":    {modMeta, key{key: "Meta", code: "MetaLeft", vk: 91, location: 1}},
	"Shift":   {modShift, key{key: "Shift", code: "ShiftLeft", vk: 16, location: 1}},
}

var named = map[string]key{
	"Enter": {code: "Enter", vk: 13, text: "\r"}, "Tab": {code: "Tab", vk: 9}, "Escape": {code: "Escape", vk: 27}, "Space": {key: " ", code: "Space", vk: 32, text: " "},
	"Backspace": {code: "Backspace", vk: 8}, "Delete": {code: "Delete", vk: 46}, "Insert": {code: "Insert", vk: 45},
	"ArrowLeft": {code: "ArrowLeft", vk: 37}, "ArrowUp": {code: "ArrowUp", vk: 38}, "ArrowRight": {code: "ArrowRight", vk: 39}, "ArrowDown": {code: "ArrowDown", vk: 40},
	"Home": {code: "Home", vk: 36}, "End": {code: "End", vk: 35}, "PageUp": {code: "PageUp", vk: 33}, "PageDown": {code: "PageDown", vk: 34},
	"CapsLock": {code: "CapsLock", vk: 20}, "NumLock": {code: "NumLock", vk: 144}, "ScrollLock": {code: "ScrollLock", vk: 145}, "Pause": {code: "Pause", vk: 19},
	"PrintScreen": {code: "PrintScreen", vk: 44}, "ContextMenu": {code: "ContextMenu", vk: 93}, "Help": {code: "Help", vk: 47}, "Clear": {code: "NumLock", vk: 12},
	"NumpadEnter": {key: "Enter", code: "NumpadEnter", vk: 13, text: "\r", location: 3}, "NumpadAdd": {key: "+", code: "NumpadAdd", vk: 107, text: "+", location: 3},
	"NumpadSubtract": {key: "-", code: "NumpadSubtract", vk: 109, text: "-", location: 3}, "NumpadMultiply": {key: "*", code: "NumpadMultiply", vk: 106, text: "*", location: 3},
	"NumpadDivide": {key: "/", code: "NumpadDivide", vk: 111, text: "/", location: 3}, "NumpadDecimal": {key: ".", code: "NumpadDecimal", vk: 110, text: ".", location: 3},
	"MediaPlayPause": {code: "MediaPlayPause", vk: 179}, "MediaStop": {code: "MediaStop", vk: 178}, "MediaTrackNext": {code: "MediaTrackNext", vk: 176}, "MediaTrackPrevious": {code: "MediaTrackPrevious", vk: 177},
	"AudioVolumeMute": {code: "VolumeMute", vk: 173}, "AudioVolumeDown": {code: "VolumeDown", vk: 174}, "AudioVolumeUp": {code: "VolumeUp", vk: 175},
	"ShiftLeft": {key: "Shift", code: "ShiftLeft", vk: 16, location: 1}, "ShiftRight": {key: "Shift", code: "ShiftRight", vk: 16, location: 2},
	"ControlLeft": {key: "Control", code: "ControlLeft", vk: 17, location: 1}, "ControlRight": {key: "Control", code: "ControlRight", vk: 17, location: 2},
	"AltLeft": {key: "Alt", code: "AltLeft", vk: 18, location: 1}, "AltRight": {key: "Alt", code: "AltRight", vk: 18, location: 2},
	"MetaLeft": {key: "Meta", code: "MetaLeft", vk: 91, location: 1}, "MetaRight": {key: "Meta", code: "MetaRight", vk: 92, location: 2},
}

// aliases are words that people use for keys.
var aliases = map[string]string{
	"Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Win": "Meta", "Super": "Meta", "Option": "Alt", "Return": "Enter", "Esc": "Escape", "Del": "Delete",
	"Left": "ArrowLeft", "Right": "ArrowRight", "Up": "ArrowUp", "Down": "ArrowDown", "Spacebar": "Space", "PgUp": "PageUp", "PgDn": "PageDown",
}

// characters are the keys that write one, spellings the names of all others by what they are in small letters.
var (
	characters = map[rune]key{}
	spellings  = map[string]string{}
)

func init() {
	for i := range 24 {
		name := fmt.Sprintf("F%d", i+1)
		named[name] = key{code: name, vk: 112 + i}
	}
	for i := range 10 {
		d := string(rune('0' + i))
		named["Numpad"+d] = key{key: d, code: "Numpad" + d, vk: 96 + i, text: d, location: 3}
		named["Digit"+d] = key{key: d, code: "Digit" + d, vk: '0' + i, text: d}
		characters['0'+rune(i)] = key{code: "Digit" + d, vk: '0' + i}
	}
	for i, r := range []rune(")!@#$%^&*(") {
		characters[r] = key{code: fmt.Sprintf("Digit%d", i), vk: '0' + i, shift: true}
	}
	for r := 'a'; r <= 'z'; r++ {
		upper := r - 'a' + 'A'
		named["Key"+string(upper)] = key{key: string(r), code: "Key" + string(upper), vk: int(upper), text: string(r)}
		characters[r] = key{code: "Key" + string(upper), vk: int(upper)}
		characters[upper] = key{code: "Key" + string(upper), vk: int(upper), shift: true}
	}
	for _, p := range []struct {
		plain, shifted rune
		code           string
		vk             int
	}{
		{';', ':', "Semicolon", 186}, {'=', '+', "Equal", 187}, {',', '<', "Comma", 188}, {'-', '_', "Minus", 189}, {'.', '>', "Period", 190}, {'/', '?', "Slash", 191},
		{'`', '~', "Backquote", 192}, {'[', '{', "BracketLeft", 219}, {'\\', '|', "Backslash", 220}, {']', '}', "BracketRight", 221}, {'\'', '"', "Quote", 222},
	} {
		characters[p.plain] = key{code: p.code, vk: p.vk}
		characters[p.shifted] = key{code: p.code, vk: p.vk, shift: true}
		named[p.code] = key{key: string(p.plain), code: p.code, vk: p.vk, text: string(p.plain)}
	}
	characters[' '] = key{code: "Space", vk: 32}
	for r, k := range characters {
		k.key, k.text = string(r), string(r)
		characters[r] = k
	}
	for name, k := range named {
		if k.key == "" {
			k.key = name
			named[name] = k
		}
		spellings[strings.ToLower(name)] = name
	}
	for name := range modifiers {
		spellings[strings.ToLower(name)] = name
	}
	for name, better := range aliases {
		spellings[strings.ToLower(name)] = better
	}
}

// keyOf is the key that writes a character.
func keyOf(r rune) (key, bool) {
	if r == '\n' {
		return named["Enter"], true
	}
	k, ok := characters[r]
	return k, ok
}

// strokes presses the key, with Shift where it needs that.
func (k key) strokes() []stroke {
	if !k.shift {
		return []stroke{{key: k, down: true, text: k.text}, {key: k}}
	}
	shift := modifiers["Shift"].key
	return []stroke{{key: shift, down: true, modifiers: modShift}, {key: k, down: true, text: k.text, modifiers: modShift}, {key: k, modifiers: modShift}, {key: shift}}
}

// parseKeys reads a combination such as Control+Shift+R. A plus at the end is the key itself.
func parseKeys(combination string) ([]stroke, error) {
	names := strings.Split(combination, "+")
	if n := len(names); n >= 2 && names[n-1] == "" && names[n-2] == "" {
		names = append(names[:n-2], "+")
	}
	var down, up []stroke
	held := 0
	for i, name := range names {
		name = spelled(name)
		if m, ok := modifiers[name]; ok && i < len(names)-1 {
			held |= m.bit
			down = append(down, stroke{key: m.key, down: true, modifiers: held})
			up = append([]stroke{{key: m.key, modifiers: held &^ m.bit}}, up...)
			continue
		}
		k, ok := lookUp(name)
		if ok && i < len(names)-1 {
			return nil, fault.Invalidf("%q cannot be held down for another key.", name).WithHint("Only Control, Shift, Alt and Meta can; press other keys one after another.")
		}
		if !ok {
			return nil, fault.Invalidf("%q is not a key.", name).WithHint("Use a key of a US keyboard, a name such as Enter, Tab, Escape, ArrowDown, PageUp, F5, or a combination such as Control+Shift+R; type_text writes any character.")
		}
		if m, ok := modifiers[name]; ok { // pressed alone: it is held while it is down
			down = append(down, stroke{key: k, down: true, modifiers: held | m.bit}, stroke{key: k, modifiers: held})
			continue
		}
		text := k.text
		if held&^modShift != 0 {
			text = "" // a shortcut writes nothing
		}
		if k.shift && held&modShift == 0 && held == 0 {
			return append(append(down, k.strokes()...), up...), nil
		}
		if held == modShift && len(k.text) == 1 && k.text != "\r" { // Enter stays what it is
			text = strings.ToUpper(k.text)
		}
		switch letter := len(k.key) == 1; { // as a keyboard says it, however the combination is written
		case letter && held&modShift != 0:
			k.key = strings.ToUpper(k.key)
		case letter && held != 0:
			k.key = strings.ToLower(k.key)
		}
		down = append(down, stroke{key: k, down: true, modifiers: held, text: text}, stroke{key: k, modifiers: held})
	}
	return append(down, up...), nil
}

// UsesClipboard tells whether a combination pastes, copies or cuts in any system's way: with that a page gets what the person has
// copied, or the person loses it.
func UsesClipboard(combination string) bool {
	strokes, err := parseKeys(combination)
	return err == nil && slices.ContainsFunc(strokes, func(s stroke) bool { return s.down && s.usesClipboard() })
}

func (s stroke) usesClipboard() bool {
	switch s.key.vk {
	case 'V', 'C', 'X':
		return s.modifiers&(modControl|modMeta) != 0
	case 45: // Insert
		return s.modifiers&(modControl|modShift) != 0
	case 46: // Delete
		return s.modifiers&modShift != 0
	}
	return false
}

// spelled is how the keyboard calls a key that people write in other ways: enter, ctrl, "Control ".
func spelled(name string) string {
	if len(name) > 1 {
		name = strings.TrimSpace(name)
	}
	if right, ok := spellings[strings.ToLower(name)]; ok && len(name) > 1 {
		return right
	}
	return name
}

func lookUp(name string) (key, bool) {
	if m, ok := modifiers[name]; ok {
		return m.key, true
	}
	if k, ok := named[name]; ok {
		return k, true
	}
	if r := []rune(name); len(r) == 1 {
		return keyOf(r[0])
	}
	return key{}, false
}

// commands are what a shortcut does in a text: on macOS the page never sees it from the keys alone.
func (s stroke) commands() []string {
	if runtime.GOOS != "darwin" || s.modifiers != modMeta {
		return nil
	}
	command, ok := map[string]string{"a": "selectAll", "c": "copy", "v": "paste", "x": "cut", "z": "undo"}[strings.ToLower(s.key.key)]
	if !ok {
		return nil
	}
	return []string{command}
}
