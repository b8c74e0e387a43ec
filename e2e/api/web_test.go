//go:build e2e

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// goal is something that no web page may get done or read: of the API, or of an open profile's gate.
type goal struct {
	method, path string // EVENTS and SOCKET are GETs that only one trick can send
	fields       map[string]string
	gate, reads  bool
}

// trick is a way in which a web page sends a request.
type trick struct {
	name, methods string
	sees          bool   // a server that allows it lets the page see the answer
	serves        string // what such a server has to answer
	needs         string // an origin, plain http, a secure context, a window or many of them
	always        bool   // also tried on every other name of the address
	asks          bool   // the browser asks the server first
}

func (k trick) window() bool { return strings.HasPrefix(k.needs, "window") }

const anyMethod, simpleMethod = "GET POST PUT PATCH DELETE", "GET POST"

var tricks = []trick{
	{name: "fetch", methods: anyMethod, sees: true, always: true},
	{name: "fetch without CORS", methods: simpleMethod, always: true},
	{name: "fetch with credentials", methods: anyMethod, sees: true},
	{name: "fetch with headers", methods: anyMethod, sees: true, asks: true, always: true},
	{name: "fetch kept alive", methods: simpleMethod},
	{name: "fetch without a referrer", methods: simpleMethod},
	{name: "fetch redirected", methods: simpleMethod, sees: true},
	{name: "fetch without CORS redirected", methods: simpleMethod},
	{name: "XMLHttpRequest", methods: anyMethod, sees: true},
	{name: "image", methods: "GET", sees: true, serves: "image", always: true},
	{name: "image redirected", methods: "GET", sees: true, serves: "image", needs: "plain http"},
	{name: "script", methods: "GET", sees: true, serves: "script"},
	{name: "module", methods: "GET", sees: true, serves: "script"},
	{name: "stylesheet", methods: "GET", sees: true, serves: "style"},
	{name: "prefetch", methods: "GET"},
	{name: "preload", methods: "GET"},
	{name: "background", methods: "GET", serves: "image"},
	{name: "video", methods: "GET"},
	{name: "object", methods: "GET"},
	{name: "embed", methods: "GET"},
	{name: "frame", methods: "GET", always: true},
	{name: "frame redirected", methods: "GET"},
	{name: "form", methods: simpleMethod, always: true},
	{name: "form as text", methods: "POST", always: true},
	{name: "form in parts", methods: "POST"},
	{name: "form redirected", methods: "POST"},
	{name: "beacon", methods: "POST", always: true},
	{name: "ping", methods: "POST"},
	{name: "EventSource", methods: "EVENTS", sees: true, always: true},
	{name: "WebSocket", methods: "SOCKET", sees: true, always: true},
	{name: "worker", methods: anyMethod, sees: true},
	{name: "shared worker", methods: anyMethod, sees: true, needs: "origin"},
	{name: "service worker", methods: anyMethod, sees: true, needs: "secure context"},
	// Last, because a page behind a window loads no pictures.
	{name: "form in a window", methods: simpleMethod, needs: "window"},
	{name: "form as text in a window", methods: "POST", needs: "windows"},
	{name: "form redirected in a window", methods: "POST", needs: "windows"},
	{name: "window", methods: "GET", needs: "window", always: true},
	{name: "window without a referrer", methods: "GET", needs: "windows"},
	{name: "location", methods: "GET", needs: "windows"},
	{name: "meta refresh", methods: "GET", needs: "windows"},
	{name: "redirect 302", methods: "GET", needs: "windows"},
	{name: "redirect 307", methods: "GET", needs: "windows"},
}

// vantage is where an attacking page stands and by which name it calls what it attacks.
type vantage struct {
	name   string
	page   string // its address; %d is the port that it attacks, for a page that got hold of that origin
	host   string
	inside string // the document in the page that attacks
	site   string // the Sec-Fetch-Site that its requests carry
	lacks  []string
	always bool // only the tricks that are always tried
	// blocked says that the browser lets nothing but windows out.
	blocked bool
	// rehearsed says that all tricks are tried on a server that allows them; elsewhere only the first is.
	rehearsed bool
}

func (v vantage) sameOrigin() bool { return strings.Contains(v.page, "%d") }

// tries reports whether a trick is tried from there. COVE_SIEGE=all tries every trick wherever it differs from a place
// that has been rehearsed; make trial-siege sets it, and CI for a change of what is attacked.
func (v vantage) tries(k trick) bool {
	few := v.always || (!v.rehearsed && os.Getenv("COVE_SIEGE") != "all")
	return !slices.Contains(v.lacks, k.needs) && (k.always || !few)
}

