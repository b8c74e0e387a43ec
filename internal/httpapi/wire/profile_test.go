package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/profile"
	"cove/internal/session"
)

// examples has a value of every field of ProfileInput, and under what name and how a profile then shows it.
var examples = map[string]struct{ sent, name, shown string }{
	"name":       {`"Shop"`, "name", `"Shop"`},
	"tags":       {`["a","b"]`, "tags", `["a","b"]`},
	"notes":      {`"x"`, "notes", `"x"`},
	"folder":     {`"Clients"`, "folder", `"Clients"`},
	"status":     {`7`, "status", `{"id":7,"name":"","color":"","deleted":0}`},
	"startPages": {`["https://x/"]`, "startPages", `["https://x/"]`},
	"window":     {`{"width":800,"height":600}`, "window", `{"width":800,"height":600}`},
	"locale":     {`"en-GB"`, "locale", `"en-GB"`},
	"timezone":   {`"Europe/Berlin"`, "timezone", `"Europe/Berlin"`},
	"proxy":      {`7`, "proxyId", `7`},
	"args":       {`["--mute-audio"]`, "args", `["--mute-audio"]`},
	"pageTools":  {`"off"`, "pageTools", `"off"`},
	"browser":    {`"/b"`, "browser", `"/b"`},
	"policy":     {`{"preset":"guarded"}`, "agents", `"guarded"`},
}

// A field that is sent arrives in the profile and is shown: none is read and then dropped.
func TestEveryFieldOfAnInputIsShown(t *testing.T) {
	for f := range reflect.TypeFor[api.ProfileInput]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		one, ok := examples[name]
		if !slices.Contains(InputFields, name) || !ok {
			t.Errorf("%s is a field of ProfileInput: add it to InputFields and to the examples of this test", name)
			continue
		}
		in, ignored, err := ReadInput(json.RawMessage(`{"` + name + `":` + one.sent + `}`))
		if err != nil || len(ignored) > 0 {
			t.Errorf("%s: %v, ignored %q", name, err, ignored)
			continue
		}
		var p profile.Profile
		Apply(in, &p)
		raw, err := json.Marshal(ShowProfile(p, session.Status{}, true))
		if err != nil {
			t.Fatal(err)
		}
		var shown map[string]json.RawMessage
		if err := json.Unmarshal(raw, &shown); err != nil {
			t.Fatal(err)
		}
		if got := string(shown[one.name]); got != one.shown {
			t.Errorf("%s is sent as %s and shown as %s: %q, want %s", name, one.sent, one.name, got, one.shown)
		}
	}
}
