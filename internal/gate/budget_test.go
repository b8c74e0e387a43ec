package gate

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/policy"
)

// heap is what the process holds after a collection, in MiB.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc >> 20)
}

// unfinished begins a message of so many MiB and does not end it. It returns when the gate has read all but what the
// system holds.
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
	g.inflight.limit = 20 << 20
	all := make([]*websocket.Conn, clients)
	var begun sync.WaitGroup
	for i := range all {
		begun.Go(func() { all[i] = unfinished(t, g, each) })
	}
	begun.Wait()
	most := g.inflight.limit>>20 + 20
	if held := heap() - before; held > most {
		t.Errorf("%d clients with %d MiB each hold %d MiB, more than %d", clients, each, held, most)
	}
	for _, ws := range all {
		_ = ws.CloseNow()
	}
	for g.Connected() > 0 || g.inflight.unreserved() != g.inflight.limit {
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

// What does not fit beside the others is answered, and what comes after it is taken.
func TestALargeMessageIsRefusedWhenOthersAreUnderWay(t *testing.T) {
	g := newGate(t, policy.Policy{})
	g.inflight.limit = 4 << 20
	ws := unfinished(t, g, 4)
	p := g.client()
	big := `{"html":"` + strings.Repeat("x", 3<<20) + `"}`
	for g.inflight.unreserved() > 2<<20 {
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
	for g.inflight.unreserved() != g.inflight.limit {
		runtime.Gosched()
	}
	if got := p.request(9, "Page.setDocumentContent", big); !strings.Contains(got, `"result"`) {
		t.Errorf("when the other has gone: %.300s", got)
	}
	for g.inflight.unreserved() != g.inflight.limit {
		runtime.Gosched()
	}
}

func TestMessagesOfEverySizeAreReadWhole(t *testing.T) {
	for _, size := range []int{0, 1, large - 1, large, large + 1, 2 * large, 2*large + 5, cdp.MaxMessage - 1,
		cdp.MaxMessage, cdp.MaxMessage + 1, cdp.MaxMessage + large} {
		b := &budget{limit: maxInflight}
		text := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		in, err := readMessage(bytes.NewReader(text), b)
		if err != nil {
			t.Fatal(err)
		}
		if size > cdp.MaxMessage {
			if in.over != size || in.crowded || len(in.raw) > 10<<10 || b.unreserved() != maxInflight {
				t.Errorf("%d bytes: over %d, crowded %v, kept %d, held %d", size, in.over, in.crowded, len(in.raw),
					in.reserved)
			}
			continue
		}
		if in.over != 0 || !bytes.Equal(in.raw, text) || b.unreserved() != maxInflight-in.reserved {
			t.Errorf("%d bytes: read %d, over %d", size, len(in.raw), in.over)
		}
	}
	for _, broken := range []int{10, large + 10} {
		b := &budget{limit: maxInflight}
		g := io.MultiReader(bytes.NewReader(make([]byte, broken)), iotest.ErrReader(context.Canceled))
		if in, err := readMessage(g, b); err == nil || in.reserved != 0 || b.unreserved() != maxInflight {
			t.Errorf("a connection that breaks after %d bytes: %v", broken, err)
		}
	}
}

// unreserved is what can still be reserved.
func (b *budget) unreserved() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit - b.used
}