// attack is one goal tried with one trick.
type attack struct {
	N      string            `json:"n"`
	Kind   string            `json:"kind"`
	Method string            `json:"method"`
	URL    string            `json:"url"`
	Body   string            `json:"body"`
	Fields map[string]string `json:"fields"`
	Token  string            `json:"token"`
	trick  trick
	must   bool // it has to arrive
}

// sight is what the page saw of the answer.
type sight struct {
	N, Read, Refused string
	Status           int
	Told, Late       bool
}

// arrival is a request of an attack as a server saw it, with the answer that it got.
type arrival struct {
	method, host, origin, site string
	status                     int
}

// ledger keeps the arrivals of each attack.
type ledger struct {
	mu       sync.Mutex
	arrivals map[string][]arrival
}

var mark = regexp.MustCompile(`mark-\d+`)

func (l *ledger) enter(r *http.Request, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := mark.FindString(r.URL.RequestURI())
	l.arrivals[n] = append(l.arrivals[n], arrival{r.Method, r.Host, r.Header.Get("Origin"),
		r.Header.Get("Sec-Fetch-Site"), status})
}

func (l *ledger) of(n string) []arrival {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.arrivals[n])
}

// watch stands between the attacking browser and a port of Cove, changes nothing and enters what passes.
func (l *ledger) watch(port int) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.RawQuery = "http", "127.0.0.1:"+
				strconv.Itoa(port), p.In.URL.RawQuery
			p.Out.Host = p.In.Host
		},
		ModifyResponse: func(r *http.Response) error { l.enter(r.Request, r.StatusCode); return nil },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			l.enter(r, http.StatusBadGateway)
			w.WriteHeader(http.StatusBadGateway)
		},
	}
}

const secret = "what only the twin knows"

// twin is a server that allows everything to everybody: on it the attacks work.
func (l *ledger) twin(w http.ResponseWriter, r *http.Request) {
	l.enter(r, http.StatusOK)
	h := w.Header()
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
		h.Set("Access-Control-Allow-Methods", "PUT, PATCH, DELETE")
		h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	}
	switch r.URL.Path {
	case "/image":
		h.Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	case "/script":
		h.Set("Content-Type", "text/javascript")
	case "/style":
		h.Set("Content-Type", "text/css")
	case "/EVENTS":
		h.Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+secret+"\n\n")
	case "/SOCKET":
		ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
		if err == nil {
			_ = ws.Write(r.Context(), websocket.MessageText, []byte(secret))
			_, _, _ = ws.Read(r.Context())
			_ = ws.CloseNow()
		}
	default:
		h.Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, secret)
	}
}

// evil is the attacker's own site. Its pages fetch attacks from it and tell it what they saw.
type evil struct {
	mu      sync.Mutex
	batches map[string]chan []attack
	reports chan []sight
	pages   int
}

func (e *evil) batch(page string) chan []attack {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.batches[page]
}

// open makes a new page and returns its number.
func (e *evil) open() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pages++
	page := strconv.Itoa(e.pages)
	e.batches[page] = make(chan []attack)
	return page
}

// in puts the site below /evil/ of a server that has other things to serve as well.
func (e *evil) in(rest http.Handler) http.Handler {
	routes := http.NewServeMux()
	if rest != nil {
		routes.Handle("/", rest)
	}
	for path, name := range map[string]string{"page": "page.html", "go": "go.html", "attack.js": "attack.js",
		"worker.js": "worker.js"} {
		routes.HandleFunc("/evil/"+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			http.ServeFile(w, r, "web_test_pages/"+name)
		})
	}
	routes.HandleFunc("/evil/redirect", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		code, _ := strconv.Atoi(r.URL.Query().Get("code"))
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(code)
	})
	routes.HandleFunc("/evil/batch", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		select {
		case list := <-e.batch(r.URL.Query().Get("page")):
			_ = json.NewEncoder(w).Encode(list)
		case <-r.Context().Done():
		}
	})
	routes.HandleFunc("/evil/report", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		var seen []sight
		if json.NewDecoder(r.Body).Decode(&seen) != nil {
			return
		}
		select {
		case e.reports <- seen:
		case <-r.Context().Done():
		}
	})
	return routes
}

// siege is a running Cove with one open and one closed profile, and a browser whose pages attack it.
type siege struct {
	*harness.App
	evil
	ledger
	gate, api, twinPort     int
	public, local, secure   int // ports of the attacker's site
	watchedAPI, watchedGate int
	wsPath, tab, alien      string
	before                  map[string]string
	browser                 io.WriteCloser
	page                    string
	marks                   int
	lost                    bool // something has changed
	unwatched               bool // the attacks go straight to Cove
	ads                     bool // api is the port of AdsPower's API
}

// serve runs a server on loopback until the test ends and returns its port.
func serve(t *testing.T, h http.Handler) int {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return harness.PortOf(s.Listener)
}

