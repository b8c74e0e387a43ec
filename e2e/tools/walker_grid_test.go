//go:build e2e

package tools

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cellsOf writes seven days a week, each by its number.
func cellsOf(open, shut, day string) string {
	var b strings.Builder
	for d := 1; d <= 14; d++ {
		if d%7 == 1 {
			b.WriteString(open)
		}
		b.WriteString(strings.NewReplacer("{}", fmt.Sprint(d), "{index}",
			map[bool]string{true: "0", false: "-1"}[d == 9]).Replace(day))
		if d%7 == 0 {
			b.WriteString(shut)
		}
	}
	return b.String()
}

func numbers(format string) []string {
	var all []string
	for d := 1; d <= 14; d++ {
		all = append(all, fmt.Sprintf(format, d))
	}
	return all
}

// grids are calendars and grids in the shape that the libraries draw them, and what a person can click there.
var grids = []struct {
	name, html string
	clicked    []string
}{
	{"days that are buttons with the role of a cell (MUI X)",
		`<style>.d{cursor:pointer}</style><div role=grid><div role=row><span role=columnheader aria-label=Sunday>S</span></div><div role=presentation><div role=rowgroup>` +
			cellsOf(`<div role=row aria-rowindex=1>`, `</div>`,
				`<button class=d type=button role=gridcell tabindex={index} aria-selected=false>{}<span class=ripple></span></button>`) + `</div></div></div>`, numbers("%d")},
	{"days with a roving tabindex (react-datepicker)", `<div role=rowgroup aria-label="Month November, 2026">` +
		cellsOf(`<div role=row>`, `</div>`,
			`<div tabindex={index} aria-label="Choose day {}" role=gridcell title="" aria-selected=false>{}</div>`) + `</div>`, numbers("Choose day %d")},
	{"buttons in presentational cells (react-day-picker 8)",
		`<table role=grid><thead><tr><th scope=col aria-label=Sunday>Su</th></tr></thead><tbody role=rowgroup>` +
			cellsOf(`<tr>`, `</tr>`, `<td role=presentation><button role=gridcell tabindex={index} type=button>{}</button></td>`) + `</tbody></table>`, numbers("%d")},
	{"buttons in cells (react-day-picker 9)", `<table role=grid aria-label="November 2026"><tbody>` +
		cellsOf(`<tr>`, `</tr>`, `<td role=gridcell><button tabindex={index} type=button aria-label="Day {}">{}</button></td>`) + `</tbody></table>`, numbers("Day %d")},
	{"boxes with a hand (flatpickr)",
		`<style>.f{cursor:pointer;display:inline-block;width:20px;height:20px}</style><div tabindex=-1><div>` +
			cellsOf(``, ``, `<span class=f aria-label="November {}, 2026" tabindex=-1>{}</span>`) + `</div></div>`,
		numbers("November %d, 2026")},
	{"links in a table (jQuery UI)",
		`<table><thead><tr><th scope=col><span title=Sunday>Su</span></th></tr></thead><tbody>` +
			cellsOf(`<tr>`, `</tr>`, `<td data-handler=selectDay><a href="#" data-date={}>{}</a></td>`) +
			`</tbody></table>`, numbers("%d")},
	{"cells with a hand (antd)", `<style>td{cursor:pointer}</style><table><thead><tr><th>Su</th></tr></thead><tbody>` +
		cellsOf(`<tr>`, `</tr>`, `<td title="2026-11-{}"><div>{}</div></td>`) + `</tbody></table>`, numbers("%d")},
	{"headers and cells reached by arrows (ag-grid)",
		`<div role=grid><div role=rowgroup><div role=row><div role=columnheader aria-sort=none tabindex=-1><div role=presentation><span aria-hidden=true></span>
		<div role=presentation><span>Make</span></div></div></div></div></div><div role=rowgroup><div role=row><div role=gridcell tabindex=-1>Toyota</div><div role=gridcell tabindex=-1>Celica</div></div></div></div>`,
		[]string{"Make", "Toyota", "Celica"}},
	{"headers and cells with nothing but roles (Tabulator)",
		`<div role=grid><div role=rowgroup><div role=row><div role=columnheader aria-sort=ascending><div>Name</div></div></div></div>
		<div role=rowgroup><div role=row><div role=gridcell>Bob</div><div role=gridcell>12</div></div></div></div>`,
		[]string{"Name", "Bob", "12"}},
	{"a grid of native cells", `<table role=grid><tr><td>One<td>Two</table>`, []string{"One", "Two"}},
	{"a header with a menu of its own",
		`<div role=grid><div role=row><div role=columnheader aria-sort=none tabindex=-1><span>Price</span><button>Menu</button></div></div></div>`, []string{"Price", "Menu"}},
	{"a hand over what has a role of structure",
		`<style>.p{cursor:pointer}</style><ul><li class=p>Item <b>one</b></ul><table><caption>c</caption><tr><th class=p>Sort<th>no<tr class=p><td>Row<td>x</table><h3 class=p>Accordion</h3>
		<img class=p alt=Pic src="data:,"><article class=p>Card <p>text</p></article><dl><dt class=p>Question</dl><section class=p>Plain</section>`,
		[]string{"Item one", "Sort", "Row x", "Accordion", "Pic", "Card text", "Question", "Plain"}},
	{"a hand over a list or a table means what is in it",
		`<style>.p{cursor:pointer}</style><ul class=p><li>A<li>B</ul><table><caption>c</caption><tbody class=p><tr><td>1<td>2<tr><td>3<td>4</table>`, []string{"A", "B", "1 2", "3 4"}},
	{"the parts of a tree's items",
		`<style>.p{cursor:pointer;display:inline-block;width:20px;height:20px}</style><div role=tree tabindex=0><div role=treeitem aria-expanded=false><span class="p switcher"></span><span class=p>Parent</span></div></div>`,
		[]string{"Parent", "switcher"}},
	{"icons that only one of their classes or a mark tells",
		`<button class="mantine-UnstyledButton-root next-control m_1"><svg width=9 height=9></svg></button><button class=mantine-UnstyledButton-root data-direction=previous></button>`, []string{"next-control", "previous"}},
	{"icons without a name", `<style>.p{cursor:pointer}</style><span class="p"><svg width=14 height=14 class=arrow-next><path d="M0 0h9v9"/></svg></span><button><i class="fa fa-trash"></i></button>`, []string{"arrow-next", "fa-trash"}},
}

