package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/page"
)

var update = flag.Bool("update", false, "write the golden files and docs/tools.md")

// conversation talks to a server without a browser, line by line.
type conversation struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	last int
	// hello is the answer to initialize.
	hello json.RawMessage
}

func converse(t *testing.T, h Hello) *conversation {
	t.Helper()
	return greeted(t, New(Config{Name: "work", Version: "1", Browser: func(context.Context) (*page.Browser, error) { return page.New(nil), nil }}), h)
}

// talkTo is a conversation with a server that a test has made.
func talkTo(t *testing.T, s *Server) *conversation {
	t.Helper()
	return greeted(t, s, Hello{Tools: []string{"all"}})
}

func greeted(t *testing.T, s *Server, h Hello) *conversation {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, h, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	return newConversation(t, ours)
}

// newConversation shakes hands over a connection.
func newConversation(t *testing.T, conn net.Conn) *conversation {
	t.Helper()
	c := &conversation{t: t, conn: conn, in: bufio.NewReader(conn)}
	c.hello = c.request("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func (c *conversation) send(message any) {
	c.t.Helper()
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = c.conn.Write(append(raw, '\n'))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) request(method string, params any) json.RawMessage {
	c.t.Helper()
	c.last++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params})
	raw, err := c.in.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var r struct {
		ID     int
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(raw, &r); err != nil || r.ID != c.last {
		c.t.Fatalf("%s: %v %s", method, err, raw)
	}
	if r.Error != nil {
		return r.Error
	}
	return r.Result
}

// golden compares with a file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale (%v): see that the change is meant, then: go test ./internal/mcpserver -update", name, err)
	}
}

func TestTheListOfToolsIsTheGoldenOneAndCheap(t *testing.T) {
	raw := converse(t, Hello{}).request("tools/list", map[string]any{})
	if len(raw) >= 16000 {
		t.Errorf("tools/list is %d bytes", len(raw))
	}
	t.Logf("tools/list: %d bytes", len(raw))
	if bytes.Contains(raw, []byte("outputSchema")) {
		t.Error("tools/list has an outputSchema")
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, raw, "", " "); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/tools.json", append(pretty.Bytes(), '\n'))
}

func TestGroupsOfToolsAreAskedFor(t *testing.T) {
	for groups, want := range map[string]int{"": 32, "batch": 33, "pdf downloads": 34, "all": 35, "nonsense": 32} {
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(converse(t, Hello{Tools: strings.Fields(groups)}).request("tools/list", nil), &list); err != nil || len(list.Tools) != want {
			t.Errorf("%q: %d tools, not %d (%v)", groups, len(list.Tools), want, err)
		}
	}
}

func TestWhatWeDoNotHaveIsNotAnEmptyList(t *testing.T) {
	c := converse(t, Hello{})
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list", "logging/setLevel"} {
		if got := string(c.request(method, map[string]any{"level": "info"})); !strings.Contains(got, "-32601") {
			t.Errorf("%s: %s", method, got)
		}
	}
}

const toolsHead = `# Tools

<!-- Written by: go test ./internal/mcpserver -update -->

What ` + "`cove mcp ID`" + ` and ` + "`/mcp/<id>`" + ` give an agent. The names and parameters are those of chrome-devtools-mcp 1.11, so that prompts
and skills made for it work; what differs stands at the end. ` + "`pageId`" + ` may always be left out: then the page is meant that this
client has selected. A number may be written as text.
`

