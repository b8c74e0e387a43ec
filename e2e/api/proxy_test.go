//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cove/e2e/harness"
	"cove/internal/proxy"
	"cove/internal/proxy/proxytest"
)

// The probe is a page of loopback, which browsers reach without a proxy. It asks a site in every way that pages have,
// reports what came back, and asks again when it is told to.
const probePage = `<!doctype html><title>probe</title><script>
const [site, stun, trial] = %s
const within = (ms, p) => Promise.race([p, new Promise((_, no) => setTimeout(no, ms, "slow"))])
const image = () => new Promise((yes, no) => {
  const i = new Image(); i.onload = yes; i.onerror = no; i.src = site + "/image.svg?" + Math.random()
})
const socket = () => new Promise((yes, no) => {
  const s = new WebSocket(site.replace("http", "ws") + "/socket"); s.onopen = yes; s.onerror = no
})
const call = async () => {
  const pc = new RTCPeerConnection({iceServers: [{urls: "stun:" + stun}]})
  pc.createDataChannel("x")
  const done = new Promise(yes => { pc.onicegatheringstatechange = () => pc.iceGatheringState == "complete" && yes() })
  await pc.setLocalDescription()
  await within(1500, done).catch(() => {})
  pc.close()
  throw "never"
}
const get = async () => { if (await (await fetch(site + "/get", {cache: "no-store"})).text() != "site") throw "other" }
const frame = document.createElement("iframe")
async function ask(phase) {
  frame.src = site + "/frame?" + phase
  document.body.append(frame)
  const all = await Promise.allSettled([get(), get(), image(), socket(), call()].map(p => within(8000, p)))
  const ok = all.filter(r => r.status == "fulfilled").length
  await fetch("/said?trial=" + trial + "&phase=" + phase + "&ok=" + ok)
}
onload = async () => {
  await ask(1)
  await fetch("/next?trial=" + trial)
  await ask(2)
}
</script><body>`

// watched is a site that counts who comes directly, beside what comes through a proxy.
type watched struct {
	host            string
	address, stun   string // where only those arrive who go around the proxy
	behind          string // where proxies lead
	direct, proxied atomic.Int32
	datagrams       atomic.Int32
}

// counting is a listener that counts its connections.
type counting struct {
	net.Listener
	n *atomic.Int32
}

func (c counting) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.n.Add(1)
	}
	return conn, err
}

// ownAddress is an address of this computer that is not loopback: browsers reach loopback without their proxy.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() && p.Addr().IsGlobalUnicast() {
			return p.Addr().String()
		}
	}
	t.Fatal("this computer has no IPv4 address but loopback, so nothing could go around a proxy")
	return ""
}

func watch(t *testing.T) *watched {
	t.Helper()
	w := &watched{host: ownAddress(t)}
	page := http.HandlerFunc(func(res http.ResponseWriter, r *http.Request) {
		res.Header().Set("Access-Control-Allow-Origin", "*")
		if strings.HasPrefix(r.URL.Path, "/image") {
			res.Header().Set("Content-Type", "image/svg+xml")
			_, _ = io.WriteString(res, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
			return
		}
		_, _ = io.WriteString(res, "site")
	})
	serve := func(at string, n *atomic.Int32) string {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", at)
		if err != nil {
			t.Fatal(err)
		}
		s := &httptest.Server{Listener: counting{l, n}, Config: &http.Server{Handler: page}}
		s.Start()
		t.Cleanup(s.Close)
		return l.Addr().String()
	}
	w.address, w.behind = serve(w.host+":0", &w.direct), serve("127.0.0.1:0", &w.proxied)
	udp, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp4", w.host+":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	w.stun = udp.LocalAddr().String()
	go func() {
		for buffer := make([]byte, 2048); ; {
			if _, _, err := udp.ReadFrom(buffer); err != nil {
				return
			}
			w.datagrams.Add(1)
		}
	}()
	return w
}

// said is what a probe reports: how many of its requests the site answered.
type said struct{ phase, ok int }

// probes serves the probe to each trial.
type probes struct {
	t       *testing.T
	site    *watched
	address string
	mu      sync.Mutex
	said    map[string]chan said
	next    map[string]chan struct{}
}

func newProbes(t *testing.T, w *watched) *probes {
	p := &probes{t: t, site: w, said: map[string]chan said{}, next: map[string]chan struct{}{}}
	p.address = harness.Serve(t, p.serve)
	return p
}

// of returns the channels of a trial: its reports, and what lets it go on when it is closed.
func (p *probes) of(trial string) (chan said, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.said[trial] == nil {
		p.said[trial], p.next[trial] = make(chan said, 100), make(chan struct{})
	}
	return p.said[trial], p.next[trial]
}

func (p *probes) serve(w http.ResponseWriter, r *http.Request) {
	trial := r.FormValue("trial")
	reports, next := p.of(trial)
	switch r.URL.Path {
	case "/said":
		phase, _ := strconv.Atoi(r.FormValue("phase"))
		ok, _ := strconv.Atoi(r.FormValue("ok"))
		reports <- said{phase, ok}
	case "/next":
		select {
		case <-next:
		case <-r.Context().Done():
		}
	case "/probe":
		settings, _ := json.Marshal([]string{"http://" + p.site.address, p.site.stun, trial})
		_, _ = fmt.Fprintf(w, probePage, settings)
	default:
		http.NotFound(w, r)
	}
}

// wait returns the report of a phase.
func (p *probes) wait(trial string, phase int) said {
	p.t.Helper()
	reports, _ := p.of(trial)
	var got said
	harness.WaitLong(p.t, 2*harness.Patience, trial, func() bool {
		select {
		case got = <-reports:
			return got.phase == phase
		default:
			return false
		}
	})
	return got
}

// proxyTrial is one way in which the proxy of a profile fails.
type proxyTrial struct {
	automation bool
	kind, way  string
	login      bool
}

func (c proxyTrial) String() string {
	mode := "ordinary"
	if c.automation {
		mode = "automation"
	}
	return fmt.Sprintf("%s, %s proxy, login %v, %s", mode, c.kind, c.login, c.way)
}

const (
	dies    = "it dies in the middle"
	orphans = "the keeper dies in the middle"
)

// proxyTrials returns every trial that makes sense.
func proxyTrials() (all []proxyTrial) {
	for _, way := range []string{dies, "nothing listens there", "it hangs up", "it speaks something else",
		"it refuses the login", "it cannot reach the site", orphans} {
		for _, kind := range proxy.Types {
			for _, login := range []bool{false, true} {
				for _, automation := range []bool{false, true} {
					c := proxyTrial{automation, kind, way, login}
					switch {
					case kind == "https" && way == dies: // no browser knows its certificate
					case way == "it refuses the login" && !login:
					case way == orphans && (automation || kind == "https" || !login && kind != "socks4"): // it has no relay
					default:
						all = append(all, c)
					}
				}
			}
		}
	}
	return all
}

// start runs the proxy of a trial. end makes it fail in the middle.
func (c proxyTrial) start(t *testing.T, w *watched) (p proxy.Proxy, end func()) {
	t.Helper()
	config := proxytest.Config{Type: c.kind, Resolve: func(string) string { return w.behind }}
	if c.login {
		config.Login, config.Password = "me", "secret"
		if c.kind == "socks4" {
			config.Password = ""
		}
	}
	if c.way == "it cannot reach the site" {
		config.Resolve = func(string) string { return "127.0.0.1:1" }
	}
	s := proxytest.Start(t, config)
	p = s.Proxy()
	switch c.way {
	case "nothing listens there":
		s.Close()
	case "it refuses the login":
		p.Login = "other"
	case "it hangs up", "it speaks something else":
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go answer(l, c.way == "it speaks something else")
		p.Port = l.Addr().(*net.TCPAddr).Port
	}
	return p, s.Close
}

// answer hangs up on every connection, after some words that are no answer of a proxy.
func answer(l net.Listener, speak bool) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if speak {
			_, _ = io.WriteString(c, "220 mail.example ready\r\n")
		}
		_ = c.Close()
	}
}

