package input

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"cove/internal/cdp"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/page/target"
)

// person is a hand in a tab of a browser that answers everything, with a picture in front of it.
type person struct {
	*Hand
	t       *testing.T
	browser *page.Browser
	picture int

	mu   sync.Mutex
	sent []string
	// answers are what the scripts in the page return, by a part of their text.
	answers map[string]string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	p := &person{t: t, browser: page.New(slog.New(slog.DiscardHandler)), answers: map[string]string{}}
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		conn.Receive([]byte(fmt.Sprintf(`{"id":%d,"result":%s}`, m.ID, p.answer(m.Method, string(m.Params)))))
		return nil
	}, p.browser.Event)
	if err := p.browser.Start(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	p.report("", "Target.attachedToTarget",
		`{"sessionId":"S","targetInfo":{"targetId":"T","type":"page","url":"https://a.test/"}}`)
	p.Hand = NewHand(p.browser.Tabs()[0])
	p.picture = p.show(800)
	p.take()
	return p
}

func (p *person) report(session, method, params string) {
	p.browser.Event(cdp.Event{Session: session, Method: method, Params: json.RawMessage(params)})
}

func (p *person) answer(method, params string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.HasPrefix(method, "Input.") {
		p.sent = append(p.sent, strings.TrimPrefix(method, "Input.")+" "+params)
	}
	switch method {
	case "Page.createIsolatedWorld":
		return `{"executionContextId":7}`
	case "Page.getLayoutMetrics":
		return `{"cssVisualViewport":{"clientWidth":400,"clientHeight":300,"scale":1}}`
	case "Page.captureScreenshot":
		return `{"data":""}`
	case "Page.getFrameTree":
		return `{"frameTree":{"frame":{"id":"T","loaderId":"L0","url":"https://a.test/"}}}`
	}
	if strings.Contains(params, "innerWidth") {
		return `{"result":{"type":"object","value":{"width":800,"height":600}}}`
	}
	for part, value := range p.answers {
		if strings.Contains(params, part) {
			return `{"result":{"type":"object","value":` + value + `}}`
		}
	}
	if strings.HasPrefix(method, "Runtime.") {
		return `{"result":{"type":"object","value":{"id":1}}}`
	}
	return `{}`
}

// take returns the input that was sent since the last time.
func (p *person) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}

// show shows the person pictures of a window of 800 by 600, for each of the widths that the browser says of a frame. It
// returns the number of the first.
func (p *person) show(widths ...float64) (first int) {
	p.t.Helper()
	var data bytes.Buffer
	if err := jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, 80, 60)), nil); err != nil {
		p.t.Fatal(err)
	}
	frame := func(width float64) string {
		raw, err := json.Marshal(map[string]any{"data": data.Bytes(), "sessionId": 1,
			"metadata": map[string]any{"deviceWidth": width, "deviceHeight": width * 3 / 4, "timestamp": 4e9}})
		if err != nil {
			p.t.Error(err)
		}
		return string(raw)
	}
	tab, pictures := p.browser.Tabs()[0], len(widths)
	ctx, cancel := context.WithCancel(p.t.Context())
	defer cancel()
	tab.Camera.SetPrivate(true)
	shown := make(chan int, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = tab.Camera.Live(ctx, capture.View{
			Show: func(i capture.Image) error {
				if i.Width == 800 && i.Height == 600 {
					shown <- i.Number
				} else if i.Width != 400 {
					p.t.Errorf("the window has %v×%v", i.Width, i.Height)
				}
				if len(widths) > 0 { // the view is there now
					p.report("S", "Page.screencastFrame", frame(widths[0]))
					widths = widths[1:]
				}
				return nil
			},
			Dialog: func(target.Dialog) error { return nil },
		})
	}()
	for n := range pictures {
		if number := <-shown; n == 0 {
			first = number
		}
	}
	cancel()
	<-done
	return first
}

