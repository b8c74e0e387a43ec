package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report prints the figures, beside those of an earlier version if there is one.
type report struct {
	name        string // of the earlier version
	before, now *figures
	out         *tabwriter.Writer
}

// row is one figure. limit is the aim: what the value may be at most; none if it is negative.
type row struct {
	what  string
	limit float64
	unit  string // of the aim
	value func(*figures) (float64, string)
}

const noLimit = -1

func (w row) over(n float64) bool { return w.limit >= 0 && n > w.limit }

// upwardAims are the aims of references by name, by package.
var upwardAims = map[string]float64{"internal/page": 31, "internal/mcpserver": 20, "internal/gate": 15}

func (r report) print(w io.Writer) {
	r.out = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if r.before != nil {
		fmt.Fprintf(r.out, "\taim\t%s\tnow\n", r.name)
	} else {
		fmt.Fprintln(r.out, "\taim\tnow")
	}

	for _, s := range r.sections() {
		r.rows(s.title, s.rows)
	}
	_ = r.out.Flush()
	r.lists(w)
}

// section is a group of figures.
type section struct {
	title string
	rows  []row
}

func (r report) sections() []section {
	return []section{
		{"SIZE", sizeRows},
		{"LAYOUT", layoutRows},
		{"METHODS ON ONE TYPE", methodRows()},
		{"WORK BEFORE MAIN", startRows},
		{"IMPORTS THAT RUN UPWARD BETWEEN PACKAGES", []row{{"", 0, "", func(f *figures) (float64, string) {
			return plain(len(f.imports))
		}}}},
		{"REFERENCES THAT RUN UPWARD BETWEEN FILES, by name (by type)", r.orderRows()},
		{"PACKAGES THAT DECLARE A VERB / DECLARATIONS, with its forms (the word alone)", wordRows()},
	}
}

// columns is how many columns are padded: all but the last.
func (r report) columns() int {
	if r.before != nil {
		return 3
	}
	return 2
}

// rows prints a group of figures. A value of now that is over its aim has a mark.
func (r report) rows(title string, rows []row) {
	fmt.Fprintln(r.out, title+strings.Repeat("\t", r.columns()))
	for _, w := range rows {
		cells := []string{"  " + w.what, ""}
		if w.limit >= 0 {
			cells[1] = fmt.Sprintf("≤ %g%s", w.limit, w.unit)
		}
		if r.before != nil {
			_, text := w.value(r.before)
			cells = append(cells, text)
		}
		n, text := w.value(r.now)
		if w.over(n) {
			text += "  ← over the aim"
		}
		fmt.Fprintln(r.out, strings.Join(append(cells, text), "\t"))
	}
}

var sizeRows = []row{
	{"packages", noLimit, "", func(f *figures) (float64, string) { return plain(len(f.sizes.packages)) }},
	{"files", noLimit, "", func(f *figures) (float64, string) { return plain(len(f.sizes.files)) }},
	{"lines", noLimit, "", func(f *figures) (float64, string) { return plain(f.sizes.total) }},
	{"lines a file, median", noLimit, "", func(f *figures) (float64, string) {
		return plain(quantile(f.sizes.files, 0.5).count)
	}},
	{"lines a file, 9 of 10 have less", noLimit, "", func(f *figures) (float64, string) {
		return plain(quantile(f.sizes.files, 0.9).count)
	}},
	{"lines a file, longest", 450, "", func(f *figures) (float64, string) { return quantile(f.sizes.files, 1).show() }},
	{"lines a package, median", 450, "", func(f *figures) (float64, string) {
		return plain(quantile(f.sizes.packages, 0.5).count)
	}},
	{"lines a package, largest", noLimit, "", func(f *figures) (float64, string) {
		return quantile(f.sizes.packages, 1).show()
	}},
	{fmt.Sprintf("functions over %d lines", longFunction), noLimit, "", func(f *figures) (float64, string) {
		return plain(len(f.sizes.functions))
	}},
	{"– per 1,000 lines", noLimit, "", func(f *figures) (float64, string) {
		n := 1000 * float64(len(f.sizes.functions)) / float64(max(f.sizes.total, 1))
		return n, fmt.Sprintf("%.2f", n)
	}},
}

