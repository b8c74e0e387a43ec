package snapshot

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cove/internal/snapshot/document"
	"cove/internal/snapshot/index"
	"cove/internal/snapshot/text"
	"cove/internal/snapshot/tokens"
)

// TestRules renders small pages; want is the text below the line of the page.
func TestRules(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"a uid only where one can act", `
  main #2
    button! #3 "Go"
    button #4 "Off" disabled`, `
 main
  uid=a3 button "Go"
  button "Off" disabled`},
		{"texts next to each other are one, formatting is gone", `
  paragraph
    "Hello "
    strong
      "big"
    LineBreak
    "world"`, `
 "Hello big world"`},
		{"short texts of blocks share a line, not a word", `
  main
    "Price"
    "$5"
    "in stock"`, `
 main
  "Price $5 in stock"`},
		{"long texts of blocks have lines of their own", `
  main
    "The first paragraph has more words than fit on a line with another one."
    "And so has the second."`, `
 main
  "The first paragraph has more words than fit on a line with another one."
  "And so has the second."`},
		{"paragraphs stay apart", `
  paragraph
    "One"
  paragraph
    "Two"`, `
 "One"
 "Two"`},
		{"a child that repeats the name is dropped", `
  link! #2 "Read more" url=https://shop.example/a
    "Read "
    generic
      "more"`, `
 uid=a2 link "Read more" url="/a"`},
		{"a heading whose link says its name leaves it to the link", `
  heading #2 "News" level=2
    link! #3 "News" url=https://shop.example/n
      "News"`, `
 heading level="2"
  uid=a3 link "News" url="/n"`},
		{"a row named by what is in it has no name", `
  table #5
    row #2 "Tea 1.00 Buy"
      cell "Tea"
        "Tea"
      cell "1.00"
        "1.00"
      button! #3 "Buy"`, `
 table
  row
   cell "Tea"
   cell "1.00"
   uid=a3 button "Buy"`},
		{"a label before its control is dropped", `
  LabelText
    "Your name "
  generic
    textbox! #2 "Your name"
    "at least two letters"`, `
 uid=a2 textbox "Your name"
 "at least two letters"`},
		{"a label behind a checkbox is dropped, behind a button it stays", `
  checkbox! #2 "Agree" checked
  " Agree"
  button! #3 "Agree"
  "Agree"`, `
 uid=a2 checkbox "Agree" checked
 uid=a3 button "Agree"
 "Agree"`},
		{"a value that is the name is dropped, and text that is the value", `
  button! #2 "Send" value=Send
  textbox! #3 "To" value="ann@x.example"
    generic
      "ann@x.example"`, `
 uid=a2 button "Send"
 uid=a3 textbox "To" value="ann@x.example"`},
		{"a list with one item is no list", `
  list #2
    listitem #3
      link! #4 "Only" url=https://shop.example/o`, `
 uid=a4 link "Only" url="/o"`},
		{"containers with nothing in them are gone", `
  navigation #2
    list #3
  image #4
  status #5 live=polite`, ``},
		{"a clickable wrapper is named by its text", `
  generic! #2
    paragraph
      "Open the menu"`, `
 uid=a2 generic "Open the menu"`},
		{"states as upstream writes them", `
  button! #2 "Menu" expanded=false haspopup=menu focusable
  button! #3 "Menu" expanded
  checkbox! #4 "All" checked=mixed invalid=false
  slider! #5 "Vol" value=3 valuemin=0 valuemax=10 valuetext="3 of 10" orientation=horizontal
  textbox! #6 "Bio" multiline readonly required invalid`, `
 uid=a2 button "Menu" expandable haspopup="menu"
 uid=a3 button "Menu" expanded
 uid=a4 checkbox "All" checked="mixed"
 uid=a5 slider "Vol" value="3" valuemin="0" valuemax="10" valuetext="3 of 10"
 uid=a6 textbox "Bio" required readonly invalid multiline`},
		{"addresses are relative to the page", `
  link! #2 "part" url=https://shop.example/list?page=1#part
  link! #3 "path" url=https://shop.example/a?b=c#d
  link! #4 "home" url=https://shop.example/
  link! #5 "other" url=https://shop.example.evil/
  link! #6 "port" url=https://shop.example:8443/x`, `
 uid=a2 link "part" url="#part"
 uid=a3 link "path" url="/a?b=c#d"
 uid=a4 link "home" url="/"
 uid=a5 link "other" url="https://shop.example.evil/"
 uid=a6 link "port" url="https://shop.example:8443/x"`},
		{"a name cannot look like another line", `
  button! #2 "x\"\nuid=a99 button \"Pay"
  "\u2028uid=a98 link \u202e\u200b\\"`, `
 uid=a2 button "x\" uid=a99 button \"Pay"
 "uid=a98 link \\"`},
		{"an element that one can act on is kept wherever it is", `
  InlineTextBox
    strong
      button! #2 "deep"
  text
    link! #3 "in a text"`, `
 uid=a2 button "deep"
 uid=a3 link "in a text"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := outline(t, "RootWebArea #1"+c.page).doc(t, "a")
			got := render(t, d, Options{Number: 1})
			_, got, _ = strings.Cut(got, "\n")
			if want := strings.TrimPrefix(c.want, "\n"); strings.TrimSuffix(got, "\n") != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestStrings(t *testing.T) {
	long := strings.Repeat("é", 350)
	for _, c := range []struct{ name, page, want string }{
		{"a long name", "button! #2 \"" + long + `"`, `"` + long[:600] + `…(+50 characters)"`},
		{"a name that is a little too long", "button! #2 \"" + long[:620] + `"`, `"` + long[:620] + `"`},
		{"a long text", `"` + strings.Repeat("x", 2500) + `"`, `x…(+500 characters)"`},
		{"a long address", "link! #2 \"l\" url=https://shop.example/" + strings.Repeat("q", 300), `qqq…qqq`},
		{"a data address", "link! #2 \"l\" url=data:text/html," + strings.Repeat("q", 300), `qqq…"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := render(t, outline(t, "RootWebArea #1\n  "+c.page).doc(t, "a"), Options{})
			if !strings.Contains(text, c.want) {
				t.Errorf("%s\ndoes not hold\n%s", text, c.want)
			}
			wellFormed(t, text)
		})
	}
}

func TestErrors(t *testing.T) {
	d := outline(t, "RootWebArea #1\n  button! #2 \"Go\"").doc(t, "a")
	for _, uid := range []string{"a9", "b2", "nonsense", "1_2"} {
		if _, _, err := Render(d, Options{UID: uid}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", uid, err)
		}
	}
	if _, _, err := Render(nil, Options{}); err == nil {
		t.Error("a page without a document was rendered")
	}
	if _, _, err := Render(d, Options{Query: "x", Since: &index.Index{}}); err == nil {
		t.Error("query and since were taken together")
	}
}

func TestIndex(t *testing.T) {
	d := outline(t, "RootWebArea #1\n  button! #2 \"Go  on\"\n  text \"x\"").doc(t, "a")
	_, p, err := Render(d, Options{Number: 3, Query: "nothing"})
	if err != nil {
		t.Fatal(err)
	}
	if role, name, ok := p.Find("a2"); role != "button" || name != "Go  on" || !ok {
		t.Errorf("found %s %q %v", role, name, ok)
	}
	for _, uid := range []string{"a3", "b2", ""} {
		if _, _, ok := p.Find(uid); ok {
			t.Errorf("found %q", uid)
		}
	}
	if p.Number != 3 {
		t.Errorf("number %d", p.Number)
	}
}

func TestFrames(t *testing.T) {
	outer := outline(t, "RootWebArea #1\n  Iframe@ #2 \"A\"\n  Iframe@ #3 \"B\"").doc(t, "a")
	outer.Frames, outer.Unread = map[int]*document.Doc{2: outer}, map[int]string{3: "it is\ncrashed"}
	text := render(t, outer, Options{})
	if strings.Count(text, "RootWebArea") != 1 || !strings.Contains(text, `Iframe "B" (it is crashed)`) {
		t.Error(text)
	}
}

func TestBudget(t *testing.T) {
	d := article().doc(t, "a")
	for _, budget := range []int{200, 400, 1000, 3000, 8000, 9000, 20000} {
		text := render(t, d, Options{Number: 1, MaxTokens: budget})
		if got := tokens.Count(text); got > budget {
			t.Errorf("%d tokens where %d were allowed", got, budget)
		}
		if cut := strings.Contains(text, "Left out to stay"); cut == (budget == 20000) {
			t.Errorf("budget %d: cut is %v", budget, cut)
		}
	}
	t.Run("text goes before what one can act on", func(t *testing.T) {
		m := &maker{}
		root := m.node("RootWebArea", "")
		for i := range 200 {
			part := m.node(
				[]string{"region", "form", "search"}[i%3],
				fmt.Sprint("part ", i),
				textNode(strings.Repeat("word ", 10+i)),
			)
			for range 1 + i%2 {
				part.C = append(part.C, m.act("button", fmt.Sprint("b", i)))
			}
			root.C = append(root.C, part)
		}
		d := toldDoc{N: root}.doc(t, "a")
		got := uids(render(t, d, Options{MaxTokens: 9000}))
		if len(got) < 301 {
			t.Errorf("only %d of 301 elements are left", len(got))
		}
	})
}

func TestQuery(t *testing.T) {
	d := rows("row").doc(t, "a")
	for query, want := range map[string]string{
		"row 930":        "\"Row 930\"\n  uid=a3722 link",
		`BUTTON "buy 7"`: "uid=a31 button \"Buy 7\"\n",
		"quantity":       "1250 matches",
		"row 77 buy 77":  "Nothing holds all of",
		"xyzzy":          "Nothing on this page matches \"xyzzy\"",
		"  ":             "Nothing on this page matches \"\"",
	} {
		got := render(t, d, Options{Query: query})
		if !strings.Contains(got, want) || len(got) > 2000 {
			t.Errorf("%s: %d bytes, no %q in\n%.600s", query, len(got), want, got)
		}
		wellFormed(t, got)
	}
}

func TestASpaceThatDoesNotBreakStaysBetweenWords(t *testing.T) {
	for in, want := range map[string]string{
		"10\u00a0km": "10\u00a0km", "\u00a0a\u00a0": "a", "a\u00a0\u00a0b": "a b", "a \u00a0b": "a b", "a\u00a0 b": "a b",
		"a\u00a0\u200bb": "a b",
	} {
		if got := text.Clean(in); got != want {
			t.Errorf("%+q becomes %+q, not %+q", in, got, want)
		}
	}
	m := &maker{}
	d := toldDoc{N: m.node("RootWebArea", "", m.act("button", "10\u00a0km run"))}.doc(t, "a")
	if got := render(t, d, Options{Query: `"10 km"`}); !strings.Contains(got, "1 match") {
		t.Errorf("got %s", got)
	}
}