// A profile with a proxy that fails opens pages with an error, and never directly. COVE_E2E_PROXIES is the number of
// trials: 100 are all of them.
func TestNothingGoesAroundAProxyThatFails(t *testing.T) {
	a, site := harness.Start(t), watch(t)
	p := newProbes(t, site)
	ids := map[bool]int{true: a.Create(`{"name":"automation"}`), false: a.Create(`{"name":"ordinary"}`)}
	open := func(automation bool, trial, proxy string) int {
		t.Helper()
		id := ids[automation]
		if err := harness.ForgetTabs(a, id); err != nil {
			t.Fatal(err)
		}
		harness.MustSucceed(t, a.Own("PATCH", harness.StatePath(id, ""), fmt.Sprintf(`{"startPages":[%q],"proxy":%s}`,
			p.address+"/probe?trial="+strings.ReplaceAll(trial, " ", "_"), proxy)))
		if automation {
			a.Open(id)
		} else {
			a.OpenOrdinary(id)
		}
		return id
	}

	// Without a proxy everything comes directly: the site sees it.
	for _, automation := range []bool{true, false} {
		name := fmt.Sprintf("direct_%v", automation)
		id := open(automation, name, "null")
		if got := p.wait(name, 1); got.ok < 3 || site.direct.Swap(0) == 0 {
			t.Fatalf("the site does not see who comes directly: %+v", got)
		}
		if n := site.datagrams.Swap(0); n == 0 && !automation { // agents' browsers never send any
			t.Fatal("the site does not see who calls directly")
		}
		a.Close(id)
	}
	site.direct.Store(0)

	all, trials := proxyTrials(), 10
	if n, err := strconv.Atoi(os.Getenv("COVE_E2E_PROXIES")); err == nil {
		trials = n
	}
	step := max(1, len(all)/trials)
	errors := 0
	for i := range trials {
		c := all[i*step%len(all)]
		name := fmt.Sprintf("%d_%s", i, strings.ReplaceAll(c.String(), " ", "_"))
		address, end := c.start(t, site)
		raw, _ := json.Marshal(address)
		id := open(c.automation, name, string(raw))
		got := p.wait(name, 1)
		middle := c.way == dies || c.way == orphans
		if middle {
			if got.ok < 2 || site.proxied.Load() == 0 {
				t.Errorf("%s: the proxy does not work before it fails: %+v", c, got)
			}
			if c.way == orphans {
				harness.Kill(t, a.Keeper(id))
			} else {
				end()
			}
			_, next := p.of(name)
			close(next)
			got = p.wait(name, 2)
		}
		if got.ok > 0 && c.way != orphans { // the next keeper may have opened the way through the proxy again
			t.Errorf("%s: %d requests were answered", c, got.ok)
		}
		if n, calls := site.direct.Swap(0), site.datagrams.Swap(0); n > 0 || calls > 0 {
			t.Errorf("%s: %d connections and %d datagrams came directly", c, n, calls)
		} else {
			errors++
		}
		site.proxied.Store(0)
		a.Close(id)
	}
	t.Logf("%d of %d trials ended with an error and without a direct connection", errors, trials)
}
