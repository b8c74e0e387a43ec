//go:build e2e

package harness

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Agent is an MCP client over a server's standard input and output. Its calls may come from any goroutine, one at a
// time: nothing of it ends the test.
type Agent struct {
	name     string
	upstream bool
	in       io.Writer
	out      chan []byte
	next     int
	Page     int // sent with every call that is about one page
	Seen     []Element
	Text     string // of the last snapshot
	Fresh    bool
}

// Element is one line of a snapshot.
type Element struct{ UID, Role, Name, Line string }

// Said is a server's answer.
type Said struct {
	Text   string
	Failed bool
	images []shot
	Err    error
}

type shot struct {
	mime   string
	width  int
	height int
}

// NewAgent runs a server and shakes hands with it.
func NewAgent(t *testing.T, name string, cmd *exec.Cmd) *Agent {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g := &Agent{name: name, in: in, out: make(chan []byte, 100)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(g.out)
		for lines := bufio.NewReaderSize(out, 1<<20); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			g.out <- line
		}
	}()
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Process.Kill(); <-done; _ = cmd.Wait() })
	if _, err := g.Request("initialize", map[string]any{"protocolVersion": "2025-06-18",
		"capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "e2e", "version": "1"}}); err != nil {
		t.Fatal(err)
	}
	_ = g.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return g
}

// NewTheirs runs upstream on a profile of its own.
func NewTheirs(t *testing.T, a *App, id int) *Agent {
	t.Helper()
	cmd := Exec(t, "node", "node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
		"--browserUrl", fmt.Sprintf("http://127.0.0.1:%d", a.Open(id)), "--no-usage-statistics",
		"--no-performance-crux")
	cmd.Dir = "node"
	cmd.Env = append(os.Environ(), "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1",
		"CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY=1")
	g := NewAgent(t, "upstream", cmd)
	g.upstream = true
	g.Choose(t)
	return g
}

// NewOurs runs our bridge on a profile.
func NewOurs(t *testing.T, a *App, id int) *Agent {
	t.Helper()
	cmd := Exec(t, Cove, "mcp", strconv.Itoa(id))
	cmd.Env, cmd.Dir = a.Environ(), t.TempDir()
	g := NewAgent(t, "ours", cmd)
	g.Choose(t)
	return g
}

// Choose takes the page that is selected.
func (g *Agent) Choose(t *testing.T) {
	t.Helper()
	g.Page = Selected(g.Call("list_pages", nil).Text)
	if g.Page == 0 {
		t.Fatalf("%s has no page", g.name)
	}
}

// Selected is the number of the page that a list of pages marks as selected, 0 without one.
func Selected(text string) int {
	m := regexp.MustCompile(`(?m)^(\d+): .*\[selected\]`).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func (g *Agent) send(message map[string]any) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = g.in.Write(append(raw, '\n'))
	return err
}

