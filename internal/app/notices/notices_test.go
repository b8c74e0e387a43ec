package notices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/notify"
	"cove/internal/profile"
)

// person is somebody in front of a desktop.
type person struct {
	feed     event.Feed[api.Event]
	presses  string // the button that they press
	pin      bool
	settings map[string]string

	mu      sync.Mutex
	notes   []string
	answers []string
}

// saw returns the notes and the answers so far.
func (p *person) saw() (notes, answers []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.notes), slices.Clone(p.answers)
}

func (p *person) start(t *testing.T) {
	t.Helper()
	n := &Notices{
		Subscribe: func() *event.Sub[api.Event] { return p.feed.Subscribe(16) },
		Setting:   func(_ context.Context, key string) (string, error) { return p.settings[key], nil },
		Profile: func(context.Context, profile.ID) (profile.Profile, error) {
			return profile.Profile{Name: "shop"}, nil
		},
		HasPIN: func(context.Context) (bool, error) { return p.pin, nil },
		Answer: func(_ context.Context, one api.Request, in api.Answer) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.answers = append(p.answers, fmt.Sprint(one.ID, " ", in.Allow != nil && *in.Allow, in.Decline))
			return nil
		},
		Desktop: func(ctx context.Context, shown notify.Notification) (string, error) {
			var keys []string
			for _, a := range shown.Actions {
				keys = append(keys, a.Key)
			}
			p.mu.Lock()
			p.notes = append(p.notes, shown.Text+" "+strings.Join(keys, ","))
			p.mu.Unlock()
			if p.presses == "" {
				<-ctx.Done()
				return "", errors.New("gone")
			}
			return p.presses, nil
		},
		Log: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); n.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	synctest.Wait()
}

func (p *person) tell(one api.Request) {
	p.feed.Publish(api.Event{Type: "request", Request: &one})
	synctest.Wait()
}

func ask(id string) api.Request {
	return api.Request{
		ID: id, Profile: 3, Kind: "approve", State: "asked", RequestedAt: time.Now(), What: "secret words",
	}
}

func TestAPersonIsToldOnceAndInFewWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{}
		old := ask("3-1")
		old.RequestedAt = time.Now().Add(-time.Hour)
		p.start(t)
		p.tell(old)
		one := ask("3-2")
		p.tell(one)
		one.State = "seen"
		p.tell(one)
		one.State = "asked"
		p.tell(one)
		want := []string{"An agent asks for permission in profile 3 (shop). allow,deny"}
		if notes, _ := p.saw(); !slices.Equal(notes, want) {
			t.Errorf("told %q", notes)
		}
		p.tell(ask("3-3")) // too soon after the first
		answered := ask("3-4")
		p.tell(answered)
		answered.State = "answered"
		p.tell(answered) // nobody needs to be told any more
		if notes, _ := p.saw(); len(notes) != 1 {
			t.Errorf("told at once: %q", notes)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		if notes, _ := p.saw(); len(notes) != 2 {
			t.Errorf("told after a while: %q", notes)
		}
	})
}

func TestWhatAPersonPresses(t *testing.T) {
	for name, c := range map[string]struct {
		presses, setting string
		pin              bool
		kind             string
		note, answer     string
	}{
		"allow":                   {presses: "allow", note: "allow,deny", answer: "3-1 true false"},
		"deny":                    {presses: "deny", note: "allow,deny", answer: "3-1 false true"},
		"deny with a PIN":         {presses: "deny", pin: true, note: " deny", answer: "3-1 false true"},
		"allow with a PIN":        {presses: "allow", pin: true, note: " deny"},
		"help cannot be allowed":  {presses: "deny", kind: "do", note: " deny", answer: "3-1 false true"},
		"turned off":              {presses: "allow", setting: "off"},
		"something of the daemon": {presses: "x", note: "allow,deny"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &person{presses: c.presses, pin: c.pin, settings: map[string]string{"notify": c.setting}}
				p.start(t)
				one := ask("3-1")
				if c.kind != "" {
					one.Kind = c.kind
				}
				p.tell(one)
				notes, answers := p.saw()
				if got := strings.Join(notes, ";"); !strings.HasSuffix(got, c.note) || (got == "") != (c.note == "") {
					t.Errorf("the note was %q", got)
				}
				if got := strings.Join(answers, ";"); got != c.answer {
					t.Errorf("answered %q, not %q", got, c.answer)
				}
			})
		})
	}
}
