// Package notices tells the person of the requests of agents: on the desktop, and at an address of theirs.
package notices

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/notify"
	"cove/internal/policy"
	"cove/internal/profile"
)

// Notices tells the person of each request once. It holds nothing of a page, and no words of an agent unless the person
// wants that.
type Notices struct {
	// Subscribe follows the requests of every profile.
	Subscribe func() *event.Sub[api.Event]
	// Setting reads a setting.
	Setting func(ctx context.Context, key string) (string, error)
	// Profile reads a profile, for its name.
	Profile func(ctx context.Context, id profile.ID) (profile.Profile, error)
	// HasPIN reports whether there is a PIN: then nothing is allowed from the desktop.
	HasPIN func(ctx context.Context) (bool, error)
	// Answer answers a request.
	Answer func(ctx context.Context, one api.Request, in api.Answer) error
	// Show opens the window; nil where it cannot be.
	Show func(ctx context.Context)
	// Desktop shows a notification until it is answered or ctx ends.
	Desktop func(ctx context.Context, n notify.Notification) (key string, err error)
	Log     *slog.Logger

	since time.Time
	open  map[string]context.CancelFunc // the requests that the person was told of, while they are open
	last  time.Time                     // of the last notification on the desktop
	all   sync.WaitGroup
}

// pause is how long the desktop is left alone after a notification.
const pause = 10 * time.Second

// Run notifies the person of every request until ctx ends. It returns when everything that it started has ended.
func (n *Notices) Run(ctx context.Context) {
	n.since, n.open = time.Now(), map[string]context.CancelFunc{}
	defer n.all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for ctx.Err() == nil {
		sub := n.Subscribe()
		for open := true; open; {
			var e api.Event
			select {
			case e, open = <-sub.C():
				if open && e.Request != nil {
					n.hear(ctx, *e.Request)
				}
			case <-ctx.Done():
				open = false
			}
		}
		sub.Close()
	}
}

// hear receives each change of a request.
func (n *Notices) hear(ctx context.Context, one api.Request) {
	if !policy.RequestState(one.State).IsOpen() {
		if end := n.open[one.ID]; end != nil {
			end()
		}
		delete(n.open, one.ID)
		return
	}
	// What is older than the app was told of by the last one.
	if _, told := n.open[one.ID]; told || one.State != string(policy.Asked) || one.RequestedAt.Before(n.since) {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	n.open[one.ID] = cancel
	title := n.title(ctx, one)
	n.all.Go(func() { n.callHook(ctx, one, title) })
	if on, err := n.Setting(ctx, "notify"); err != nil || on == "off" {
		return
	}
	wait := max(0, pause-time.Since(n.last))
	n.last = time.Now().Add(wait)
	n.all.Go(func() { n.onDesktop(ctx, one, title, wait) })
}

// title is the sentence that the person reads.
func (n *Notices) title(ctx context.Context, one api.Request) string {
	asks := "An agent asks for help in profile "
	if one.Kind == string(policy.AskApproval) {
		asks = "An agent asks for permission in profile "
	}
	name := ""
	if p, err := n.Profile(ctx, one.Profile); err == nil {
		name = " (" + p.Name + ")"
	}
	return asks + strconv.Itoa(int(one.Profile)) + name + "."
}

// callHook sends a message to the person's address, if there is one.
func (n *Notices) callHook(ctx context.Context, one api.Request, title string) {
	address, err := n.Setting(ctx, "notify_url")
	if err != nil || address == "" {
		return
	}
	secret, _ := n.Setting(ctx, "notify_secret")
	m := notify.Message{
		Profile: int(one.Profile), Request: one.ID, Kind: one.Kind, Agent: one.Agent.Name, Title: title,
	}
	if on, _ := n.Setting(ctx, "notify_text"); on == "on" {
		m.Message = one.What
	}
	if err := (notify.Hook{URL: address, Secret: secret}).Send(ctx, m); err != nil && ctx.Err() == nil {
		n.Log.Warn("the address of notify_url did not take a notification", "err", err)
	}
}

// onDesktop shows a notification after a while, as long as the request is open, and does what the person chooses.
func (n *Notices) onDesktop(ctx context.Context, one api.Request, title string, wait time.Duration) {
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return
	}
	shown := notify.Notification{Title: "Cove", Text: title}
	if n.Show != nil {
		shown.Actions = append(shown.Actions, notify.Action{Key: "default", Label: "Open"})
	}
	if pin, err := n.HasPIN(ctx); err == nil && !pin && one.Kind == string(policy.AskApproval) {
		shown.Actions = append(shown.Actions, notify.Action{Key: "allow", Label: "Allow once"})
	}
	shown.Actions = append(shown.Actions, notify.Action{Key: "deny", Label: "Deny"})
	key, err := n.Desktop(ctx, shown)
	if err != nil {
		n.Log.Debug("no note on the desktop", "err", err)
		return
	}
	n.act(ctx, one, key)
}

// act does what the person has chosen. An approval checks once more that there is no PIN.
func (n *Notices) act(ctx context.Context, one api.Request, key string) {
	yes := true
	var err error
	switch key {
	case "default":
		if n.Show != nil {
			n.Show(context.WithoutCancel(ctx))
		}
	case "deny":
		err = n.Answer(ctx, one, api.Answer{Decline: true})
	case "allow":
		var pin bool
		if pin, err = n.HasPIN(ctx); err == nil && !pin {
			err = n.Answer(ctx, one, api.Answer{Allow: &yes})
		}
	}
	if err != nil {
		n.Log.Warn("an answer on the desktop did not count", "request", one.ID, "err", err)
	}
}
