//go:build e2e

package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"cove/api"
)

// Shows is the address that the tab shows; "" while it is on the move.
func (b *Tab) Shows() string {
	var r struct{ Result struct{ Value string } }
	_ = b.Conn.Call(b.T.Context(), b.Session, "Runtime.evaluate", map[string]any{"expression": "location.href"}, &r)
	return r.Result.Value
}

// APIToken makes an API token, as programs have them.
func (a *App) APIToken() string {
	a.T.Helper()
	r := a.Own(http.MethodPost, "/v1.0/tokens", `{"name":"program"}`)
	token, _ := Member(r.Body, "data", "token").(string)
	if token == "" {
		a.T.Fatal(r.Raw)
	}
	return token
}

// PolicyPath is the API path of a profile's policy.
func PolicyPath(id int) string { return StatePath(id, "/policy") }

// Policy sets what agents may do in a profile, with flags of the command line.
func (a *App) Policy(id int, flags ...string) {
	a.T.Helper()
	a.Must(append([]string{"policy", "set", strconv.Itoa(id)}, flags...)...)
}

// Admits tells whether the keeper of an open profile lets an agent in: it is asked without the app.
func (a *App) Admits(id int) bool {
	a.T.Helper()
	out, code := a.Cli("mcp", strconv.Itoa(id), "--no-autostart")
	if code != 0 && code != 5 {
		a.T.Fatalf("cove mcp %d: exit code %d\n%s", id, code, out)
	}
	return code == 0
}

// CloseKeeper ends the browser of a profile while no app is running.
func (a *App) CloseKeeper(id int) {
	a.T.Helper()
	keeper := a.Keeper(id)
	_ = syscall.Kill(keeper, syscall.SIGTERM)
	Wait(a.T, "the keeper to end", func() bool { return !Exists(a.File(id, "keeper.json")) })
}

// AccessEvents follows the access states of open profiles.
func (a *App) AccessEvents() <-chan map[string]any {
	a.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+"/v1.0/events", nil)
	if err != nil {
		a.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.T.Fatal(err)
	}
	a.T.Cleanup(func() { cancel(); _ = res.Body.Close() })
	states := make(chan map[string]any, 1000)
	go func() {
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var e map[string]any
			if ok && json.Unmarshal([]byte(data), &e) == nil && e["type"] == "access" {
				states <- e["access"].(map[string]any)
			}
		}
	}()
	return states
}

// Access asks the keeper of an open profile what the person's side may ask.
func (a *App) Access(id int, method, path string, body, out any) {
	a.T.Helper()
	var k struct{ Socket, Token string }
	raw, err := os.ReadFile(a.File(id, "keeper.json"))
	if err == nil {
		err = json.Unmarshal(raw, &k)
	}
	if err != nil {
		a.T.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", k.Socket)
		}}}
	sent, _ := json.Marshal(body)
	req, err := http.NewRequestWithContext(context.WithoutCancel(a.T.Context()), method, "http://keeper"+path,
		bytes.NewReader(sent))
	if err != nil {
		a.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+k.Token)
	res, err := client.Do(req)
	if err != nil {
		a.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	got, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK {
		a.T.Fatalf("%s %s: %s %s", method, path, res.Status, got)
	}
	if out != nil {
		if err := json.Unmarshal(got, out); err != nil {
			a.T.Fatalf("%s %s: %v: %s", method, path, err, got)
		}
	}
}

// Going reports whether an agent's call of a tool is under way in an open profile, as the live view shows it.
func (a *App) Going(id int, tool string) bool {
	a.T.Helper()
	ctx, cancel := context.WithTimeout(a.T.Context(), Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+StatePath(id, "/live"), nil)
	if err != nil {
		a.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()

	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var live api.Live
		if json.Unmarshal(lines.Bytes(), &live) != nil || live.Type != "actions" {
			continue
		}
		return slices.ContainsFunc(live.Actions, func(c api.LiveAction) bool { return c.Going && c.Tool == tool })
	}
	a.T.Fatalf("the live view of profile %d shows no calls: %d %v", id, res.StatusCode, lines.Err())
	return false
}

// Waiting is a request that waits for a person.
type Waiting struct {
	ID, Class, What, Page string
	Picture               []byte
	Agent                 struct{ Name string }
}

// Asked waits until an agent asks the person.
func (a *App) Asked(id int) Waiting {
	a.T.Helper()
	var s struct{ Requests []Waiting }
	Wait(a.T, "a request", func() bool {
		a.Access(id, "GET", "/v1/access?once=1", nil, &s)
		return len(s.Requests) > 0
	})
	return s.Requests[0]
}

// Decide answers as the person.
func (a *App) Decide(id int, w Waiting, yes bool) {
	a.T.Helper()
	a.Access(id, "POST", "/v1/access/decide", Object{"id": w.ID, "yes": yes}, nil)
}

// Find is the uid of the element with this line in a snapshot.
func (m *MCP) Find(line string) string {
	m.T.Helper()
	text := m.Works("take_snapshot", nil)
	uid := UIDOf(text, line)
	if uid == "" {
		m.T.Fatalf("no %s in\n%s", line, text)
	}
	return uid
}

// Socket is the address of an open profile's browser, as its owner gets it.
func (a *App) Socket(id int) string {
	a.T.Helper()
	r := a.Own(http.MethodGet, fmt.Sprintf("/v1.0/browser_profiles/%d/active", id), "")
	o, _ := r.Body["automation"].(map[string]any)
	address, _ := o["webSocketDebuggerUrl"].(string)
	if address == "" {
		a.T.Fatalf("no address: %d %s", r.Status, r.Raw)
	}
	return address
}

// AnswerRequest answers the request that is about what, on the command line.
func (a *App) AnswerRequest(t *testing.T, what string, yes bool) {
	t.Helper()
	Wait(t, "a request to "+what, func() bool { return strings.Contains(a.owned("/v1.0/approvals"), what) })
	var list struct {
		Data []struct {
			ID   string `json:"id"`
			What string `json:"what"`
		} `json:"data"`
	}
	_ = json.Unmarshal([]byte(a.owned("/v1.0/approvals")), &list)
	for _, r := range list.Data {
		if strings.Contains(r.What, what) {
			word := "refuse"
			if yes {
				word = "approve"
			}
			a.Must("approvals", word, r.ID)
			return
		}
	}
	t.Fatalf("no request to %s: %s", what, a.owned("/v1.0/approvals"))
}

func (a *App) owned(path string) string { return a.Own(http.MethodGet, path, "").Raw }

// Fetch sends a request without a body and returns its status and its text.
func Fetch(t *testing.T, method, address, token string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

// Rules puts a policy into force in an open profile.
func (a *App) Rules(id int, policy string) {
	a.T.Helper()
	if r := a.Own(http.MethodPut, PolicyPath(id), policy); r.Status >= 300 {
		a.T.Fatalf("policy: %d %s", r.Status, r.Raw)
	}
}
