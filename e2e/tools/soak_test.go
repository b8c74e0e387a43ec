//go:build e2e

package tools

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

const soakPage = `<title>soak %s</title><h1>Soak</h1><form onsubmit="return false"><label>Name <input id=name></label><label>Kind <select><option>one<option>two</select></label>
<label><input type=checkbox> agree</label><button onclick="said.textContent='hello '+document.getElementById('name').value;console.log('pressed',{n:1});fetch('/small')">press</button>
<button onclick="alert('hi')">alert</button></form><p id=said></p><ul></ul><script>for(let i=0;i<60;i++){const l=document.createElement('li');l.innerHTML='<a href="#'+i+'">item '+i+'</a>';document.querySelector('ul').append(l)}</script>`

// TestSoak works with two agents in twenty tabs. COVE_SOAK is the number of calls: 10,000 in make soak.
func TestSoak(t *testing.T) {
	calls, _ := strconv.Atoi(os.Getenv("COVE_SOAK"))
	if calls == 0 {
		calls = 400
	} else {
		t.Logf("%d calls", calls)
	}
	warm := min(1000, calls/2)
	routes := http.NewServeMux()
	routes.HandleFunc("/page/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html>"+soakPage, r.PathValue("n"))
	})
	routes.HandleFunc("/small", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "ok") })
	base := host(t, routes)
	a := harness.Start(t, harness.With("COVE_MEMORY_INTERVAL=1s"))
	agents := []*harness.Driver{harness.NewDriver(t, a), harness.NewDriver(t, a)}
	for i, g := range agents {
		for k := range 10 {
			g.Opened(fmt.Sprintf("%s/page/%d-%d", base, i, k))
		}
	}
	work := func(n, from int) {
		var all sync.WaitGroup
		for i, g := range agents {
			all.Go(func() {
				(&soaker{g: g, base: base, who: i,
					rand: rand.New(rand.NewPCG(uint64(i), uint64(from)))}).run(n / len(agents))
			})
		}
		all.Wait()
	}
	began := time.Now()
	work(warm, 0)
	before := a.MemStats(1)
	t.Logf("after %d calls: %s", warm, before)
	work(calls-warm, warm)
	after := a.MemStats(1)
	t.Logf("after %d calls: %s, in %v", calls, after, time.Since(began).Round(time.Second))
	// The slack: rings of console and network fill for a while, tabs differ by a frame or two.
	if after.Goroutines > before.Goroutines+20 {
		t.Errorf("goroutines have grown from %d to %d", before.Goroutines, after.Goroutines)
	}
	if slack := 16 << 20; after.Heap > before.Heap+slack {
		t.Errorf("the heap has grown from %d to %d bytes", before.Heap, after.Heap)
	}
}

// soaker is one agent that does this and that in its tabs.
type soaker struct {
	g     *harness.Driver
	base  string
	who   int
	rand  *rand.Rand
	pages []int
	uids  map[int]map[string]string
}

var soakUID = regexp.MustCompile(`uid=(\S+) (\w+) "([^"]*)"`)

func (s *soaker) run(calls int) {
	s.uids = map[int]map[string]string{}
	s.list()
	for i := 0; i < calls; i++ {
		if len(s.pages) == 0 {
			s.list()
			continue
		}
		n := s.pages[s.rand.IntN(len(s.pages))]
		s.step(n, i)
	}
}

// list finds the agent's own pages.
func (s *soaker) list() {
	s.pages = nil
	for _, m := range regexp.MustCompile(fmt.Sprintf(`(?m)^(\d+): .*/page/%d-`,
		s.who)).FindAllStringSubmatch(s.call("list_pages", nil), -1) {
		n, _ := strconv.Atoi(m[1])
		s.pages = append(s.pages, n)
	}
}

func (s *soaker) step(n, i int) {
	on := func(more harness.Object) harness.Object {
		all := harness.Object{"pageId": n}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	uid := func(name string) string { return s.uids[n][name] }
	if len(s.uids[n]) == 0 {
		s.look(n, on(nil))
		return
	}
	switch s.rand.IntN(16) {
	case 0, 1:
		s.look(n, on(nil))
	case 2, 3:
		s.call("click", on(harness.Object{"uid": uid("press")}))
	case 4, 5:
		s.call("fill", on(harness.Object{"uid": uid("Name"), "value": fmt.Sprint("value ", i)}))
	case 6:
		s.call("fill_form", on(harness.Object{"elements": []harness.Object{{"uid": uid("Name"), "value": "a"},
			{"uid": uid("Kind"), "value": "two"}}}))
	case 7, 8:
		s.call("evaluate_script", on(harness.Object{"function": "() => document.title"}))
	case 9:
		s.call("navigate_page", on(harness.Object{"url": fmt.Sprintf("%s/page/%d-%d", s.base, s.who, i)}))
		delete(s.uids, n)
	case 10:
		s.call("list_console_messages", on(nil))
	case 11:
		s.call("list_network_requests", on(nil))
	case 12:
		if i%4 == 0 {
			s.call("take_screenshot", on(nil))
		} else {
			s.call("hover", on(harness.Object{"uid": uid("press")}))
		}
	case 13:
		s.call("click", on(harness.Object{"uid": uid("alert")}))
		s.call("handle_dialog", on(harness.Object{"action": "accept"}))
	case 14:
		s.call("press_key", on(harness.Object{"key": "Tab"}))
	case 15:
		s.call("close_page", on(nil))
		s.call("new_page", harness.Object{"url": fmt.Sprintf("%s/page/%d-%d", s.base, s.who, i)})
		delete(s.uids, n)
		s.list()
	}
}

func (s *soaker) look(n int, args harness.Object) {
	found := map[string]string{}
	for _, m := range soakUID.FindAllStringSubmatch(s.call("take_snapshot", args), -1) {
		found[m[3]] = m[1]
	}
	s.uids[n] = found
}

// call is a tool call that has to work.
func (s *soaker) call(name string, args harness.Object) string {
	if args == nil {
		args = harness.Object{}
	}
	raw, err := s.g.Call("tools/call", harness.Object{"name": name, "arguments": args})
	if err != nil {
		s.g.T.Errorf("%s %v: %v", name, args, err)
		return ""
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &r); err != nil || r.IsError {
		s.g.T.Errorf("%s %v: %v %v", name, args, err, r.Content)
	}
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}