// besiege opens profile 1 with a tab of its own, makes profile 2 and an account that an attacker could log in.
func besiege(t *testing.T) *siege {
	t.Helper()
	s := &siege{App: harness.Start(t), ledger: ledger{arrivals: map[string][]arrival{}},
		evil: evil{batches: map[string]chan []attack{}, reports: make(chan []sight)}}
	if id := s.Create(`{"name":"closed"}`); id != 2 {
		t.Fatalf("the second profile is %d", id)
	}
	alien := `{"email":"alien@example.com","password":"let me in please","plan":"free"}`
	s.Own(http.MethodPost, "/v1.0/accounts", alien)
	s.Own(http.MethodPost, "/v1.0/auth/login", alien)
	made := s.Own(http.MethodPost, "/v1.0/tokens", `{"name":"alien"}`)
	data, _ := made.Body["data"].(map[string]any)
	s.alien, _ = data["token"].(string)
	s.Own(http.MethodPost, "/v1.0/auth/login-with-token", fmt.Sprintf(`{"token":%q}`, s.Token()))
	if s.alien == "" {
		t.Fatalf("no token of another account: %s", made.Raw)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.Base, "http://"))
	s.api, _ = strconv.Atoi(port)
	s.gate = s.openFirst(t)
	s.twinPort = serve(t, s.in(http.HandlerFunc(s.twin)))
	if l, err := harness.Listen(t, "tcp6", net.JoinHostPort("::1", strconv.Itoa(s.twinPort))); err == nil {
		six := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(s.twin)}}
		six.Start()
		t.Cleanup(six.Close)
		t.Cleanup(six.CloseClientConnections)
	}
	s.public, s.local = serve(t, s.in(nil)), serve(t, s.in(nil))
	tls := httptest.NewTLSServer(s.in(nil))
	t.Cleanup(tls.Close)
	t.Cleanup(tls.CloseClientConnections)
	s.secure = harness.PortOf(tls.Listener)
	s.watchedAPI, s.watchedGate = serve(t, s.in(s.watch(s.api))), serve(t, s.in(s.watch(s.gate)))
	s.before = s.picture(t)
	return s
}

// openFirst opens profile 1 with a tab that belongs to nobody else and returns its port.
func (s *siege) openFirst(t *testing.T) int {
	t.Helper()
	started := s.Get("/v1.0/browser_profiles/1/start?automation=1")
	automation, _ := started.Body["automation"].(map[string]any)
	s.wsPath, _ = automation["wsEndpoint"].(string)
	if started.Port() == 0 || s.wsPath == "" {
		t.Fatalf("start: %d %s", started.Status, started.Raw)
	}
	var tab map[string]string
	if raw := ask(t, http.MethodPut, fmt.Sprintf("http://127.0.0.1:%d/json/new?about:blank%%23mine",
		started.Port())); json.Unmarshal([]byte(raw), &tab) != nil || tab["id"] == "" {
		t.Fatalf("new tab: %s", raw)
	}
	s.tab = tab["id"]
	return started.Port()
}

// ask sends a request as a program does and returns the body of its answer, or why there is none.
func ask(t *testing.T, method, address string) string {
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		return err.Error()
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	raw, _ := io.ReadAll(res.Body)
	return string(raw)
}

// picture is everything that an attack could change, as the owner sees it. Tabs of the attacker's own are left out.
func (s *siege) picture(t *testing.T) map[string]string {
	t.Helper()
	p := map[string]string{}
	for _, path := range []string{"browser_profiles", "browser_profiles/running", "status", "auth/me", "accounts",
		"tokens", "settings"} {
		r := s.Own(http.MethodGet, "/v1.0/"+path, "")
		p[path] = fmt.Sprint(r.Status, " ", r.Raw)
	}
	var tabs []map[string]string
	raw := ask(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", s.gate))
	var lines []string
	if json.Unmarshal([]byte(raw), &tabs) != nil {
		lines = append(lines, raw)
	}
	for _, tab := range tabs {
		u, err := url.Parse(strings.TrimPrefix(tab["url"], "blob:"))
		theirs := err == nil && slices.Contains([]int{s.public, s.local, s.secure, s.api, s.gate, s.twinPort},
			atoi(u.Port()))
		if tab["type"] == "page" && !theirs {
			lines = append(lines, tab["id"]+" "+tab["type"]+" "+tab["url"])
		}
	}
	slices.Sort(lines)
	p["tabs"] = strings.Join(lines, "\n")
	return p
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// unchanged checks that nothing has changed. After a change the rest would tell nothing, so the siege ends.
func (s *siege) unchanged(t *testing.T, what string) {
	t.Helper()
	now := s.picture(t)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if now[key] != s.before[key] {
			s.lost = true
			t.Errorf("%s changed %s:\nbefore %s\nafter  %s", what, key, s.before[key], now[key])
		}
	}
	if s.lost {
		t.FailNow()
	}
}

// arm starts the attacker's browser: one of its own with these arguments, or the open profile when there are none.
func (s *siege) arm(t *testing.T, args ...string) {
	t.Helper()
	config, _ := json.Marshal(map[string]any{"args": args})
	if len(args) == 0 {
		config = fmt.Appendf(nil, `{"port":%d}`, s.gate)
	}
	cmd := harness.Exec(t, "node", "attack.mjs", string(config))
	cmd.Dir = "node"
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.browser = in
	t.Cleanup(func() {
		_ = in.Close()
		hang := time.AfterFunc(harness.Patience, func() { _ = cmd.Process.Kill() })
		defer hang.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("node attack.mjs: %v\n%s", err, stderr.String())
		}
	})
}

