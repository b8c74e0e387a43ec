package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// bout is one run of all drivers.
type bout struct {
	all   []*driver
	trips [len(errands)][drivers][]errandTrip
	// tabs and look are the times of single commands, bare that of a command that does nothing.
	tabs, look [drivers][]time.Duration
	bare       []time.Duration
}

// times measures single commands on a small page, and a command that does nothing.
func (b *bout) times(ctx context.Context, order *rand.Rand) error {
	for _, d := range b.all {
		if d.tabs == nil {
			continue
		}
		line, err := d.complete(errands[0].commands[d.column][0], nil)
		if err != nil {
			return err
		}
		d.say(ctx, line)
	}
	one := func(cmd *exec.Cmd) (time.Duration, error) {
		began := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%v: %w: %s", cmd.Args, err, out)
		}
		return time.Since(began), nil
	}
	for range stepRounds {
		for _, k := range order.Perm(len(b.all)) {
			d := b.all[k]
			if d.tabs == nil {
				continue
			}
			tabs, err := one(d.command(ctx, d.tabs[0], d.tabs[1:]...))
			if err != nil {
				return err
			}
			look, err := one(d.command(ctx, d.look[0], d.look[1:]...))
			if err != nil {
				return err
			}
			b.tabs[k], b.look[k] = append(b.tabs[k], tabs), append(b.look[k], look)
		}
		bare, err := one(exec.CommandContext(ctx, "/bin/true"))
		if err != nil {
			return err
		}
		b.bare = append(b.bare, bare)
	}
	return nil
}

// price counts the tokens that the agents wrote and read.
func (b *bout) price(ctx context.Context) error {
	var texts []string
	var into []*float64
	for i := range b.trips {
		for k := range b.trips[i] {
			for n := range b.trips[i][k] {
				t := &b.trips[i][k][n]
				for side, lines := range [][]string{t.written, t.read} {
					for _, line := range lines {
						texts, into = append(texts, line), append(into, &t.tokens[side])
					}
				}
			}
		}
	}
	counts, err := countTokens(ctx, texts)
	if err != nil {
		return err
	}
	for i, n := range counts {
		*into[i] += n
	}
	return nil
}

