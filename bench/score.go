package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// row is one line of the table. aim is what ours may be of upstream's at most; 0 for none.
type row struct {
	id, what string
	unit     unit
	aim      float64
	limit    float64 // of ours alone
}

type unit int

const (
	seconds unit = iota
	bytesOf
	count
)

var rows = []row{
	{id: "initialize", what: "spawn → initialize", aim: 1. / 50},
	{id: "first", what: "spawn → first list of pages, on an open profile", aim: 1. / 30},
	{
		id: "memory", what: "memory of the server when it rests after the run (PSS of its process tree)",
		unit: bytesOf, aim: 1. / 15,
	},
	{id: "growth", what: "growth of our keeper over the run; agent-browser: its daemon", unit: bytesOf, limit: 30e6},
	{id: "tools bytes", what: "tools/list, bytes", unit: count},
	{id: "tools tokens", what: "tools/list, tokens", unit: count, aim: 0.5},
	{id: "list_pages", what: "list of pages"},
	{id: "snapshot small", what: "snapshot of a small page"},
	{id: "snapshot small tokens", what: "– tokens", unit: count},
	{id: "snapshot article", what: "snapshot of an article with 300 links", aim: 1. / 8},
	{id: "snapshot article bytes", what: "– bytes", unit: count},
	{id: "snapshot article tokens", what: "– tokens", unit: count, aim: 0.6},
	{id: "snapshot large", what: "snapshot of 5,000 elements", aim: 1. / 8},
	{id: "snapshot large bytes", what: "– bytes", unit: count},
	{id: "snapshot large tokens", what: "– tokens", unit: count, aim: 0.6},
	{id: "click", what: "click", aim: 1. / 5},
	{id: "fill", what: "fill one field", aim: 1. / 5},
	{id: "fill_form", what: "fill 10 fields (agent-browser: 10 calls)", aim: 1. / 5},
	{id: "evaluate", what: "evaluate a script", aim: 1. / 50},
	{id: "navigate", what: "navigate to a local page"},
	{id: "screenshot", what: "screenshot of the viewport"},
	{id: "full screenshot", what: "screenshot of the full page"},
}

// reasons are why a row may fall short of its aim, or behind a rival.
var reasons = map[string]string{
	"initialize": "agent-browser answers before it has looked for a browser; " +
		"ours has reached the profile's keeper by then",
	"first": "a busy machine: three processes have their turn before the answer, of which ours starts one",
	"memory": "a Go runtime and the pages of the whole program; agent-browser's work is done by its daemon, " +
		"see the next row",
	"snapshot small":        "the walker starts in a new document and looks at every frame",
	"snapshot small tokens": onlyActionable,
	"snapshot article": "of our time a third is the browser's own layout after the page's change, " +
		"a third the first runs of the walker, which the browser has not compiled yet, " +
		"and a third the way of 50 kB through three processes",
	"snapshot large":          "the walk in the page is most of it, and the browser compiles it only after some runs",
	"snapshot article bytes":  onlyActionable,
	"snapshot article tokens": "every link keeps uid=, role and name, on which prompts lean; " + noText,
	"snapshot large bytes":    "every element keeps uid=, role and name, on which prompts lean",
	"snapshot large tokens":   "every element keeps uid=, role and name, on which prompts lean",
	"click": "ours waits until the page has not changed for 20 ms; " +
		"agent-browser does not wait for what a click sets off",
	"fill": "ours types real keys, which the browser takes once in a frame, and reads the value back",
	"fill_form": "ours types real keys into each field, which the browser takes once in a frame, " +
		"and reads each value back",
	"evaluate":        "the time is the browser's own on a machine that others use",
	"screenshot":      "the time is the browser's own: one command",
	"full screenshot": "the time is the browser's own: one command",
	"errands": "ours types real keys and waits for what each step sets off, so that no step reads the page before; " +
		"the journal takes a picture of each",
	"one command": "the start of our program is most of it (GROUP=start)",
	"five":        "every page has five links that no task needs",
}