// arguments are those of a browser of the attacker's: Cove's ports are reached through the watch, names of the
// attacker's own lead to loopback, and one of its ports counts as the public Internet.
func (s *siege) arguments() []string {
	var rules []string
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "evil.test", "0.0.0.0", "[::ffff:7f00:1]",
		"evil.localhost", "local.adspower.net", "local.adspower.com"} {
		rules = append(rules, fmt.Sprintf("MAP %s:%d 127.0.0.1:%d", host, s.api, s.watchedAPI),
			fmt.Sprintf("MAP %s:%d 127.0.0.1:%d", host, s.gate, s.watchedGate))
	}
	rules = append(rules, "MAP *.example 127.0.0.1", "MAP evil.test 127.0.0.1", "MAP evil.localhost 127.0.0.1",
		"MAP local.adspower.net 127.0.0.1", "MAP local.adspower.com 127.0.0.1")
	return append(strings.Fields(harness.BrowserFlags), "--no-sandbox", "--ignore-certificate-errors",
		"--host-resolver-rules="+strings.Join(rules, ", "),
		fmt.Sprintf("--ip-address-space-overrides=127.0.0.1:%d=public,127.0.0.1:%d=public", s.public, s.secure))
}

// unguarded lets every request out, so that it is Cove that has to refuse it.
const unguarded = "--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights"

func (s *siege) vantages(t *testing.T) []vantage {
	const page = "/evil/page?page="
	foreign := fmt.Sprintf(".example:%d%s", s.public, page)
	insecure, opaque := []string{"secure context"}, []string{"secure context", "origin", "window", "windows"}
	all := []vantage{
		{name: "a foreign site", page: "http://foreign" + foreign, host: "127.0.0.1", site: "cross-site",
			lacks: insecure, rehearsed: true},
		{name: "a foreign site over TLS", page: fmt.Sprintf("https://secure.example:%d%s", s.secure, page),
			host: "127.0.0.1", site: "cross-site", lacks: []string{"plain http", "windows"}},
		{name: "another port of 127.0.0.1", page: fmt.Sprintf("http://127.0.0.1:%d%s", s.local, page),
			host: "127.0.0.1", site: "same-site", rehearsed: true},
		{name: "another port of localhost", page: fmt.Sprintf("http://localhost:%d%s", s.local, page),
			host: "localhost", site: "same-site", lacks: []string{"windows"}},
		{name: "localhost to 127.0.0.1", page: fmt.Sprintf("http://localhost:%d%s", s.local, page), host: "127.0.0.1",
			site: "cross-site", always: true},
		{name: "127.0.0.1 to localhost", page: fmt.Sprintf("http://127.0.0.1:%d%s", s.local, page), host: "localhost",
			site: "cross-site", always: true},
		{name: "a name that was bound to loopback after its page had loaded", page: "http://evil.test:%d" + page,
			host: "evil.test", lacks: insecure, rehearsed: true},
		{name: "a foreign site to a name of its own", page: "http://name" + foreign, host: "evil.test", lacks: insecure,
			always: true},
		{name: "a foreign site to a name below localhost", page: "http://below" + foreign, host: "evil.localhost",
			site: "cross-site", lacks: insecure, always: true},
		{name: "a foreign site to 0.0.0.0", page: "http://zero" + foreign, host: "0.0.0.0", lacks: insecure,
			always: true},
		{name: "a foreign site to IPv4 inside IPv6", page: "http://inside" + foreign, host: "[::ffff:127.0.0.1]",
			lacks: insecure, always: true},
		{name: "a sandboxed frame", page: "http://sandbox" + foreign, inside: "sandbox", host: "127.0.0.1",
			site: "cross-site", lacks: opaque},
		{name: "a data: document", page: "http://data" + foreign, inside: "data", host: "127.0.0.1", site: "cross-site",
			lacks: opaque},
		{name: "a blob: document", page: "http://blob" + foreign, inside: "blob", host: "127.0.0.1", site: "cross-site",
			lacks: []string{"secure context", "windows"}},
	}
	if hasIPv6(t) {
		all = append(all, vantage{name: "a foreign site to ::1", page: "http://six" + foreign, host: "[::1]",
			site: "cross-site", lacks: insecure, always: true})
	}
	return all
}

