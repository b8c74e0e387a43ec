package clients

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/wrapper"
)

// TestWhatAPersonDidToAnEntryStays checks that an update changes only what an entry runs, however the entry is written,
// and that a removal leaves everything around the entry.
func TestWhatAPersonDidToAnEntryStays(t *testing.T) {
	const old, moved = "/opt/my tools/cove", "/new/place/cove"
	for _, c := range []struct {
		name, client, text string
		// args are the arguments after the update, if they differ. rest is what the removal leaves.
		args []string
		rest string
	}{
		{"a comment inside", "cursor", "{\n  \"mcpServers\": {\n    \"cove-12\": {\n      // mine\n" +
			"      \"command\": \"/opt/my tools/cove\", // c\n      \"args\": [\"mcp\", \"12\"]\n    }\n  }\n}\n", nil,
			"{\n  \"mcpServers\": {\n  }\n}\n"},
		{"all words in one list", "cursor",
			`{"mcpServers":{"cove-12":{"env":{"A":"b"},"command":["/opt/my tools/cove","mcp","12"],"x":1 /* c */}}}`,
			[]string{"[\"/new/place/cove\",\"mcp\",\"12\"]", "\"/new/place/cove\", \"args\": [\"mcp\",\"12\"]"},
			"{\"mcpServers\":{}}"},
		{"switched off", "opencode",
			`{"mcp":{"cove-12":{"type":"local","command":["/opt/my tools/cove","mcp","12"],"enabled":false}}}`, nil,
			"{\"mcp\":{}}"},
		{"switched off", "cline",
			`{"mcpServers":{"cove-12":{"command":"/opt/my tools/cove","args":["mcp","12"],"disabled":true}}}`, nil,
			"{\"mcpServers\":{}}"},
		{"as Cline itself writes it", "cline",
			`{"mcpServers":{"cove-12":{"transport":{"type":"stdio","command":"/opt/my tools/cove","args":["mcp","12"]},` +
				`"autoApprove":["x"]}}}`, nil,
			"{\"mcpServers\":{}}"},
		{"in braces", "codex", "[mcp_servers]\n" +
			"cove-12 = { command = \"/opt/my tools/cove\", args = [\"mcp\", \"12\"], env = { \"A=b\" = \"=\" }, " +
			"enabled = false } # c\n" +
			"x = { command = \"y\" }\n", nil,
			"[mcp_servers]\nx = { command = \"y\" }\n"},
		{"all in braces", "codex",
			`mcp_servers = { a = {}, cove-12 = { command = "/opt/my tools/cove", args = ["mcp", "12"], ` +
				`env = { A = "}, " } } } # c` + "\n", nil,
			"mcp_servers = { a = {} } # c\n"},
		{"all in braces and first", "codex",
			`mcp_servers = {cove-12 = {command = "/opt/my tools/cove", args = ["mcp", "12"]}, x = {}}` + "\n", nil,
			"mcp_servers = {x = {}}\n"},
		{"all in braces", "goose",
			`{"a": 1, "extensions": {"b": {}, "cove-12": {"cmd": "/opt/my tools/cove", "args": ["mcp", "12"]}}}` + "\n",
			nil,
			"{\"a\": 1, \"extensions\": {\"b\": {}}}\n"},
		{"dotted keys", "codex", "[mcp_servers]\ncove-12.enabled = false\ncove-12 . command = \"/opt/my tools/cove\" # a\n" +
			"cove-12.args = [\"mcp\", \"12\"] # b\n# mine\n\n[other]\n", nil, "[mcp_servers]\n# mine\n\n[other]\n"},
		{"as Goose itself writes it", "goose",
			"extensions:\n  a:\n    cmd: x\n  cove-12:\n    enabled: false\n    args:\n" +
				"    - mcp\n    - '12'\n    cmd: /opt/my tools/cove\n    envs: {}\n  third:\n    cmd: y\n",
			[]string{"- mcp\n    - '12'", "- \"mcp\"\n    - \"12\""},
			"extensions:\n  a:\n    cmd: x\n  third:\n    cmd: y\n"},
		{"a long text at its end", "goose", "extensions:\n  cove-12:\n    cmd: /opt/my tools/cove\n" +
			"    args: [\"mcp\", \"12\"]\n    description: |\n      long\n\n      text\n\n  # of the third\n  third:\n" +
			"    cmd: y\n", nil,
			"extensions:\n\n  # of the third\n  third:\n    cmd: y\n"},
		{"in braces over lines", "goose", "extensions:\n  cove-12: {cmd: '/opt/my tools/cove',\n" +
			"    args: [\"mcp\", \"12\"]\n  }\n  # of the third\n  third:\n    cmd: y\n", nil,
			"extensions:\n  # of the third\n  third:\n    cmd: y\n"},
	} {
		t.Run(c.client+" "+c.name, func(t *testing.T) {
			d := newFixture(t, "linux", client(t, c.client), User)
			d.write(c.text)
			x := entryOf(d.Env, 12)
			x.Command = moved
			done, err := d.Add(context.Background(), d.client, User, x, false)
			if err != nil || done[0].Action != Updated {
				t.Fatalf("%v, %v", done, err)
			}
			want := strings.NewReplacer("\""+old+"\"", "\""+moved+"\"", "'"+old+"'", "\""+moved+"\"",
				": "+old, ": \""+moved+"\"").Replace(c.text)
			if c.args != nil {
				want = strings.Replace(want, c.args[0], c.args[1], 1)
			}
			if d.read() != want {
				t.Errorf("became\n%s\nnot\n%s", d.read(), want)
			}
			if n, err := d.remove(12); n != 1 || err != nil || d.read() != c.rest {
				t.Errorf("%d, %v, left %q", n, err, d.read())
			}
		})
	}
}

