//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// gauge is what the keeper says of itself, when it is asked to.
type gauge struct {
	Goroutines, Heap int
	PSS              int
}

func (g gauge) String() string {
	return fmt.Sprintf("%d goroutines, heap %d KB, PSS %d MB", g.Goroutines, g.Heap>>10, g.PSS)
}

var gaugeLine = regexp.MustCompile(`msg=memstats.* goroutines=(\d+) heap=(\d+)`)

// gauge waits for the keeper to rest and reads its next two figures: one may have been taken before.
func (a *app) gauge(id int) gauge {
	a.t.Helper()
	read := func() (g gauge, n int) {
		raw, _ := os.ReadFile(filepath.Join(a.home, "logs", fmt.Sprintf("keeper-%d.log", id)))
		all := gaugeLine.FindAllSubmatch(raw, -1)
		if len(all) > 0 {
			g.Goroutines, _ = strconv.Atoi(string(all[len(all)-1][1]))
			g.Heap, _ = strconv.Atoi(string(all[len(all)-1][2]))
		}
		return g, len(all)
	}
	_, before := read()
	var g gauge
	wait(a.t, "the keeper's figures", func() bool {
		now, n := read()
		g = now
		return n >= before+2
	})
	g.PSS = pss(a.t, a.keeper(id))
	return g
}

const soakPage = `<title>soak %s</title><h1>Soak</h1><form onsubmit="return false"><label>Name <input id=name></label><label>Kind <select><option>one<option>two</select></label>
<label><input type=checkbox> agree</label><button onclick="said.textContent='hello '+document.getElementById('name').value;console.log('pressed',{n:1});fetch('/small')">press</button>
<button onclick="alert('hi')">alert</button></form><p id=said></p><ul></ul><script>for(let i=0;i<60;i++){const l=document.createElement('li');l.innerHTML='<a href="#'+i+'">item '+i+'</a>';document.querySelector('ul').append(l)}</script>`

// TestSoak works with two agents in twenty tabs. COVE_SOAK is the number of calls: 10,000 in make soak.
func TestSoak(t *testing.T) {
	calls, _ := strconv.Atoi(os.Getenv("COVE_SOAK"))
	if calls == 0 {
		calls = 600
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
	a := start(t, with("COVE_GAUGE=1s"))
	agents := []*driver{newDriver(t, a), newDriver(t, a)}
	for i, g := range agents {
		for k := range 10 {
			g.opened(fmt.Sprintf("%s/page/%d-%d", base, i, k))
		}
	}
	work := func(n, from int) {
		var all sync.WaitGroup
		for i, g := range agents {
			all.Go(func() {
				(&soaker{g: g, base: base, who: i, rand: rand.New(rand.NewPCG(uint64(i), uint64(from)))}).run(n / len(agents))
			})
		}
		all.Wait()
	}
	began := time.Now()
	work(warm, 0)
	before := a.gauge(1)
	t.Logf("after %d calls: %s", warm, before)
	work(calls-warm, warm)
	after := a.gauge(1)
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
	g     *driver
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
	for _, m := range regexp.MustCompile(fmt.Sprintf(`(?m)^(\d+): .*/page/%d-`, s.who)).FindAllStringSubmatch(s.call("list_pages", nil), -1) {
		n, _ := strconv.Atoi(m[1])
		s.pages = append(s.pages, n)
	}
}

func (s *soaker) step(n, i int) {
	on := func(more object) object {
		all := object{"pageId": n}
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
		s.call("click", on(object{"uid": uid("press")}))
	case 4, 5:
		s.call("fill", on(object{"uid": uid("Name"), "value": fmt.Sprint("value ", i)}))
	case 6:
		s.call("fill_form", on(object{"elements": []object{{"uid": uid("Name"), "value": "a"}, {"uid": uid("Kind"), "value": "two"}}}))
	case 7, 8:
		s.call("evaluate_script", on(object{"function": "() => document.title"}))
	case 9:
		s.call("navigate_page", on(object{"url": fmt.Sprintf("%s/page/%d-%d", s.base, s.who, i)}))
		delete(s.uids, n)
	case 10:
		s.call("list_console_messages", on(nil))
	case 11:
		s.call("list_network_requests", on(nil))
	case 12:
		if i%4 == 0 {
			s.call("take_screenshot", on(nil))
		} else {
			s.call("hover", on(object{"uid": uid("press")}))
		}
	case 13:
		s.call("click", on(object{"uid": uid("alert")}))
		s.call("handle_dialog", on(object{"action": "accept"}))
	case 14:
		s.call("press_key", on(object{"key": "Tab"}))
	case 15:
		s.call("close_page", on(nil))
		s.call("new_page", object{"url": fmt.Sprintf("%s/page/%d-%d", s.base, s.who, i)})
		delete(s.uids, n)
		s.list()
	}
}

func (s *soaker) look(n int, args object) {
	found := map[string]string{}
	for _, m := range soakUID.FindAllStringSubmatch(s.call("take_snapshot", args), -1) {
		found[m[3]] = m[1]
	}
	s.uids[n] = found
}

// call is a tool call that has to work.
func (s *soaker) call(name string, args object) string {
	if args == nil {
		args = object{}
	}
	raw, err := s.g.call("tools/call", object{"name": name, "arguments": args})
	if err != nil {
		s.g.t.Errorf("%s %v: %v", name, args, err)
		return ""
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &r); err != nil || r.IsError {
		s.g.t.Errorf("%s %v: %v %v", name, args, err, r.Content)
	}
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}