func hasIPv6(t *testing.T) bool {
	l, err := harness.Listen(t, "tcp6", "[::1]:0")
	if err == nil {
		_ = l.Close()
	}
	return err == nil
}

func (s *siege) goals() []goal {
	if s.ads {
		return adsGoals()
	}
	const one, two = "/v1.0/browser_profiles/1", "/v1.0/browser_profiles/2"
	return []goal{
		{method: "GET", path: two + "/start?automation=1"},
		{method: "GET", path: one + "/stop"},
		{method: "GET", path: "/v1.0/browser_profiles", reads: true},
		{method: "GET", path: "/v1.0/status", reads: true},
		{method: "GET", path: "/docs", reads: true},
		{method: "POST", path: two + "/start", fields: map[string]string{"automation": "1"}},
		{method: "POST", path: "/v1.0/browser_profiles/start", fields: map[string]string{"automation": "1"}},
		{method: "POST", path: "/v1.0/browser_profiles", fields: map[string]string{"name": "evil"}},
		{method: "POST", path: "/v1.0/auth/logout"},
		{method: "POST", path: "/v1.0/auth/login-with-token", fields: map[string]string{"token": s.alien}},
		{method: "PUT", path: two, fields: map[string]string{"name": "evil"}},
		{method: "PATCH", path: two, fields: map[string]string{"name": "evil"}},
		{method: "DELETE", path: two},
		{method: "EVENTS", path: "/v1.0/events"},
		{method: "SOCKET", path: "/v1.0/events"},
		{method: "GET", path: "/json/version", gate: true, reads: true},
		{method: "GET", path: "/json/list", gate: true, reads: true},
		{method: "GET", path: "/json/close/" + s.tab, gate: true},
		{method: "PUT", path: "/json/new?about:blank%23", gate: true},
		{method: "SOCKET", path: s.wsPath, gate: true},
		{method: "SOCKET", path: "/devtools/page/" + s.tab, gate: true},
	}
}

func (s *siege) attack(v vantage, k trick, d goal, port int) attack {
	s.marks++
	n := fmt.Sprintf("mark-%d", s.marks)
	sign := "?n="
	if strings.HasSuffix(d.path, "%23") {
		sign = ""
	} else if strings.Contains(d.path, "?") {
		sign = "&n="
	}
	method := d.method
	if method == "EVENTS" || method == "SOCKET" {
		method = http.MethodGet
	}
	fields := d.fields
	if fields == nil {
		fields = map[string]string{}
	}
	body, _ := json.Marshal(fields)
	return attack{N: n, Kind: k.name, Method: method, URL: fmt.Sprintf("http://%s:%d%s%s%s", v.host, port, d.path, sign,
		n), Body: string(body), Fields: fields, Token: s.Token(), trick: k,
		must: (!v.blocked || k.window()) && (!s.unwatched || port == s.twinPort)}
}

// visit opens the attacking page.
func (s *siege) visit(t *testing.T, v vantage, port int) {
	t.Helper()
	address := v.page
	if v.sameOrigin() {
		address = fmt.Sprintf(v.page, port)
	}
	s.page = s.open()
	if _, err := fmt.Fprintf(s.browser, "%s%s&inside=%s\n", address, s.page, v.inside); err != nil {
		t.Fatal(err)
	}
}

// send lets the page try attacks and returns what it saw and what arrived; attacks that leave no trace take their time.
func (s *siege) send(t *testing.T, list []attack) (map[string]sight, map[string][]arrival) {
	t.Helper()
	lost := func(what string) {
		t.Helper()
		s.lost = true
		t.Errorf("the attacking page %s (%s)", what, list[0].Kind)
		s.unchanged(t, "a page that fell silent")
	}
	select {
	case s.batch(s.page) <- list:
	case <-time.After(harness.Patience):
		lost("does not ask for attacks")
	}
	sights, arrivals := map[string]sight{}, map[string][]arrival{}
	select {
	case seen := <-s.reports:
		for _, saw := range seen {
			sights[saw.N] = saw
		}
	case <-time.After(harness.Patience):
		lost("does not report")
	}
	harness.Poll(harness.Patience, func() bool { // who has not arrived then is missing in the answer
		all := true
		for _, a := range list {
			arrivals[a.N] = s.of(a.N)
			all = all && (!a.must || len(arrivals[a.N]) > 0)
		}
		return all
	})
	return sights, arrivals
}

