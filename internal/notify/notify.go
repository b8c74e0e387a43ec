// Package notify tells a person that something waits for them: on the desktop, or by a call to an address of theirs.
package notify

// Note is a short message on the desktop.
type Note struct {
	Title, Text string
	// Actions are its buttons, where the desktop has any.
	Actions []Action
}

// Action is a button of a note. The key "default" is a press on the note itself.
type Action struct{ Key, Label string }
