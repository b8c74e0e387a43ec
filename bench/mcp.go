package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"
)

// agents compares our MCP server with its rivals, in turns. Each has a profile of its own; all but ours go through the
// gate.
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
	for _, step := range []func(context.Context) error{
		m.spawns, m.lists, m.snapshots, m.actions, m.screenshots, m.memory,
	} {
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

// pause is between two servers' turns. What one still does after its answer falls into nobody else's time: ours makes a
// thumbnail for its journal.
const pause = 250 * time.Millisecond

// turns runs do for each server in each round, in another order each time: none always comes after the same one.
func (m *match) turns(ctx context.Context, rounds int, do func(round, server int, r *rival) error) error {
	order := rand.New(rand.NewPCG(1, 2)) // the same in every run
	for round := range rounds {
		for _, s := range order.Perm(len(m.all)) {
			if err := do(round, s, m.all[s]); err != nil {
				return fmt.Errorf("%s: %w", m.all[s].name, err)
			}
			wait(ctx, pause)
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
	return m.turns(ctx, spawnRounds, func(_, s int, r *rival) error {
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

func (m *match) lists(ctx context.Context) error {
	for s, r := range m.all {
		raw, err := r.peer.tools()
		if err != nil {
			return err
		}
		m.text("tools", s, string(raw))
	}
	return m.timed(ctx, "list_pages", 40, nil, func(r *rival) []call { return []call{r.list} }, nil)
}

// roundStep prepares or checks one round of one server.
type roundStep func(round int, r *rival) error

// timed measures a call; before prepares each round, after checks it.
func (m *match) timed(
	ctx context.Context, row string, rounds int, before roundStep, what func(r *rival) []call, after roundStep,
) error {
	return m.turns(ctx, rounds+1, func(round, s int, r *rival) error {
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

// idleTime is how long nobody is called before the memory is looked at.
const idleTime = 3 * time.Second

func (m *match) memory(ctx context.Context) error {
	wait(ctx, idleTime)
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