// batches are the tricks of a place, a few at a time; windows by themselves, because a page behind one loads little.
func (v vantage) batches() (list [][]trick) {
	var within, windows []trick
	for _, k := range tricks {
		switch {
		case !v.tries(k):
		case k.window():
			windows = append(windows, k)
		default:
			within = append(within, k)
		}
	}
	return slices.AppendSeq(slices.Collect(slices.Chunk(within, 8)), slices.Chunk(windows, 8))
}

// rehearse shows that the tricks work: on a server that allows everything they arrive, and the page sees the answers.
func (s *siege) rehearse(t *testing.T, v vantage, batch []trick) {
	var list []attack
	for _, k := range batch {
		for method := range strings.FieldsSeq(k.methods) {
			path := "/" + k.serves
			if method == "EVENTS" || method == "SOCKET" {
				path += method
			}
			list = append(list, s.attack(v, k, goal{method: method, path: path}, s.twinPort))
		}
	}
	sights, arrivals := s.send(t, list)
	for _, a := range list {
		saw := sights[a.N]
		if !a.must {
			continue
		}
		if !slices.ContainsFunc(arrivals[a.N], func(r arrival) bool { return r.method == a.Method }) {
			t.Errorf("%s %s never arrived at a server that allows it: %+v, %+v", a.Kind, a.Method, arrivals[a.N], saw)
		}
		if saw.Late || (a.trick.sees && !saw.Told && saw.Read != secret) {
			t.Errorf("%s %s sees nothing of a server that allows it: %+v", a.Kind, a.Method, saw)
		}
	}
}

// assault tries every goal with every trick that is possible there.
func (s *siege) assault(t *testing.T, v vantage) {
	s.visit(t, v, s.twinPort)
	if v.rehearsed {
		for _, batch := range v.batches() {
			s.rehearse(t, v, batch)
		}
	} else {
		s.rehearse(t, v, tricks[:1])
	}
	switch {
	case s.ads:
		s.raid(t, v, s.api)
	case v.sameOrigin():
		s.raid(t, v, s.api)
		s.raid(t, v, s.gate)
	default:
		s.raid(t, v, s.api, s.gate)
	}
}

// raid tries every goal at some ports of Cove, and checks that each was refused and none had an effect.
func (s *siege) raid(t *testing.T, v vantage, ports ...int) {
	s.visit(t, v, ports[0])
	for _, batch := range v.batches() {
		var list []attack
		var names []string
		for _, k := range batch {
			names = append(names, k.name)
			for _, d := range s.goals() {
				port := s.api
				if d.gate {
					port = s.gate
				}
				if slices.Contains(ports, port) && slices.Contains(strings.Fields(k.methods), d.method) &&
					(!d.reads || !k.window()) {
					list = append(list, s.attack(v, k, d, port))
				}
			}
		}
		sights, arrivals := s.send(t, list)
		for _, a := range list {
			s.judge(t, v, a, sights[a.N], arrivals[a.N])
		}
		s.unchanged(t, fmt.Sprintf("%s, with one of %s,", v.name, strings.Join(names, ", ")))
	}
}

// judge checks one attack: it came, it was refused for what it was, and the page learned nothing.
func (s *siege) judge(t *testing.T, v vantage, a attack, saw sight, came []arrival) {
	what := fmt.Sprintf("%s: %s %s", a.Kind, a.Method, a.URL)
	if len(came) == 0 && a.must {
		t.Errorf("%s never arrived, the page saw %+v", what, saw)
	}
	want := a.Method
	if simple := strings.Contains(simpleMethod, a.Method); !v.sameOrigin() && (!simple || a.trick.asks) {
		want = http.MethodOptions
	}
	for _, r := range came {
		if r.status != http.StatusForbidden {
			t.Errorf("%s was answered with %d: %+v", what, r.status, r)
		}
		if r.method != want {
			t.Errorf("%s arrived as %s, not as %s", what, r.method, want)
		}
		if socket := a.Kind == "WebSocket"; r.site != v.site && !socket {
			t.Errorf("%s arrived with Sec-Fetch-Site %q, not %q", what, r.site, v.site)
		}
	}
	// Of its own origin a page can read the refusal; nobody can read anything else.
	blind := saw.Status == 0 || (saw.Status == http.StatusForbidden && v.sameOrigin())
	refused := strings.Contains(saw.Read, "accepts only localhost") || strings.Contains(saw.Read, "Browsers cannot use")
	blind = blind && (saw.Read == "" || (refused && v.sameOrigin()))
	if saw.N == "" || saw.Told || saw.Late || !blind {
		t.Errorf("%s: the page saw %+v", what, saw)
	}
}

