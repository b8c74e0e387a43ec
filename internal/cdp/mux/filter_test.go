package mux

import (
	"strings"
	"testing"

	"cove/internal/cdp"
)

// masked is a filter that hides a word in everything and drops one event.
type masked struct{}

func (masked) Event(msg cdp.Message) Edit {
	switch msg.Method() {
	case "Some.secret":
		return func([]byte) []byte { return nil }
	case "Some.edited":
		return func(raw []byte) []byte { return []byte(strings.ReplaceAll(string(raw), "edit me", "edited")) }
	}

	return nil
}

func (masked) Rewrite(raw []byte) []byte {
	return []byte(strings.ReplaceAll(string(raw), "hunter2", "•••"))
}

// A sink is handed every message through the filter of its client, whatever kind of sink it is.
func TestEverySinkSeesWhatTheFilterPasses(t *testing.T) {
	b := newBrowser(t)
	open, bound := attach(t, b, nil), attach(t, b, masked{})
	for _, s := range []*script{open, bound} {
		b.Event(s.session, "Some.secret", map[string]string{"a": "b"})
		b.Event(s.session, "Some.edited", map[string]string{"a": "edit me", "b": "hunter2"})
		s.say(t, `{"id":1,"method":"Say.hunter2"}`)
		s.say(t, `{"id":2,"method":"Say.hunter2","sessionId":"hunter2"}`)
	}
	want := []string{
		`{"method":"Some.edited","params":{"a":"edited","b":"•••"}}`,
		`{"id":1,"result":{"bytes":0,"method":"Say.•••","on":"` + bound.session + `"}}`,
		`{"id":2,"error":{"code":-32001,"message":"Session with given id not found."},"sessionId":"•••"}`,
	}
	got := map[string]bool{}
	for range want {
		got[<-bound.heard] = true
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("the bound client did not hear %s, but %v", w, got)
		}
	}
	for range 4 {
		if heard := <-open.heard; strings.Contains(heard, "•••") || strings.Contains(heard, "edited\",\"b") {
			t.Errorf("the filter of another client changed %s", heard)
		}
	}
}

// follower counts what becomes of a command.
type follower struct {
	replied, dropped chan string
}

func newFollower() *follower {
	return &follower{make(chan string, 10), make(chan string, 10)}
}

func (f *follower) Reply(msg cdp.Message, id int32) Edit {
	f.replied <- string(msg.Raw())
	return func([]byte) []byte { return []byte("edited") }
}

func (f *follower) Dropped() { f.dropped <- "" }

func forward(t *testing.T, s *script, raw string, f Exchange) {
	t.Helper()
	msg, wrong := s.Check([]byte(raw))
	if wrong != nil {
		t.Fatal(wrong)
	}
	if err := s.Forward(msg, f); err != nil {
		t.Fatal(err)
	}
}

func TestAnExchangeHearsOfItsEndOnce(t *testing.T) {
	for name, end := range map[string]func(b *browser, s *script){
		"the client closes":  func(_ *browser, s *script) { s.Close() },
		"the target closes":  func(b *browser, s *script) { b.mux.detached(s.session) },
		"the browser closes": func(b *browser, _ *script) { b.mux.end() },
		"all of these":       func(b *browser, s *script) { s.Close(); b.mux.detached(s.session); b.mux.end() },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBrowser(t)
			s := attach(t, b, nil)
			answered, never := newFollower(), newFollower()
			forward(t, s, `{"id":1,"method":"Say.hello"}`, answered)
			if got := <-s.heard; got != "edited" {
				t.Errorf("heard %s", got)
			}
			forward(t, s, `{"id":2,"method":"Never.answer"}`, never)
			end(b, s)
			<-never.dropped
			if len(answered.replied) != 1 || len(answered.dropped) != 0 || len(never.replied)+len(never.dropped) != 0 {
				t.Errorf("%d answers and %d ends, %d and %d", len(answered.replied), len(answered.dropped),
					len(never.replied), len(never.dropped))
			}
		})
	}

	t.Run("Browser.close is answered without the browser", func(t *testing.T) {
		b := newBrowser(t)
		s := attach(t, b, nil)
		f := newFollower()
		forward(t, s, `{"id":9,"method":"Browser.close"}`, f)
		if got := <-f.replied; got != `{"id":9,"result":{}}` {
			t.Errorf("the answer is %s", got)
		}
		if got := <-s.heard; got != "edited" {
			t.Errorf("heard %s", got)
		}
	})
	t.Run("a session that has ended meanwhile", func(t *testing.T) {
		b := newBrowser(t)
		s := attach(t, b, nil)
		b.Event(s.session, "Target.attachedToTarget", map[string]any{"sessionId": "CHILD"})
		<-s.heard
		msg, wrong := s.Check([]byte(`{"id":9,"method":"Page.enable","sessionId":"CHILD"}`))
		if wrong != nil {
			t.Fatal(wrong)
		}
		b.mux.detached("CHILD")
		f := newFollower()
		if err := s.Forward(msg, f); err != nil {
			t.Fatal(err)
		}
		<-f.dropped
		if got := <-s.heard; !strings.Contains(got, "Session with given id not found") {
			t.Errorf("heard %s", got)
		}
	})
}

func TestOnTargetCreatedAndDestroyed(t *testing.T) {
	b := newBrowser(t)
	if err := b.mux.WatchTargets(t.Context()); err != nil {
		t.Fatal(err)
	}
	watching := b.LastSession()
	created, destroyed := make(chan Target, 10), make(chan string, 10)
	stopCreated := b.mux.OnTargetCreated(func(t Target) { created <- t })
	stop := b.mux.OnTargetDestroyed(func(id string) { destroyed <- id })
	for _, url := range []string{"about:blank", "https://later.test/"} {
		b.Event(watching, "Target.targetCreated", map[string]any{
			"targetInfo": map[string]any{"targetId": "T", "type": "page", "url": url, "openerId": "O"}})
	}
	if made := <-created; made.ID != "T" || made.Opener != "O" || made.URL != "about:blank" {
		t.Errorf("created %+v", made)
	}
	b.Event(watching, "Target.targetDestroyed", map[string]any{"targetId": "T"})
	if id := <-destroyed; id != "T" {
		t.Errorf("destroyed %s", id)
	}
	if n := len(b.mux.Targets()); n != 0 {
		t.Errorf("%d targets are left", n)
	}

	stopCreated()
	stop()
	b.Event(watching, "Target.targetCreated", map[string]any{"targetInfo": map[string]any{"targetId": "T2"}})
	b.Event(watching, "Target.targetDestroyed", map[string]any{"targetId": "T2"})
	s := attach(t, b, nil)
	s.say(t, `{"id":1,"method":"After.that"}`)
	<-s.heard
	if len(destroyed) > 0 {
		t.Errorf("after the end destroyed %s", <-destroyed)
	}
	if len(created) > 0 {
		t.Errorf("created once more, or after the end: %+v", <-created)
	}
}

// A call on a session that ends fails at once: the browser does not answer it any more.
func TestACallOnASessionThatEndsFails(t *testing.T) {
	b := newBrowser(t)
	s := attach(t, b, nil)
	failed := make(chan error, 1)
	go func() { failed <- b.mux.CallOn(t.Context(), s.session, "Never.answer", nil, nil) }()
	for len(b.Got("Never.answer")) == 0 {
		b.mux.Clients()
	}
	b.Event("", "Target.detachedFromTarget", map[string]any{"sessionId": s.session})
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "Session with given id") {
		t.Errorf("got %v", err)
	}
}
