package input

import (
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// stroke is one key going down or up.
type stroke struct {
	key       key
	down      bool
	modifiers int
	text      string
}

// named returns the key with a name that is known to be right.
func named(name string) key { return keyboard().named[name] }

// keyOf returns the key that writes a character.
func keyOf(r rune) (key, bool) {
	if r == '\n' {
		return named("Enter"), true
	}
	k, ok := keyboard().characters[r]
	return k, ok
}

// strokes returns what presses the key, with Shift where it needs that.
func (k key) strokes() []stroke {
	if !k.shift {
		return []stroke{{key: k, down: true, text: k.text}, {key: k}}
	}
	_, shift, _ := modifier("Shift")
	return []stroke{
		{key: shift, down: true, modifiers: modShift},
		{key: k, down: true, text: k.text, modifiers: modShift}, {key: k, modifiers: modShift},
		{key: shift},
	}
}

// parseKeys reads a combination such as Control+Shift+R. A plus at the end is the key itself.
func parseKeys(combination string) ([]stroke, error) {
	names := strings.Split(combination, "+")
	if n := len(names); n >= 2 && names[n-1] == "" && names[n-2] == "" {
		names = append(names[:n-2], "+")
	}
	last := len(names) - 1
	var down, up []stroke
	pressed := 0 // modifiers
	for _, name := range names[:last] {
		name = spelled(name)
		bit, k, ok := modifier(name)
		if !ok {
			return nil, errNotModifier(name)
		}
		pressed |= bit
		down = append(down, stroke{key: k, down: true, modifiers: pressed})
		up = append([]stroke{{key: k, modifiers: pressed &^ bit}}, up...)
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

// strokesWith returns what presses the key of this name while modifiers are pressed.
func (k key) strokesWith(name string, pressed int) []stroke {
	if bit, _, ok := modifier(name); ok { // pressed alone: it counts as pressed while it is down
		return []stroke{{key: k, down: true, modifiers: pressed | bit}, {key: k, modifiers: pressed}}
	}
	if k.shift && pressed == 0 {
		return k.strokes()
	}

	text := k.text
	if pressed&^modShift != 0 {
		text = "" // a shortcut writes nothing
	}
	if pressed == modShift && len(k.text) == 1 && k.text != "\r" { // Enter stays what it is
		text = strings.ToUpper(k.text)
	}
	switch letter := len(k.key) == 1; { // as a keyboard says it, however the combination is written
	case letter && pressed&modShift != 0:
		k.key = strings.ToUpper(k.key)
	case letter && pressed != 0:
		k.key = strings.ToLower(k.key)
	}
	return []stroke{{key: k, down: true, modifiers: pressed, text: text}, {key: k, modifiers: pressed}}
}

// UsesClipboard reports whether a combination pastes, copies or cuts in any system's way: with that a page gets what
// the person has copied, or the person loses it.
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

// spelled returns how the keyboard names a key that people write in other ways: enter, ctrl, "Control ".
func spelled(name string) string {
	if len(name) > 1 {
		name = strings.TrimSpace(name)
	}
	if right, ok := keyboard().spellings[strings.ToLower(name)]; ok && len(name) > 1 {
		return right
	}
	return name
}

// lookUp returns the key with a name, or that writes a character.
func lookUp(name string) (key, bool) {
	if _, k, ok := modifier(name); ok {
		return k, true
	}
	if k, ok := keyboard().named[name]; ok {
		return k, true
	}
	if r := []rune(name); len(r) == 1 {
		return keyOf(r[0])
	}
	return key{}, false
}

// commands returns what a shortcut does in a text. On macOS the keys alone do nothing there.
func (s stroke) commands() []string {
	if runtime.GOOS != "darwin" || s.modifiers != modMeta {
		return nil
	}
	switch strings.ToLower(s.key.key) {
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
