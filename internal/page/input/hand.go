package input

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
	"cove/internal/page/target"
)

// Event is one thing that a person does in a picture of a live view. T says what, and which of the other fields count:
// down, up, move and wheel (X, Y, B, N, M, DX, DY), key (Key, Code, Text, M, Down), compose and text (Text), touch (K,
// Points), choose (N), dialog (Accept, Text).
type Event struct {
	T string
	// X and Y are where, in fractions of the picture.
	X, Y float64
	// B is the button: 0 left, 1 middle, 2 right. N counts clicks, or is the place of an option. M has the modifier
	// keys as the protocol's bits.
	B, N, M int
	DX, DY  float64
	Key     string
	Code    string
	Text    string
	Down    bool
	// K is start, move, end or cancel. Points has number, x and y of each finger.
	K      string
	Points []float64
	Accept bool
}

// Option is one line of a select's list.
type Option struct {
	Text     string `json:"text"`
	Group    string `json:"group,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Chosen   bool   `json:"chosen,omitempty"`
}

// Answer is what came of a person's input.
type Answer struct {
	// Done is how many events reached the page. Stale says that the others did not: the picture that they were made in
	// shows another document or another size.
	Done  int
	Stale bool
	// Copied is the text that the person has copied or cut. Of a password there is none.
	Copied string
	// Options is the list of the select that was pressed.
	Options []Option
}

// Summary counts what a person did.
type Summary struct{ Clicks, Keys int }

// Hand is the mouse and the keyboard of a person who works in a tab by its live view. It sends one batch of events at a
// time. Its methods may be called from any goroutine.
type Hand struct {
	*Input
	turn target.Mutex

	mu      sync.Mutex
	summary Summary

	// The rest is for whoever has the turn.
	buttons  int         // that are down, as the protocol's bits
	swallow  bool        // the press was on a select, so its release does not go to the page
	list     dom.Element // the select whose list the person sees
	composed bool        // an input method has a text under way
}

// NewHand returns the hand of a person in a tab.
func NewHand(t *page.Tab) *Hand { return &Hand{Input: On(t), turn: target.NewMutex()} }

// Summary returns what the person did so far.
func (h *Hand) Summary() Summary {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.summary
}

func (h *Hand) count(clicks, keys int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.summary.Clicks += clicks
	h.summary.Keys += keys
}

const (
	// handLimit bounds how long the answer to a batch waits for the page.
	handLimit = 250 * time.Millisecond
	// pointLimit bounds how long a press waits to know what is under it.
	pointLimit = 2 * time.Second
	// shortText is the longest text that is typed key by key: fields for one character each take no more.
	shortText = 64
)

// Send sends events to the page, in their order. picture is the number of the picture in which they were made. Events
// that need it are dropped when it shows another document or another size by now.
func (h *Hand) Send(ctx context.Context, picture int, events []Event) (answer Answer, err error) {
	unlock, err := h.turn.Lock(ctx)
	if err != nil {
		return answer, err
	}
	defer unlock()

	defer h.tab.Camera.BlockScreenshots(ctx)()
	h.emulateFocus()
	var sent []*cdp.Pending
	for _, e := range events {
		if e.T == "choose" || e.T == "dialog" { // they are about what the person sees beside the picture
			if err := h.answerPage(ctx, e); err != nil {
				return answer, err
			}
			answer.Done++
			continue
		}
		width, height, current := h.tab.Camera.Shown(picture)
		if !current {
			answer.Stale = true
			continue
		}
		more, err := h.send(ctx, e, place{width, height}, &answer)
		if err != nil {
			return answer, err
		}
		sent = append(sent, more...)
		answer.Done++
	}

	limited, cancel := context.WithTimeout(ctx, handLimit)
	defer cancel()
	h.target.AwaitInput(limited, sent)
	return answer, nil
}

// place is the size of the window that a picture shows.
type place struct{ width, height float64 }

func (p place) point(x, y float64) point {
	return point{min(max(x, 0), 1) * p.width, min(max(y, 0), 1) * p.height}
}

func (h *Hand) send(ctx context.Context, e Event, in place, answer *Answer) ([]*cdp.Pending, error) {
	switch e.T {
	case "move", "down", "up", "wheel":
		return h.mouseEvent(ctx, e, in.point(e.X, e.Y), answer)
	case "key":
		return h.keyEvent(ctx, e, answer), nil
	case "compose":
		h.composed = e.Text != ""
		at := len(utf16.Encode([]rune(e.Text)))
		return []*cdp.Pending{h.start("Input.imeSetComposition",
			object{"text": e.Text, "selectionStart": at, "selectionEnd": at})}, nil
	case "text":
		return h.textEvent(e.Text), nil
	case "touch":
		return h.touchEvent(e, in)
	}
	return nil, fault.Fieldf("events", "There is no event %q.", e.T)
}

// The buttons of a mouse by their number in a page's events, and as the protocol's bits.
var (
	buttonNames = []string{"left", "middle", "right"}
	buttonBits  = []int{1, 4, 2}
)

func (h *Hand) mouseEvent(ctx context.Context, e Event, at point, answer *Answer) ([]*cdp.Pending, error) {
	if e.B < 0 || e.B >= len(buttonNames) {
		return nil, fault.Fieldf("events", "There is no button %d.", e.B)
	}
	params := object{"type": "mouseMoved", "x": at.x, "y": at.y, "modifiers": e.M, "pointerType": "mouse",
		"button": "none"}
	switch e.T {
	case "down":
		h.count(1, 0)
		if e.B == 0 && h.openList(ctx, at, answer) {
			h.swallow = true
			return nil, nil
		}
		h.buttons |= buttonBits[e.B]
		params["type"], params["button"], params["clickCount"] = "mousePressed", buttonNames[e.B], max(e.N, 1)
	case "up":
		if e.B == 0 && h.swallow {
			h.swallow = false
			return nil, nil
		}
		h.buttons &^= buttonBits[e.B]
		params["type"], params["button"], params["clickCount"] = "mouseReleased", buttonNames[e.B], max(e.N, 1)
	case "wheel":
		params["type"], params["deltaX"], params["deltaY"] = "mouseWheel", e.DX, e.DY
	default:
		if h.buttons&1 != 0 {
			params["button"] = "left"
		}
	}
	params["buttons"] = h.buttons
	return []*cdp.Pending{h.start("Input.dispatchMouseEvent", params)}, nil
}

// openList finds out whether a press is on a select. The browser's own list would be outside of the picture, so the
// person gets the options instead.
func (h *Hand) openList(ctx context.Context, at point, answer *Answer) bool {
	ctx, cancel := context.WithTimeout(ctx, pointLimit)
	defer cancel()
	x, y, err := h.tab.Camera.PagePoint(ctx, at.x, at.y)
	if err != nil {
		return false
	}
	e, list, err := h.frames.At(ctx, x, y)
	if err != nil || !list {
		return false // the page is busy: it gets the press
	}
	var options []Option
	if h.frames.Run(ctx, e.World, &options, "function(id){return act.options(id)}", e.ID) != nil || len(options) == 0 {
		return false
	}
	h.list, answer.Options = e, options
	return true
}

// errNoList is the answer to a choice from a list that is gone.
var errNoList = fault.New(fault.CodeOption, "The list is no longer on the page.", "Press it again.")

// answerPage answers what the page has opened: a list of options or a dialog.
func (h *Hand) answerPage(ctx context.Context, e Event) error {
	if e.T == "dialog" {
		var text *string
		if d := h.tab.Dialog(); d != nil && d.Kind == "prompt" {
			text = &e.Text
		}
		ctx, cancel := context.WithTimeout(ctx, target.CommandLimit)
		defer cancel()
		_, err := h.tab.AnswerDialog(ctx, e.Accept, text)
		return err
	}
	if h.list.ID == 0 {
		return errNoList
	}
	picked := false
	err := h.frames.Run(ctx, h.list.World, &picked, "function(id,n){return act.pick(id,n)}", h.list.ID, e.N)
	h.list = dom.Element{}
	if err == nil && !picked {
		err = errNoList
	}
	return err
}

// clipboardCommands are the editing commands of shortcuts. In a browser without a window the keys alone do nothing.
var clipboardCommands = map[string]string{"a": "selectAll", "c": "copy", "x": "cut"}

func (h *Hand) keyEvent(ctx context.Context, e Event, answer *Answer) []*cdp.Pending {
	k := keyboard.ByCode(e.Code, e.Key)
	params := object{"type": "keyUp", "key": e.Key, "code": e.Code, "windowsVirtualKeyCode": k.VK,
		"modifiers": e.M, "location": k.Location, "isKeypad": k.Location == 3}
	if !e.Down {
		return []*cdp.Pending{h.start("Input.dispatchKeyEvent", params)}
	}

	h.count(0, 1)
	params["type"] = "rawKeyDown"
	text := e.Text
	if e.Key == "Enter" {
		text = "\r"
	}
	if text != "" {
		params["type"], params["text"], params["unmodifiedText"] = "keyDown", text, text
	}
	if keyboard.IsShortcut(e.M) {
		letter := strings.ToLower(e.Key)
		if letter == "c" || letter == "x" { // before the text is gone
			answer.Copied = h.selection(ctx)
		}
		if command := clipboardCommands[letter]; command != "" {
			params["commands"] = []string{command}
		}
	}
	return []*cdp.Pending{h.start("Input.dispatchKeyEvent", params)}
}

// selection returns the selected text in the frame that has the focus.
func (h *Hand) selection(ctx context.Context) (text string) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if e, err := h.frames.Focused(ctx); err == nil {
		_ = h.frames.Run(ctx, e.World, &text, "function(){return act.selection()}")
	}
	return text
}

// textEvent types a text: key by key if it is short, else as a whole. What no keyboard has is inserted. The end of a
// composition is inserted, too.
func (h *Hand) textEvent(text string) (sent []*cdp.Pending) {
	runes := []rune(strings.ReplaceAll(text, "\r\n", "\n"))
	h.count(0, len(runes))
	if h.composed || len(runes) > shortText {
		h.composed = false
		return []*cdp.Pending{h.start("Input.insertText", object{"text": string(runes)})}
	}
	for i := 0; i < len(runes); {
		if k, ok := keyboard.Writing(runes[i]); ok {
			sent = append(sent, h.Input.send(k.Strokes())...)
			i++
			continue
		}
		from := i // several together: a character may be made of several
		for i < len(runes) {
			if _, ok := keyboard.Writing(runes[i]); ok {
				break
			}
			i++
		}
		sent = append(sent, h.start("Input.insertText", object{"text": string(runes[from:i])}))
	}
	return sent
}

// touchTypes are the protocol's names for what fingers do.
var touchTypes = map[string]string{
	"start": "touchStart", "move": "touchMove", "end": "touchEnd", "cancel": "touchCancel",
}

func (h *Hand) touchEvent(e Event, in place) ([]*cdp.Pending, error) {
	kind := touchTypes[e.K]
	if kind == "" || len(e.Points)%3 != 0 || len(e.Points) > 30 {
		return nil, fault.Fieldf("events", "There is no touch %q.", e.K)
	}
	if e.K == "start" {
		h.count(1, 0)
	}
	points := []object{}
	for p := range slices.Chunk(e.Points, 3) {
		at := in.point(p[1], p[2])
		points = append(points, object{"id": p[0], "x": at.x, "y": at.y})
	}
	return []*cdp.Pending{h.start("Input.dispatchTouchEvent",
		object{"type": kind, "touchPoints": points, "modifiers": e.M})}, nil
}