// Request sends a request and waits for its result.
func (g *Agent) Request(method string, params any) (json.RawMessage, error) {
	g.next++
	if err := g.send(map[string]any{"jsonrpc": "2.0", "id": g.next, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for deadline := time.After(2 * Patience); ; {
		select {
		case line, ok := <-g.out:
			if !ok {
				return nil, fmt.Errorf("%s: the server has ended", method)
			}
			var r struct {
				ID     int
				Result json.RawMessage
				Error  json.RawMessage
			}
			if json.Unmarshal(line, &r) != nil || r.ID != g.next {
				continue
			}
			if r.Error != nil {
				return nil, fmt.Errorf("%s", r.Error)
			}
			return r.Result, nil
		case <-deadline:
			return nil, fmt.Errorf("%s: no answer", method)
		}
	}
}

// pageless are the tools that are not about one page, or say themselves about which.
var pageless = []string{"list_pages", "new_page", "select_page", "close_page"}

// Call calls a tool, with the agent's page.
func (g *Agent) Call(tool string, args map[string]any) Said {
	sent := maps.Clone(args)
	if sent == nil {
		sent = map[string]any{}
	}
	if _, ok := sent["pageId"]; !ok && g.Page != 0 && !slices.Contains(pageless, tool) {
		sent["pageId"] = g.Page
	}
	if sent["pageId"] == nil {
		delete(sent, "pageId")
	}
	raw, err := g.Request("tools/call", map[string]any{"name": tool, "arguments": sent})
	if err != nil {
		return Said{Err: err}
	}
	var r struct {
		Content []struct{ Type, Text, Data, MimeType string }
		IsError bool
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return Said{Err: err}
	}
	s := Said{Failed: r.IsError}
	for _, c := range r.Content {
		if c.Type != "image" {
			s.Text += c.Text + "\n"
			continue
		}
		p := shot{mime: c.MimeType}
		data, _ := base64.StdEncoding.DecodeString(c.Data)
		if about, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			p.width, p.height = about.Width, about.Height
		}
		s.images = append(s.images, p)
	}
	if strings.Contains(s.Text, "## Latest page snapshot") {
		g.read(s.Text)
	}
	return s
}

var (
	snapshotLine = regexp.MustCompile(`^\s*uid=(\S+) (?:([A-Za-z]\S*))?(?: ?("(?:[^"\\]|\\.)*"))?(.*)$`)
	// Boundaries are the lines around what a page has written.
	Boundaries = regexp.MustCompile(`(?m)^</?page-[0-9a-f]+>\n?`)
)

// read keeps the elements of a snapshot.
func (g *Agent) read(text string) {
	g.Text, g.Seen = text, nil
	for line := range strings.Lines(text) {
		m := snapshotLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		name, err := strconv.Unquote(m[3])
		if err != nil {
			name = strings.Trim(m[3], `"`)
		}
		g.Seen = append(g.Seen, Element{m[1], m[2], name, line})
	}
}

// Look takes a snapshot in which every element has a line of its own.
func (g *Agent) Look() error {
	s := g.Call("take_snapshot", map[string]any{"verbose": !g.upstream})
	if s.Err != nil || s.Failed {
		return errors.Join(s.Err, errors.New(s.Text))
	}
	g.Fresh = true
	return nil
}

// UID finds an element by what an agent calls it: `button "Save"`, with #2 for the second of that name, or =1_2 for
// itself.
func (g *Agent) UID(what string) (string, error) {
	if literal, ok := strings.CutPrefix(what, "="); ok {
		return literal, nil
	}
	nth := 1
	if at := strings.LastIndex(what, `"#`); at > 0 {
		nth, _ = strconv.Atoi(what[at+2:])
		what = what[:at+1]
	}
	role, name, _ := strings.Cut(what, " ")
	name = strings.Trim(name, `"`)
	for range 2 {
		n := 0
		for _, e := range g.Seen {
			if e.Role == role && strings.TrimSpace(e.Name) == name {
				if n++; n == nth {
					return e.UID, nil
				}
			}
		}
		if g.Fresh {
			break
		}
		if err := g.Look(); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("no %s in the snapshot of %s:\n%s", what, g.name, g.Text)
}

// Do calls a tool with elements in place of their uids.
func (g *Agent) Do(tool string, args map[string]any) Said {
	sent := map[string]any{}
	for key, value := range args {
		switch v := value.(type) {
		case string:
			if key == "uid" || key == "from_uid" || key == "to_uid" || key == "frame" {
				uid, err := g.UID(v)
				if err != nil {
					return Said{Err: err}
				}
				value = uid
			}
		case Elements:
			var list []any
			for _, pair := range v {
				uid, err := g.UID(pair[0])
				if err != nil {
					return Said{Err: err}
				}
				list = append(list, map[string]any{"uid": uid, "value": pair[1]})
			}
			value = list
		case UIDs:
			var list []any
			for _, what := range v {
				uid, err := g.UID(what)
				if err != nil {
					return Said{Err: err}
				}
				list = append(list, uid)
			}
			value = list
		}
		sent[key] = value
	}
	g.Fresh = false
	return g.Call(tool, sent)
}

// Elements are the fields of a form and their values.
type Elements [][2]string

// UIDs are elements that a script gets.
type UIDs []string

// Eval runs a function in the page and reads the JSON that it gives.
func (g *Agent) Eval(function string, value any) error {
	s := g.Call("evaluate_script", map[string]any{"function": function})
	if s.Err != nil || s.Failed {
		return errors.Join(s.Err, errors.New(s.Text))
	}
	_, rest, _ := strings.Cut(s.Text, "```json\n")
	raw, _, _ := strings.Cut(rest, "\n```")
	if err := json.Unmarshal([]byte(raw), value); err != nil {
		return fmt.Errorf("%s: %s: %w", g.name, s.Text, err)
	}
	return nil
}

// Plain is an answer without the boundaries around what a page has written.
func (s Said) Plain() string { return Boundaries.ReplaceAllString(s.Text, "") }
