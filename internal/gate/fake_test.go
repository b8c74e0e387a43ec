package gate

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp/cdptest"
	"cove/internal/cdp/mux"
	"cove/internal/journal"
	"cove/internal/policy"
)

// browser is a mux with a fake browser behind it.
type browser struct {
	*cdptest.Browser
	mux    *mux.Mux
	closed chan struct{} // closed when a client asks for the browser's end
}

func newBrowser(t testing.TB) *browser { return share(t, cdptest.New(t)) }

// newFastBrowser returns a browser behind pipes of the operating system.
func newFastBrowser(t testing.TB) *browser { return share(t, cdptest.NewFast(t)) }

func share(t testing.TB, fake *cdptest.Browser) *browser {
	b := &browser{Browser: fake, closed: make(chan struct{})}
	b.mux = mux.New(b.Pipe(), slog.New(slog.DiscardHandler), func(answer func()) { answer(); close(b.closed) })
	var running sync.WaitGroup
	running.Go(func() { _ = b.mux.Run() })
	t.Cleanup(func() {
		b.Close()
		running.Wait()
	})

	return b
}

// memoryJournal is a journal in memory.
type memoryJournal struct {
	mu      sync.Mutex
	entries []journal.Entry
}

func (j *memoryJournal) Record(e journal.Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
}

// await waits for an entry with that name.
func (j *memoryJournal) await(t *testing.T, name string) journal.Entry {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(time.Millisecond) {
		j.mu.Lock()
		i := slices.IndexFunc(j.entries, func(e journal.Entry) bool { return e.Name == name })
		if i >= 0 {
			defer j.mu.Unlock()
			return j.entries[i]
		}
		j.mu.Unlock()
	}
	t.Fatalf("the journal has no %s", name)
	return journal.Entry{}
}

// testGate is a gate with an enforcer, a journal and a fake browser.
type testGate struct {
	*Server
	t        *testing.T
	browser  *browser
	enforcer *policy.Enforcer
	journal  *memoryJournal
}

func newGate(t *testing.T, p policy.Policy) *testGate {
	t.Helper()
	g := &testGate{t: t, browser: newFastBrowser(t), enforcer: policy.NewEnforcer(p), journal: &memoryJournal{}}
	config := Config{Home: "/data of/mine", Enforcer: g.enforcer, Journal: g.journal,
		Token: func(_ context.Context, token string) bool { return token == "right" },
		Who:   func(netip.AddrPort, netip.AddrPort) (string, int) { return "tester", 42 }}
	var err error
	g.Server, err = Listen(g.browser.mux, Version{}, config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)

	return g
}

// watching is the session on which the browser reports its targets.
const watching = "S1"

// showPage has the browser announce a page to its last session, and waits until the client has heard of it.
func (g *testGate) showPage(c *client, session, target, address string) {
	g.t.Helper()
	g.browser.Event(g.browser.LastSession(), "Target.attachedToTarget", map[string]any{"sessionId": session,
		"targetInfo": map[string]any{"targetId": target, "type": "page", "url": address}})
	c.hear()
}

// movePage has the browser report that a page shows another address.
func (g *testGate) movePage(target, address string) {
	g.browser.Event(watching, "Target.targetInfoChanged",
		map[string]any{"targetInfo": map[string]any{"targetId": target, "type": "page", "url": address}})
}

// awaitPage waits until the gate knows which address a page shows.
func (g *testGate) awaitPage(target, address string) {
	g.t.Helper()
	for deadline := time.Now().Add(time.Minute); g.mux.Target(target).URL != address; <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			g.t.Fatal("the gate does not know where the page is")
		}
	}
}

// client is a raw client.
type client struct {
	t   *testing.T
	ws  *websocket.Conn
	in  chan string
	end error // after in is closed
}

func (g *testGate) client() *client {
	c := &client{t: g.t, ws: dial(g.t, g.Server), in: make(chan string, 1000)}
	go func() {
		defer close(c.in)
		for {
			_, raw, err := c.ws.Read(context.Background())
			if err != nil {
				c.end = err
				return
			}
			c.in <- string(raw)
		}
	}()

	return c
}

func (c *client) send(raw string) {
	c.t.Helper()
	if err := c.ws.Write(c.t.Context(), websocket.MessageText, []byte(raw)); err != nil {
		c.t.Fatal(err)
	}
}

// hear returns the next message.
func (c *client) hear() string {
	c.t.Helper()
	select {
	case raw, ok := <-c.in:
		if !ok {
			c.t.Fatal(c.end)
		}
		return raw
	case <-time.After(time.Minute):
		c.t.Fatal("nothing comes")
		return ""
	}
}

// request sends a command and returns the answer to it; events before it are dropped.
func (c *client) request(id int, method, params string) string {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, id, method, params))
	for {
		got := c.hear()
		if strings.Contains(got, fmt.Sprintf(`"id":%d,`, id)) || strings.Contains(got, fmt.Sprintf(`"id":%d}`, id)) {
			return got
		}
	}
}

// closed waits for the end of the connection and returns the reason.
func (c *client) closed() string {
	c.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case _, ok := <-c.in:
			if !ok {
				return c.end.Error()
			}
		case <-limit:
			c.t.Fatal("the connection stays open")
		}
	}
}

func rights(c policy.Class, a policy.Answer) map[policy.Class]policy.Answer {
	return map[policy.Class]policy.Answer{c: a}
}
