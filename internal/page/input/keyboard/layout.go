// Package keyboard has the keys of a US keyboard, and the strokes that press them alone or in combinations.
package keyboard

import (
	"fmt"
	"strings"
	"sync"
)

// Key is a key of a US keyboard, as the protocol describes it.
type Key struct {
	Name, Code string
	VK         int // its virtual key code on Windows, which pages read as keyCode
	Location   int

	text  string // what the key writes
	shift bool   // the key writes text only with Shift
}

// These are the protocol's bits for modifiers.
const (
	modAlt     = 1
	modControl = 2
	modMeta    = 4
	modShift   = 8
)

// modifier returns the bit and the key of a modifier.
func modifier(name string) (bit int, k Key, ok bool) {
	switch name {
	case "Alt":
		return modAlt, Key{Name: "Alt", Code: "AltLeft", VK: 18, Location: 1}, true
	case "Control":
		return modControl, Key{Name: "Control", Code: "ControlLeft", VK: 17, Location: 1}, true
	case "Meta":
		return modMeta, Key{Name: "Meta", Code: "MetaLeft", VK: 91, Location: 1}, true
	case "Shift":
		return modShift, Key{Name: "Shift", Code: "ShiftLeft", VK: 16, Location: 1}, true
	}
	return 0, Key{}, false
}

// layout has the keys of a keyboard.
type layout struct {
	named      map[string]Key
	characters map[rune]Key      // by the character that the key writes
	spellings  map[string]string // names of keys, by their spellings in lower case
}

// keyboard is the US keyboard. It is made when the first key is pressed.
var keyboard = sync.OnceValue(func() layout {
	l := layout{namedKeys(), map[rune]Key{}, map[string]string{}}
	l.addLettersAndDigits()
	l.addPunctuation()
	for i := range 24 {
		name := fmt.Sprintf("F%d", i+1)
		l.named[name] = Key{Code: name, VK: 112 + i}
	}
	l.characters[' '] = Key{Code: "Space", VK: 32}
	for r, k := range l.characters {
		k.Name, k.text = string(r), string(r)
		l.characters[r] = k
	}
	for name, k := range l.named {
		if k.Name == "" {
			k.Name = name
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
		l.named["Numpad"+d] = Key{Name: d, Code: "Numpad" + d, VK: 96 + i, text: d, Location: 3}
		l.named["Digit"+d] = Key{Name: d, Code: "Digit" + d, VK: '0' + i, text: d}
		l.characters['0'+rune(i)] = Key{Code: "Digit" + d, VK: '0' + i}
	}
	for i, r := range []rune(")!@#$%^&*(") {
		l.characters[r] = Key{Code: fmt.Sprintf("Digit%d", i), VK: '0' + i, shift: true}
	}
	for r := 'a'; r <= 'z'; r++ {
		upper := r - 'a' + 'A'
		code := "Key" + string(upper)
		l.named[code] = Key{Name: string(r), Code: code, VK: int(upper), text: string(r)}
		l.characters[r] = Key{Code: code, VK: int(upper)}
		l.characters[upper] = Key{Code: code, VK: int(upper), shift: true}
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
		l.characters[p.plain] = Key{Code: p.code, VK: p.vk}
		l.characters[p.shifted] = Key{Code: p.code, VK: p.vk, shift: true}
		l.named[p.code] = Key{Name: string(p.plain), Code: p.code, VK: p.vk, text: string(p.plain)}
	}
}

// namedKeys returns the keys that write nothing, or something else than their name.
func namedKeys() map[string]Key {
	return map[string]Key{
		"Enter": {Code: "Enter", VK: 13, text: "\r"}, "Tab": {Code: "Tab", VK: 9}, "Escape": {Code: "Escape", VK: 27},
		"Space": {Name: " ", Code: "Space", VK: 32, text: " "}, "Backspace": {Code: "Backspace", VK: 8},
		"Delete": {Code: "Delete", VK: 46}, "Insert": {Code: "Insert", VK: 45},
		"ArrowLeft": {Code: "ArrowLeft", VK: 37}, "ArrowUp": {Code: "ArrowUp", VK: 38},
		"ArrowRight": {Code: "ArrowRight", VK: 39}, "ArrowDown": {Code: "ArrowDown", VK: 40},
		"Home": {Code: "Home", VK: 36}, "End": {Code: "End", VK: 35}, "PageUp": {Code: "PageUp", VK: 33},
		"PageDown": {Code: "PageDown", VK: 34}, "CapsLock": {Code: "CapsLock", VK: 20},
		"NumLock": {Code: "NumLock", VK: 144}, "ScrollLock": {Code: "ScrollLock", VK: 145},
		"Pause": {Code: "Pause", VK: 19}, "PrintScreen": {Code: "PrintScreen", VK: 44},
		"ContextMenu": {Code: "ContextMenu", VK: 93}, "Help": {Code: "Help", VK: 47},
		"Clear":          {Code: "NumLock", VK: 12},
		"NumpadEnter":    {Name: "Enter", Code: "NumpadEnter", VK: 13, text: "\r", Location: 3},
		"NumpadAdd":      {Name: "+", Code: "NumpadAdd", VK: 107, text: "+", Location: 3},
		"NumpadSubtract": {Name: "-", Code: "NumpadSubtract", VK: 109, text: "-", Location: 3},
		"NumpadMultiply": {Name: "*", Code: "NumpadMultiply", VK: 106, text: "*", Location: 3},
		"NumpadDivide":   {Name: "/", Code: "NumpadDivide", VK: 111, text: "/", Location: 3},
		"NumpadDecimal":  {Name: ".", Code: "NumpadDecimal", VK: 110, text: ".", Location: 3},
		"MediaPlayPause": {Code: "MediaPlayPause", VK: 179}, "MediaStop": {Code: "MediaStop", VK: 178},
		"MediaTrackNext":     {Code: "MediaTrackNext", VK: 176},
		"MediaTrackPrevious": {Code: "MediaTrackPrevious", VK: 177}, "AudioVolumeMute": {Code: "VolumeMute", VK: 173},
		"AudioVolumeDown": {Code: "VolumeDown", VK: 174}, "AudioVolumeUp": {Code: "VolumeUp", VK: 175},
		"ShiftLeft":    {Name: "Shift", Code: "ShiftLeft", VK: 16, Location: 1},
		"ShiftRight":   {Name: "Shift", Code: "ShiftRight", VK: 16, Location: 2},
		"ControlLeft":  {Name: "Control", Code: "ControlLeft", VK: 17, Location: 1},
		"ControlRight": {Name: "Control", Code: "ControlRight", VK: 17, Location: 2},
		"AltLeft":      {Name: "Alt", Code: "AltLeft", VK: 18, Location: 1},
		"AltRight":     {Name: "Alt", Code: "AltRight", VK: 18, Location: 2},
		"MetaLeft":     {Name: "Meta", Code: "MetaLeft", VK: 91, Location: 1},
		"MetaRight":    {Name: "Meta", Code: "MetaRight", VK: 92, Location: 2},
	}
}

// aliases returns the keyboard's names for keys by other words that people use for them.
func aliases() map[string]string {
	return map[string]string{
		"Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Win": "Meta", "Super": "Meta", "Option": "Alt",
		"Return": "Enter", "Esc": "Escape", "Del": "Delete", "Left": "ArrowLeft", "Right": "ArrowRight",
		"Up": "ArrowUp", "Down": "ArrowDown", "Spacebar": "Space", "PgUp": "PageUp", "PgDn": "PageDown",
	}
}
