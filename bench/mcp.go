package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"
)

// agents compares our MCP server with its rivals, each on a profile of its own and all through the gate but ours, in turns.
func agents(ctx context.Context, a *app, dir string) error {
	site := newSite()
	defer site.Close()
	all, err := rivals(ctx, a, dir, servers)
	if err != nil {
		return err
	}
	if program := os.Getenv("BASE"); program != "" {
		before, stop, err := versionBefore(ctx, program, dir)
		if err != nil {
			return err
		}
		defer stop()
		all = append(all, before)
	}
	m := &match{all: all, site: site.URL, samples: map[string][][]float64{}, texts: map[string][]string{}}
	defer m.end()
	keeperBefore := ownMemory(all[ours].helper())
	for _, step := range []func(context.Context) error{m.spawns, m.lists, m.snapshots, m.actions, m.pictures, m.memory} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	growth := ownMemory(all[ours].helper()) - keeperBefore
	m.set("growth", ours, growth)
	m.set("growth", agentBrowser, ownMemory(all[agentBrowser].helper()))
	if err := m.price(ctx); err != nil {
		return err
	}
	m.print()
	return nil
}

// match is one run of all servers.
type match struct {
	all     []*rival
	site    string
	samples map[string][][]float64 // by row and server
	texts   map[string][]string
	lost    []string
}

func (m *match) add(row string, server int, value float64) {
	if m.samples[row] == nil {
		m.samples[row] = make([][]float64, len(m.all))
	}
	m.samples[row][server] = append(m.samples[row][server], value)
}

func (m *match) set(row string, server int, value float64) {
	if m.samples[row] != nil {
		m.samples[row][server] = nil
	}
	m.add(row, server, value)
}

func (m *match) text(row string, server int, text string) {
	if m.texts[row] == nil {
		m.texts[row] = make([]string, len(m.all))
	}
	m.texts[row][server] = text
}

// pause is between two servers' turns: what one still does after its answer, as ours takes a picture for its journal, falls into
// nobody else's time.
const pause = 250 * time.Millisecond

// turns runs do for each server in each round, in another order each time: none always comes after the same one.
func (m *match) turns(rounds int, do func(round, server int, r *rival) error) error {
	order := rand.New(rand.NewPCG(1, 2)) // the same in every run
	for round := range rounds {
		for _, s := range order.Perm(len(m.all)) {
			if err := do(round, s, m.all[s]); err != nil {
				return fmt.Errorf("%s: %w", m.all[s].name, err)
			}
			time.Sleep(pause)
		}
	}
	return nil
}

const spawnRounds = 15

func (m *match) spawns(ctx context.Context) error {
	for _, r := range m.all { // these do the work later
		p, _, err := spawn(ctx, r.command, r.env, r.dir)
		if err != nil {
			return err
		}
		r.peer = p
		if _, _, err := p.do(r.list); err != nil {
			return err
		}
	}
	return m.turns(spawnRounds, func(_, s int, r *rival) error {
		began := time.Now()
		p, took, err := spawn(ctx, r.command, r.env, r.dir)
		if err != nil {
			return err
		}
		defer p.close()
		if _, _, err := p.do(r.list); err != nil {
			return err
		}
		m.add("first", s, time.Since(began).Seconds())
		m.add("initialize", s, took.Seconds())
		return nil
	})
}

func (m *match) lists(context.Context) error {
	for s, r := range m.all {
		raw, err := r.peer.tools()
		if err != nil {
			return err
		}
		m.text("tools", s, string(raw))
	}
	return m.timed("list_pages", 40, nil, func(r *rival) []call { return []call{r.list} }, nil)
}

// timed measures a call; before prepares each round, after checks it.
func (m *match) timed(row string, rounds int, before func(round int, r *rival) error, what func(r *rival) []call, after func(round int, r *rival) error) error {
	return m.turns(rounds+1, func(round, s int, r *rival) error {
		if before != nil {
			if err := before(round, r); err != nil {
				return err
			}
		}
		text, took, err := r.peer.do(what(r)...)
		if err != nil {
			return fmt.Errorf("%s: %w", row, err)
		}
		if round > 0 { // the first is for warming up
			m.add(row, s, took.Seconds())
		}
		if after != nil {
			if err := after(round, r); err != nil {
				return fmt.Errorf("%s: %w", row, err)
			}
		}
		m.text(row, s, text)
		return nil
	})
}

