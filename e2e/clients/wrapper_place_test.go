//go:build e2e

package clients

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"cove/e2e/harness"
)

// rightPlace checks that the agent is in the profile whose tab shows this address, and in no other.
func rightPlace(t *testing.T, w *harness.Wrapper, id int, address string) {
	t.Helper()
	c := *w
	c.T = t
	m := c.Serve(strconv.Itoa(id))
	m.Initialize()
	if pages := m.Works("list_pages", nil); !strings.Contains(pages, address) || strings.Count(pages, "/tab/") != 1 {
		t.Errorf("profile %d has the pages\n%s", id, pages)
	}
	if code := m.Close(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// twoProfiles has one on each of two tabs' addresses.
func twoProfiles(t *testing.T) (a *harness.App, w *harness.Wrapper, web *harness.Site) {
	t.Helper()
	a, web = harness.Start(t), harness.NewSite(t)
	a.Own(http.MethodPatch, "/v1.0/browser_profiles/1", fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/tab/1"))
	a.Create(fmt.Sprintf(`{"name":"second","startPages":[%q]}`, web.URL+"/tab/2"))
	return a, a.Install(), web
}

const oldUUID = "/devtools/browser/00000000-0000-4000-8000-000000000000"

func TestAStaleFileNeverLeadsToTheWrongBrowser(t *testing.T) {
	a, w, web := twoProfiles(t)
	other := a.Open(2)
	raw, err := os.ReadFile(a.ActivePort(2))
	if err != nil {
		t.Fatal(err)
	}
	theirs := string(raw)
	program := func(handler http.HandlerFunc) func(*testing.T) string {
		return func(t *testing.T) string {
			port := harness.FreePort(t)
			serveOn(t, strconv.Itoa(port), handler)
			return fmt.Sprintf("%d\n%s", port, oldUUID)
		}
	}
	text := func(s string) func(*testing.T) string { return func(*testing.T) string { return s } }
	for name, content := range map[string]func(*testing.T) string{
		"a dead port": func(t *testing.T) string { return fmt.Sprintf("%d\n%s", harness.FreePort(t), oldUUID) },
		"another Chrome": program(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"webSocketDebuggerUrl":"ws://%s/devtools/browser/another"}`, r.Host)
		}),
		"a program that says something else": program(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"webSocketDebuggerUrl":7}`)
		}),
		"a program that speaks no JSON": program(func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, `garbage`)
		}),
		"a program that wants a password": program(func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
		}),
		"a program that never answers": program(func(_ http.ResponseWriter,
			r *http.Request) {
			<-r.Context().Done()
		}),
		"a program that speaks no HTTP":       noHTTP,
		"another profile's port":              text(fmt.Sprintf("%d\n%s", other, oldUUID)),
		"another profile's port and uuid":     text(theirs),
		"nothing":                             text(""),
		"a port alone":                        text(strconv.Itoa(other)),
		"a port out of range":                 text("99999\n" + oldUUID),
		"something else":                      text("garbage\n\x00\xff\n"),
		"another profile's port with spaces":  text("  " + strings.ReplaceAll(theirs, "\n", "\r\n") + "\r\n"),
		"a page of another profile's browser": text(fmt.Sprintf("%d\n/devtools/page/1", other)),
	} {
		t.Run(name, func(t *testing.T) {
			a.Write(1, content(t))
			if name == "another profile's port and uuid" { // the worst, with the real server
				rightPlace(t, w, 1, web.URL+"/tab/1")
				stillOpen(t, a, 1)
			} else {
				got := strings.Join(w.Args("1"), " ")
				if port := a.Get("/v1.0/browser_profiles/1/active").Port(); port == 0 ||
					!strings.Contains(got, fmt.Sprintf("--browserUrl http://127.0.0.1:%d ", port)) {
					t.Errorf("the profile is on port %d, and the server was given %s", port, got)
				}
			}
			a.Close(1)
		})
	}
	rightPlace(t, w, 2, web.URL+"/tab/2")
}

