package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cove/e2e/widgets"
)

// tool lets the farm's agent call a rival.
type tool struct{ *rival }

func (t tool) Call(name string, arguments map[string]any) (string, bool, error) {
	return t.peer.answer(call{name, arguments})
}

// farm is one run of the widgets: the same agent, through each server.
type farm struct {
	*widgets.Farm
	all    []*rival
	styles []widgets.Server
	tasks  []widgets.Task
	logs   string              // a folder for what was called and answered
	came   [][]widgets.Outcome // by task and server
	tokens [][]float64
}

// widgetFarm lets one agent work with the widgets through each server, and compares what came of it. WIDGETS and
// SERVERS are regular expressions that choose some of them, LOGS is a folder for what was said: they are for whoever
// mends something.
func widgetFarm(ctx context.Context, a *app, dir string) error {
	planted, err := widgets.Plant(ctx, "e2e/widgets", filepath.Join(dir, "pages"))
	if err != nil {
		return err
	}
	defer planted.Close()
	all, err := rivals(ctx, a, dir, playwright+1)
	if err != nil {
		return err
	}
	f := &farm{Farm: planted, logs: os.Getenv("LOGS")}
	if f.logs != "" {
		if err := os.MkdirAll(f.logs, 0o700); err != nil {
			return err
		}
	}
	for s, style := range []widgets.Server{widgets.Cove(), widgets.DevTools(), widgets.Playwright()} {
		if chosen("SERVERS", all[s].name) {
			f.all, f.styles = append(f.all, all[s]), append(f.styles, style)
		}
	}
	for _, t := range widgets.Tasks {
		if chosen("WIDGETS", t.Page) {
			f.tasks = append(f.tasks, t)
		}
	}
	if len(f.all) == 0 || len(f.tasks) == 0 {
		return errors.New("WIDGETS or SERVERS leaves nothing to do")
	}
	defer f.end()
	if err := f.run(ctx); err != nil {
		return err
	}
	f.print()
	return nil
}

func chosen(variable, name string) bool {
	pattern, err := regexp.Compile(os.Getenv(variable))
	return err == nil && pattern.MatchString(name)
}

func (f *farm) run(ctx context.Context) error {
	for _, r := range f.all {
		p, _, err := spawn(ctx, r.command, r.env, r.dir)
		if err != nil {
			return err
		}
		r.peer = p
		if _, _, err := p.do(r.list); err != nil {
			return err
		}
	}
	f.head()
	for _, task := range f.tasks {
		came, tokens := make([]widgets.Outcome, len(f.all)), make([]float64, len(f.all))
		for s := range f.all {
			o, err := f.one(task, s)
			if err != nil {
				return fmt.Errorf("%s: %w", f.all[s].name, err)
			}
			counts, err := countTokens(ctx, o.Texts)
			if err != nil {
				return err
			}
			for _, n := range counts {
				tokens[s] += n
			}
			came[s] = o
		}
		f.came, f.tokens = append(f.came, came), append(f.tokens, tokens)
		f.row(task, came, tokens)
	}
	return nil
}

// one lets the agent do one task through one server.
func (f *farm) one(task widgets.Task, s int) (widgets.Outcome, error) {
	r := f.all[s]
	file, err := widgets.File(r.dir)
	if err != nil {
		return widgets.Outcome{}, err
	}
	var said strings.Builder
	log := func(format string, args ...any) { _, _ = fmt.Fprintf(&said, format+"\n", args...) }
	o, err := widgets.Run(task, f.URL, file, f.styles[s], tool{r}, log)
	if f.logs != "" {
		_, _ = fmt.Fprintf(&said, "believes %v, done %v: %s\n", o.Believes, o.Done, o.Why)
		style := strings.Trim(strings.ReplaceAll(f.styles[s].Name, "/", "-"), "@")
		name := filepath.Join(f.logs, style+" "+task.Page+".txt")
		err = errors.Join(err, os.WriteFile(name, []byte(said.String()), 0o600))
	}
	return o, err
}

func (f *farm) head() {
	fmt.Println("\nOne agent that sees only snapshots and answers, through each server:",
		"calls and tokens (arguments and answers) of what it solved.")
	fmt.Println()
	head, line := "| widget | of |", "|---|---|"
	for _, r := range f.all {
		head, line = head+" "+r.name+" |", line+"---|"
	}
	fmt.Println(head)
	fmt.Println(line)
}

func (f *farm) row(task widgets.Task, came []widgets.Outcome, tokens []float64) {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |", task.Page, task.Library)
	for s, o := range came {
		switch {
		case o.Solved():
			fmt.Fprintf(&b, " %d, %.0f |", o.Calls, tokens[s])
		case o.False():
			b.WriteString(" **false success** |")
		case o.Done:
			b.WriteString(" done, not seen |")
		default:
			b.WriteString(" no |")
		}
	}
	fmt.Println(b.String())
}

// print sums up, for each server and over what all of them solve.
func (f *farm) print() {
	n := len(f.tasks)
	count := func(test func(widgets.Outcome) bool) (cells string) {
		for s := range f.all {
			sum := 0
			for _, came := range f.came {
				if test(came[s]) {
					sum++
				}
			}
			cells += fmt.Sprintf(" %d of %d |", sum, n)
		}
		return cells
	}
	fmt.Println("| **solved** | |" + count(widgets.Outcome.Solved))
	fmt.Println("| **false successes** | |" + count(widgets.Outcome.False))
	calls, tokens, shared := make([]int, len(f.all)), make([]float64, len(f.all)), 0
	for i, came := range f.came {
		if slices.ContainsFunc(came, func(o widgets.Outcome) bool { return !o.Solved() }) {
			continue
		}
		shared++
		for s, o := range came {
			calls[s] += o.Calls
			tokens[s] += f.tokens[i][s]
		}
	}
	var c, t, q strings.Builder
	for s := range f.all {
		fmt.Fprintf(&c, " %d |", calls[s])
		fmt.Fprintf(&t, " %.0f |", tokens[s])
		fmt.Fprintf(&q, " %.2f |", tokens[0]/max(tokens[s], 1))
	}
	fmt.Printf("| **calls** | the %d that all solve |%s\n", shared, c.String())
	fmt.Printf("| **tokens** | the %d that all solve |%s\n", shared, t.String())
	fmt.Printf("| **%s's tokens : theirs** | aim ≤ 0.70 of chrome-devtools-mcp's |%s\n", f.all[0].name, q.String())
	fmt.Printf("\n%d widgets of %d libraries. Load %s.\n", n, widgets.Libraries(f.tasks), load())
}

func (f *farm) end() {
	for _, r := range f.all {
		if r.peer != nil {
			r.peer.close()
		}
	}
}
