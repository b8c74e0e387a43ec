package profiles

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cove/api"
)

// given has a flag of every field that a profile is made of, a value, and how the field is then sent. The name is the
// command's argument or a flag of its own; the policy has a command of its own.
var given = map[string]struct{ flag, value, sent string }{
	"tags":       {"tag", "a", `["a"]`},
	"notes":      {"notes", "x", `"x"`},
	"folder":     {"folder", "Clients", `"Clients"`},
	"status":     {"status", "7", ""}, // the command asks the app for its id
	"startPages": {"start-page", "https://x/", `["https://x/"]`},
	"window":     {"window", "800x600", `{"width":800,"height":600}`},
	"locale":     {"locale", "en-GB", `"en-GB"`},
	"timezone":   {"timezone", "Europe/Berlin", `"Europe/Berlin"`},
	"proxy":      {"proxy", "7", `{"id":7}`},
	"args":       {"arg", "--mute-audio", `["--mute-audio"]`},
	"pageTools":  {"page-tools", "off", `"off"`},
	"browser":    {"browser", "/b", `"/b"`},
	"name":       {}, "policy": {},
}

// Every field of a profile has a flag, and what the flag says is sent.
func TestEveryFieldHasAFlag(t *testing.T) {
	for f := range reflect.TypeFor[api.ProfileInput]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		one, ok := given[name]
		if !ok {
			t.Errorf("%s is a field of ProfileInput: give it a flag, and a row in this test", name)
		}
		if one.flag == "" {
			continue
		}
		var all fields
		cmd := &cobra.Command{}
		all.bind(cmd)
		if err := cmd.ParseFlags([]string{"--" + one.flag, one.value}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		in, err := all.input(cmd)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if one.sent == "" {
			continue
		}
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"` + name + `":` + one.sent + `}`; string(raw) != want {
			t.Errorf("--%s %s sends %s, want %s", one.flag, one.value, raw, want)
		}
	}
}

// `cove profile show` has a line for everything that a person has set.
func TestShowHasEveryField(t *testing.T) {
	shown := map[string]string{"name": "Shop", "tags": "a, b", "notes": "for later", "folder": "Clients",
		"status": "Ready", "startPages": "https://x/", "window": "800x600", "locale": "en-GB",
		"timezone": "Europe/Berlin", "proxy": "http://127.0.0.1:8080", "args": "--mute-audio", "pageTools": "off",
		"browser": "/b", "policy": ""} // `cove policy show` shows it
	var p api.Profile
	if err := json.Unmarshal([]byte(`{"id": 3, "name": "Shop", "tags": ["a", "b"], "notes": "for later",
		"folder": "Clients", "status": {"id": 1, "name": "Ready"}, "startPages": ["https://x/"],
		"window": {"width": 800, "height": 600}, "locale": "en-GB", "timezone": "Europe/Berlin", "proxyId": 4,
		"proxy": {"type": "http", "host": "127.0.0.1", "port": 8080}, "args": ["--mute-audio"], "pageTools": "off",
		"browser": "/b"}`), &p); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	writeProfile(&out, p)
	for f := range reflect.TypeFor[api.ProfileInput]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		want, ok := shown[name]
		if !ok {
			t.Errorf("%s is a field of ProfileInput: show it, and add it to this test", name)
		}
		if !strings.Contains(out.String(), " "+want) {
			t.Errorf("%s is not shown:\n%s", name, out.String())
		}
	}
}
