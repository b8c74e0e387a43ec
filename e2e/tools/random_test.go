//go:build e2e

package tools

import (
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// actionable are the roles that an agent acts on.
var actionable = []string{"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox",
	"option", "slider", "spinbutton", "switch", "tab", "menuitem", "menuitemcheckbox",
	"menuitemradio", "treeitem", "Date", "InputTime", "DateTime", "ColorWell", "DisclosureTriangle"}

// fragment makes one random piece of a page; every word in it begins with its own mark.
type fragment struct {
	rand  *rand.Rand
	mark  string
	words int
	ids   int
	later strings.Builder // scripts that fill shadow roots
}

func (f *fragment) word() string { f.words++; return fmt.Sprintf("%sw%d", f.mark, f.words) }

func (f *fragment) id() string { f.ids++; return fmt.Sprintf("%si%d", f.mark, f.ids) }

func (f *fragment) pick(of ...string) string { return of[f.rand.IntN(len(of))] }

func (f *fragment) chance(percent int) bool { return f.rand.IntN(100) < percent }

// state is a random attribute that changes what an element is, or whether it is there.
func (f *fragment) state() string {
	if !f.chance(30) {
		return ""
	}
	return " " + f.pick("disabled", "hidden", "aria-hidden=true", "inert", `style="display:none"`,
		`style="visibility:hidden"`, `style="opacity:0"`, `style="position:absolute;left:-9999px"`,
		"aria-disabled=true",
		`aria-expanded=false`, `aria-pressed=true`, `aria-label="`+f.word()+`"`, `title="`+f.word()+`"`, "tabindex=0",
		"tabindex=-1", `aria-describedby=nothing`, `style="content-visibility:hidden"`, `aria-roledescription="thing"`,
		"draggable=true", `aria-haspopup=menu`, "autofocus", "lang=de")
}

func (f *fragment) label(control func(attrs string) string) string {
	switch f.rand.IntN(8) {
	case 0:
		return "<label>" + f.word() + " " + control("") + "</label>"
	case 1:
		id := f.id()
		return fmt.Sprintf("<label for=%s>%s</label> %s", id, f.word(), control(" id="+id))
	case 2:
		return control(fmt.Sprintf(` aria-label="%s"`, f.word()))
	case 3:
		id := f.id()
		return fmt.Sprintf("<span id=%s>%s</span> %s", id, f.word(), control(" aria-labelledby="+id))
	case 4:
		return control(fmt.Sprintf(` placeholder="%s"`, f.word()))
	case 5:
		return control(fmt.Sprintf(` title="%s"`, f.word()))
	case 6:
		id := f.id()
		return fmt.Sprintf(`<label hidden for=%s>%s</label> %s`, id, f.word(), control(" id="+id))
	}
	return control("")
}

// control is one thing to act on.
func (f *fragment) control() string {
	s := f.state()
	switch f.rand.IntN(16) {
	case 0:
		return fmt.Sprintf("<button%s>%s</button>", s, f.inside())
	case 1:
		return fmt.Sprintf(`<a href="%s"%s>%s</a>`, f.pick("#x", "/second", "", "javascript:void 0", "mailto:a@b.c"), s,
			f.inside())
	case 2, 3:
		typ := f.pick("text", "email", "password", "search", "tel", "url", "number", "date", "time", "datetime-local",
			"month", "week", "color", "range", "checkbox", "radio", "file", "submit", "button", "reset", "image",
			"hidden")
		return f.label(func(attrs string) string {
			value := ""
			if f.chance(30) && typ != "file" {
				value = fmt.Sprintf(` value="%s"`, f.word())
			}
			return fmt.Sprintf("<input type=%s%s%s%s>", typ, attrs, value, s)
		})
	case 4:
		return f.label(func(attrs string) string { return fmt.Sprintf("<textarea%s%s></textarea>", attrs, s) })
	case 5:
		return f.label(func(attrs string) string {
			options := ""
			for range 1 + f.rand.IntN(3) {
				options += fmt.Sprintf("<option%s>%s</option>",
					f.pick("", "", " disabled", " selected", ` label="`+f.word()+`"`), f.word())
			}
			if f.chance(30) {
				options = fmt.Sprintf(`<optgroup label="%s">%s</optgroup>`, f.word(), options)
			}
			return fmt.Sprintf("<select%s%s%s>%s</select>", f.pick("", "", " multiple", " size=3"), attrs, s, options)
		})
	case 6:
		return fmt.Sprintf(`<div role=%s tabindex=0 aria-checked=%s%s>%s</div>`,
			f.pick("checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"),
			f.pick("true", "false", "mixed"), s, f.inside())
	case 7:
		return fmt.Sprintf(`<span role=%s tabindex=0%s>%s</span>`, f.pick("button", "link", "tab", "menuitem", "option",
			"treeitem"), s, f.inside())
	case 8:
		return fmt.Sprintf(`<div contenteditable%s role=textbox aria-label="%s">%s</div>`,
			f.pick("", "=true", "=plaintext-only"), f.word(), f.word())
	case 9:
		return fmt.Sprintf(`<div role=%s tabindex=0 aria-valuenow=3 aria-label="%s"%s></div>`,
			f.pick("slider", "spinbutton"), f.word(), s)
	case 10:
		return fmt.Sprintf(`<details%s><summary%s>%s</summary>%s</details>`, f.pick("", " open"), s, f.inside(),
			f.control())
	case 11:
		return fmt.Sprintf(`<div role=combobox tabindex=0 aria-expanded=%s aria-label="%s"%s>%s</div>`,
			f.pick("true", "false"), f.word(), s, f.word())
	case 12:
		return fmt.Sprintf(`<div role=listbox aria-label="%s"%s><div role=option tabindex=-1>%s</div><div role=option aria-selected=true>%s</div></div>`, f.word(), s, f.inside(), f.word())
	case 13:
		return fmt.Sprintf(`<svg width=20 height=20%s><a href="#s"><title>%s</title><rect width=20 height=20 /></a></svg>`, f.pick("", " role=img", " aria-hidden=true"), f.word())
	case 14:
		return fmt.Sprintf(`<button%s><img alt="%s" src="data:,"></button>`, s, f.pick("", f.word()))
	}
	return fmt.Sprintf(`<button popovertarget=%s%s>%s</button>`, f.id(), s, f.inside())
}

// inside is the text of a control, with something in it now and then.
func (f *fragment) inside() string {
	switch f.rand.IntN(9) {
	case 0:
		return "<b>" + f.word() + "</b> " + f.word()
	case 1:
		return fmt.Sprintf(`<span aria-hidden=true>%s</span>%s`, f.word(), f.word())
	case 2:
		return fmt.Sprintf(`<span hidden>%s</span><i>%s</i>`, f.word(), f.word())
	case 3:
		return fmt.Sprintf(`<svg width=9 height=9 role=img aria-label="%s"></svg>`, f.word())
	case 4:
		return fmt.Sprintf("<div>%s</div><div>%s</div>", f.word(), f.word())
	case 5:
		return fmt.Sprintf(`<img alt="%s" src="data:,"> %s`, f.word(), f.word())
	}
	return f.word()
}

// tree nests containers.
func (f *fragment) tree(depth int) string {
	if depth == 0 || f.chance(25) {
		return f.control()
	}
	var kids strings.Builder
	for range 1 + f.rand.IntN(3) {
		kids.WriteString(f.tree(depth - 1))
	}
	in := kids.String()
	switch f.rand.IntN(18) {
	case 0:
		return "<ul><li>" + in + "</li><li>" + f.control() + "</li></ul>"
	case 1:
		return fmt.Sprintf("<table%s><tr><th>%s</th><td>%s</td></tr><tr><td>%s</td></tr></table>",
			f.pick("", " role=presentation", " role=grid"), f.word(), in, f.control())
	case 2:
		return fmt.Sprintf("<%s%s>%s</div>", f.pick("div", "div role=group", "div role=toolbar", "div role=tablist",
			"div role=menu", "div role=tree", "div role=radiogroup", "div role=presentation",
			"div role=none"), f.state(), in)
	case 3:
		return fmt.Sprintf("<fieldset%s><legend>%s</legend>%s</fieldset>", f.pick("", " disabled"), f.word(), in)
	case 4:
		return fmt.Sprintf("<dialog%s>%s</dialog>", f.pick("", " open"), in)
	case 5, 6:
		host := f.id()
		mode, slot, light := f.pick("open", "closed"), f.pick("", "<slot></slot>"), f.pick("", f.word(),
			"<button>"+f.word()+"</button>")
		if mode == "closed" { // ours cannot know of one on an ordinary element that shows its own children too
			slot, light = "", f.pick("", "<button>"+f.word()+"</button>")
		}
		fmt.Fprintf(&f.later, "document.getElementById(%q).attachShadow({mode: %q}).innerHTML = %s;\n", host, mode,
			strconv.Quote(in+slot))
		return fmt.Sprintf("<div id=%s>%s</div>", host, light)
	case 7:
		return fmt.Sprintf(`<iframe title="%s" srcdoc="%s"></iframe>`, f.word(),
			html.EscapeString("<!doctype html>"+in))
	case 8:
		return fmt.Sprintf("<div%s>%s</div>", f.pick(" hidden", " aria-hidden=true", " inert", ` style="display:none"`,
			` style="visibility:hidden"`, ` style="height:0;overflow:hidden"`, ` style="opacity:0"`,
			` style="content-visibility:hidden"`, ` style="display:contents"`, ` popover`), in)
	case 9:
		return fmt.Sprintf("<form aria-label=%s>%s</form>", f.word(), in)
	case 10:
		return fmt.Sprintf("<details%s><summary>%s</summary>%s</details>", f.pick("", " open"), f.word(), in)
	case 11:
		return fmt.Sprintf("<p>%s %s %s</p>", f.word(), in, f.word())
	case 12:
		return fmt.Sprintf("<div style='visibility:hidden'>%s<div style='visibility:visible'>%s</div></div>",
			f.control(), in)
	case 13:
		return fmt.Sprintf("<%[1]s>%[2]s</%[1]s>", f.pick("nav", "main", "section", "article", "aside", "header",
			"footer", "h2", "blockquote"), in)
	}
	return "<div>" + in + "</div>"
}

// deliberate are the differences that ours means, by the line of upstream's snapshot.
func deliberate(e harness.Element) (why string) {
	name, _, _ := strings.Cut(e.Name, " ")
	switch {
	case e.Role == "spinbutton" &&
		slices.Contains([]string{"Hours", "Minutes", "AM/PM", "Seconds", "Month", "Day", "Year", "Week"}, name):
		return "the parts of a date or a time: fill sets it as a whole"
	case e.Role == "button" && strings.Contains(e.Name, "picker"):
		return "the same"
	}
	return ""
}

func TestEveryElementThatUpstreamActsOnIsInOurs(t *testing.T) {
	pages, perPage, seed := 6, 10, uint64(1)
	if s, err := strconv.Atoi(os.Getenv("COVE_RANDOM_PAGES")); err == nil {
		pages = max(1, s/perPage)
	}
	if s, err := strconv.ParseUint(os.Getenv("COVE_RANDOM_SEED"), 10, 64); err == nil {
		seed = s
	}
	var mu sync.Mutex
	now := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, now)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	second := a.Create(`{"name":"second"}`)
	p := pair{theirs: harness.NewTheirs(t, a, second), ours: harness.NewOurs(t, a, 1)}
	compared, accepted := 0, 0
	for n := range pages {
		var body strings.Builder
		parts := map[string]string{}
		body.WriteString("<!doctype html><meta charset=utf-8><title>random</title>")
		for i := range perPage {
			f := &fragment{rand: rand.New(rand.NewPCG(seed, uint64(n*perPage+i))), mark: fmt.Sprintf("f%d", i)}
			text := f.tree(4)
			if f.later.Len() > 0 {
				text += "<script>" + f.later.String() + "</script>"
			}
			parts[f.mark] = text
			body.WriteString("<section>" + text + "</section>\n")
		}
		mu.Lock()
		now = body.String()
		mu.Unlock()
		theirs, ours := p.each(func(g *harness.Agent) harness.Said {
			if s := g.Call("navigate_page",
				harness.Object{"url": fmt.Sprintf("%s/%d", web.URL, n)}); s.Outcome() != "ok" {
				return s
			}
			g.Fresh = false
			_ = g.Look()
			return harness.Said{}
		})
		if theirs.Err != nil || ours.Err != nil {
			t.Fatal(theirs.Err, ours.Err)
		}
		all := slices.Clone(p.ours.Seen)
		plain := p.ours.Call("take_snapshot", nil).Plain()
		for _, e := range p.theirs.Seen {
			if !slices.Contains(actionable, e.Role) {
				continue
			}
			compared++
			same := func(o harness.Element) bool {
				return o.Role == e.Role &&
					strings.Join(strings.Fields(o.Name), " ") == strings.Join(strings.Fields(e.Name), " ")
			}
			i := slices.IndexFunc(all, same)
			if i >= 0 {
				if uid := all[i].UID; !hasUID(plain, uid) {
					t.Errorf("page %d: %s is not in the short snapshot, which cannot be acted on then: %s%s", n, uid,
						e.Line, source(parts, e.Name))
				}
				all = slices.Delete(all, i, i+1)
				continue
			}
			if deliberate(e) != "" {
				accepted++
				continue
			}
			t.Errorf("page %d: not in ours: %s%s", n, e.Line, source(parts, e.Name))
			if e.Name == "" {
				t.Logf("--- upstream\n%s\n--- ours\n%s\n--- page\n%s", p.theirs.Text, p.ours.Text, now)
			}
		}
	}
	t.Logf("%d elements compared on %d pages of %d pieces, %d differ deliberately", compared, pages, perPage, accepted)
}

// hasUID finds a uid as a word of its own.
func hasUID(text, uid string) bool {
	for rest := text; ; {
		i := strings.Index(rest, uid)
		if i < 0 {
			return false
		}
		end := i + len(uid)
		if (i == 0 || strings.ContainsRune(" =\n", rune(rest[i-1]))) &&
			(end == len(rest) || strings.ContainsRune(" \n", rune(rest[end]))) {
			return true
		}
		rest = rest[end:]
	}
}

// source shows the piece of the page that a name comes from.
func source(parts map[string]string, name string) string {
	mark, _, _ := strings.Cut(strings.TrimSpace(name), "w")
	if text, ok := parts[mark]; ok {
		return "\n    in " + text
	}
	return ""
}