const toolsTail = `
## What differs from chrome-devtools-mcp 1.11

- ` + "`pageId`" + ` is optional everywhere. Each client has its own selected page; page numbers and uids are never used again.
- An action answers with what it has set off (a navigation, a new page, a download, a dialog), and says so when nothing came of it:
  a covered or disabled element, a value that the page did not take, and an old uid are errors.
- Text of pages stands between ` + "`<page-…>`" + ` and ` + "`</page-…>`" + ` with a number that no page can know, a line of theirs between
  « and », which it cannot hold.
- ` + "`includeSnapshot`" + ` and ` + "`wait_for`" + ` tell what changed since the last snapshot of the same document that the agent has seen, where that is
  shorter than the page. ` + "`navigate_page`" + ` names the page that it has led to and does not list the others.
- ` + "`take_snapshot`" + ` has ` + "`uid`, `query`, `interactiveOnly`, `since` and `maxTokens`" + `; it folds long runs of rows of the same shape.
- ` + "`evaluate_script`" + ` has ` + "`frame`" + `. A cancelled script that keeps the page busy is ended.
- ` + "`take_screenshot`" + ` is scaled to what models take, unless it is saved to a file.
- Values of password fields, cookies and authorization headers are never shown. ` + "`{{secret:NAME}}`" + ` in ` + "`fill`, `fill_form` and `type_text`" + ` types a
  secret that the person has set for the page's site; see security.md, also for what a profile's policy asks or refuses.
- Files are read and written only in the client's roots (the folder that it runs in when it has none) and the folder for temporary
  files; a client that can ask the person does so for any other.
- ` + "`lighthouse_audit`" + ` runs Lighthouse when Node 22.19 or later is there, in the profile as it is: nothing stored is cleared. All
  other tools need no Node.
- ` + "`performance_analyze_insight`" + ` knows the figures that Cove computes itself: LCP and its parts, CLS and its culprits, INP,
  render-blocking requests, long tasks. No field data is fetched.
- There is no ` + "`outputSchema`" + ` and no structured content: an answer is its text.
`

func toolsPage() string {
	var b strings.Builder
	b.WriteString(toolsHead)
	group := "-"
	for _, t := range Tools() {
		if t.Set != group {
			group = t.Set
			if group == "" {
				b.WriteString("\n## On the usual list\n")
			} else {
				fmt.Fprintf(&b, "\n## With `--tools %s` (or `all`)\n", group)
			}
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s", t.Name, t.Text)
		if t.Reads {
			b.WriteString(" It changes nothing.")
		}
		b.WriteByte('\n')
		writeParameters(&b, t)
	}
	b.WriteString(toolsTail)
	return b.String()
}

func writeParameters(b *strings.Builder, t tool) {
	type schema struct {
		Type, Description string
		Enum              []string
		Items             *schema
		Properties        map[string]schema
		Required          []string
	}
	var s schema
	if err := json.Unmarshal(t.Schema(), &s); err != nil {
		panic(err)
	}
	kind := func(p schema) string {
		if p.Type == "array" && p.Items != nil {
			names := []string{}
			for _, name := range p.Items.Required {
				names = append(names, "`"+name+"`")
			}
			if len(names) > 0 {
				return "list of objects with " + strings.Join(names, ", ")
			}
			return "list of " + p.Items.Type + "s"
		}
		return p.Type
	}
	if len(s.Properties) == 0 {
		return
	}
	b.WriteString("\n| parameter | | |\n|---|---|---|\n")
	d := json.NewDecoder(bytes.NewReader(t.Schema())) // in the order of the schema
	for depth, inside := 0, false; ; {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else if depth--; inside && depth == 1 {
				return
			}
		case string:
			if depth == 1 && v == "properties" {
				inside = true
				continue
			}
			if !inside || depth != 2 {
				continue
			}
			p := s.Properties[v]
			notes := []string{}
			for _, name := range s.Required {
				if name == v {
					notes = append(notes, "required")
				}
			}
			if p.Description != "" {
				notes = append(notes, p.Description)
			}
			enum := p.Enum
			if p.Items != nil {
				enum = p.Items.Enum
			}
			if len(enum) > 0 {
				notes = append(notes, "one of "+strings.Join(enum, ", "))
			}
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", v, kind(p), strings.ReplaceAll(strings.Join(notes, "; "), "|", "\\|"))
			skip(d)
		}
	}
}

// skip reads over one value.
func skip(d *json.Decoder) {
	var v json.RawMessage
	_ = d.Decode(&v)
}

func TestTheReferenceIsTheTools(t *testing.T) { golden(t, "../../docs/tools.md", []byte(toolsPage())) }