// Around a screenshot, the browser says of a frame how many pixels of the screen it has.
func TestAFrameThatCountsPixelsOfTheScreenShowsTheSameWindow(t *testing.T) {
	p := newPerson(t)
	first := p.show(1600, 800)
	answer, err := p.Send(t.Context(), first, []Event{{T: "move", X: 0.5, Y: 0.25}})
	if sent := p.take(); err != nil || answer.Stale || len(sent) != 1 || !strings.Contains(sent[0], `"x":400,"y":150`) {
		t.Errorf("%v, %+v, sent %q", err, answer, sent)
	}
}

func TestAPersonsInputReachesThePage(t *testing.T) {
	for name, c := range map[string]struct {
		events []Event
		want   []string
	}{
		"fractions of the picture are places in the window": {
			[]Event{{T: "move", X: 0.5, Y: 0.25, M: 8}},
			[]string{`dispatchMouseEvent {"button":"none","buttons":0,"modifiers":8,"pointerType":"mouse",` +
				`"type":"mouseMoved","x":400,"y":150}`},
		},
		"a press beside the picture is on its edge": {
			[]Event{{T: "wheel", X: 2, Y: -1, DY: 30}},
			[]string{`dispatchMouseEvent {"button":"none","buttons":0,"deltaX":0,"deltaY":30,"modifiers":0,` +
				`"pointerType":"mouse","type":"mouseWheel","x":800,"y":0}`},
		},
		"a drag holds its button": {
			[]Event{{T: "down", N: 2}, {T: "move"}, {T: "up", N: 2}},
			[]string{
				`"button":"left","buttons":1,"clickCount":2`, `"button":"left","buttons":1,`,
				`"button":"left","buttons":0,"clickCount":2`,
			},
		},
		"the right button": {
			[]Event{{T: "down", B: 2}, {T: "up", B: 2}},
			[]string{`"button":"right","buttons":2`, `"button":"right","buttons":0`},
		},
		"a key of another layout has its place": {
			[]Event{{T: "key", Key: "ф", Code: "KeyA", Text: "ф", Down: true}, {T: "key", Key: "ф", Code: "KeyA"}},
			[]string{`"key":"ф","location":0,"modifiers":0,"text":"ф","type":"keyDown","unmodifiedText":"ф",` +
				`"windowsVirtualKeyCode":65`, `"type":"keyUp"`},
		},
		"Control and A select everything": {
			[]Event{{T: "key", Key: "a", Code: "KeyA", M: 2, Down: true}},
			[]string{`"commands":["selectAll"],"isKeypad":false,"key":"a","location":0,"modifiers":2,"type":"rawKeyDown"`},
		},
		"Enter ends a line": {
			[]Event{{T: "key", Key: "Enter", Code: "Enter", Down: true}}, []string{`"text":"\r","type":"keyDown"`},
		},
		"a short text goes as keys, what no key writes in one piece": {
			[]Event{{T: "text", Text: "a👩‍👧"}},
			[]string{`"text":"a","type":"keyDown"`, `"type":"keyUp"`, `insertText {"text":"👩‍👧"}`},
		},
		"a long text goes as a whole": {
			[]Event{{T: "text", Text: strings.Repeat("x", 65)}}, []string{`insertText {"text":"xxxxx`},
		},
		"an input method composes, and its end is inserted": {
			[]Event{{T: "compose", Text: "你h"}, {T: "text", Text: "hi"}},
			[]string{`imeSetComposition {"selectionEnd":2,"selectionStart":2,"text":"你h"}`, `insertText {"text":"hi"}`},
		},
		"two fingers": {
			[]Event{{T: "touch", K: "start", Points: []float64{0, 0.5, 0.5, 1, 1, 1}}, {T: "touch", K: "end"}},
			[]string{
				`dispatchTouchEvent {"modifiers":0,"touchPoints":[{"id":0,"x":400,"y":300},{"id":1,"x":800,"y":600}],` +
					`"type":"touchStart"}`,
				`{"modifiers":0,"touchPoints":[],"type":"touchEnd"}`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			answer, err := p.Send(t.Context(), p.picture, c.events)
			if err != nil || answer.Done != len(c.events) || answer.Stale {
				t.Fatalf("%+v, %v", answer, err)
			}
			sent := p.take()
			if len(sent) != len(c.want) {
				t.Fatalf("sent %q", sent)
			}
			for i, want := range c.want {
				if !strings.Contains(sent[i], want) {
					t.Errorf("sent %s, not %s", sent[i], want)
				}
			}
		})
	}
}

