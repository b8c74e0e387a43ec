package mcpserver

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver/admission"
	"cove/internal/mcpserver/record"
	"cove/internal/mcpserver/redaction"
	"cove/internal/policy"
)

// A caller without a session is no agent while it rests, and finds its tabs when it comes back.
func TestTabsOutliveTheAdmissionOfACallerThatRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := policy.NewEnforcer(policy.Policy{})
		s := NewServer(Config{Enforcer: e})
		one, other := s.caller("one"), s.caller("other")
		admit := func(c *client, name string) *policy.Admission {
			t.Helper()
			c.admissions.CloseWhenIdle()
			a, err := c.admissions.Admit(policy.Agent{Kind: policy.Tools, Name: name})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		admit(one, "claude-code")
		admit(other, "codex")
		one.owner.Opened("1")

		<-time.After(admission.IdleLimit)
		synctest.Wait()
		if n := len(e.State().Agents); n != 0 {
			t.Fatalf("%d agents after their time", n)
		}
		if name := e.Tabs().Of("1"); name != "claude-code" {
			t.Errorf("the tab is %q", name)
		}
		if _, rests := other.owner.Other("1"); !rests {
			t.Error("its owner does not rest")
		}
		if s.caller("one").owner != one.owner {
			t.Error("the caller is another owner when it comes back")
		}

		admit(one, "claude-code")
		s.forget(one)
		if name := e.Tabs().Of("1"); name != "" {
			t.Errorf("after it has left, the tab is %q", name)
		}
		<-time.After(admission.IdleLimit)
		synctest.Wait()
	})
}

// The journal calls a step in another agent's tab refused, whichever way it came: the gate's entries say the same.
func TestAStepInAnothersTabIsRecordedAsRefused(t *testing.T) {
	r := redaction.New(nil, slog.New(slog.DiscardHandler))
	outcome, reason, brief := record.Outcome(r, policy.TabOwned("Page 4", "codex", "Work in a page of your own."))
	if outcome != journal.Refused || reason != "Page 4 is codex's. Nothing was done." || brief != "the page is codex’s" {
		t.Errorf("%s: %s (%s)", outcome, reason, brief)
	}
	if outcome, _, _ = record.Outcome(r, fault.New(fault.CodeCovered, "Button is covered.", "")); outcome != journal.Failed {
		t.Errorf("another conflict is %s", outcome)
	}
}

func TestAnAgentThatMustGoLosesItsTabs(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(e *policy.Enforcer, a *policy.Admission)
		kept bool
	}{
		"stopped":             {func(e *policy.Enforcer, _ *policy.Admission) { e.Suspend(true) }, false},
		"disconnected":        {func(e *policy.Enforcer, a *policy.Admission) { _ = e.Disconnect(a.Session()) }, false},
		"agents turned off":   {func(e *policy.Enforcer, _ *policy.Admission) { e.Set(policy.Policy{Preset: policy.Off}) }, false},
		"its admission ended": {func(_ *policy.Enforcer, a *policy.Admission) { a.Close() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			e := policy.NewEnforcer(policy.Policy{})
			as := admission.New(e)
			a, err := as.Admit(policy.Agent{Kind: policy.Tools, Name: "codex"})
			if err != nil {
				t.Fatal(err)
			}
			as.Owner.Opened("1")
			c.end(e, a)
			if kept := e.Tabs().Of("1") == "codex"; kept != c.kept {
				t.Errorf("the tab is %q", e.Tabs().Of("1"))
			}
		})
	}
}