func TestNoWebPageCanUseTheAPIOrTheGate(t *testing.T) {
	s := besiege(t)
	s.arm(t, append(s.arguments(), unguarded)...)
	for _, v := range s.vantages(t) {
		if !s.lost {
			t.Run(v.name, func(t *testing.T) { s.assault(t, v) })
		}
	}
	t.Logf("%d attacks", s.marks)
}

func TestNoWebPageCanUseTheAPIOrTheGateWithChromiumAsItIs(t *testing.T) {
	s := besiege(t)
	s.arm(t, s.arguments()...)
	v := s.vantages(t)[0]
	v.blocked = true
	s.assault(t, v)
}

func TestNoPageInAnOpenProfileCanUseTheAPIOrTheProfilesOwnGate(t *testing.T) {
	s := besiege(t)
	s.arm(t)
	s.unwatched = true
	for _, v := range s.vantages(t) {
		if strings.Contains(v.page, fmt.Sprintf(":%d/", s.local)) && !s.lost {
			// Chromium blocks windows that nobody clicked for.
			v.lacks, v.rehearsed = append(v.lacks, "window", "windows"), true
			t.Run(v.name, func(t *testing.T) { s.assault(t, v) })
		}
	}
}

// refusal is what a page in a browser of ours is told: its request does not even leave the relay.
const refusal = "Cove's own ports are closed to pages."

func TestAnAgentCannotSendItsTabToTheAPIOrTheGate(t *testing.T) {
	s := besiege(t)
	gate, one, two := fmt.Sprintf("http://127.0.0.1:%d/json/", s.gate), s.Base+"/v1.0/browser_profiles/1", s.Base+
		"/v1.0/browser_profiles/2"
	addresses := []string{two + "/start?automation=1", one + "/stop", s.Base + "/v1.0/status", gate + "version",
		gate + "close/" + s.tab}
	config, _ := json.Marshal(map[string]any{"port": s.gate, "site": fmt.Sprintf("http://127.0.0.1:%d", s.local),
		"addresses": addresses})
	var tries []struct {
		Way, Address, Text, Error string
		Statuses                  []int
	}
	harness.Node(t, &tries, "agent.mjs", string(config))
	if len(tries) != 7*len(addresses) {
		t.Errorf("%d tries at %d addresses", len(tries), len(addresses))
	}
	for _, try := range tries {
		// What a tab fetched it cannot read; what it shows it can.
		fetched := strings.HasPrefix(try.Way, "fetch") && strings.Contains(try.Text, "Failed to fetch")
		if !fetched && !strings.Contains(try.Text, refusal) {
			t.Errorf("%s to %s shows %q %s", try.Way, try.Address, try.Text, try.Error)
		}
		if len(try.Statuses) == 0 && try.Way != "a new tab of the gate" {
			t.Errorf("%s to %s was not answered: %s", try.Way, try.Address, try.Error)
		}
		for _, status := range try.Statuses {
			if status != http.StatusForbidden {
				t.Errorf("%s to %s was answered with %d", try.Way, try.Address, status)
			}
		}
	}
	s.unchanged(t, "an agent")
}

func TestAnAgentCannotUseThePagesThatCoveServesToCallTheAPI(t *testing.T) {
	for name, page := range map[string]func(*siege) string{
		"the first page":    func(s *siege) string { return s.Base + "/" },
		"the documentation": func(s *siege) string { return s.Base + "/docs" },
		"the documentation through a redirect": func(s *siege) string {
			return fmt.Sprintf("http://127.0.0.1:%d/evil/redirect?code=302&to=%s/docs", s.local, s.Base)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := besiege(t)
			var got struct {
				Opened, Called int
				Refused        string
			}
			harness.Node(t, &got, "docs.mjs", strconv.Itoa(s.gate), page(s),
				s.Base+"/v1.0/browser_profiles/2/start?automation=1")
			if got.Called == http.StatusOK {
				t.Errorf("the page was answered with %d %s, its call with %d", got.Opened, got.Refused, got.Called)
			}
			s.unchanged(t, "an agent in "+name)
		})
	}
}

