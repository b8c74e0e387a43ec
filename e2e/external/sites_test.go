//go:build e2e

package external

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cove/e2e/harness"
)

// sites are web sites with the kinds of cookies that real ones have, at s1.localhost, s2.localhost and so on.
type sites struct {
	t    *testing.T
	n    int
	more int // cookies of each site beside those of a login
	port string

	rest chan struct{} // closed when a slow file may end, and a late page come

	connected atomic.Int64 // connections, with or without a request

	mu   sync.Mutex
	seen []string // host and path of every request
}

func newSites(t *testing.T, n int) *sites {
	t.Helper()
	s := &sites{t: t, n: n, rest: make(chan struct{})}
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo) // somebody tries https
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connected.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	s.port = server.URL[strings.LastIndexByte(server.URL, ':')+1:]
	return s
}

func (s *sites) url(i int, path string) string {
	return fmt.Sprintf("http://s%d.localhost:%s%s", i, s.port, path)
}

// perSite is how many cookies a login leaves of each site, with that of another site's frame.
const perSite = 10

// cookiesOf are the cookies of a login: host-only and for the whole domain, of this session and for longer, HttpOnly,
// Secure, with the prefixes, and with each kind of SameSite. user is in their values.
func cookiesOf(host, user string) []string {
	v := "secret-" + user + "-" + strings.Split(host, ".")[0]
	return []string{
		"sid=" + v + "; HttpOnly; Path=/",
		"all=" + v + "; Domain=" + host + "; Path=/; Max-Age=864000",
		"lax=" + v + "; SameSite=Lax; Max-Age=50000000",
		"strict=" + v + "; SameSite=Strict; HttpOnly; Path=/",
		"none=" + v + "; SameSite=None; Secure; Path=/",
		"__Host-h=" + v + "; Secure; Path=/; SameSite=Lax",
		"__Secure-s=" + v + "; Secure; Path=/; Max-Age=1000000",
		"deep=" + v + "; Path=/deep/er",
		"=" + v + "; Path=/; Max-Age=1000000", // without a name
	}
}

// ServeHTTP logs somebody in at /login, which leads from site to site, and says at / who is logged in.
func (s *sites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	s.mu.Lock()
	s.seen = append(s.seen, host+r.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	user := r.URL.Query().Get("user")
	if r.URL.RawQuery == "file" {
		s.file(w, r)
		return
	}
	switch r.URL.Path {
	case "/login":
		for _, c := range cookiesOf(host, user) {
			w.Header().Add("Set-Cookie", c)
		}
		for i := range s.more {
			w.Header().Add("Set-Cookie", fmt.Sprintf("more%d=secret-%d; Max-Age=90000", i, i))
		}
		var i int
		_, _ = fmt.Sscanf(host, "s%d.", &i)
		fmt.Fprintf(w, `<title>in</title><script>localStorage.user = %q + location.host; localStorage.odd = "\ud800"</script>
<iframe src="http://widget.localhost:%s/frame?user=%s"></iframe>`, user, s.port, user)
		if i < s.n {
			fmt.Fprintf(w, `<script>onload = () => location = %q</script>`, s.url(i+1, "/login?user="+user))
		} else {
			fmt.Fprintf(w, `<script>onload = () => fetch("/done")</script>`)
		}
	case "/logout":
		w.Header().Set("Clear-Site-Data", `"cookies"`)
		fmt.Fprintf(w, `<iframe src="http://widget.localhost:%s/leave"></iframe>
<script>onload = () => fetch("/done")</script>`, s.port)
	case "/leave":
		w.Header().Add("Set-Cookie", "part=; Secure; SameSite=None; Partitioned; Path=/; Max-Age=0")
	case "/forget":
		fmt.Fprint(w, `<script>localStorage.clear(); onload = () => fetch("/done")</script>`)
	case "/frame":
		w.Header().Add("Set-Cookie", "part=secret-"+user+"; Secure; SameSite=None; Partitioned; Path=/; Max-Age=90000")
	case "/detour", "/hop":
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	case "/back":
		fmt.Fprint(w, `<title>/back</title><script>fetch('/detour?to='+encodeURIComponent('http://s1.localhost:'+
			location.port+'/hop?to=/'), {mode: 'no-cors'})</script>`)
	case "/late":
		select {
		case <-s.rest:
		case <-r.Context().Done():
		}
	case "/":
		fmt.Fprintf(w, "<title>%s</title>", whoIs(r, host))
	default:
		fmt.Fprintf(w, "<title>%[1]s</title><p>%[1]s</p>", r.URL.Path)
	}
}

// half is half of a file.
const half = 10_000

// file serves a file. One whose name ends with slow waits in the middle.
func (s *sites) file(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", "attachment; filename="+strings.TrimPrefix(r.URL.Path, "/"))
	part := []byte(strings.Repeat("x", half))
	_, _ = w.Write(part)
	if strings.HasSuffix(r.URL.Path, "slow") {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-s.rest:
		case <-s.t.Context().Done():
		}
	}
	_, _ = w.Write(part)
}

// whoIs returns who has every cookie that a page of a site gets.
func whoIs(r *http.Request, host string) string {
	for _, user := range []string{"ann", "bob"} {
		got := map[string]string{}
		for _, c := range r.Cookies() {
			got[c.Name] = c.Value
		}
		missing := slices.DeleteFunc(cookiesOf(host, user), func(line string) bool {
			name, value, _ := strings.Cut(strings.Split(line, ";")[0], "=")
			return name == "deep" || name == "" || got[name] == value
		})
		if len(missing) == 0 {
			return user
		}
	}
	return "nobody"
}

// login lets a person log in to every site, in one profile of their browser.
func (s *sites) login(p *harness.Person, profile, user string) {
	s.t.Helper()
	before := s.count("/done")
	p.Visit(profile, s.url(1, "/login?user="+user))
	harness.Wait(s.t, "the logins", func() bool { return s.count("/done") > before })
}

// visit lets a person visit an address, which says that it is done.
func (s *sites) visit(p *harness.Person, i int, path string) {
	s.t.Helper()
	before := s.count("/done")
	p.Visit("Default", s.url(i, path))
	harness.Wait(s.t, path, func() bool { return s.count("/done") > before })
}

// count returns how many requests had a path.
func (s *sites) count(path string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.seen {
		if strings.HasSuffix(one, path) {
			n++
		}
	}
	return n
}

// requests returns how many there were.
func (s *sites) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

// user returns who is logged in to a site, in a tab of an agent.
func (s *sites) user(m *harness.MCP, i int) string {
	s.t.Helper()
	m.Works("navigate_page", harness.Object{"url": s.url(i, "/")})
	text := m.Works("evaluate_script", harness.Object{"function": "() => document.title"})
	for _, user := range []string{"ann", "bob", "nobody"} {
		if strings.Contains(text, user) {
			return user
		}
	}
	return text
}

// stored returns what a site has stored, as its page sees it.
func (s *sites) stored(m *harness.MCP, i int) string {
	s.t.Helper()
	m.Works("navigate_page", harness.Object{"url": s.url(i, "/")})
	return m.Works("evaluate_script", harness.Object{
		"function": "() => localStorage.user + ' ' + localStorage.odd?.charCodeAt(0)"})
}
