// Package live streams an open profile to a person who watches it: its tabs, images of one of them, and what agents do.
package live

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"
	"time"

	"cove/internal/keeper/control"
	"cove/internal/mcpserver/activity"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/policy/owner"
)

// tab describes a tab to the live view.
type tab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
	// Owner is the agent that the tab belongs to; "" for nobody.
	Owner string `json:"owner,omitempty"`
}

// image is a screenshot of a tab.
type image struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data []byte `json:"data"`
	// N names the picture. W and H are the size of the window that it shows.
	N int     `json:"n"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// prompt is an open dialog in its parts.
type prompt struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
}

// message is one line of the live view's stream. Type says which of the other fields is set.
type message struct {
	Type    string            `json:"type"`
	Tabs    []tab             `json:"tabs,omitempty"`
	Image   *image            `json:"picture,omitempty"`
	Dialog  string            `json:"dialog,omitempty"`
	Prompt  *prompt           `json:"prompt,omitempty"`
	Control []control.Tab     `json:"control,omitempty"`
	Agents  []activity.Agent  `json:"agents,omitempty"`
	Scripts int               `json:"scripts,omitempty"`
	Actions []activity.Action `json:"actions,omitempty"`
}

// Connected is everybody who works in the profile now; keeperclient.Agents is its twin.
type Connected struct {
	Agents  []activity.Agent `json:"agents"`
	Scripts int              `json:"scripts"`
}

// Source is where a live view reads what agents do.
type Source interface {
	// Connected returns everybody who works in the profile now.
	Connected() Connected
	// Actions returns the calls of tools after number n, the oldest first.
	Actions(n int) []activity.Action
	// Changed returns a channel that is closed at the next change of agents or actions.
	Changed() <-chan struct{}
	// Control knows in which tabs a person works.
	Control() *control.Controller
	// Tabs knows which agent each tab belongs to.
	Tabs() *owner.Table
}

// Serve streams an open profile to a person until the request ends: its tabs, the image of one of them as it changes,
// who is connected and what they did last. Each message is one line of JSON. The query's tab names the tab to show.
// With glance the images are small and rare, and only the last actions are sent: for a person who looks at many
// profiles at once.
func Serve(w http.ResponseWriter, r *http.Request, b *page.Browser, from Source) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	query := r.URL.Query()
	v := &viewer{
		source: from, browser: b, tab: query.Get("tab"),
		pace: capture.Watching, actionLimit: maxActions, refresh: time.Second,
		out: json.NewEncoder(w), flush: http.NewResponseController(w), cancel: cancel,
	}
	if query.Has("glance") {
		v.pace, v.actionLimit, v.refresh = capture.Glancing, glanceActions, 10*time.Second
	}
	var images sync.WaitGroup
	images.Go(func() { v.sendImages(ctx) })
	defer images.Wait()
	defer cancel()
	v.sendChanges(ctx)
}

// maxActions and glanceActions are how many of the last actions a viewer is sent.
const (
	maxActions    = 100
	glanceActions = 3
)

// viewer is the live view of one person.
type viewer struct {
	source      Source
	browser     *page.Browser
	tab         string // the wanted tab; "" for the one where something happens
	pace        capture.Pace
	actionLimit int
	refresh     time.Duration // not every change is signalled

	mu     sync.Mutex
	out    *json.Encoder
	flush  *http.ResponseController
	cancel context.CancelFunc
}

func (v *viewer) send(m message) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	_ = v.flush.SetWriteDeadline(time.Now().Add(30 * time.Second))
	err := v.out.Encode(m)
	if err == nil {
		err = v.flush.Flush()
	}
	if err != nil {
		v.cancel()
	}
	return err
}

// pick chooses the tab to show: the wanted one while it exists, else the one where an agent worked last, else the
// first.
func (v *viewer) pick() *page.Tab {
	tabs := v.browser.Tabs()
	byID := func(id string) *page.Tab {
		for _, t := range tabs {
			if t.ID() == id {
				return t
			}
		}
		return nil
	}
	if t := byID(v.tab); t != nil {
		return t
	}
	actions := v.source.Actions(0)
	for i := len(actions) - 1; i >= 0; i-- {
		if t := byID(actions[i].Tab); t != nil {
			return t
		}
	}
	if len(tabs) > 0 {
		return tabs[0]
	}
	return nil
}

// sendImages sends the images of the tab to show.
func (v *viewer) sendImages(ctx context.Context) {
	for ctx.Err() == nil {
		changed := v.browser.Changed()
		t := v.pick()
		if t == nil || t.About().Crashed {
			select {
			case <-ctx.Done():
			case <-changed:
			case <-time.After(time.Second):
			}
			continue
		}
		v.follow(ctx, t)
	}
}

// follow shows one tab until another is to be shown.
func (v *viewer) follow(ctx context.Context, t *page.Tab) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var moves sync.WaitGroup
	defer moves.Wait()
	defer cancel()
	wake := make(chan struct{}, 1)
	pace := v.pace
	pace.Wake = wake
	moves.Go(func() {
		for ctx.Err() == nil {
			tabs, actions := v.browser.Changed(), v.source.Changed()
			if v.pick() != t {
				cancel()
				return
			}
			select {
			case <-ctx.Done():
			case <-tabs:
			case <-actions:
				select {
				case wake <- struct{}{}:
				default:
				}
			}
		}
	})
	if pace.Rest == 0 { // a thumbnail is nobody's workplace
		defer v.source.Control().Watch(t.ID())()
	}
	var last page.Dialog
	_ = t.Camera.Live(ctx, capture.View{
		Pace: pace,
		Show: func(p capture.Image) error {
			last = page.Dialog{}
			return v.send(message{Type: "picture", Image: &image{
				Tab: t.ID(), MIME: p.MIME, Data: p.Data, N: p.Number, W: p.Width, H: p.Height,
			}})
		},
		Dialog: func(d page.Dialog) error {
			if d == last {
				return nil
			}
			last = d
			return v.send(message{Type: "dialog", Dialog: d.String(), Prompt: &prompt{d.Kind, d.Message, d.Default}})
		},
	})
}

// sendChanges sends everything else when it changes.
func (v *viewer) sendChanges(ctx context.Context) {
	var lastTabs []tab
	var lastWho Connected
	var lastActions []activity.Action
	var lastControl []control.Tab
	first := true
	for ctx.Err() == nil {
		changed, acted, taken := v.browser.Changed(), v.source.Changed(), v.source.Control().Changed()
		owners := v.source.Tabs()
		owned := owners.Changed()
		tabs := []tab{}
		for _, t := range v.browser.Tabs() {
			about := t.About()
			tabs = append(tabs, tab{t.ID(), about.Title, about.URL, about.Crashed, owners.Of(t.ID())})
		}
		who, actions := v.source.Connected(), v.source.Actions(0)
		actions = actions[max(0, len(actions)-v.actionLimit):]
		if first || !reflect.DeepEqual(tabs, lastTabs) {
			_ = v.send(message{Type: "tabs", Tabs: tabs})
		}
		if first || !reflect.DeepEqual(who, lastWho) {
			_ = v.send(message{Type: "agents", Agents: who.Agents, Scripts: who.Scripts})
		}
		if first || !reflect.DeepEqual(actions, lastActions) {
			_ = v.send(message{Type: "actions", Actions: actions})
		}
		controlled := v.source.Control().State()
		if (first && len(controlled) > 0) || !first && !reflect.DeepEqual(controlled, lastControl) {
			_ = v.send(message{Type: "control", Control: controlled})
		}
		first, lastTabs, lastWho, lastActions, lastControl = false, tabs, who, actions, controlled
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-acted:
		case <-taken:
		case <-owned:
		case <-time.After(v.refresh):
			v.browser.Refresh(ctx)
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond): // changes that come together are sent together
		}
	}
}
