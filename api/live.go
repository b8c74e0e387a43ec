package api

import (
	"time"
)

// Agent is a program that works in an open profile.
type Agent struct {
	Profile ProfileID `json:"profile"`
	Name    string    `json:"name"`
	// Kind is agent for an MCP client and script for a program on the gate's port.
	Kind  string     `json:"kind"`
	Since *time.Time `json:"since,omitempty"`
}

// Agents is a list of agents.
type Agents struct {
	Data []Agent `json:"data"`
	// Tabs says whose the tabs of the open profiles are.
	Tabs []OwnedTabs `json:"tabs,omitempty"`
}

// OwnedTabs is how many tabs of a profile belong to one agent. They are the person's where Person is set, and nobody's
// where Owner is empty otherwise.
type OwnedTabs struct {
	Profile ProfileID `json:"profile"`
	Owner   string    `json:"owner,omitempty"`
	Person  bool      `json:"person,omitempty"`
	Count   int       `json:"count"`
}

// Live is one message of the live view's stream. Type says which of the other fields is set.
type Live struct {
	Type    string       `json:"type"`
	Tabs    []LiveTab    `json:"tabs,omitempty"`
	Picture *LivePicture `json:"picture,omitempty"`
	Dialog  string       `json:"dialog,omitempty"`
	// Prompt is the open dialog in its parts.
	Prompt *LivePrompt `json:"prompt,omitempty"`
	// Control are the tabs that the person works in, in a message of type control.
	Control []LiveTaken  `json:"control,omitempty"`
	Agents  []LiveAgent  `json:"agents,omitempty"`
	Scripts int          `json:"scripts,omitempty"`
	Actions []LiveAction `json:"actions,omitempty"`
}

// Activity is one message of the stream of all profiles that are open for agents: a Live with the profile's ID.
type Activity struct {
	Profile ProfileID `json:"profile"`
	Live
}

// LiveTab is an open tab.
type LiveTab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
	// Owner is the agent that the tab belongs to. Without it the tab is nobody's.
	Owner string `json:"owner,omitempty"`
}

// LivePicture is the present image of a tab. Data is base64.
type LivePicture struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data string `json:"data"`
	// N names the picture for input. W and H are the size of the window that it shows, in CSS pixels.
	N int     `json:"n"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// LivePrompt is a JavaScript dialog: alert, confirm, prompt or beforeunload.
type LivePrompt struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
}

// LiveTaken is a tab that the person works in.
type LiveTaken struct {
	Tab   string    `json:"tab"`
	Since time.Time `json:"since"`
	// Opener is the tab from which the person has opened this one.
	Opener    string         `json:"opener,omitempty"`
	Chooser   *LiveChooser   `json:"chooser,omitempty"`
	Downloads []LiveDownload `json:"downloads,omitempty"`
}

// LiveChooser is a page's question for files. Closed says that only the browser's own window can answer it.
type LiveChooser struct {
	Multiple bool `json:"multiple,omitempty"`
	Closed   bool `json:"closed,omitempty"`
}

// LiveDownload is a file that was saved while the person was in control.
type LiveDownload struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	State string `json:"state"`
	Bytes int64  `json:"bytes"`
}

// LiveControl takes control of a tab, or hands it back with a note for the agents.
type LiveControl struct {
	Tab  string `json:"tab"`
	On   bool   `json:"on"`
	Note string `json:"note,omitempty"`
}

// LiveInput is what a person does in a picture of the live view, in order.
type LiveInput struct {
	Tab    string      `json:"tab"`
	Pic    int         `json:"pic"`
	Events []LiveEvent `json:"events"`
}

// LiveEvent is one thing that a person does. T says what, and which of the other fields count.
type LiveEvent struct {
	T string `json:"t"`
	// X and Y are fractions of the picture.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// B is the button (0 left, 1 middle, 2 right), N the number of clicks or the place of an option, M the modifier
	// keys (1 Alt, 2 Control, 4 Meta, 8 Shift).
	B    int     `json:"b,omitempty"`
	N    int     `json:"n,omitempty"`
	M    int     `json:"m,omitempty"`
	DX   float64 `json:"dx,omitempty"`
	DY   float64 `json:"dy,omitempty"`
	Key  string  `json:"key,omitempty"`
	Code string  `json:"code,omitempty"`
	Text string  `json:"text,omitempty"`
	Down bool    `json:"down,omitempty"`
	// K is what fingers do: start, move, end or cancel. Points has number, x and y of each finger.
	K      string    `json:"k,omitempty"`
	Points []float64 `json:"points,omitempty"`
	Accept bool      `json:"accept,omitempty"`
}

// LiveInputResult is what came of a person's input.
type LiveInputResult struct {
	// Done is how many events reached the page.
	Done int `json:"done"`
	// Stale says that events were dropped: the picture shows another document or another size.
	Stale bool `json:"stale,omitempty"`
	// Copied is the text that was copied or cut.
	Copied string `json:"copied,omitempty"`
	// Options is the list of the select that was pressed.
	Options []LiveOption `json:"options,omitempty"`
}

// LiveOption is one line of the list of a select.
type LiveOption struct {
	Text     string `json:"text"`
	Group    string `json:"group,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Chosen   bool   `json:"chosen,omitempty"`
}

// LiveAgent is a connected agent.
type LiveAgent struct {
	Name string `json:"name"`
	// Session is the agent's session, as in the journal. It is empty before its first call.
	Session string    `json:"session,omitempty"`
	Since   time.Time `json:"since"`
}

// LiveAction is one call of a tool. It never holds what was typed.
type LiveAction struct {
	N     int    `json:"n"`
	Agent string `json:"agent"`
	// Session is the agent's session, as in the journal.
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool"`
	// About is what the call is about in the agent's words. Text says it in words that a person knows.
	About string `json:"about,omitempty"`
	// Text is the step as a sentence, Summary the sentence without its reason. Kind is act, read, person or note.
	Text    string          `json:"text"`
	Summary string          `json:"summary"`
	Kind    string          `json:"kind"`
	Element *JournalElement `json:"element,omitempty"`
	Tab     string          `json:"tab,omitempty"`
	Touch   *LiveTouch      `json:"touch,omitempty"`
	// Outcome is ok, error or refused, and empty while the call goes on.
	Outcome string    `json:"outcome,omitempty"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"at"`
	Millis  int64     `json:"ms"`
	Going   bool      `json:"going,omitempty"`
}

// LiveTouch is what a call touched last, in fractions of the tab's picture. It is known only while somebody watches.
type LiveTouch struct {
	// N counts the touches of one call: a form has many fields.
	N   int     `json:"n"`
	Tab string  `json:"tab"`
	Box LiveBox `json:"box"`
	// Pointer is where the agent's pointer is. A call that types or sets a value has none.
	Pointer *LivePoint `json:"pointer,omitempty"`
}

// LiveBox is an element in a picture.
type LiveBox struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// LivePoint is a place in a picture.
type LivePoint struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}