// TestAnEntryThatAPersonMadeAnotherServerOf checks that such an entry is the person's, although Cove wrote it once.
func TestAnEntryThatAPersonMadeAnotherServerOf(t *testing.T) {
	for _, name := range []string{"cursor", "codex", "goose"} {
		d := newFixture(t, "linux", client(t, name), User)
		if _, err := d.add(12); err != nil {
			t.Fatal(err)
		}
		theirs := strings.Replace(d.read(), "/opt/my tools/cove", "/home/me/bin/other", 1)
		d.write(theirs)
		_, err := d.add(12)
		fails(t, err, fault.Conflict, "E_NAME_TAKEN", `"cove-12"`, "--name")
		if n, err := d.remove(12); n != 0 || err != nil || d.read() != theirs {
			t.Errorf("%s: removed %d, %v, left\n%s", name, n, err, d.read())
		}
	}
}

// TestAnEntryOfAnotherDataFolder checks that such an entry belongs to the Cove of that folder, whose profile of the
// same number has other logins.
func TestAnEntryOfAnotherDataFolder(t *testing.T) {
	ctx := context.Background()
	for _, usual := range []bool{false, true} {
		d := newFixture(t, "linux", client(t, "cursor"), User)
		before := existing(d.client, "  ", "\n")
		d.write(before)
		first, second := paths.Home(d.Env.real(d.Env.home("first"))), paths.Home(d.Env.real(d.Env.home("second")))
		x, y := Native("/opt/cove", first, 1), Native("/opt/cove", second, 1)
		if usual { // which no entry names
			first = paths.Home(d.Env.real(d.Env.usualData()))
			x.Args = x.Args[:2]
			if err := os.MkdirAll(string(first), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		d.Home = first
		if _, err := d.Add(ctx, d.client, User, x, false); err != nil {
			t.Fatal(err)
		}
		theirs := d.read()
		d.Home = second
		_, err := d.Add(ctx, d.client, User, y, false)
		fails(t, err, fault.Conflict, "E_NAME_TAKEN", `"cove-1"`, "--name", "the data folder")
		if n, err := d.remove(1); n != 0 || err != nil || d.read() != theirs {
			t.Errorf("removed %d, %v", n, err)
		}
		if n, stale := d.Examine(func(profile.ID) bool { return false }); n != 0 || stale != nil {
			t.Errorf("examined %d: %v", n, stale)
		}
		// Under another name both have their entry, and each removes its own.
		y.Name = "second-1"
		if _, err := d.Add(ctx, d.client, User, y, false); err != nil {
			t.Fatal(err)
		}
		d.Home = first
		if n, err := d.remove(1); n != 1 || err != nil || strings.Contains(d.read(), `"cove-1"`) ||
			!strings.Contains(d.read(), `"second-1"`) {
			t.Errorf("removed %d, %v: %s", n, err, d.read())
		}
		d.Home = second
		if n, err := d.remove(1); n != 1 || err != nil || d.read() != before {
			t.Errorf("removed %d, %v: %s", n, err, d.read())
		}
		// A folder that is gone has no Cove any more.
		d.write(theirs)
		if err := os.RemoveAll(string(first)); err != nil {
			t.Fatal(err)
		}
		if done, err := d.Add(ctx, d.client, User, Native("/opt/cove", second, 1), false); err != nil ||
			done[0].Action != Updated {
			t.Errorf("%v, %v", done, err)
		}
	}
}

// TestAWrapperOfAnotherDataFolder checks that an entry belongs to the Cove whose profiles its wrapper opens.
func TestAWrapperOfAnotherDataFolder(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"cursor", "codex", "goose", "opencode"} {
		d := newFixture(t, "linux", client(t, name), User)
		first, second := paths.Home(d.Env.real(d.Env.home("first"))), paths.Home(d.Env.real(d.Env.home("second")))
		if err := os.MkdirAll(string(first), 0o700); err != nil {
			t.Fatal(err)
		}
		file := func(dir string, home paths.Home) string {
			named := d.Env.home(dir, wrapper.Name)
			if _, _, err := wrapper.Install(filepath.Dir(d.Env.real(named)), 3001, home, false); err != nil {
				t.Fatal(err)
			}
			return named
		}
		x, y := Wrapped("/usr/bin/node", file("mcp", first), 1), Wrapped("/usr/bin/node", file("mcp/second", second), 1)
		d.Home = first
		if _, err := d.Add(ctx, d.client, User, x, false); err != nil {
			t.Fatal(err)
		}
		theirs := d.read()
		d.Home = second
		for _, other := range []Entry{y, Native("/opt/cove", second, 1)} {
			_, err := d.Add(ctx, d.client, User, other, false)
			fails(t, err, fault.Conflict, "E_NAME_TAKEN", `"cove-1"`, "--name", "the data folder "+string(first))
		}
		if n, err := d.remove(1); n != 0 || err != nil || d.read() != theirs {
			t.Errorf("%s: removed %d, %v", name, n, err)
		}
		if _, ok, err := d.InForce(d.client, 1, true); ok || err != nil {
			t.Errorf("%s: it counts as the second one's, %v", name, err)
		}
		d.Home = first
		if f, ok, err := d.InForce(d.client, 1, true); !ok || err != nil || !f.Entry.same(x) {
			t.Errorf("%s: the first one has %v, %v", name, f.Entry, err)
		}
		if n, err := d.remove(1); n != 1 || err != nil {
			t.Errorf("%s: the first one removed %d, %v", name, n, err)
		}
	}
}

// TestTheEnvironmentOfAServer checks that a server gets what its client passes on, and the variables of its entry.
func TestTheEnvironmentOfAServer(t *testing.T) {
	all := []string{"PATH=/bin", "HOME=/home/me", "COVE_HOME=/elsewhere", "MY_TOKEN=x", "XAUTHORITY=y", "LANG=C"}
	for name, c := range map[string]struct{ text, want string }{
		"claude-code": {`{"mcpServers":{"cove-1":{"command":"/opt/cove","args":["mcp","1"],"env":{"A":"b"}}}}`,
			"PATH HOME COVE_HOME MY_TOKEN XAUTHORITY LANG A=b"},
		"gemini": {`{"mcpServers":{"cove-1":{"command":"/opt/cove","args":["mcp","1"],"env":{"A":"b"},"cwd":"/there"}}}`,
			"PATH HOME COVE_HOME LANG A=b"},
		"codex": {"[mcp_servers.cove-1]\ncommand = \"/opt/cove\"\nargs = [\"mcp\", \"1\"]\nenv = { A = \"b\" }\n",
			"PATH HOME A=b"},
		"opencode": {`{"mcp":{"cove-1":{"type":"local","command":["/opt/cove","mcp","1"],"environment":{"A":"b"}}}}`,
			"PATH HOME COVE_HOME MY_TOKEN XAUTHORITY LANG A=b"},
		"goose": {"extensions:\n  cove-1:\n    cmd: /opt/cove\n    args: [mcp, '1']\n    envs: {A: b}\n",
			"PATH HOME A=b"},
	} {
		d := newFixture(t, "linux", client(t, name), User)
		d.write(c.text)
		f, ok, err := d.InForce(d.client, 1, false)
		if !ok || err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if f.Entry.Dir != map[string]string{"gemini": "/there"}[name] {
			t.Errorf("%s: it runs in %q", name, f.Entry.Dir)
		}
		names := strings.NewReplacer("=/bin", "", "=/home/me", "", "=/elsewhere", "", "=x", "", "=y", "", "=C", "")
		got := names.Replace(strings.Join(d.client.Environ(d.Env, all, f.Entry), " "))
		if got != c.want {
			t.Errorf("%s gives %s, not %s", name, got, c.want)
		}
	}
}

// TestAVariableOfTheEntryLeadsToADataFolder checks that the variable counts if no argument names a folder.
func TestAVariableOfTheEntryLeadsToADataFolder(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	other := d.Env.real(d.Env.home("other"))
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(`{"mcpServers":{"cove-1":{"command":"/opt/cove","args":["mcp","1"],"env":{"COVE_HOME":"` + other + `"}}}}`)
	_, err := d.Add(context.Background(), d.client, User, Native("/opt/cove", d.Home, 1), false)
	fails(t, err, fault.Conflict, "E_NAME_TAKEN", "the data folder "+other)
}

// TestAProgramOfAnotherName checks that such a program is recognized as Cove's: adding the entry again changes nothing,
// with and without its record.
func TestAProgramOfAnotherName(t *testing.T) {
	ctx := context.Background()
	for _, c := range Table() {
		d := newFixture(t, "linux", c, User)
		before := existing(c, "  ", "\n")
		d.write(before)
		x := entryOf(d.Env, 12)
		x.Command = "/opt/my-browser"
		if _, err := d.Add(ctx, c, User, x, false); err != nil {
			t.Fatal(err)
		}
		if done, err := d.Add(ctx, c, User, x, false); err != nil || done[0].Action != Unchanged {
			t.Errorf("%s: %v, %v", c.Name, done, err)
		}
		record, _ := os.ReadFile(d.Home.Clients())
		if err := os.Remove(d.Home.Clients()); err != nil {
			t.Fatal(err)
		}
		if done, err := d.Add(ctx, c, User, x, false); err != nil || done[0].Action != Unchanged {
			t.Errorf("%s, without the record: %v, %v", c.Name, done, err)
		}
		if err := os.WriteFile(d.Home.Clients(), record, 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := d.remove(12); n != 1 || err != nil || d.read() != before {
			t.Errorf("%s: %d, %v, left\n%s", c.Name, n, err, d.read())
		}
	}
}

// TestARefusalSaysWhatToDoByHand checks that a refusal says what to paste and where, or what to remove.
func TestARefusalSaysWhatToDoByHand(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), Local)
	d.write(`{"projects": []}`)
	_, err := d.add(1)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", "line 1",
		"{\n  \"projects\": {\n    \"/home/me/work\": {\n      \"mcpServers\": {\n        \"cove-1\": {")
	d = newFixture(t, "linux", client(t, "cursor"), User)
	text := `{"mcpServers": {"cove-1": {"command": "/opt/cove", "args": ["mcp", "1"]}, "x": 1, "x": 2}}`
	d.write(text)
	_, err = d.remove(1)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", "line 1", `take "cove-1" out of it yourself.`)
	if strings.Contains(fault.From(err).Hint, "add this") || d.read() != text {
		t.Errorf("%s: %s", fault.From(err).Hint, d.read())
	}
}

func TestABrokenLedgerIsToldWithTheNextStep(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.Home.Clients(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.add(2)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", d.Home.Clients(), "Move it away")
	_, err = d.remove(1)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", d.Home.Clients(), "Move it away")
	if err := os.Remove(d.Home.Clients()); err != nil {
		t.Fatal(err)
	}
	if n, err := d.remove(1); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