// noHTTP is a program that answers something at once.
func noHTTP(t *testing.T) string {
	l, err := harness.Listen(t, "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "220 mail.example.com ESMTP\r\n")
			_ = conn.Close()
		}
	}()
	return fmt.Sprintf("%d\n%s", harness.PortOf(l), oldUUID)
}

func TestAStaleFileOfAnOpenProfileIsPutRightByTheApp(t *testing.T) {
	a, w, web := twoProfiles(t)
	a.Open(1)
	a.Open(2)
	theirs, err := os.ReadFile(a.ActivePort(2))
	if err != nil {
		t.Fatal(err)
	}
	a.Write(1, string(theirs))
	rightPlace(t, w, 1, web.URL+"/tab/1")
}

func TestAStaleFileIsRecognisedWithoutTheApp(t *testing.T) {
	a, w, _ := twoProfiles(t)
	other := a.Open(2)
	t.Cleanup(a.Up) // to close it
	a.Kill()
	a.Write(1, fmt.Sprintf("%d\n%s", other, oldUUID))
	w.Refuses(t, []string{"1"}, "Cove is not running")
}

func TestAProfileThatIsOpenNeedsNoApp(t *testing.T) {
	a, w, web := twoProfiles(t)
	port := a.Open(1)
	t.Run("killed", func(t *testing.T) {
		a.Kill()
		rightPlace(t, w, 1, web.URL+"/tab/1")
	})
	t.Run("another program on the app's port", func(t *testing.T) {
		serveOn(t, portOfURL(a.Base), func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, `{"success":true}`)
		})
		rightPlace(t, w, 1, web.URL+"/tab/1")
	})
	t.Run("started again on another port", func(t *testing.T) {
		taken, err := harness.Listen(t, "tcp4", "127.0.0.1:"+portOfURL(a.Base)) // so that it is another one
		if err != nil {
			t.Fatal(err)
		}
		a.Up()
		_ = taken.Close()
		rightPlace(t, w, 1, web.URL+"/tab/1")
		rightPlace(t, w, 2, web.URL+"/tab/2") // this one has to be started by the app
	})
	if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port {
		t.Errorf("the profile has the port %d, not %d", r.Port(), port)
	}
}

func TestALoggedOutPersonKeepsWhatIsOpen(t *testing.T) {
	a, w, web := twoProfiles(t)
	a.Open(1)
	a.Must("logout")
	rightPlace(t, w, 1, web.URL+"/tab/1")
	a.Must("login", "--owner")
}

func TestAGuardedProfileIsReachedByItsWebSocket(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	a.Must("stop-app")
	_ = a.Cmd.Wait()
	const path = "/devtools/browser/11111111-1111-4111-8111-111111111111"
	var opened atomic.Int32
	port := strconv.Itoa(harness.FreePort(t))
	serveOn(t, port, func(w http.ResponseWriter, r *http.Request) { guardedGate(w, r, path, &opened) })
	a.Write(1, port+"\n"+path)
	got := strings.Join(w.Args("1"), " ")
	if want := "--wsEndpoint ws://127.0.0.1:" + port + path +
		" --no-usage-statistics --no-performance-crux"; got != want {
		t.Errorf("the server was given %s, not %s", got, want)
	}
	if opened.Load() == 0 {
		t.Error("its path was not tried")
	}
	a.Write(1, port+"\n"+oldUUID)
	w.Refuses(t, []string{"1"}, "Cove is not running")
}

// guardedGate is a gate that tells nothing and opens its one path.
func guardedGate(w http.ResponseWriter, r *http.Request, path string, opened *atomic.Int32) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/json"):
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path != path || r.Header.Get("Upgrade") != "websocket" || r.Header.Get("Origin") != "":
		http.NotFound(w, r)
	default:
		conn, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		opened.Add(1)
		go accept(conn, buffer, r.Header.Get("Sec-WebSocket-Key"))
	}
}

func accept(conn net.Conn, buffer *bufio.ReadWriter, key string) {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = io.Copy(io.Discard, buffer)
	_ = conn.Close()
}
