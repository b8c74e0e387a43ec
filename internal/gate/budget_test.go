package gate

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

	"cove/internal/gate/socket"
	"cove/internal/policy"
)

// heap returns the size of the heap after a collection, in MiB.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc >> 20)
}

// unfinished begins a message of so many MiB and does not end it. It returns when the gate has read everything except
// what the system buffers.
func unfinished(t *testing.T, g *testGate, mib int) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), "ws://127.0.0.1:"+strconv.Itoa(g.Port())+g.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.CloseNow() })
	w, err := ws.Writer(t.Context(), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, `{"id":1,"method":"Page.setDocumentContent","params":{"html":"`)
	for range mib {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	return ws
}

var piece = bytes.Repeat([]byte("x"), 1<<20)

func TestUnfinishedMessagesOfAllClientsAreBounded(t *testing.T) {
	g := newGate(t, policy.Policy{})
	var told atomic.Int32
	g.config.Handled = func(int) { told.Add(1) }
	before := heap()
	const clients, each = 8, 10
	const limit = 20 << 20
	g.inflight = socket.NewBudget(limit)
	all := make([]*websocket.Conn, clients)
	var begun sync.WaitGroup
	for i := range all {
		begun.Go(func() { all[i] = unfinished(t, g, each) })
	}
	begun.Wait()
	most := limit>>20 + 20
	if held := heap() - before; held > most {
		t.Errorf("%d clients with %d MiB each hold %d MiB, more than %d", clients, each, held, most)
	}
	for _, ws := range all {
		_ = ws.CloseNow()
	}
	for g.Connected() > 0 || g.inflight.Available() != limit {
		runtime.Gosched()
	}
	if held := heap() - before; held > 20 {
		t.Errorf("%d MiB are held when they have gone", held)
	}
	if told.Load() == 0 {
		t.Error("nobody is told that memory can be given back")
	}
	if got := g.client().request(1, "Browser.getVersion", `{}`); !strings.Contains(got, `"result"`) {
		t.Errorf("afterwards: %s", got)
	}
}

// A message that does not fit beside the others is answered with an error, and the next message is accepted.
func TestALargeMessageIsRefusedWhenOthersAreUnderWay(t *testing.T) {
	g := newGate(t, policy.Policy{})
	const limit = 4 << 20
	g.inflight = socket.NewBudget(limit)
	ws := unfinished(t, g, 4)
	p := g.client()
	big := `{"html":"` + strings.Repeat("x", 3<<20) + `"}`
	for g.inflight.Available() > 2<<20 {
		runtime.Gosched() // until the first one has come
	}
	if got := p.request(7, "Page.setDocumentContent", big); !strings.Contains(got, "too many large ones") ||
		!strings.Contains(got, `"id":7`) {
		t.Errorf("heard %.300s", got)
	}
	if got := p.request(8, "Browser.getVersion", `{}`); !strings.Contains(got, `"result"`) {
		t.Errorf("a small one: %s", got)
	}
	_ = ws.CloseNow()
	for g.inflight.Available() != limit {
		runtime.Gosched()
	}
	if got := p.request(9, "Page.setDocumentContent", big); !strings.Contains(got, `"result"`) {
		t.Errorf("when the other has gone: %.300s", got)
	}
	for g.inflight.Available() != limit {
		runtime.Gosched()
	}
}