var startRows = []row{
	{"patterns compiled by package variables", 0, "", func(f *figures) (float64, string) {
		return float64(len(f.compiled)), strings.Join(append([]string{fmt.Sprint(len(f.compiled))}, f.compiled...), " ")
	}},
}

var longLines = fmt.Sprintf("lines over %d columns (a tab is %d)", longLine, tabWidth)

var layoutRows = []row{
	{longLines, 0.7, " %", func(f *figures) (float64, string) { return share(f.layout.long, f.layout.total) }},
	{"– in tests", noLimit, "", func(f *figures) (float64, string) { return share(f.tests.long, f.tests.total) }},
	{"blank lines", noLimit, "", func(f *figures) (float64, string) { return share(f.layout.blank, f.layout.total) }},
	{"– in tests", noLimit, "", func(f *figures) (float64, string) { return share(f.tests.blank, f.tests.total) }},
	{"exported names without a comment", noLimit, "", func(f *figures) (float64, string) {
		return share(len(f.exports.bare), f.exports.all)
	}},
}

func plain(n int) (float64, string) { return float64(n), fmt.Sprint(n) }

func (l length) show() (float64, string) {
	return float64(l.count), fmt.Sprintf("%d %s", l.count, l.name)
}

func share(n, of int) (float64, string) {
	percent := 100 * float64(n) / float64(max(of, 1))
	return percent, fmt.Sprintf("%.2f %% (%d)", percent, n)
}

func methodRows() (rows []row) {
	for i := range 5 {
		rows = append(rows, row{fmt.Sprintf("%d.", i+1), 60, "", func(f *figures) (float64, string) {
			if i >= len(f.methods) {
				return 0, "–"
			}
			m := f.methods[i]
			return float64(m.methods), fmt.Sprintf("%d %s", m.methods, m.name)
		}})
	}
	return rows
}

// orderRows has the packages with references that run upward, in this version or the one before.
func (r report) orderRows() (rows []row) {
	shown := map[string]bool{}
	for _, f := range []*figures{r.before, r.now} {
		if f == nil {
			continue
		}
		for path, u := range f.upward {
			if u.named > 0 {
				shown[path] = true
			}
		}
	}
	for _, path := range sortedKeys(shown) {
		limit, ok := upwardAims[path]
		if !ok {
			limit = noLimit
		}
		rows = append(rows, row{path, limit, "", func(f *figures) (float64, string) {
			u, ok := f.upward[path]
			if !ok {
				return 0, "–"
			}
			return float64(u.named), fmt.Sprintf("%d (%d)", u.named, u.resolved)
		}})
	}
	return rows
}

func wordRows() (rows []row) {
	for _, v := range verbs {
		rows = append(rows, row{v.word, 3, " packages", func(f *figures) (float64, string) {
			w := f.words[v.word]
			text := fmt.Sprintf("%d/%d (%d/%d)", len(w.forms), sum(w.forms), len(w.exact), sum(w.exact))
			return float64(len(w.forms)), text
		}})
	}
	return rows
}

// lists prints what the counts of this version consist of.
func (r report) lists(w io.Writer) {
	list := func(title string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(w, "\n%s\n  %s\n", title, strings.Join(names, "\n  "))
		}
	}

	var functions, words []string
	for _, l := range r.now.sizes.functions {
		functions = append(functions, fmt.Sprintf("%d %s", l.count, l.name))
	}
	for _, v := range verbs {
		if counts := r.now.words[v.word]; len(counts.forms) > 3 {
			words = append(words, counts.sites...)
		}
	}
	list(fmt.Sprintf("FUNCTIONS OVER %d LINES", longFunction), functions)
	list("IMPORTS THAT RUN UPWARD", r.now.imports)
	list("EXPORTED NAMES WITHOUT A COMMENT", r.now.exports.byPackage())
	list("NAMES THAT BEGIN WITH A VERB OF TOO MANY PACKAGES", words)
}
