package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"cove/e2e/widgets"
)

// widgetServers are the servers of the farm, in the order of the columns.
var widgetServers = []int{ours, upstream, playwright}

// tool lets the farm's agent call a rival.
type tool struct{ *rival }

func (t tool) Call(name string, arguments map[string]any) (string, bool, error) {
	return t.peer.answer(call{name, arguments})
}

// widgetFarm lets one agent work with the widgets through each server, and compares what came of it.
func widgetFarm(ctx context.Context, a *app, dir string) error {
	farm, err := widgets.Plant("e2e/widgets", filepath.Join(dir, "pages"))
	if err != nil {
		return err
	}
	defer farm.Close()
	all, err := rivals(ctx, a, dir)
	if err != nil {
		return err
	}
	m := &match{all: all}
	defer m.end()
	only, err := regexp.Compile("^(" + os.Getenv("WIDGETS") + ")")
	if err != nil {
		return err
	}
	styles := map[int]widgets.Server{ours: widgets.Cove(), upstream: widgets.DevTools(), playwright: widgets.Playwright()}
	results := map[int][]widgets.Outcome{}
	for _, s := range widgetServers {
		if want := os.Getenv("SERVERS"); want != "" && !strings.Contains(want, fmt.Sprint(s)) {
			continue
		}
		r := all[s]
		if r.peer, _, err = spawn(ctx, r.command, r.env, r.dir); err != nil {
			return err
		}
		if _, _, err := r.peer.do(r.list); err != nil {
			return err
		}
		file, err := widgets.File(r.dir)
		if err != nil {
			return err
		}
		for _, task := range widgets.Tasks {
			if !only.MatchString(task.Page) {
				continue
			}
			log, err := os.Create(filepath.Join(os.Getenv("LOGS"), fmt.Sprintf("%d-%s.txt", s, task.Page)))
			if err != nil {
				return err
			}
			o, err := widgets.Run(task, farm.URL, file, styles[s], tool{r}, func(f string, args ...any) { _, _ = fmt.Fprintf(log, f+"\n", args...) })
			_ = log.Close()
			if err != nil {
				return err
			}
			results[s] = append(results[s], o)
			counts, err := countTokens(ctx, o.Texts)
			if err != nil {
				return err
			}
			sum := 0.0
			for _, c := range counts {
				sum += c
			}
			fmt.Printf("%d %-20s solved=%-5v false=%-5v calls=%2d tokens=%5.0f %6s %.300s\n", s, task.Page, o.Solved(), o.False(), o.Calls, sum, short(o.Took), o.Why)
		}
	}
	return nil
}
