package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"cove/api"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
)

// journals measures what the journal costs a call, without thumbnails.
func journals(ctx context.Context, a *app, dir string) error {
	home := paths.Home(filepath.Join(dir, "journal"))
	if err := home.Make(); err != nil {
		return err
	}
	key, err := journal.ReadKey(home.JournalKey())
	if err != nil {
		return err
	}
	place := journal.Location{Dir: home.Profile(1), Key: key}
	j := journal.Open(place, journal.Default, "bench", slog.New(slog.DiscardHandler))
	defer j.Close()
	fmt.Println("\n| what | median | 99 of 100 | aim |\n|---|---|---|---|")
	var all []time.Duration
	for i := range 20000 {
		began := time.Now()
		j.Record(step(i))
		all = append(all, time.Since(began))
	}
	if r, err := journal.Verify(place); err != nil || r.Entries != int64(len(all)) || len(r.Problems) > 0 {
		return fmt.Errorf("the journal that was measured has %d entries: %w %v", r.Entries, err, r.Problems)
	}
	slices.Sort(all)
	middle, rare := short(all[len(all)/2]), short(all[len(all)*99/100])
	fmt.Printf("| one entry into the journal | %s | %s | < 1ms |\n", middle, rare)

	s, err := a.Start(ctx, 1, api.StartOptions{Automation: true})
	if err != nil {
		return err
	}
	defer func() { _ = a.Stop(ctx, 1) }()
	p, err := connect(ctx, s.Automation.Port)
	if err != nil {
		return err
	}
	defer p.close()
	evaluate := func(p *page) error {
		return p.conn.Call(ctx, p.session, "Runtime.evaluate", map[string]any{"expression": "1+1"}, nil)
	}
	with := *p
	n := 0
	kept, bare, err := alternate(&with, p, 2000, func(one *page) error {
		err := evaluate(one)
		if one == &with {
			n++
			j.Record(step(n))
		}
		return err
	})
	if err != nil {
		return err
	}
	fmt.Println("\n| what | with the journal | without | ratio | aim |\n|---|---|---|---|---|")
	mine, other := median(kept), median(bare)
	aim := fmt.Sprintf("+ < 1ms, is %+d µs", (mine - other).Microseconds())
	printRatio("a script evaluated through the gate", mine, other, aim)
	return nil
}

// step is an entry as tools write them.
func step(i int) journal.Entry {
	const args = `{"uid":"ab%d","value":"a text of the usual length for a field of a form","includeSnapshot":true}`
	return journal.Entry{
		Agent:   policy.Agent{Kind: policy.Tools, Name: "claude-code", Version: "2.1.0"},
		Name:    "fill",
		Args:    fmt.Appendf(nil, args, i),
		Page:    "https://shop.example/checkout/address?step=2&cart=93b1a5",
		Outcome: journal.OK, Duration: 43 * time.Millisecond,
	}
}