func (m *match) goTo(path string) error {
	for _, r := range m.all {
		if _, _, err := r.peer.do(r.open(m.site + path)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// snapshots changes the page a little before each, so that nobody answers from memory.
func (m *match) snapshots(context.Context) error {
	for _, p := range []struct {
		path   string
		rounds int
	}{{"small", 21}, {"article", 15}, {"large", 7}} {
		if err := m.goTo("/" + p.path); err != nil {
			return err
		}
		change := func(round int, r *rival) error {
			_, _, err := r.peer.do(r.eval(fmt.Sprintf("() => { const p = document.getElementById('bench') || document.body.appendChild(Object.assign(document.createElement('p'), {id: 'bench'})); p.textContent = 'Round %d'; return 1 }", round)))
			return err
		}
		row := "snapshot " + p.path
		if err := m.timed(row, p.rounds, change, func(r *rival) []call { return []call{r.look} }, nil); err != nil {
			return err
		}
		theirs := m.texts[row][upstream]
		n, lost := missing(theirs, m.texts[row][ours])
		if n == 0 && p.path != "small" {
			return errors.New("no element of upstream's snapshot was understood")
		}
		if len(lost) > 0 {
			m.lost = append(m.lost, fmt.Sprintf("%s: %d of %d actionable elements of upstream's are not in ours: %s", row, len(lost), n, strings.Join(lost[:min(3, len(lost))], ", ")))
		} else {
			m.lost = append(m.lost, fmt.Sprintf("%s: all %d actionable elements of upstream's are in ours", row, n))
		}
	}
	return nil
}

// refs takes a snapshot with each server and finds elements in it.
func (m *match) refs(role string, names ...string) ([][]string, error) {
	found := make([][]string, len(m.all))
	for s, r := range m.all {
		text, _, err := r.peer.do(r.look)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			ref, err := r.find(text, role, name)
			if err != nil {
				return nil, err
			}
			found[s] = append(found[s], ref)
		}
	}
	return found, nil
}

// expect asks the page itself whether an action has had its effect.
func expect(r *rival, function, want string) error {
	text, _, err := r.peer.do(r.eval(function))
	if err == nil && !strings.Contains(text, want) {
		err = fmt.Errorf("the page says %q, not %s", text, want)
	}
	return err
}

func (m *match) server(r *rival) int {
	for s := range m.all {
		if m.all[s] == r {
			return s
		}
	}
	return -1
}

const actionRounds = 15

func (m *match) actions(context.Context) error {
	if err := m.goTo("/small"); err != nil {
		return err
	}
	buttons, err := m.refs("button", "Count")
	if err != nil {
		return err
	}
	fields, err := m.refs("textbox", "Name")
	if err != nil {
		return err
	}
	value := ""
	next := func(round int, _ *rival) error { value = fmt.Sprintf("value-%d", round); return nil }
	if err := m.timed("click", actionRounds, nil, func(r *rival) []call { return []call{r.click(buttons[m.server(r)][0])} }, func(round int, r *rival) error {
		return expect(r, "() => 'clicks-' + window.n + '-shown-' + document.getElementById('n').textContent", fmt.Sprintf("clicks-%d-shown-%d", round+1, round+1))
	}); err != nil {
		return err
	}
	if err := m.timed("fill", actionRounds, next, func(r *rival) []call { return []call{r.fill(fields[m.server(r)][0], value)} }, func(_ int, r *rival) error {
		return expect(r, "() => document.getElementById('name').value", value)
	}); err != nil {
		return err
	}
	if err := m.timed("evaluate", 30, nil, func(r *rival) []call { return []call{r.eval("() => 6 * 7")} }, nil); err != nil {
		return err
	}
	if err := m.timed("navigate", actionRounds, nil, func(r *rival) []call { return []call{r.open(m.site + "/small")} }, func(_ int, r *rival) error {
		return expect(r, "() => document.readyState + location.pathname", "complete/small")
	}); err != nil {
		return err
	}
	if err := m.goTo("/form"); err != nil {
		return err
	}
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("Field %d", i))
	}
	forms, err := m.refs("textbox", names...)
	if err != nil {
		return err
	}
	return m.timed("fill_form", 9, next, func(r *rival) []call { return r.form(forms[m.server(r)], value) }, func(_ int, r *rival) error {
		return expect(r, "() => 'filled-' + [...document.querySelectorAll('input')].filter((i) => i.value === '"+value+"').length", "filled-10")
	})
}

func (m *match) pictures(context.Context) error {
	if err := m.goTo("/article"); err != nil {
		return err
	}
	for row, full := range map[string]bool{"picture": false, "full picture": true} {
		if err := m.timed(row, 7, nil, func(r *rival) []call { return []call{r.shot(full)} }, nil); err != nil {
			return err
		}
	}
	return nil
}

// idleTime is how long nobody is called before the memory is looked at.
const idleTime = 3 * time.Second

func (m *match) memory(context.Context) error {
	time.Sleep(idleTime)
	for s, r := range m.all {
		bytes, err := treeMemory(r.peer.cmd.Process.Pid)
		if err != nil {
			return err
		}
		m.set("memory", s, bytes)
	}
	return nil
}

// price counts bytes and tokens of what the model would read.
func (m *match) price(ctx context.Context) error {
	rows := []string{"tools", "snapshot small", "snapshot article", "snapshot large"}
	var texts []string
	for _, row := range rows {
		for s := range m.all {
			m.set(row+" bytes", s, float64(len(m.texts[row][s])))
			texts = append(texts, m.texts[row][s])
		}
	}
	counts, err := countTokens(ctx, texts)
	if err != nil {
		return err
	}
	for i, n := range counts {
		m.set(rows[i/len(m.all)]+" tokens", i%len(m.all), n)
	}
	return nil
}

func (m *match) end() {
	for _, r := range m.all {
		if r.peer == nil {
			continue
		}
		if r.name == m.all[agentBrowser].name {
			_, _, _ = r.peer.do(call{"agent_browser_close", object{}}) // its helper would stay
		}
		r.peer.close()
	}
}

// load is how busy the machine is, for whoever reads the figures.
func load() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(raw))[:3], " ") + fmt.Sprintf(" on %d cores", runtime.NumCPU())
}