func TestAWebSocketOfAProgramOpensAndOneOfAPageDoesNot(t *testing.T) {
	s := besiege(t)
	origins := []string{"http://127.0.0.1:" + strconv.Itoa(s.gate), s.Base, "http://localhost", "https://evil.example",
		"null", "", "devtools://devtools", "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "file://"}
	wrong := []string{"/devtools/browser/00000000-0000-4000-8000-000000000000", "/devtools/browser/",
		"/devtools/browser", s.wsPath + "0", "/devtools/page/" + strings.ToLower(s.tab), "/devtools/page/"}
	config, _ := json.Marshal(map[string]any{"port": s.gate, "path": s.wsPath, "hosts": loopback(t), "origins": origins,
		"wrong": wrong})
	var got struct {
		Puppeteer, Origins, Wrong map[string]int
		Bare                      int
	}
	harness.Node(t, &got, "sockets.mjs", string(config))
	for _, host := range loopback(t) {
		if got.Puppeteer[host] != 42 {
			t.Errorf("through %s Puppeteer got %d", host, got.Puppeteer[host])
		}
	}
	if got.Bare != http.StatusSwitchingProtocols {
		t.Errorf("without Origin: %d", got.Bare)
	}
	for _, origin := range origins {
		if got.Origins[origin] != http.StatusForbidden {
			t.Errorf("with Origin %q: %d", origin, got.Origins[origin])
		}
	}
	for _, path := range wrong {
		if got.Wrong[path] != http.StatusNotFound {
			t.Errorf("at %s: %d", path, got.Wrong[path])
		}
	}
	s.unchanged(t, "a client that came and went")
}

// loopback are the names by which programs call this computer.
func loopback(t *testing.T) []string {
	if hasIPv6(t) {
		return []string{"127.0.0.1", "localhost", "[::1]"}
	}
	return []string{"127.0.0.1", "localhost"}
}

const urllib = `import sys, urllib.request, urllib.error
try: r = urllib.request.urlopen(sys.argv[1])
except urllib.error.HTTPError as e: r = e
print(r.read().decode(), r.status, sep="\n")`

const httpClient = `import sys, http.client, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1])
c = http.client.HTTPConnection(u.hostname, u.port)
c.request("GET", u.path + "?" + u.query)
r = c.getresponse()
print(r.read().decode(), r.status, sep="\n")`

func TestProgramsOfThisComputerCanUseTheAPI(t *testing.T) {
	a := harness.Start(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(a.Base, "http://"))
	for i, program := range []struct {
		name    string
		command []string // prints the body and the status; nil is Go's own client
	}{
		{"curl", []string{"curl", "-sS", "-w", "\n%{http_code}"}},
		{"Node's fetch", []string{"node", "node/fetch.mjs"}},
		{"Python's urllib", []string{"python3", "-c", urllib}},
		{"Python's http.client", []string{"python3", "-c", httpClient}},
		{"Go's net/http", nil},
	} {
		id := i + 1
		if id > 1 {
			id = a.Create(`{"name":"program"}`)
		}
		t.Run(program.name, func(t *testing.T) {
			t.Parallel()
			for _, host := range loopback(t) {
				drive(t, id, "http://"+host+":"+port,
					func(address string) (int, string) { return call(t, program.command, address) })
			}
		})
	}
}

// call fetches an address with a program.
func call(t *testing.T, command []string, address string) (status int, body string) {
	t.Helper()
	if command == nil {
		res, err := harness.Get(t, address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		raw, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(raw)
	}
	out, err := harness.Exec(t, command[0], append(slices.Clone(command[1:]), address)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", command[0], address, err, out)
	}
	text := strings.TrimSpace(string(out))
	cut := strings.LastIndexByte(text, '\n')
	return atoi(text[cut+1:]), text[:max(cut, 0)]
}

// drive does with one profile what scripts do.
func drive(t *testing.T, id int, base string, get func(string) (int, string)) {
	t.Helper()
	read := func(path string, want int) harness.Answer {
		t.Helper()
		r := harness.Answer{}
		r.Status, r.Raw = get(base + path)
		if err := json.Unmarshal([]byte(r.Raw), &r.Body); err != nil || r.Status != want {
			t.Errorf("%s%s: %d %s", base, path, r.Status, r.Raw)
		}
		return r
	}
	profile := fmt.Sprintf("/v1.0/browser_profiles/%d", id)
	if r := read("/v1.0/status", http.StatusOK); r.Body["logged_in"] != true {
		t.Errorf("status at %s: %s", base, r.Raw)
	}
	port := read(profile+"/start?automation=1", http.StatusOK).Port()
	running := read("/v1.0/browser_profiles/running", http.StatusOK)
	mine, _ := running.Body[strconv.Itoa(id)].(map[string]any)
	if mine["mode"] != "automation" || mine["state"] != "open" {
		t.Errorf("running at %s: %s", base, running.Raw)
	}
	if r := read(profile+"/active", http.StatusOK); port == 0 || r.Port() != port {
		t.Errorf("started at port %d, active at %s: %s", port, base, r.Raw)
	}
	if r := read(profile+"/stop", http.StatusOK); r.Body["success"] != true {
		t.Errorf("stop at %s: %s", base, r.Raw)
	}
	read(profile+"/active", http.StatusNotFound)
}
