package input

import (
	"fmt"
	"strings"
	"sync"
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

// modifier returns the bit and the key of a modifier.
func modifier(name string) (bit int, k key, ok bool) {
	switch name {
	case "Alt":
		return modAlt, key{key: "Alt", code: "AltLeft", vk: 18, location: 1}, true
	case "Control":
		return modControl, key{key: "Control", code: "ControlLeft", vk: 17, location: 1}, true
	case "Meta":
		return modMeta, key{key: "Meta", code: "MetaLeft", vk: 91, location: 1}, true
	case "Shift":
		return modShift, key{key: "Shift", code: "ShiftLeft", vk: 16, location: 1}, true
	}
	return 0, key{}, false
}

// layout is a keyboard.
type layout struct {
	named      map[string]key
	characters map[rune]key      // the keys that write one
	spellings  map[string]string // the names of all others by what they are in small letters
}

// keyboard is the US keyboard. It is made when the first key is pressed.
var keyboard = sync.OnceValue(func() layout {
	l := layout{namedKeys(), map[rune]key{}, map[string]string{}}
	l.addLettersAndDigits()
	l.addPunctuation()
	for i := range 24 {
		name := fmt.Sprintf("F%d", i+1)
		l.named[name] = key{code: name, vk: 112 + i}
	}
	l.characters[' '] = key{code: "Space", vk: 32}
	for r, k := range l.characters {
		k.key, k.text = string(r), string(r)
		l.characters[r] = k
	}
	for name, k := range l.named {
		if k.key == "" {
			k.key = name
			l.named[name] = k
		}
		l.spellings[strings.ToLower(name)] = name
	}
	for _, name := range []string{"Alt", "Control", "Meta", "Shift"} {
		l.spellings[strings.ToLower(name)] = name
	}
	for name, better := range aliases() {
		l.spellings[strings.ToLower(name)] = better
	}
	return l
})

func (l layout) addLettersAndDigits() {
	for i := range 10 {
		d := string(rune('0' + i))
		l.named["Numpad"+d] = key{key: d, code: "Numpad" + d, vk: 96 + i, text: d, location: 3}
		l.named["Digit"+d] = key{key: d, code: "Digit" + d, vk: '0' + i, text: d}
		l.characters['0'+rune(i)] = key{code: "Digit" + d, vk: '0' + i}
	}
	for i, r := range []rune(")!@#$%^&*(") {
		l.characters[r] = key{code: fmt.Sprintf("Digit%d", i), vk: '0' + i, shift: true}
	}
	for r := 'a'; r <= 'z'; r++ {
		upper := r - 'a' + 'A'
		code := "Key" + string(upper)
		l.named[code] = key{key: string(r), code: code, vk: int(upper), text: string(r)}
		l.characters[r] = key{code: code, vk: int(upper)}
		l.characters[upper] = key{code: code, vk: int(upper), shift: true}
	}
}

func (l layout) addPunctuation() {
	for _, p := range []struct {
		plain, shifted rune
		code           string
		vk             int
	}{
		{';', ':', "Semicolon", 186}, {'=', '+', "Equal", 187}, {',', '<', "Comma", 188}, {'-', '_', "Minus", 189},
		{'.', '>', "Period", 190}, {'/', '?', "Slash", 191}, {'`', '~', "Backquote", 192},
		{'[', '{', "BracketLeft", 219}, {'\\', '|', "Backslash", 220}, {']', '}', "BracketRight", 221},
		{'\'', '"', "Quote", 222},
	} {
		l.characters[p.plain] = key{code: p.code, vk: p.vk}
		l.characters[p.shifted] = key{code: p.code, vk: p.vk, shift: true}
		l.named[p.code] = key{key: string(p.plain), code: p.code, vk: p.vk, text: string(p.plain)}
	}
}

// namedKeys are the keys that have names and write nothing, or not what their name says.
func namedKeys() map[string]key {
	return map[string]key{
		"Enter": {code: "Enter", vk: 13, text: "\r"}, "Tab": {code: "Tab", vk: 9}, "Escape": {code: "Escape", vk: 27},
		"Space": {key: " ", code: "Space", vk: 32, text: " "}, "Backspace": {code: "Backspace", vk: 8},
		"Delete": {code: "Delete", vk: 46}, "Insert": {code: "Insert", vk: 45},
		"ArrowLeft": {code: "ArrowLeft", vk: 37}, "ArrowUp": {code: "ArrowUp", vk: 38},
		"ArrowRight": {code: "ArrowRight", vk: 39}, "ArrowDown": {code: "ArrowDown", vk: 40},
		"Home": {code: "Home", vk: 36}, "End": {code: "End", vk: 35}, "PageUp": {code: "PageUp", vk: 33},
		"PageDown": {code: "PageDown", vk: 34}, "CapsLock": {code: "CapsLock", vk: 20},
		"NumLock": {code: "NumLock", vk: 144}, "ScrollLock": {code: "ScrollLock", vk: 145},
		"Pause": {code: "Pause", vk: 19}, "PrintScreen": {code: "PrintScreen", vk: 44},
		"ContextMenu": {code: "ContextMenu", vk: 93}, "Help": {code: "Help", vk: 47},
		"Clear":          {code: "NumLock", vk: 12},
		"NumpadEnter":    {key: "Enter", code: "NumpadEnter", vk: 13, text: "\r", location: 3},
		"NumpadAdd":      {key: "+", code: "NumpadAdd", vk: 107, text: "+", location: 3},
		"NumpadSubtract": {key: "-", code: "NumpadSubtract", vk: 109, text: "-", location: 3},
		"NumpadMultiply": {key: "*", code: "NumpadMultiply", vk: 106, text: "*", location: 3},
		"NumpadDivide":   {key: "/", code: "NumpadDivide", vk: 111, text: "/", location: 3},
		"NumpadDecimal":  {key: ".", code: "NumpadDecimal", vk: 110, text: ".", location: 3},
		"MediaPlayPause": {code: "MediaPlayPause", vk: 179}, "MediaStop": {code: "MediaStop", vk: 178},
		"MediaTrackNext":     {code: "MediaTrackNext", vk: 176},
		"MediaTrackPrevious": {code: "MediaTrackPrevious", vk: 177}, "AudioVolumeMute": {code: "VolumeMute", vk: 173},
		"AudioVolumeDown": {code: "VolumeDown", vk: 174}, "AudioVolumeUp": {code: "VolumeUp", vk: 175},
		"ShiftLeft":    {key: "Shift", code: "ShiftLeft", vk: 16, location: 1},
		"ShiftRight":   {key: "Shift", code: "ShiftRight", vk: 16, location: 2},
		"ControlLeft":  {key: "Control", code: "ControlLeft", vk: 17, location: 1},
		"ControlRight": {key: "Control", code: "ControlRight", vk: 17, location: 2},
		"AltLeft":      {key: "Alt", code: "AltLeft", vk: 18, location: 1},
		"AltRight":     {key: "Alt", code: "AltRight", vk: 18, location: 2},
		"MetaLeft":     {key: "Meta", code: "MetaLeft", vk: 91, location: 1},
		"MetaRight":    {key: "Meta", code: "MetaRight", vk: 92, location: 2},
	}
}

// aliases are words that people use for keys.
func aliases() map[string]string {
	return map[string]string{
		"Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Win": "Meta", "Super": "Meta", "Option": "Alt",
		"Return": "Enter", "Esc": "Escape", "Del": "Delete", "Left": "ArrowLeft", "Right": "ArrowRight",
		"Up": "ArrowUp", "Down": "ArrowDown", "Spacebar": "Space", "PgUp": "PageUp", "PgDn": "PageDown",
	}
}
