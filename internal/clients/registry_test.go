package clients

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/wrapper"
)

func client(t *testing.T, name string) Client {
	t.Helper()
	c, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fails checks the code, the kind and the words of a failure.
func fails(t *testing.T, err error, kind fault.Kind, code string, words ...string) {
	t.Helper()
	f := fault.From(err)
	if err == nil || f.Kind != kind || string(f.Code) != code || f.Hint == "" {
		t.Fatalf("%v (%s, %s; %s), not %s", err, f.Kind, f.Code, f.Hint, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Text+" "+f.Hint, w) {
			t.Errorf("%q, %q do not say %q", f.Text, f.Hint, w)
		}
	}
}

func TestAnUnknownClientIsRefusedByName(t *testing.T) {
	_, err := Find("emacs")
	fails(t, err, fault.NotFound, "E_NO_CLIENT", `"emacs"`, "claude-code")
}

func TestAClientThatIsNotThereIsRefused(t *testing.T) {
	for _, c := range Table() {
		e := fakeEnv(t, "linux")
		r := &Registry{Env: e, Home: paths.Home(t.TempDir())}
		_, err := r.Add(context.Background(), c, User, entryOf(e, 1), false)
		fails(t, err, fault.NotFound, "E_NOT_INSTALLED", c.Title, "cove client snippet "+c.Name+" 1",
			"its folder "+c.folders(e)[0])
		if e.exists(c.folders(e)[0]) {
			t.Errorf("%s: %s is there", c.Name, c.folders(e)[0])
		}
		// A program on the PATH is enough.
		if len(c.Programs) > 0 {
			r.Env.LookPath = func(p string) (string, error) {
				if p == c.Programs[0] {
					return "/usr/bin/" + p, nil
				}
				return "", errors.New("no")
			}
			if _, err := r.Add(context.Background(), c, User, entryOf(e, 1), false); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
}

func TestAScopeThatAClientDoesNotHave(t *testing.T) {
	d := newFixture(t, "linux", client(t, "goose"), Project)
	_, err := d.add(1)
	fails(t, err, fault.Invalid, "E_INVALID", "Goose has no project scope", "user")
	d.scope = "galaxy"
	_, err = d.add(1)
	fails(t, err, fault.Invalid, "E_INVALID", "not a scope")
}

func TestNamesThatNoClientTakes(t *testing.T) {
	for _, name := range []string{"", "a b", "Cove", "a_b", "-a", "é", strings.Repeat("x", 65)} {
		if CheckName(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"cove-1", "a", "7"} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

func TestATakenNameIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"cursor": `{"mcpServers": {"cove-1": {"command": "other"}}}`,
		"codex":  "[mcp_servers.cove-1]\ncommand = \"other\"\n",
		"goose":  "extensions:\n  cove-1:\n    cmd: other\n",
		// An entry of another profile.
		"zed": `{"context_servers": {"cove-1": {"command": "/opt/cove", "args": ["mcp", "2"]}}}`,
	} {
		d := newFixture(t, "linux", client(t, name), User)
		d.write(text)
		_, err := d.add(1)
		fails(t, err, fault.Conflict, "E_NAME_TAKEN", `"cove-1"`, "--name")
		if d.read() != text {
			t.Errorf("%s was changed", name)
		}
		if n, err := d.remove(1); n != 0 || err != nil || d.read() != text {
			t.Errorf("%s: removed %d, %v", name, n, err)
		}
	}
}

func TestAnEntryOfOursIsBroughtUpToDate(t *testing.T) {
	for _, c := range Table() {
		for _, extended := range []bool{false, true} {
			d := newFixture(t, "linux", c, User)
			d.write(existing(c, "  ", "\n"))
			if _, err := d.add(12); err != nil {
				t.Fatal(err)
			}
			if extended { // a person has added something to it
				switch c.Format {
				case edit.TOML:
					d.write(d.read() + "mine = true # by hand\n\n[mcp_servers.cove-12.env]\nA = \"b\"\n")
				case edit.YAML:
					d.write(strings.Replace(d.read(), "    enabled: true",
						"    mine: true # by hand\n    enabled: true", 1))
				default:
					d.write(strings.Replace(d.read(), `"cove-12": {`, `"cove-12": {`+"\n      \"mine\": true,", 1))
				}
			}
			node := Entry{Name: "cove-12", Profile: 12, Command: "/usr/bin/node",
				Args: []string{"/home/me/mcp/" + wrapper.Name, "12"}}
			done, err := d.Add(context.Background(), c, User, node, false)
			if err != nil || done[0].Action != Updated {
				t.Fatalf("%s: %v, %v", c.Name, done, err)
			}
			found, err := d.search(c, anywhere)
			if err != nil || len(found) != 1 || !found[0].Entry.same(node) {
				t.Errorf("%s: %v, %v\n%s", c.Name, found, err, d.read())
			}
			if extended != strings.Contains(d.read(), "mine") {
				t.Errorf("%s: what a person added is gone:\n%s", c.Name, d.read())
			}
			if n, err := d.remove(12); n != 1 || err != nil || d.read() != existing(c, "  ", "\n") {
				t.Errorf("%s: %d, %v, left\n%s", c.Name, n, err, d.read())
			}
		}
	}
}

// TestWhatOthersAddedStays checks that a key that Cove made stays if it has somebody else's server now.
func TestWhatOthersAddedStays(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	d.write(strings.Replace(d.read(), `"mcpServers": {`, `"mcpServers": {`+"\n    \"mine\": {\"command\": \"x\"},", 1))
	if _, err := d.remove(1); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"mcpServers\": {\n    \"mine\": {\"command\": \"x\"}\n  }\n}\n"; d.read() != want {
		t.Errorf("left %q", d.read())
	}
}

// TestWithoutALedger checks that Cove recognizes and removes an entry that somebody pasted, or whose record is lost.
func TestWithoutALedger(t *testing.T) {
	for _, c := range Table() {
		d := newFixture(t, "linux", c, User)
		before := existing(c, "  ", "\n")
		d.write(before)
		if _, err := d.add(1); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(d.Home.Clients()); err != nil {
			t.Fatal(err)
		}
		if action, err := d.add(1); err != nil || action != Unchanged {
			t.Errorf("%s: %s, %v", c.Name, action, err)
		}
		if n, err := d.remove(1); err != nil || n != 1 || d.read() != before {
			t.Errorf("%s: %d, %v, left\n%s", c.Name, n, err, d.read())
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	d := newFixture(t, "linux", client(t, "vscode"), User)
	before := existing(d.client, "  ", "\n")
	d.write(before)
	done, err := d.Add(context.Background(), d.client, User, entryOf(d.Env, 3), true)
	if err != nil || d.read() != before || done[0].Action != Added {
		t.Fatalf("%v, %v", done, err)
	}
	for _, want := range []string{"--- /home/me/.config/Code/User/mcp.json\n", "+    \"cove-3\": {\n",
		"-    \"two\": { \"command\": \"two\" }\n", "+    \"two\": { \"command\": \"two\" },\n"} {
		if !strings.Contains(done[0].Diff, want) {
			t.Errorf("%q is not in\n%s", want, done[0].Diff)
		}
	}
	if _, err := os.Stat(d.Home.Clients()); err == nil {
		t.Error("the ledger was written")
	}
}

func TestOtherFoldersStayUnlessAsked(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), Project)
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	first := d.Env.Dir
	d.Env.Dir = d.Env.home("second")
	if _, err := d.add(1); err != nil {
		t.Fatal(err)
	}
	// A broken file in another folder does not matter here.
	other := d.Env.real(d.Env.join(first, ".cursor", "mcp.json"))
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := d.remove(1); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	_, err = d.Remove(context.Background(), d.client, Removal{Profile: 1, Everywhere: true}, false)
	fails(t, err, fault.Conflict, "E_BROKEN_FILE", first)
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := d.Remove(context.Background(), d.client, Removal{Profile: 1, Everywhere: true}, false)
	if err != nil || len(done) != 1 || !strings.HasPrefix(done[0].File, first) {
		t.Errorf("%v, %v", done, err)
	}
}

func TestAllStatesAreToldDespiteABrokenFile(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	d.write("{")
	for _, s := range d.States() {
		if (s.Err != nil) != (s.Client.Name == "cursor") || s.Installed != (s.Client.Name == "cursor") {
			t.Errorf("%s: installed %v, %v", s.Client.Name, s.Installed, s.Err)
		}
	}
}

func TestADataFolderThatCannotBeUsedIsToldByName(t *testing.T) {
	d := newFixture(t, "linux", client(t, "cursor"), User)
	d.Home = paths.Home(filepath.Join(t.TempDir(), "a file"))
	if err := os.WriteFile(string(d.Home), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.add(1)
	fails(t, err, fault.Denied, "E_UNWRITABLE", string(d.Home), "not a directory")
	if d.read() != "(no file)\n" {
		t.Errorf("wrote %s", d.read())
	}
	fails(t, unwritable("f", &os.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC}), fault.Unavailable,
		"E_DISK_FULL", "Free some space")
}
