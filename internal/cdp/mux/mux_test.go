package mux

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestClientsAreKeptApart(t *testing.T) {
	b := newBrowser(t)
	one, two := attach(t, b, nil), attach(t, b, nil)

	t.Run("the same id of two clients is answered to each", func(t *testing.T) {
		var both sync.WaitGroup
		for _, c := range []struct {
			s      *script
			method string
		}{{one, "First.ask"}, {two, "Second.ask"}} {
			both.Go(func() {
				for range 100 {
					if c.s.Send([]byte(`{"id":7,"method":"`+c.method+`","params":{}}`)) != nil {
						t.Error("the browser is gone")
					}
					got := <-c.s.heard
					if !strings.HasPrefix(got, `{"id":7,`) || !strings.Contains(got, c.method) ||
						strings.Contains(got, "sessionId") {
						t.Errorf("%s heard %s", c.method, got)
					}
				}
			})
		}
		both.Wait()
	})
	t.Run("a message without a session goes to the client's own", func(t *testing.T) {
		one.say(t, `{"id":1,"method":"Where.am"}`)
		if got := <-one.heard; !strings.Contains(got, `"on":"`+one.session+`"`) {
			t.Fatalf("heard %s", got)
		}
	})
	t.Run("an event reaches its own client only, without the root session", func(t *testing.T) {
		b.Event(one.session, "Some.event", map[string]any{"n": 1})
		if got := <-one.heard; got != `{"method":"Some.event","params":{"n":1}}` {
			t.Fatalf("heard %s", got)
		}
		two.say(t, `{"id":1,"method":"Still.there"}`)
		if got := <-two.heard; !strings.Contains(got, "Still.there") {
			t.Fatalf("the other client heard %s", got)
		}
	})
	t.Run("a session announced to a client is that client's, and nobody else's", func(t *testing.T) {
		one.say(t, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"T","flatten":true}}`)
		announced, answered := <-one.heard, <-one.heard
		if !strings.Contains(announced, "Target.attachedToTarget") || !strings.Contains(answered, `"id":2`) {
			t.Fatalf("heard %s and %s", announced, answered)
		}
		child := b.LastSession()
		one.say(t, `{"id":3,"method":"Page.enable","sessionId":"`+child+`"}`)
		if got := <-one.heard; !strings.HasSuffix(got, `"sessionId":"`+child+`"}`) ||
			!strings.HasPrefix(got, `{"id":3,`) {
			t.Fatalf("heard %s", got)
		}
		two.say(t, `{"id":4,"method":"Page.enable","sessionId":"`+child+`"}`)
		if got := <-two.heard; !strings.Contains(got, "Session with given id not found.") ||
			!strings.Contains(got, `"id":4`) {
			t.Fatalf("the other client heard %s", got)
		}
		two.say(t, `{"id":5,"method":"Page.enable","sessionId":"`+one.session+`"}`)
		if got := <-two.heard; !strings.Contains(got, "-32001") {
			t.Fatalf("the other client heard %s", got)
		}
	})
	t.Run("an error of the browser is passed on", func(t *testing.T) {
		one.say(t, `{"id":6,"method":"Fail.please"}`)
		if got := <-one.heard; got != `{"id":6,"error":{"code":-32000,"message":"no"}}` {
			t.Fatalf("heard %s", got)
		}
	})
}

func TestSendRefusesWhatTwoParsersCouldReadInTwoWays(t *testing.T) {
	b := newBrowser(t)
	s := attach(t, b, nil)
	for name, raw := range map[string]string{
		"a NUL that begins another message": "{\"id\":1,\"method\":\"A.b\"}\x00{\"id\":2,\"method\":\"Browser.close\"}",
		"a NUL inside a string":             "{\"id\":1,\"method\":\"A.b\x00\"}",
		"the session twice": `{"id":1,"method":"A.b","sessionId":"` + s.session +
			`","sessionId":"S99"}`,
		"the id twice":            `{"id":1,"id":2,"method":"A.b"}`,
		"an escaped key":          `{"id":1,"method":"A.b","session\u0049d":"S99"}`,
		"a comment":               `{"id":1,"method":"A.b"/*,"x":"*/,"sessionId":"S99"/*"*/}`,
		"a second object":         `{"id":1,"method":"A.b"}{"id":2,"method":"A.b"}`,
		"an array":                `[{"id":1,"method":"A.b"}]`,
		"half a message":          `{"id":1,"method":`,
		"nothing":                 ``,
		"an id that is a text":    `{"id":"1","method":"A.b"}`,
		"an id that is too large": `{"id":3000000000,"method":"A.b"}`,
		"a fraction as id":        `{"id":1.5,"method":"A.b"}`,
		"no id":                   `{"method":"A.b"}`,
		"no method":               `{"id":1}`,
		"a session that is null":  `{"id":1,"method":"A.b","sessionId":null}`,
		"a session that is empty": `{"id":1,"method":"A.b","sessionId":""}`,
		"deep nesting": `{"id":1,"method":"A.b","params":` + strings.Repeat("[", 400) +
			strings.Repeat("]", 400) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			before := len(b.Got("A.b")) + len(b.Got("Browser.close"))
			s.say(t, raw)
			if got := <-s.heard; !strings.Contains(got, `"error"`) {
				t.Fatalf("heard %s", got)
			}
			if after := len(b.Got("A.b")) + len(b.Got("Browser.close")); after != before {
				t.Fatal("it reached the browser")
			}
		})
	}
	t.Run("blanks and any order of keys pass", func(t *testing.T) {
		s.say(t, " { \"sessionId\" : \""+s.session+
			"\" ,\n\"params\":{\"a\":\"\\\"}\"}, \"method\":\"Odd.order\",\t\"id\" : 12 } ")
		if got := <-s.heard; !strings.Contains(got, `"id":12`) || !strings.Contains(got, "Odd.order") {
			t.Fatalf("heard %s", got)
		}
	})
}

