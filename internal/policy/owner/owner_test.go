package owner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"
)

// newAgents returns a table under a policy that binds programs, with two agents and a program.
func newAgents() (t *Table, a, b, program *Owner) {
	t = NewTable()
	t.SetRules(false, true)
	a, b, program = t.NewOwner(false), t.NewOwner(false), t.NewOwner(true)
	a.Rename("claude-code", 0)
	b.Rename("codex", 0)
	program.Rename("node", 7)
	return t, a, b, program
}

// step is a whole step: it returns the name of the agent that it was refused for.
func step(o *Owner, tab string) string {
	end, other := o.Begin(tab)
	if other != nil {
		return other.Name()
	}
	end()
	return ""
}

func TestATabIsWhoseStepCameFirst(t *testing.T) {
	table, a, b, program := newAgents()
	if got := step(a, "1"); got != "" || table.Of("1") != "claude-code" {
		t.Errorf("the first step: refused for %q, the tab is %q", got, table.Of("1"))
	}
	for _, other := range []*Owner{b, program} {
		if got := step(other, "1"); got != "claude-code" {
			t.Errorf("%s acts in it, refused for %q", other.Name(), got)
		}
	}
	if got := step(a, "1"); got != "" {
		t.Errorf("its own next step is refused for %q", got)
	}
	a.Leave()
	if got := step(b, "1"); got != "" || table.Of("1") != "codex" {
		t.Errorf("after it has left: refused for %q, the tab is %q", got, table.Of("1"))
	}
	if got := step(a, "2"); got != "" || table.Of("2") != "" {
		t.Errorf("an agent that has left owns %q again", table.Of("2"))
	}
}

func TestATabIsKeptForAWhile(t *testing.T) {
	for name, c := range map[string]struct {
		get  func(o *Owner)
		life time.Duration
	}{
		"taken":  {func(o *Owner) { step(o, "1") }, 2 * time.Minute},
		"opened": {func(o *Owner) { o.Opened("1") }, 30 * time.Minute},
		"found":  {func(o *Owner) { o.Found("1") }, 30 * time.Minute},
		"opened, with steps": {func(o *Owner) {
			o.Opened("1")
			step(o, "1")
		}, 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				table, a, b, _ := newAgents()
				c.get(a)
				<-time.After(c.life - time.Second)
				a.Look("1") // a look is a step, too
				<-time.After(c.life - time.Second)
				b.Look("1") // somebody else's is not
				if table.Of("1") != "claude-code" {
					t.Error("it is lost before its time")
				}
				<-time.After(time.Second)
				if table.Of("1") != "" || step(b, "1") != "" {
					t.Errorf("afterwards it is %q", table.Of("1"))
				}
			})
		})
	}
}

func TestAStepUnderWayKeepsTheTab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, a, b, _ := newAgents()
		end, _ := a.Begin("1")
		<-time.After(time.Hour)
		if table.Of("1") != "claude-code" || step(b, "1") == "" {
			t.Error("the tab is lost in the middle of a step")
		}
		if _, rests := b.Other("1"); rests {
			t.Error("an agent in the middle of a step rests")
		}
		end()
		end() // has no effect
		<-time.After(2*time.Minute - time.Second)
		if table.Of("1") == "" {
			t.Error("the time begins with the step's beginning")
		}
		<-time.After(time.Second)
		if table.Of("1") != "" {
			t.Error("it is kept for ever")
		}
	})
}

func TestTheTabsOfAnAgentThatIsAwayAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, a, b, _ := newAgents()
		for _, tab := range []string{"1", "2", "3"} {
			a.Opened(tab)
		}
		end, _ := a.Begin("4")
		a.Away()
		<-time.After(29 * time.Second)
		if step(b, "1") != "claude-code" {
			t.Error("it has no time to come back")
		}
		a.Back()
		<-time.After(time.Minute)
		if step(b, "1") != "claude-code" {
			t.Error("it was heard of, and has lost its tab")
		}

		a.Away()
		<-time.After(30 * time.Second)
		if table.Of("1")+table.Of("2") != "" || step(b, "1") != "" {
			t.Errorf("its tabs are %q and %q", table.Of("1"), table.Of("2"))
		}
		if step(b, "4") != "claude-code" {
			t.Error("a tab is lost in the middle of a step")
		}
		end()
		table.Closed("3")
		a.Back()
		if table.Of("2") != "claude-code" || step(a, "1") != "codex" {
			t.Error("it does not get back what is left, or gets more")
		}
		want := []Loss{{Tab: "1", By: "codex"}, {Tab: "3", Closed: true}}
		if lost := a.TakeLosses(); !reflect.DeepEqual(lost, want) {
			t.Errorf("it hears %v", lost)
		}
	})
}

