// Package live streams an open profile to a person who watches it: its tabs, images of one of them, and what agents do.
package live

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"
	"time"

	"cove/internal/mcpserver/activity"
	"cove/internal/page"
	"cove/internal/page/capture"
)

// tab describes a tab to the live view.
type tab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
}

// image is a screenshot of a tab.
type image struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data []byte `json:"data"`
}

// message is one line of the live view's stream. Type says which of the other fields is set.
type message struct {
	Type    string            `json:"type"`
	Tabs    []tab             `json:"tabs,omitempty"`
	Image   *image            `json:"picture,omitempty"`
	Dialog  string            `json:"dialog,omitempty"`
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
}

// Serve streams an open profile to a person until the request ends: its tabs, the image of one of them as it changes,
// who is connected and what they did last. Each message is one line of JSON. The query's tab names the tab to show.
func Serve(w http.ResponseWriter, r *http.Request, b *page.Browser, from Source) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	v := &viewer{
		source: from, browser: b, tab: r.URL.Query().Get("tab"),
		out: json.NewEncoder(w), flush: http.NewResponseController(w), cancel: cancel,
	}
	var images sync.WaitGroup
	images.Go(func() { v.sendImages(ctx) })
	defer images.Wait()
	defer cancel()
	v.sendChanges(ctx)
}

// viewer is the live view of one person.
type viewer struct {
	source  Source
	browser *page.Browser
	tab     string // the wanted tab; "" for the one where something happens

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
			}
		}
	})
	_ = t.Camera.Live(ctx, func(p capture.Image) error {
		return v.send(message{Type: "picture", Image: &image{Tab: t.ID(), MIME: p.MIME, Data: p.Data}})
	}, func(d page.Dialog) error {
		return v.send(message{Type: "dialog", Dialog: d.String()})
	})
}

// sendChanges sends everything else when it changes.
func (v *viewer) sendChanges(ctx context.Context) {
	var lastTabs []tab
	var lastWho Connected
	var lastActions []activity.Action
	first := true
	for ctx.Err() == nil {
		changed, acted := v.browser.Changed(), v.source.Changed()
		tabs := []tab{}
		for _, t := range v.browser.Tabs() {
			about := t.About()
			tabs = append(tabs, tab{t.ID(), about.Title, about.URL, about.Crashed})
		}
		who, actions := v.source.Connected(), v.source.Actions(0)
		if first || !reflect.DeepEqual(tabs, lastTabs) {
			_ = v.send(message{Type: "tabs", Tabs: tabs})
		}
		if first || !reflect.DeepEqual(who, lastWho) {
			_ = v.send(message{Type: "agents", Agents: who.Agents, Scripts: who.Scripts})
		}
		if first || !reflect.DeepEqual(actions, lastActions) {
			_ = v.send(message{Type: "actions", Actions: actions})
		}
		first, lastTabs, lastWho, lastActions = false, tabs, who, actions
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-acted:
		case <-time.After(time.Second): // not every change is signalled
			v.browser.Refresh(ctx)
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond): // changes that come together are sent together
		}
	}
}
