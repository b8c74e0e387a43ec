// Package notify tells a person that something waits for them: on the desktop, or by a call to an address of theirs.
package notify

// Notification is a short message on the desktop.
type Notification struct {
	Title, Text string
	// Actions are its buttons, where the desktop has any.
	Actions []Action
}

// Action is a button of a notification. The key "default" is a press on the notification itself.
type Action struct{ Key, Label string }