func TestWhateverAPersonCouldClickHasAnId(t *testing.T) {
	w := newWalked(t)
	for _, g := range grids {
		t.Run(g.name, func(t *testing.T) {
			w.t = t
			w.show("<title>T</title>" + g.html)
			node := w.walk("").Node
			acts := actsIn(node)
			for _, name := range g.clicked {
				if !slices.Contains(acts, name) {
					t.Errorf("%q has no uid; those that have: %q in\n%s", name, acts, outline(node))
				}
			}
		})
	}
	w.t = t
}

// actsIn lists what can be acted on by its name, or else by its text or what it looks like.
func actsIn(n *told) (acts []string) {
	if n.Acts {
		name := n.Name
		if name == "" {
			name = textsIn(n)
		}
		if look := n.States["class"]; name == "" && look != "" {
			name = look
		}
		acts = append(acts, name)
	}
	for _, c := range n.Children {
		acts = append(acts, actsIn(c)...)
	}
	return acts
}

// textsIn is what an element says, without what has a uid of its own.
func textsIn(n *told) string {
	var all []string
	for _, c := range n.Children {
		switch {
		case c.Acts:
		case c.Text != "":
			all = append(all, c.Text)
		case c.Name != "":
			all = append(all, c.Name)
		default:
			all = append(all, textsIn(c))
		}
	}
	return strings.TrimSpace(strings.Join(all, " "))
}
