package mcpserver_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools"
)

var update = flag.Bool("update", false, "write the golden files and docs/tools.md")

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
		t.Errorf("%s is stale (%v): see that the change is meant, then: go test ./internal/mcpserver -update",
			name, err)
	}
}

func TestTheListOfToolsIsTheGoldenOneAndCheap(t *testing.T) {
	raw := converse(t, mcpserver.Hello{}).request("tools/list", map[string]any{})
	if len(raw) >= 14000 {
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

// The SDK gets a tool at its first call, and refuses some with a panic.
func TestEveryToolCanBeCalledAndTheListStaysWhole(t *testing.T) {
	c := converse(t, mcpserver.Hello{Tools: []string{"all"}})
	before := c.request("tools/list", nil)
	for _, tool := range tools.All() {
		call := map[string]any{"name": tool.Name, "arguments": map[string]any{"nobody": "has this"}}
		if said := string(c.request("tools/call", call)); !strings.Contains(said, "Invalid arguments") {
			t.Errorf("%s: %s", tool.Name, said)
		}
	}
	if after := c.request("tools/list", nil); !bytes.Equal(after, before) {
		t.Errorf("after a call of each tool the list is %s", after)
	}

	c = converse(t, mcpserver.Hello{})
	said := string(c.request("tools/call", map[string]any{"name": "save_pdf", "arguments": map[string]any{}}))
	if !strings.Contains(said, "unknown tool") {
		t.Errorf("a tool that was not asked for: %s", said)
	}
}

func TestGroupsOfToolsAreAskedFor(t *testing.T) {
	for groups, want := range map[string]int{
		"": 35, "batch": 36, "pdf downloads": 37, "debug": 39, "storage": 38, "vision": 36, "all": 46, "nonsense": 35,
	} {
		var list struct{ Tools []struct{ Name string } }
		raw := converse(t, mcpserver.Hello{Tools: strings.Fields(groups)}).request("tools/list", nil)
		if err := json.Unmarshal(raw, &list); err != nil || len(list.Tools) != want {
			t.Errorf("%q: %d tools, not %d (%v)", groups, len(list.Tools), want, err)
		}
	}
}

func TestWhatWeDoNotHaveIsNotAnEmptyList(t *testing.T) {
	c := converse(t, mcpserver.Hello{})
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list", "logging/setLevel"} {
		if got := string(c.request(method, map[string]any{"level": "info"})); !strings.Contains(got, "-32601") {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// toolsHead and toolsTail stand around the list of tools in docs/tools.md.
var (
	//go:embed testdata/tools_head.md
	toolsHead string
	//go:embed testdata/tools_tail.md
	toolsTail string
)

func toolsPage() string {
	var b strings.Builder
	b.WriteString(toolsHead)
	group := "-"
	for _, t := range tools.All() {
		if t.Group != group {
			group = t.Group
			if group == "" {
				b.WriteString("\n## On the usual list\n")
			} else {
				fmt.Fprintf(&b, "\n## With `--tools %s` (or `all`)\n", group)
			}
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s", t.Name, t.Text)
		if t.ReadOnly {
			b.WriteString(" It changes nothing.")
		}
		b.WriteByte('\n')
		writeParameters(&b, t)
	}
	b.WriteString(toolsTail)
	return b.String()
}

func writeParameters(b *strings.Builder, t mcpserver.Tool) {
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
			text := strings.ReplaceAll(strings.Join(notes, "; "), "|", "\\|")
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", v, kind(p), text)
			skip(d)
		}
	}
}

// skip reads over one value.
func skip(d *json.Decoder) {
	var v json.RawMessage
	_ = d.Decode(&v)
}

func TestEverySchemaIsJSON(t *testing.T) {
	for _, tool := range tools.All() {
		if !json.Valid(tool.Schema()) {
			t.Errorf("the schema of %s: %s", tool.Name, tool.Schema())
		}
	}
}

func TestTheReferenceIsTheTools(t *testing.T) { golden(t, "../../docs/tools.md", []byte(toolsPage())) }