func TestCloseDetachesEverything(t *testing.T) {
	b := newBrowser(t)
	gone, stays := attach(t, b, nil), attach(t, b, nil)
	gone.say(t, `{"id":1,"method":"Never.answer"}`)
	gone.Close()
	gone.Close() // twice is as good as once
	stays.say(t, `{"id":1,"method":"After.that"}`)
	<-stays.heard
	detached := b.Got("Target.detachFromTarget")
	if len(detached) != 1 || !strings.Contains(string(detached[0].Params), gone.session) || detached[0].Session != "" {
		t.Fatalf("the browser was told %v", detached)
	}
	b.Event(gone.session, "Late.event", nil)
	stays.say(t, `{"id":2,"method":"And.after"}`)
	<-stays.heard
	if len(gone.heard) > 0 {
		t.Fatalf("a client that left still hears %s", <-gone.heard)
	}
	if n := b.mux.Clients(); n != 1 {
		t.Fatalf("%d clients", n)
	}
	b.mux.mu.Lock()
	defer b.mux.mu.Unlock()
	if len(b.mux.sessions) != 1 {
		t.Fatalf("%d sessions are left", len(b.mux.sessions))
	}
	for _, p := range b.mux.pending {
		if p.client == gone.Client {
			t.Fatal("a command of the client that left is still waited for")
		}
	}
}

func TestBrowserClose(t *testing.T) {
	b := newBrowser(t)
	s := attach(t, b, nil)
	s.say(t, `{"id":9,"method":"Browser.close"}`)
	if got := <-s.heard; got != `{"id":9,"result":{}}` {
		t.Fatalf("heard %s", got)
	}
	<-b.closed
	if len(b.Got("Browser.close")) > 0 {
		t.Fatal("a client's Browser.close reached the browser")
	}
}

func TestATargetThatASilentClientPausedIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		s := attach(t, b, nil)
		for _, child := range []string{"quiet", "busy", "resumed"} {
			b.Event(s.session, "Target.attachedToTarget",
				map[string]any{"sessionId": child, "waitingForDebugger": true})
			<-s.heard
		}
		s.say(t, `{"id":1,"method":"Runtime.runIfWaitingForDebugger","sessionId":"resumed"}`)
		<-s.heard
		for range 4 { // "busy" is set up slowly, a command every three seconds
			<-time.After(3 * time.Second)
			s.say(t, `{"id":2,"method":"Page.enable","sessionId":"busy"}`)
			<-s.heard
		}
		synctest.Wait()
		var resumed []string
		for _, c := range b.Got("Runtime.runIfWaitingForDebugger") {
			resumed = append(resumed, c.Session)
		}
		if got := strings.Join(resumed, " "); got != "resumed quiet" {
			t.Fatalf("resumed: %s", got)
		}
		<-time.After(7 * time.Second)
		synctest.Wait()
		if n := len(b.Got("Runtime.runIfWaitingForDebugger")); n != 3 {
			t.Fatalf("%d resumed after the busy one fell silent", n)
		}
	})
}

func TestTheEndOfTheBrowserReachesEveryone(t *testing.T) {
	b := newBrowser(t)
	s := attach(t, b, nil)
	b.mux.end()
	if reason := <-s.ended; reason == "" {
		t.Fatal("no reason")
	}
	if err := s.Send([]byte(`{"id":1,"method":"A.b"}`)); err == nil {
		t.Fatal("a command was taken after the end")
	}
	if _, err := b.mux.Attach(t.Context(), "", s, nil); err == nil {
		t.Fatal("a client attached after the end")
	}
}

func TestATargetThatClosesEndsItsOwnClients(t *testing.T) {
	b := newBrowser(t)
	page := &script{heard: make(chan string, 10), ended: make(chan string, 1)}
	var err error
	if page.Client, err = b.mux.Attach(t.Context(), "T1", page, nil); err != nil {
		t.Fatal(err)
	}
	other := attach(t, b, nil)
	b.Event("", "Target.detachedFromTarget", map[string]any{"sessionId": page.session})
	<-page.ended
	other.say(t, `{"id":1,"method":"Still.there"}`)
	<-other.heard
}