// middle is the median of a figure of one errand over the rounds.
func (b *bout) middle(errand, driver int, of func(t errandTrip) float64) float64 {
	var values []float64
	for _, t := range b.trips[errand][driver] {
		values = append(values, of(t))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// quickest is the time of all errands, each in its quickest round: what others do on the machine only adds to a time.
func (b *bout) quickest(driver int) (all float64) {
	for i := range errands {
		least := math.Inf(1)
		for _, t := range b.trips[i][driver] {
			least = min(least, elapsed(t))
		}
		all += least
	}
	return all
}

// sum adds up a figure over the first n errands.
func (b *bout) sum(n, driver int, of func(t errandTrip) float64) (all float64) {
	for i := range n {
		all += b.middle(i, driver, of)
	}
	return all
}

func calls(t errandTrip) float64   { return float64(len(t.written)) }
func written(t errandTrip) float64 { return t.tokens[0] }
func read(t errandTrip) float64    { return t.tokens[1] }
func tokens(t errandTrip) float64  { return t.tokens[0] + t.tokens[1] }
func elapsed(t errandTrip) float64 { return t.duration.Seconds() }

const shellCaption = `
Medians of %d rounds, all drivers in turns in one run; load %s. Each has a browser of its own (the one that Cove
found), which runs already, and does the tasks as its own guide teaches: several commands in one line where nothing has
to be read in between. A call is one such line, or one call of a tool. Tokens: o200k_base, of what the agent writes and
reads. Whether a task was done is asked of the site and of the disk.

`

// print writes the tables.
func (b *bout) print() {
	fmt.Printf(shellCaption, errandRounds, load())
	head, rule := "| task: calls, tokens written + read, time |", "|---|"
	for _, d := range b.all {
		head, rule = head+" "+d.name+" |", rule+"---|"
	}
	fmt.Println(head + "\n" + rule)
	for i, e := range errands {
		cells := []string{e.name}
		for k := range b.all {
			cells = append(cells, fmt.Sprintf("%.0f, %.0f + %.0f, %s%s", b.middle(i, k, calls), b.middle(i, k, written),
				b.middle(i, k, read), short(time.Duration(b.middle(i, k, elapsed)*1e9)), b.failures(i, k)))
		}
		fmt.Println("| " + strings.Join(cells, " | ") + " |")
	}

	head, rule = "\n| sum |", "|---|"
	for _, d := range b.all {
		head, rule = head+" "+d.name+" |", rule+"---|"
	}
	fmt.Println(head + " cove page : best of the others | aim | |\n" + rule + "---|---|---|")
	for _, r := range b.rows() {
		r.print()
	}
	fmt.Printf("\n`cove page tabs` : /bin/true = %.1f, `cove page snapshot` : /bin/true = %.1f (/bin/true takes %s)\n",
		float64(median(b.tabs[covePage]))/float64(median(b.bare)),
		float64(median(b.look[covePage]))/float64(median(b.bare)), short(median(b.bare)))
}

// failures says in how many rounds a driver has not done an errand.
func (b *bout) failures(errand, driver int) string {
	failed := 0
	for _, t := range b.trips[errand][driver] {
		if !t.done {
			failed++
		}
	}
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf(", **failed in %d of %d**", failed, len(b.trips[errand][driver]))
}

// sumRow is a row of the second table. The aim is to be the best of all, and not to be above the limit.
type sumRow struct {
	row
	values [drivers]float64 // 0 for none
	most   bool             // more is better
}

func (b *bout) rows() []sumRow {
	table := []sumRow{
		{row: row{id: "done", what: "tasks done, of " + fmt.Sprint(len(errands)*errandRounds), unit: count}, most: true},
		{row: row{what: "calls", unit: count}},
		{row: row{what: "tokens written", unit: count}},
		{row: row{what: "tokens read", unit: count}},
		{row: row{what: "tokens, both", unit: count}},
		{row: row{what: "the first five tasks: calls", unit: count, limit: 16}},
		{row: row{id: "five", what: "the first five tasks: tokens, both", unit: count, limit: 900}},
		{row: row{id: "errands", what: "time"}},
		{row: row{id: "errands", what: "time, each task in its quickest round"}},
		{row: row{id: "one command", what: "list the tabs, one command"}},
		{row: row{id: "one command", what: "read a small page, one command"}},
	}
	for k := range b.all {
		for i := range errands {
			for _, t := range b.trips[i][k] {
				if t.done {
					table[0].values[k]++
				}
			}
		}
		n := len(errands)
		for at, v := range []float64{
			b.sum(n, k, calls), b.sum(n, k, written), b.sum(n, k, read), b.sum(n, k, tokens), b.sum(first, k, calls),
			b.sum(first, k, tokens), b.sum(n, k, elapsed), b.quickest(k),
		} {
			table[1+at].values[k] = v
		}
		if len(b.tabs[k]) > 0 {
			table[9].values[k], table[10].values[k] = median(b.tabs[k]).Seconds(), median(b.look[k]).Seconds()
		}
	}
	return table
}

func (r sumRow) print() {
	cells, mine := []string{r.what}, r.values[covePage]
	best := 0.0
	for k, v := range r.values {
		if v == 0 {
			cells = append(cells, "–")
			continue
		}
		cells = append(cells, r.show(v))
		if better := v < best; k != covePage && (best == 0 || better != r.most) {
			best = v
		}
	}
	aim, behind := "the fewest", mine > best
	switch {
	case r.most:
		aim, behind = "all", mine < best || mine < float64(len(errands)*errandRounds)
	case r.unit == seconds:
		aim = "the fastest"
	}
	if r.limit > 0 {
		aim += fmt.Sprintf(", ≤ %.0f", r.limit)
	}
	verdict := r.verdict(r.limit > 0 && mine > r.limit, behind)
	cells = append(cells, proportion(mine/best, r.unit), aim, verdict)
	fmt.Println("| " + strings.Join(cells, " | ") + " |")
}

// transcribe writes what the drivers wrote and read in the last round into a file, for whoever wants to know why.
func (b *bout) transcribe(file string) error {
	if file == "" {
		return nil
	}
	var text strings.Builder
	for i, e := range errands {
		for k, d := range b.all {
			t := b.trips[i][k][len(b.trips[i][k])-1]
			fmt.Fprintf(&text, "## %s: %s (%.0f + %.0f tokens)%s\n", e.name, d.name, t.tokens[0], t.tokens[1], t.why)
			for n, line := range t.written {
				fmt.Fprintf(&text, "$ %s\n%s\n", line, t.read[n])
			}
		}
	}
	return os.WriteFile(file, []byte(text.String()), 0o600)
}
