package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/fault"
)

func TestAProgramsTabsEndWithItsConnection(t *testing.T) {
	e := NewEnforcer(Policy{Preset: Guarded})
	a, err := e.Admit(Agent{Kind: Program, Name: "program"})
	if err != nil {
		t.Fatal(err)
	}
	a.Rename(Agent{Kind: Program, Name: "node", PID: 7})
	a.Owner().Opened("1")
	if name := e.Tabs().Of("1"); name != "node" {
		t.Errorf("the tab is %q", name)
	}
	e.Set(Policy{Preset: Guarded, SharedTabs: true})
	if name := e.Tabs().Of("1"); name != "" {
		t.Errorf("where tabs are shared it is %q", name)
	}
	e.Set(Policy{Preset: Guarded})
	a.Close()
	if name := e.Tabs().Of("1"); name != "" {
		t.Errorf("after the program has gone it is %q", name)
	}
}

func TestATakenTabIsWrittenDown(t *testing.T) {
	e := NewEnforcer(Policy{})
	var got []string
	e.OnEvent(func(ev Event) {
		args, _ := json.Marshal(ev.Args)
		got = append(got, ev.Name+" "+ev.Page+" "+string(args))
	})
	a, err := e.Admit(Agent{Kind: Tools, Name: "codex", Version: "2"})
	if err != nil {
		t.Fatal(err)
	}
	a.TabTaken("https://a.example/", "claude-code")
	want := `tab_owner https://a.example/ {"agent":"codex 2","from":"claude-code"}`
	if len(got) != 1 || got[0] != want {
		t.Errorf("the journal gets %q", got)
	}
}

func TestTheRightToTakeTabs(t *testing.T) {
	for preset, want := range map[Preset]Answer{Open: Yes, Guarded: Ask, ReadOnly: No, Off: No} {
		if got := (Policy{Preset: preset}).Right(Tab); got != want {
			t.Errorf("%s says %s", preset, got)
		}
	}
	if shared := (Policy{SharedTabs: true}); !shared.Loosens(Policy{}) || (Policy{}).Loosens(shared) {
		t.Error("sharing tabs gives agents more, and the owner must confirm it")
	}
	refusal := TabOwned("Page 4", "claude-code", "")
	if !strings.HasPrefix(refusal.Text, "Page 4 is claude-code's.") || refusal.Kind != fault.Conflict {
		t.Errorf("%s: %s", refusal.Kind, refusal.Text)
	}
}