func TestPopupsBelongToTheirOpener(t *testing.T) {
	table, a, _, _ := newAgents()
	a.Opened("1")
	table.Created("2", "1")
	table.Created("3", "2")
	table.Created("4", "")
	table.Created("5", "unknown")
	for tab, want := range map[string]string{"2": "claude-code", "3": "claude-code", "4": "", "5": ""} {
		if got := table.Of(tab); got != want {
			t.Errorf("tab %s is %q, not %q", tab, got, want)
		}
	}
}

// A tab that came up during a step may be one that another agent opens at the same time.
func TestATabIsWhoseWhoHasAskedForIt(t *testing.T) {
	table, a, b, _ := newAgents()
	b.Found("1")
	if got := table.Of("1"); got != "codex" {
		t.Errorf("a tab that came up during codex's step is %q", got)
	}
	a.Opened("1")
	b.Found("1")
	b.Opened("1")
	if got := step(b, "1"); got != "claude-code" {
		t.Errorf("codex's step in the tab that claude-code has opened is refused for %q", got)
	}
	if got := step(a, "1"); got != "" {
		t.Errorf("claude-code's own step is refused for %q", got)
	}
}

func TestAnAgentTakesATab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, a, b, _ := newAgents()
		a.Opened("1")
		if other, rests := b.Other("1"); other != a || rests {
			t.Fatalf("it is %v's, rests: %v", other, rests)
		}
		end, _ := a.Begin("1")
		got := make(chan *Owner)
		go func() { got <- b.Take(t.Context(), "1", a) }()
		synctest.Wait()
		if table.Of("1") != "claude-code" {
			t.Fatal("it was taken in the middle of a step")
		}
		end()
		if other := <-got; other != nil || table.Of("1") != "codex" {
			t.Fatalf("then it is %q: %v", table.Of("1"), other)
		}
		if step(a, "1") != "codex" {
			t.Error("the loser goes on")
		}
		if lost := a.TakeLosses(); !reflect.DeepEqual(lost, []Loss{{Tab: "1", By: "codex"}}) || a.TakeLosses() != nil {
			t.Errorf("it hears %v", lost)
		}
		<-time.After(2 * time.Minute)
		if table.Of("1") != "" {
			t.Error("a tab that was taken is kept as one that was opened")
		}
	})
}

func TestATakerDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, a, b, _ := newAgents()
		end, _ := a.Begin("1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if other := b.Take(ctx, "1", a); other != a {
			t.Errorf("it is %v's", other)
		}
		end()
		if table.Of("1") != "claude-code" || a.TakeLosses() != nil {
			t.Error("who has given up gets it")
		}
		if other := b.Take(t.Context(), "1", b); other != a {
			t.Errorf("somebody else's tab was taken: %v", other)
		}
		for name, gone := range map[string]func(){"leaves": a.Leave, "loses the tab": func() { table.Closed("1") }} {
			_, _ = a.Begin("1")
			got := make(chan *Owner)
			go func() { got <- b.Take(t.Context(), "1", a) }()
			synctest.Wait()
			gone()
			if other := <-got; other != nil {
				t.Errorf("an owner that %s keeps it: %v", name, other)
			}
			a.left = false
		}
	})
}

func TestTheOwnerHearsOfTheEndOfItsTab(t *testing.T) {
	table, a, _, program := newAgents()
	for _, tab := range []string{"1", "2", "3", "4"} {
		a.Opened(tab)
	}
	end, _ := a.Begin("1")
	table.Closed("1") // its own step
	end()
	table.Closed("2")
	program.Closing("3")
	table.Closed("3")
	a.Closing("4")
	table.Closed("4")
	table.Closed("5")
	want := []Loss{{Tab: "2", Closed: true}, {Tab: "3", By: "node", Closed: true}, {Tab: "4", Closed: true}}
	if lost := a.TakeLosses(); !reflect.DeepEqual(lost, want) {
		t.Errorf("it hears %v", lost)
	}
}

func TestWhoIsNotHeldOwnsNothing(t *testing.T) {
	table, a, b, program := newAgents()
	step(program, "1")
	a.Opened("2")
	table.SetRules(false, false) // open: programs work as with Chrome
	if step(program, "2") != "" || table.Of("2") != "claude-code" || step(a, "1") != "" {
		t.Error("a program is held under open")
	}
	program.Opened("3")
	table.Created("4", "3")
	if table.Of("3")+table.Of("4") != "" {
		t.Error("a program's tab is not free under open")
	}
	table.SetRules(true, true)
	if step(b, "2") != "" || table.Of("2") != "" || !table.Shared() {
		t.Error("somebody is held where tabs are shared")
	}
	table.SetRules(false, true)
	if step(b, "2") != "claude-code" {
		t.Error("owners are forgotten")
	}
}

