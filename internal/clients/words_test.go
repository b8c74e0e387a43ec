package clients

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"cove/internal/fault"
)

// TestALinkArrivesAsItWasMeant checks links for clients that read + as a blank and for those that do not, and for
// values with an &.
func TestALinkArrivesAsItWasMeant(t *testing.T) {
	x := Entry{Name: "cove-1", Profile: 1, Command: `C:\my tools\c++ & "50%20" #1?=;é$(x)\cove.exe`,
		Args: []string{"mcp", "1", "--home", "/home/me/a b"}}
	type server struct {
		Name, Command string
		Args          []string
	}
	for _, c := range Table() {
		if c.Link == nil {
			continue
		}
		link := c.Link(x)
		got := server{}
		address, query, _ := strings.Cut(link, "?")
		if strings.ContainsAny(query, "+ \"#?") {
			t.Errorf("%s: %s", c.Name, link)
		}
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Errorf("%s: %v: %s", c.Name, err, link)
		}
		got.Name = values.Get("name")
		config, err := base64.StdEncoding.DecodeString(values.Get("config"))
		switch address {
		case "goose://extension":
			config, err = json.Marshal(server{got.Name, values.Get("cmd"), values["arg"]})
		case "kiro://kiro.mcp/add":
			config, err = []byte(values.Get("config")), nil
		case "vscode:mcp/install", "vscode-insiders:mcp/install": // all of it is one value
			var text string
			text, err = url.PathUnescape(query)
			config = []byte(text)
		case "cursor://anysphere.cursor-deeplink/mcp/install", "lmstudio://add_mcp":
		default:
			t.Errorf("%s: %s", c.Name, address)
		}
		if err == nil {
			err = json.Unmarshal(config, &got)
		}
		if want := (server{x.Name, x.Command, x.Args}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v of %s", c.Name, got, err, link)
		}
	}
}

// TestAPathThatAClientWouldChangeIsRefused covers clients that replace variables in commands and arguments. None can be
// told not to.
func TestAPathThatAClientWouldChangeIsRefused(t *testing.T) {
	for name, words := range map[string][]string{
		"gemini": {"/a/$HOME/b", "/a/${HOME}"}, "qwen": {"/a/$x"}, "opencode": {"/{env:HOME}", "/{file:x}"},
		"claude-code": {"/${HOME}"}, "vscode": {"/${userHome}"}, "codex": nil,
	} {
		d := newFixture(t, "linux", client(t, name), User)
		for _, word := range words {
			x := entryOf(d.Env, 1)
			x.Args = append(x.Args, "--home", word)
			_, err := d.Add(context.Background(), d.client, User, x, false)
			fails(t, err, fault.Invalid, "E_INVALID", d.client.Title, word)
		}
		x := entryOf(d.Env, 1)
		x.Command = "/a $ {b} $(c) 100%/cove"
		if name == "codex" {
			x.Command = "/a/$HOME/${HOME}/{env:HOME}/cove"
		}
		if _, err := d.Add(context.Background(), d.client, User, x, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryPathArrivesAsItIs checks paths in an existing file and in a new one. A path that no file can contain is
// refused.
func TestEveryPathArrivesAsItIs(t *testing.T) {
	for _, name := range []string{"claude-code", "codex", "goose"} {
		for _, path := range []string{"/a b/'\"\\/cove", "/\t\n\r\b\f\x01\x1f\x7f/cove",
			"/\u0080\u0085\u009f\u00a0\u2028\u2029\ufeff\ufffd\ufffe/cove", "/\U0001f600é%s#: - *&/cove", "/\xff/cove"} {
			for _, blank := range []bool{false, true} {
				d := newFixture(t, "linux", client(t, name), User)
				before := existing(d.client, "  ", "\n")
				if blank {
					before = ""
				}
				d.write(before)
				x := entryOf(d.Env, 12)
				x.Command = path
				_, err := d.Add(context.Background(), d.client, User, x, false)
				if !utf8.ValidString(path) {
					fails(t, err, fault.Invalid, "E_INVALID", "not UTF-8")
					continue
				}
				if err != nil {
					t.Errorf("%s, %q: %v", name, path, err)
					continue
				}
				if found, err := d.search(d.client, anywhere); err != nil || len(found) != 1 ||
					found[0].Entry.Command != path {
					t.Errorf("%s, %q: %v, %v", name, path, found, err)
				}
				if strings.ContainsFunc(d.read(), func(r rune) bool {
					return r != '\n' &&
						(r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfeff)
				}) {
					t.Errorf("%s, %q: a character that some parsers refuse is in\n%q", name, path, d.read())
				}
				if n, err := d.remove(12); n != 1 || err != nil || d.read() != before {
					t.Errorf("%s, %q: %d, %v, left %q", name, path, n, err, d.read())
				}
			}
		}
	}
}
