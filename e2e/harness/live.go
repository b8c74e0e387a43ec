//go:build e2e

package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"cove/api"
)

// Live is a person's live view of a tab.
type Live struct {
	T   *testing.T
	App *App
	ID  int

	mu       sync.Mutex
	picture  api.LivePicture
	pictures int
	prompt   *api.LivePrompt
	control  []api.LiveTaken
	tabs     []api.LiveTab
}

// Watch opens the live view of a tab; "" for the one that agents use. It ends with the test, or with end.
func (a *App) Watch(id int, tab string) (v *Live, end func()) {
	a.T.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(a.T.Context()))
	address := a.Base + StatePath(id, "/live?tab="+url.QueryEscape(tab))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		a.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		a.T.Fatalf("live view: %v %v", res, err)
	}
	v = &Live{T: a.T, App: a, ID: id}
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var l api.Live
			if json.Unmarshal(lines.Bytes(), &l) == nil {
				v.take(l)
			}
		}
	}()
	end = sync.OnceFunc(func() {
		cancel()
		<-done
		_ = res.Body.Close()
	})
	a.T.Cleanup(end)
	Wait(a.T, "the first picture", func() bool { return v.Picture().N > 0 })
	return v, end
}

func (v *Live) take(l api.Live) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch l.Type {
	case "picture":
		v.picture, v.prompt = *l.Picture, nil
		v.pictures++
	case "dialog":
		v.prompt = l.Prompt
	case "control":
		v.control = l.Control
	case "tabs":
		v.tabs = l.Tabs
	}
}

// Picture is the last picture. Pictures is how many there were.
func (v *Live) Picture() api.LivePicture {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.picture
}

// Pictures is how many pictures there were.
func (v *Live) Pictures() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.pictures
}

// Prompt is the dialog that is open; nil for none.
func (v *Live) Prompt() *api.LivePrompt {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.prompt
}

// Tabs are the tabs of the browser.
func (v *Live) Tabs() []api.LiveTab {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.tabs
}

// Controlled is what is known of a tab that the person controls; nil for one that they do not.
func (v *Live) Controlled(tab string) *api.LiveTaken {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, one := range v.control {
		if one.Tab == tab {
			return &one
		}
	}
	return nil
}

// Control takes control of the tab in the picture, or hands it back.
func (v *Live) Control(on bool, note string) Answer {
	v.T.Helper()
	body, _ := json.Marshal(api.LiveControl{Tab: v.Picture().Tab, On: on, Note: note})
	return v.App.Own(http.MethodPost, StatePath(v.ID, "/live/control"), string(body))
}

// Send sends events for the last picture.
func (v *Live) Send(events ...api.LiveEvent) api.LiveInputResult {
	v.T.Helper()
	return v.SendFor(v.Picture(), events...)
}

// SendFor sends events for a picture.
func (v *Live) SendFor(p api.LivePicture, events ...api.LiveEvent) (got api.LiveInputResult) {
	v.T.Helper()
	body, _ := json.Marshal(api.LiveInput{Tab: p.Tab, Pic: p.N, Events: events})
	r := v.App.Own(http.MethodPost, StatePath(v.ID, "/live/input"), string(body))
	if err := json.Unmarshal([]byte(r.Raw), &got); err != nil || r.Status != http.StatusOK {
		v.T.Fatalf("input: %d %s", r.Status, r.Raw)
	}
	return got
}

// Event is something at a point of the window, in CSS pixels.
func (v *Live) Event(kind string, x, y float64) api.LiveEvent {
	p := v.Picture()
	return api.LiveEvent{T: kind, X: x / p.W, Y: y / p.H, N: 1}
}

// Press presses and releases the mouse at a point of the window.
func (v *Live) Press(x, y float64) api.LiveInputResult {
	v.T.Helper()
	return v.Send(v.Event("move", x, y), v.Event("down", x, y), v.Event("up", x, y))
}

// Key presses and releases a key.
func (v *Live) Key(key, code string, modifiers int) api.LiveInputResult {
	v.T.Helper()
	text := ""
	if len(key) == 1 && modifiers == 0 {
		text = key
	}
	return v.Send(api.LiveEvent{T: "key", Key: key, Code: code, Text: text, M: modifiers, Down: true},
		api.LiveEvent{T: "key", Key: key, Code: code, M: modifiers})
}
