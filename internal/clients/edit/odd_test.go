package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/clients/edit/edittest"
)

// TestOddFilesComeBack checks that unusual files are restored byte for byte.
func TestOddFilesComeBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format edit.Format
		keys   []string
		texts  []string
	}{
		{edit.Loose, []string{"mcpServers"}, []string{
			"// only a comment\n", "// only a comment", "/* only */", "/* two */ // kinds\r\n\r\n", bom + "// c",
			"{\n  \"mcpServers\": {} // c\n}\n// end", "{ // c\n}//", "{\"mcpServers\":{\"x\":{} , } , }",
			"{ \"a\": 1\n, \"mcpServers\":\n  { \"x\": {}\n  , \"y\": {}\n  }\n}\n",
			"{\"mcpServers\" /*1*/ : /*2*/ { /*3*/ \"x\" /*4*/ : /*5*/ {} /*6*/ } /*7*/ }",
		}},
		{edit.Commented, []string{"mcpServers"}, []string{
			"// only a comment", "{} // end", "{/*,*/\"a\":[1/*,*/]/*,*/,\"b\":{//,\n}}//,",
			// If each comma needed a scan of the whole file, this would take minutes.
			"{\"mcpServers\": {" + commas(1000) + "}}"}},
		{edit.Strict, []string{"projects", "/home/me/a \"b\"", "mcpServers"}, []string{
			`{"projects":{}}`, `{"projects":{"/home/me/a \"b\"":{"x":1}}}`,
			`{"projects":{"/home/me/a \u0022b\"":{"mcpServers":{}}}}`,
		}},
		{edit.TOML, []string{"mcp_servers"}, []string{
			"# only", "mcp_servers.a.command = \"x\"\n", "[mcp_servers]\na.command = \"x\"\n\n[other]\nz=1\n",
			"[\"mcp_servers\".'a b'.env]\n\"x y\" = \"1\"\n",
			"[[hooks]]\na=1\n[[hooks]]\na=2", "[mcp_servers]\na = { command = \"x\" }\n# the end\n# of it",
			"  [ mcp_servers . \"a\" ]  # c\n\tcommand=\"x\"\n",
			"mcp_servers = {}", "mcp_servers={ } # c\n", "'mcp_servers' = {a={command=\"x, }\"}}\nz=1\n",
			"mcp_servers\t=\t{\ta = { command = \"x\" } , \"b c\" = {} }\r\n",
		}},
		{edit.YAML, []string{"extensions"}, []string{
			"# only", "---\n", "a: 1\n...\n", "%YAML 1.1\n---\na: 1\n", "extensions: { # c\n  a: {cmd: x} # d\n}\n",
			"extensions: {  a: {cmd: x}  }\n",
			"b: &b {cmd: x}\nextensions:\n  a:\n    <<: *b\n", "  a: 1\n", "  a: 1\n  extensions:\n",
			"a: |+\n  text\n\n\n",
			"{}", " { } # c\n", "--- {a: 1}\n...\n", "{\"extensions\":{},\"a\":\"it's\"}\n",
			"{a: 1,\n extensions: {\n  b: {cmd: x},\n },\n}\n", "# c\n{\n  \"a\": [1], # d\n}\n",
		}},
	} {
		for _, text := range c.texts {
			given := edittest.Given(c.format, c.keys, text)
			edittest.RoundTrip(t, string(c.format), given, newScratch(t, c.format, c.keys, text))
		}
	}
}

// commas returns servers with comments full of commas.
func commas(servers int) string {
	all := make([]string, servers)
	for i := range all {
		all[i] = fmt.Sprintf("// a, b, c, d\n\"s%d\": {\"args\": [\"x\", /* , */ \"y\"]}", i)
	}
	return strings.Join(all, ",")
}