func TestConnectionsOfOneProgramAreOneOwner(t *testing.T) {
	table, _, _, first := newAgents()
	second, stranger := table.NewOwner(true), table.NewOwner(true)
	second.Rename("node", 7)
	stranger.Rename("node", 8)
	step(first, "1")
	if step(second, "1") != "" || step(stranger, "1") != "node" {
		t.Error("programs are not told apart by their process")
	}
	second.Leave() // it has acted last
	if table.Of("1") != "node" {
		t.Error("the tab is lost while the program is connected")
	}
	first.Leave()
	if table.Of("1") != "" {
		t.Error("the tab is kept without a connection")
	}
}

// model is what a random run must hold to, kept beside the table in the plainest way.
type model struct {
	owner map[string]*Owner
	last  map[string]time.Time
	life  map[string]time.Duration
}

func (m *model) of(tab string) *Owner {
	if m.owner[tab] == nil || time.Since(m.last[tab]) >= m.life[tab] {
		return nil
	}
	return m.owner[tab]
}

func (m *model) give(tab string, o *Owner, life time.Duration) {
	if m.owner[tab] != o {
		m.life[tab] = 0
	}
	m.owner[tab], m.last[tab], m.life[tab] = o, time.Now(), max(life, m.life[tab])
}

// Two agents and a program do a thousand random steps while a person closes tabs and time passes: nobody acts in
// another's tab, every refusal names the owner, and who is refused gets on in a tab of its own.
func TestRandomSteps(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) { randomSteps(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func randomSteps(t *testing.T, random *rand.Rand) {
	table, a, b, program := newAgents()
	m := &model{map[string]*Owner{}, map[string]time.Time{}, map[string]time.Duration{}}
	all, tabs, next := []*Owner{a, b, program}, []string{"1", "2", "3"}, 3
	open := func(o *Owner) string {
		next++
		tab := fmt.Sprint(next)
		tabs = append(tabs, tab)
		o.Opened(tab)
		m.give(tab, o, openedLife)
		return tab
	}

	refused, taken := 0, 0
	for range 1000 {
		<-time.After(time.Duration(random.IntN(40)) * time.Second)
		o, tab := all[random.IntN(len(all))], tabs[random.IntN(len(tabs))]
		switch what := random.IntN(20); {
		case what == 0:
			open(o)
		case what == 1 && len(tabs) > 3: // the person, or the page itself
			table.Closed(tab)
			if m.owner[tab] != nil && m.of(tab) == nil {
				for _, l := range m.owner[tab].TakeLosses() {
					if l.Tab == tab {
						t.Fatal("somebody hears of the end of a tab that was nobody's")
					}
				}
			}
			delete(m.owner, tab)
			tabs = without(tabs, tab)
		case what == 2:
			from, rests := o.Other(tab)
			want := m.of(tab)
			if want == o {
				want = nil
			}
			if from != want || rests != (want != nil && time.Since(m.last[tab]) >= restLimit) {
				t.Fatalf("tab %s is %v's (rests: %v), not %v's", tab, from, rests, want)
			}
			if other := o.Take(t.Context(), tab, from); other != nil {
				t.Fatalf("it stays %s's", other.Name())
			}
			if want != nil {
				taken++
			}
			if want != nil || m.of(tab) == nil {
				m.give(tab, o, takenLife)
			}
		case what == 3:
			o.Look(tab)
			if m.of(tab) == o {
				m.last[tab] = time.Now()
			}
		default:
			want := m.of(tab)
			end, other := o.Begin(tab)
			if want != nil && want != o {
				if other != want {
					t.Fatalf("%s acts in a tab of %s: %v", o.Name(), want.Name(), other)
				}
				refused++
				if step(o, open(o)) != "" {
					t.Fatal("an agent is stuck")
				}
				continue
			}
			if other != nil {
				t.Fatalf("%s is refused for %s in a free tab", o.Name(), other.Name())
			}
			<-time.After(time.Duration(random.IntN(5)) * time.Second)
			end()
			m.give(tab, o, takenLife)
		}
		if len(tabs) > 12 {
			table.Closed(tabs[0])
			delete(m.owner, tabs[0])
			tabs = tabs[1:]
		}
	}
	if refused < 50 || taken < 5 {
		t.Errorf("only %d refusals and %d takes: the run tries nothing", refused, taken)
	}
}

func without(list []string, one string) (rest []string) {
	for _, s := range list {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}
