package keeper

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/paths"
)

// liveTab is a tab as the live view lists it.
type liveTab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
}

// livePicture is what a tab looks like.
type livePicture struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data []byte `json:"data"`
}

// liveLine is one line of the live view's stream; Type says which of the others is set.
type liveLine struct {
	Type    string             `json:"type"`
	Tabs    []liveTab          `json:"tabs,omitempty"`
	Picture *livePicture       `json:"picture,omitempty"`
	Dialog  string             `json:"dialog,omitempty"`
	Agents  []mcpserver.Agent  `json:"agents,omitempty"`
	Scripts int                `json:"scripts,omitempty"`
	Actions []mcpserver.Action `json:"actions,omitempty"`
}

// connected is who works in the profile now.
type connected struct {
	Agents  []mcpserver.Agent `json:"agents"`
	Scripts int               `json:"scripts"`
}

func (a *agents) connected() connected {
	c := connected{Agents: a.server.Agents()}
	if gate := a.gate.Load(); gate != nil {
		c.Scripts = gate.Connected()
	}
	return c
}

// who answers who is connected.
func (a *agents) who(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a.connected())
}

// live streams what a person sees of an open profile: its tabs, the picture of one of them as it changes, who is connected and
// what they have done last. One line of JSON each.
func (a *agents) live(w http.ResponseWriter, r *http.Request) {
	b, err := a.await(r.Context())
	if err != nil {
		http.Error(w, fault.From(err).Text, http.StatusConflict)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	v := &viewer{agents: a, browser: b, tab: r.URL.Query().Get("tab"), out: json.NewEncoder(w), flush: http.NewResponseController(w), cancel: cancel}
	var pictures sync.WaitGroup
	pictures.Go(func() { v.show(ctx) })
	defer pictures.Wait()
	defer cancel()
	v.tell(ctx)
}

// viewer is one person's live view.
type viewer struct {
	agents  *agents
	browser *page.Browser
	tab     string // the wanted tab; "" for the one where something happens

	mu     sync.Mutex
	out    *json.Encoder
	flush  *http.ResponseController
	cancel context.CancelFunc
}

func (v *viewer) send(l liveLine) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	_ = v.flush.SetWriteDeadline(time.Now().Add(30 * time.Second))
	err := v.out.Encode(l)
	if err == nil {
		err = v.flush.Flush()
	}
	if err != nil {
		v.cancel()
	}
	return err
}

// pick is the tab to show: the wanted one while it lives, else where an agent has worked last, else the first.
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
	actions := v.agents.server.Actions(0)
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

// show sends the pictures.
func (v *viewer) show(ctx context.Context) {
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
			tabs, actions := v.browser.Changed(), v.agents.server.Changed()
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
		return v.send(liveLine{Type: "picture", Picture: &livePicture{Tab: t.ID(), MIME: p.MIME, Data: p.Data}})
	}, func(d page.Dialog) error {
		return v.send(liveLine{Type: "dialog", Dialog: d.String()})
	})
}

// tell sends everything else when it changes.
func (v *viewer) tell(ctx context.Context) {
	var lastTabs []liveTab
	var lastWho connected
	var lastActions []mcpserver.Action
	first := true
	for ctx.Err() == nil {
		changed, acted := v.browser.Changed(), v.agents.server.Changed()
		tabs := []liveTab{}
		for _, t := range v.browser.Tabs() {
			about := t.About()
			tabs = append(tabs, liveTab{t.ID(), about.Title, about.URL, about.Crashed})
		}
		who, actions := v.agents.connected(), v.agents.server.Actions(0)
		if first || !reflect.DeepEqual(tabs, lastTabs) {
			_ = v.send(liveLine{Type: "tabs", Tabs: tabs})
		}
		if first || !reflect.DeepEqual(who, lastWho) {
			_ = v.send(liveLine{Type: "agents", Agents: who.Agents, Scripts: who.Scripts})
		}
		if first || !reflect.DeepEqual(actions, lastActions) {
			_ = v.send(liveLine{Type: "actions", Actions: actions})
		}
		first, lastTabs, lastWho, lastActions = false, tabs, who, actions
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-acted:
		case <-time.After(time.Second): // not every change is told
			v.browser.Refresh(ctx)
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond): // what comes together is told together
		}
	}
}

// Connected asks the keeper of an open profile who works in it.
func Connected(ctx context.Context, dir paths.ProfileDir) (agents []mcpserver.Agent, scripts int, err error) {
	record, err := FindAgentLine(dir)
	if err != nil {
		return nil, 0, err
	}
	h := newHandle(record)
	defer h.http.CloseIdleConnections()
	res, err := h.request(ctx, http.MethodGet, "/v1/agents")
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	var c connected
	err = json.NewDecoder(res.Body).Decode(&c)
	return c.Agents, c.Scripts, err
}