func TestAPressOnASelectOpensAList(t *testing.T) {
	p := newPerson(t)
	p.answers["act.pointed"] = `{"id":5,"select":true,"x":1,"y":1}`
	p.answers["act.options"] = `[{"text":"one","chosen":true},{"text":"two","group":"more","disabled":true}]`
	p.answers["act.pick"] = `true`
	press := []Event{{T: "down"}, {T: "up"}}
	got, err := p.Send(t.Context(), p.picture, press)
	want := []Option{{Text: "one", Chosen: true}, {Text: "two", Group: "more", Disabled: true}}
	if err != nil || !slices.Equal(got.Options, want) || len(p.take()) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := p.Send(t.Context(), 0, []Event{{T: "choose", N: 1}}); err != nil {
		t.Error(err)
	}
	if _, err := p.Send(t.Context(), 0, []Event{{T: "choose", N: 1}}); err == nil {
		t.Error("a list was used twice")
	}
	p.answers["act.pointed"] = `{"id":5,"x":1,"y":1}`
	if _, err := p.Send(t.Context(), p.picture, press); err != nil || len(p.take()) != 2 {
		t.Errorf("the next press does not reach the page: %v", err)
	}
}

func TestCopyReturnsTheSelection(t *testing.T) {
	p := newPerson(t)
	p.answers["act.selection"] = `"some words"`
	p.answers["act.focused"] = `0`
	got, err := p.Send(t.Context(), p.picture, []Event{{T: "key", Key: "c", Code: "KeyC", M: 2, Down: true}})
	if err != nil || got.Copied != "some words" || !strings.Contains(p.take()[0], `"commands":["copy"]`) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = p.Send(t.Context(), p.picture, []Event{{T: "key", Key: "c", Code: "KeyC", Text: "c", Down: true}})
	if err != nil || got.Copied != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEventsForAnotherDocumentOrSizeAreDropped(t *testing.T) {
	p := newPerson(t)
	press := []Event{{T: "down"}, {T: "up"}}
	if got, err := p.Send(t.Context(), p.picture+1, press); err != nil || !got.Stale || got.Done != 0 {
		t.Errorf("a picture that nobody has seen: %+v, %v", got, err)
	}
	p.report("S", "Page.frameNavigated", `{"frame":{"id":"T","loaderId":"L2","url":"https://b.test/"}}`)
	if got, err := p.Send(t.Context(), p.picture, press); err != nil || !got.Stale || len(p.take()) > 0 {
		t.Errorf("after a navigation: %+v, %v", got, err)
	}
	p.picture = p.show(800)
	if got, err := p.Send(t.Context(), p.picture, press); err != nil || got.Stale || got.Done != 2 {
		t.Errorf("in the new document: %+v, %v", got, err)
	}
}

func TestWhatAPersonDoesIsCountedAndNonsenseRefused(t *testing.T) {
	p := newPerson(t)
	events := []Event{{T: "down"}, {T: "up"}, {T: "text", Text: "abc"}, {T: "key", Key: "a", Code: "KeyA", Down: true}}
	if _, err := p.Send(t.Context(), p.picture, events); err != nil {
		t.Fatal(err)
	}
	if got := p.Summary(); got != (Summary{Clicks: 1, Keys: 4}) {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []Event{{T: "jump"}, {T: "down", B: 3}, {T: "touch", K: "start", Points: []float64{1}},
		{T: "touch", K: "wave"}} {
		if _, err := p.Send(t.Context(), p.picture, []Event{wrong}); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}