const (
	noText         = "agent-browser leaves out the text of the page"
	onlyActionable = noText + " and shows what one can act on; interactiveOnly does that in ours"
)

func (m *match) value(id string, server int) (float64, bool) {
	all := m.samples[id]
	if all == nil || len(all[server]) == 0 {
		return 0, false
	}
	values := slices.Sorted(slices.Values(all[server]))
	return values[len(values)/2], true
}

// caption says how the table was measured.
const caption = `
Medians, all servers in turns in one run; load %s. Each server has an open profile of its own (Debian's Chromium or
the one found), ours over the keeper's socket, the others over the gate's port; agent-browser's daemon is running before
it is measured. Tokens: o200k_base, of the text that the model reads.

`

// print writes the table of medians.
func (m *match) print() {
	var names, rules []string
	for _, r := range m.all {
		names, rules = append(names, r.name), append(rules, "---")
	}
	if len(m.all) > baseline {
		names, rules = append(names, "ours : before"), append(rules, "---")
	}
	fmt.Printf(caption, load())
	fmt.Printf("| what | %s | ours : upstream | aim | ours : best rival | |\n", strings.Join(names, " | "))
	fmt.Printf("|---|%s|---|---|---|---|\n", strings.Join(rules, "|"))
	for _, r := range rows {
		fmt.Println("| " + strings.Join(m.cells(r), " | ") + " |")
	}

	fmt.Println()
	for _, text := range m.lost {
		fmt.Println("- " + text)
	}
}

// cells are the columns of one row.
func (m *match) cells(r row) []string {
	mine, _ := m.value(r.id, ours)
	cells := []string{r.what}
	best := 0.0
	for s := range m.all {
		v, ok := m.value(r.id, s)
		if !ok {
			cells = append(cells, "–")
			continue
		}
		cells = append(cells, r.show(v))
		if s != ours && s != baseline && (best == 0 || v < best) {
			best = v
		}
	}
	if len(m.all) > baseline {
		cell := "–"
		if v, ok := m.value(r.id, baseline); ok {
			cell = fmt.Sprintf("%.2f", mine/v)
		}
		cells = append(cells, cell)
	}

	theirs, ok := m.value(r.id, upstream)
	ratio := ""
	if ok {
		ratio = proportion(mine/theirs, r.unit)
	}
	aim, fails := r.judge(mine, theirs)
	behind := best > 0 && mine > best && r.limit == 0
	return append(cells, ratio, aim, proportion(mine/best, r.unit), r.verdict(fails, behind))
}

// judge is the aim of the row, and whether ours falls short of it.
func (r row) judge(mine, theirs float64) (aim string, fails bool) {
	switch {
	case r.aim > 0:
		aim, fails = proportion(r.aim, r.unit), mine/theirs > r.aim
		if r.unit != count {
			aim = fmt.Sprintf("1:%.0f", 1/r.aim)
		}
	case r.limit > 0:
		aim, fails = "< "+r.show(r.limit), mine >= r.limit
	}
	return aim, fails
}

// verdict says what is wrong with the row, and why that may be.
func (r row) verdict(fails, behind bool) (text string) {
	switch {
	case fails && behind:
		text = "short of the aim, behind a rival"
	case fails:
		text = "short of the aim"
	case behind:
		text = "behind a rival"
	}
	if text != "" && reasons[r.id] != "" {
		text += ": " + reasons[r.id]
	}
	return text
}

func proportion(r float64, u unit) string {
	if u == count || r >= 0.5 {
		return fmt.Sprintf("%.2f", r)
	}
	return fmt.Sprintf("1:%.1f", 1/r)
}

func (r row) show(v float64) string {
	switch r.unit {
	case bytesOf:
		return fmt.Sprintf("%.1f MB", v/1e6)
	case count:
		return fmt.Sprintf("%.0f", v)
	}
	return short(time.Duration(v * float64(time.Second)))
}