// TestARefusalNamesTheLine checks that each kind of refusal names the line.
func TestARefusalNamesTheLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format edit.Format
		line   int
		text   string
	}{
		{edit.Loose, 2, "{\n\"k\": []}"},
		{edit.Loose, 2, "{\n\"k\": null}"},
		{edit.Loose, 2, "{\"k\": {},\n\"k\": {}}"},
		{edit.Loose, 1, "[]"},
		{edit.Strict, 1, "// a comment is all there is"},
		{edit.Commented, 2, "{\n\"a\": 1,}"},
		{edit.Commented, 3, "{\"a\": 1, // ,\n\"b\": [1 /*,*/\n, /*,*/ ]}"},
		{edit.Loose, 2, "{\n\"a\": 1 // c\r, \"k\": {}\n}"}, // a client sees k there
		{edit.Loose, 1, "// c\r{}"},
		{edit.Loose, 2, "\n" + strings.Repeat("[", 2_000_000)},
		{edit.Loose, 2, "{\n\"a\": " + strings.Repeat(`{"/* \"":`, 2000)},
		{edit.Loose, 2, "{\n\"a\": \"x\n}\n"},
		{edit.Loose, 2, "{\n\"a\": \"x\ny\"\n}\n"},
		{edit.Strict, 2, "{\n\"a\": \"C:\\Users\"\n}\n"},
		{edit.TOML, 2, "\nk = [1]"},
		{edit.TOML, 2, "\n[[k]]\na = 1"},
		{edit.TOML, 2, "a = 1\na = 2"},
		{edit.YAML, 2, "# c\nk: [1]"},
		{edit.YAML, 2, "# c\n{k: , a: 1}"},
		{edit.YAML, 2, "a: 1\nb: \xff"},
		{edit.YAML, 3, "# c\n? k\n: a: 1"},
		{edit.YAML, 2, "# c\nk: &e\n  a: {cmd: x}\ncopy: *e"},
		{edit.YAML, 3, "a: &a\n  b: 1\nk: *a"},
		{edit.YAML, 1, "\ta: 1\n"},
		{edit.YAML, 1, "a: b: c\n"},
		{edit.YAML, 1, "%bad\na: 1"},
		{edit.YAML, 2, "a: 1\nb: *nope\n"},
		{edit.YAML, 2, "a: 1\nb: [1, 2\nc: 3\n"},
		{edit.YAML, 3, "a: 1\nb: 2\n\tc: 3\n"},
		{edit.YAML, 3, "a: 1\nk:\n  a: x\x00\n"},
		{edit.YAML, 4, "a: 1\nk:\n  - x\n  b: 2\n"},
		{edit.YAML, 6, "a: 1\nk:\n  d:\n    cmd: x\n    args:\n   - y\n" + strings.Repeat("z:\n", 9)},
		{edit.YAML, 3, "a: 1\nb: 2\nc: \"" + strings.Repeat("z: 1\n", 100_000)},
		{edit.YAML, 3, "a: [\n1]\n---\n: : [\n"},
	} {
		d, err := edit.Open(c.format, []byte(c.text))
		if err == nil {
			err = newScratch(t, c.format, []string{"k"}, c.text).add(d, 1)
		}
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d: ", c.line)) {
			t.Errorf("%s %q: %v", c.format, c.text, err)
		}
	}
}

// TestARefusalShowsNoValue checks that errors contain no values: people copy errors into logs and mails, and the file
// may contain keys.
func TestARefusalShowsNoValue(t *testing.T) {
	t.Parallel()
	for format, texts := range map[edit.Format][]string{
		edit.Loose: {`{"env": {"KEY": "sk-1\S"}}`, "{\"env\": {\"KEY\": \"sk-1S\n}}", `{"env": {"KEY": 'sk-1S'}}`,
			`{"env": {"KEY": sk-1S}}`},
		edit.TOML: {`key = "sk-1\S"`, "key = \"sk-1S\n", "key = sk-1S"},
		edit.YAML: {`key: "sk-1\S"`, `key: "sk-1S`, "key: sk-1S: x"},
	} {
		for _, text := range texts {
			if _, err := edit.Open(format, []byte(text)); err == nil || strings.Contains(err.Error(), "sk-1") {
				t.Errorf("%s %q: %v", format, text, err)
			}
		}
	}
}

func TestAFileWithMoreThanOneDocumentIsNoReasonToPanic(t *testing.T) {
	for _, text := range []string{"[]0", "{}0", "[] 0", "{a: b} c", "--- 1\n--- 2\n", "...\n...\n", "%YAML 1.1\n---\n",
		"extensions: []0"} {
		if d, err := edit.Open(edit.YAML, []byte(text)); err == nil && d == nil {
			t.Errorf("%q: neither a document nor an error", text)
		}
	}
	if _, err := edit.Open(edit.YAML, []byte("[]0")); err == nil {
		t.Error("two documents were read")
	}
}
