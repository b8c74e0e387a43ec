package snapshot

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/index"
	"cove/internal/snapshot/tokens"
	"strings"
	"testing"
)

func TestSince(t *testing.T) {
	page := rows("row")
	_, p, err := Render(page.doc(t, "a"), Options{Number: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("one field of thousands", func(t *testing.T) {
		field := page.N.C[700].C[3]
		field.V = "3"
		defer func() { field.V = "" }()
		got := render(t, page.doc(t, "a"), Options{Number: 5, Since: p})
		if want := "~ uid=a2804 textbox \"Quantity\" value=\"3\"\n"; !strings.Contains(got, want) || len(got) > 300 {
			t.Errorf("got %s", got)
		}
	})
	t.Run("another page is written whole", func(t *testing.T) {
		got := render(t, article().doc(t, "b"), Options{Number: 5, Since: p})
		if !strings.HasPrefix(got, "Most of the page changed since snapshot 4") ||
			!strings.Contains(got, "uid=b1 RootWebArea") {
			t.Errorf("got %.200s", got)
		}
	})
	t.Run("many new rows make a table within the budget", func(t *testing.T) {
		more := rows("row")
		more.N.C = append(more.N.C[:1250:1250], more.N.C[:600]...)
		raw := more.doc(t, "a")
		got := render(t, raw, Options{Number: 5, Since: p, MaxTokens: 1000})
		if tokens.Count(got) > 1000 || !strings.Contains(got, "600 rows of: row: text | link | button") {
			t.Errorf("%d tokens: %.400s", tokens.Count(got), got)
		}
	})
}

func TestWhatIsShorterIsWritten(t *testing.T) {
	small := func(names ...string) *document.Doc {
		m := &maker{}
		root := m.node("RootWebArea", "")
		for _, name := range names {
			root.C = append(root.C, m.act("button", name))
		}
		return toldDoc{N: root}.doc(t, "a")
	}
	_, p, err := Render(small("One"), Options{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	again := func(d *document.Doc) string { return render(t, d, Options{Number: 2, Since: p, Shorter: true}) }
	if got := again(small("One")); got != "Nothing changed since snapshot 1.\n" {
		t.Errorf("nothing changed: %s", got)
	}
	if got := again(small("Once")); !strings.Contains(got, "RootWebArea") || strings.Contains(got, "Since") {
		t.Errorf("a small page is shorter than what changed in it: %s", got)
	}
	if got := again(article().doc(t, "b")); !strings.HasPrefix(got, "uid=b1 RootWebArea") {
		t.Errorf("another page: %.200s", got)
	}
	grid := func(names ...string) *document.Doc {
		root := &toldNode{I: 1, R: "RootWebArea"}
		for _, name := range names {
			id := 10 * int(name[0])
			root.C = append(
				root.C,
				&toldNode{
					I: id,
					R: "row",
					C: []*toldNode{{I: id + 1, R: "gridcell", A: 1, N: name}, {I: id + 2, R: "gridcell", A: 1, N: name + "?"}},
				},
			)
		}
		return toldDoc{N: root}.doc(t, "a")
	}
	if _, p, err = Render(grid("A", "B", "C"), Options{Number: 1}); err != nil {
		t.Fatal(err)
	}
	if got := again(grid("C", "B", "A")); !strings.Contains(got, "RootWebArea") {
		t.Errorf("rows in another order are told as a page: %s", got)
	}
	if got := render(t, grid("C", "B", "A"), Options{Number: 2, Since: p}); !strings.Contains(
		got,
		`is now: "C", "B", "A"`,
	) {
		t.Errorf("rows are called by their first cell: %s", got)
	}
	page := rows("row")
	if _, p, err = Render(page.doc(t, "a"), Options{Number: 1}); err != nil {
		t.Fatal(err)
	}
	page.N.C[700].C[3].V = "3"
	if got := again(page.doc(t, "a")); !strings.HasPrefix(got, "Since snapshot 1: ~ 1 changed. This is snapshot 2.\n") ||
		len(got) > 300 {
		t.Errorf("one field of thousands: %.400s", got)
	}
}

func TestWhatSaysNothingIsNotWritten(t *testing.T) {
	m := &maker{}
	open, top, void := m.act("button", "Menu"), m.act("link", "Top"), m.act("link", "Void")
	open.S = map[string]any{"expandable": true, "expanded": true}
	top.U, void.U = "https://shop.example/kinds#", "javascript:void(0)"
	root := m.node("RootWebArea", "", open, top, void)
	root.U = "https://shop.example/kinds"
	got := render(t, toldDoc{N: root, U: root.U}.doc(t, "a"), Options{Number: 1})
	for _, line := range []string{"button \"Menu\" expanded\n", "link \"Top\"\n", "link \"Void\"\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in %s", line, got)
		}
	}
}

func TestALostFocusIsNoChange(t *testing.T) {
	for _, c := range []struct {
		old, cur string
		want     bool
	}{
		{`uid=a1 textbox "x" focused`, `uid=a1 textbox "x"`, false},
		{`uid=a1 textbox "x" value="1" focused multiline`, `uid=a1 textbox "x" value="1" multiline`, false},
		{`uid=a1 textbox "x"`, `uid=a1 textbox "x" focused`, true},
		{`uid=a1 textbox "x" value="1" focused`, `uid=a1 textbox "x" value="2"`, true},
	} {
		if got := index.Differs(c.old, c.cur); got != c.want {
			t.Errorf("%s → %s: %v", c.old, c.cur, got)
		}
	}
}
