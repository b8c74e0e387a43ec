package keyboard

import (
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// Stroke is one key going down or up.
type Stroke struct {
	Key       Key
	Down      bool
	Modifiers int // the modifiers that are down then, as the protocol's bits
	Text      string
}

// Named returns the key with this name, which must be one of the keyboard's own.
func Named(name string) Key { return keyboard().named[name] }

// Writing returns the key that writes a character.
func Writing(r rune) (Key, bool) {
	if r == '\n' {
		return Named("Enter"), true
	}
	k, ok := keyboard().characters[r]
	return k, ok
}

// Strokes returns the strokes that press and release the key, with Shift if the key needs it.
func (k Key) Strokes() []Stroke {
	if !k.shift {
		return []Stroke{{Key: k, Down: true, Text: k.text}, {Key: k}}
	}
	_, shift, _ := modifier("Shift")
	return []Stroke{
		{Key: shift, Down: true, Modifiers: modShift},
		{Key: k, Down: true, Text: k.text, Modifiers: modShift}, {Key: k, Modifiers: modShift},
		{Key: shift},
	}
}

// Parse returns the strokes of a combination such as Control+Shift+R. A plus at the end is the plus key.
func Parse(combination string) ([]Stroke, error) {
	names := strings.Split(combination, "+")
	if n := len(names); n >= 2 && names[n-1] == "" && names[n-2] == "" {
		names = append(names[:n-2], "+")
	}
	last := len(names) - 1
	var down, up []Stroke
	pressed := 0 // modifiers
	for _, name := range names[:last] {
		name = spelled(name)
		bit, k, ok := modifier(name)
		if !ok {
			return nil, errNotModifier(name)
		}
		pressed |= bit
		down = append(down, Stroke{Key: k, Down: true, Modifiers: pressed})
		up = append([]Stroke{{Key: k, Modifiers: pressed &^ bit}}, up...)
	}

	name := spelled(names[last])
	k, ok := lookUp(name)
	if !ok {
		return nil, errNotKey(name)
	}
	return slices.Concat(down, k.strokesWith(name, pressed), up), nil
}

func errNotModifier(name string) error {
	if _, ok := lookUp(name); !ok {
		return errNotKey(name)
	}
	return fault.Invalidf("%q cannot be held down for another key.", name).
		WithHint("Only Control, Shift, Alt and Meta can; press other keys one after another.")
}

func errNotKey(name string) error {
	return fault.Invalidf("%q is not a key.", name).WithHint("Use a key of a US keyboard, a name such as Enter, Tab, " +
		"Escape, ArrowDown, PageUp, F5, or a combination such as Control+Shift+R; type_text writes any character.")
}

// strokesWith returns the strokes that press and release the key of this name while the modifiers pressed are down.
func (k Key) strokesWith(name string, pressed int) []Stroke {
	if bit, _, ok := modifier(name); ok { // a modifier as the last key counts as pressed while it is down
		return []Stroke{{Key: k, Down: true, Modifiers: pressed | bit}, {Key: k, Modifiers: pressed}}
	}
	if k.shift && pressed == 0 {
		return k.Strokes()
	}

	text := k.text
	if pressed&^modShift != 0 {
		text = "" // a shortcut writes nothing
	}
	if pressed == modShift && len(k.text) == 1 && k.text != "\r" { // Enter stays what it is
		text = strings.ToUpper(k.text)
	}
	switch letter := len(k.Name) == 1; { // the case that a keyboard reports, however the combination is written
	case letter && pressed&modShift != 0:
		k.Name = strings.ToUpper(k.Name)
	case letter && pressed != 0:
		k.Name = strings.ToLower(k.Name)
	}
	return []Stroke{{Key: k, Down: true, Modifiers: pressed, Text: text}, {Key: k, Modifiers: pressed}}
}

// UsesClipboard reports whether a combination pastes, copies or cuts on any system. Pasting gives a page what the
// person has copied; copying and cutting overwrite it.
func UsesClipboard(combination string) bool {
	strokes, err := Parse(combination)
	return err == nil && slices.ContainsFunc(strokes, func(s Stroke) bool { return s.Down && s.usesClipboard() })
}

func (s Stroke) usesClipboard() bool {
	switch s.Key.VK {
	case 'V', 'C', 'X':
		return s.Modifiers&(modControl|modMeta) != 0
	case 45: // Insert
		return s.Modifiers&(modControl|modShift) != 0
	case 46: // Delete
		return s.Modifiers&modShift != 0
	}
	return false
}

// spelled returns the keyboard's name for a key that people write in other ways: enter, ctrl, "Control ".
func spelled(name string) string {
	if len(name) > 1 {
		name = strings.TrimSpace(name)
	}
	if right, ok := keyboard().spellings[strings.ToLower(name)]; ok && len(name) > 1 {
		return right
	}
	return name
}

// lookUp returns the key that has the name, or that writes it if it is one character.
func lookUp(name string) (Key, bool) {
	if _, k, ok := modifier(name); ok {
		return k, true
	}
	if k, ok := keyboard().named[name]; ok {
		return k, true
	}
	if r := []rune(name); len(r) == 1 {
		return Writing(r[0])
	}
	return Key{}, false
}

// Commands returns the editing commands of a shortcut. On macOS the keys alone do nothing in a text; elsewhere no
// commands are needed.
func (s Stroke) Commands() []string {
	if runtime.GOOS != "darwin" || s.Modifiers != modMeta {
		return nil
	}
	switch strings.ToLower(s.Key.Name) {
	case "a":
		return []string{"selectAll"}
	case "c":
		return []string{"copy"}
	case "v":
		return []string{"paste"}
	case "x":
		return []string{"cut"}
	case "z":
		return []string{"undo"}
	}
	return nil
}

// ByCode returns the key at a place of the keyboard, such as KeyA, whatever the person's own layout writes there. name
// is what a key without a known place is called.
func ByCode(code, name string) Key {
	if k, ok := keyboard().named[code]; ok {
		return k
	}
	k, _ := lookUp(name)
	return k
}

// IsShortcut reports whether modifiers make a key a shortcut.
func IsShortcut(modifiers int) bool {
	return modifiers&(modControl|modMeta) != 0 && modifiers&modAlt == 0
}
