package document

import (
	"fmt"
	"strings"
	"testing"
)

func TestUID(t *testing.T) {
	for n, want := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 701: "zz", 702: "aaa", -1: "a"} {
		if got := Label(n); got != want {
			t.Errorf("Label(%d) = %s, want %s", n, got, want)
		}
	}
	for uid, want := range map[string]string{"a57": "a 57 true", "uid=ab1": "ab 1 true", "\tc3": "c 3 true",
		"57": " 0 false", "a": " 0 false",
		"a0": " 0 false", "a5x": " 0 false", "A5": " 0 false", "1_5": " 0 false", "a99999999999999999999": " 0 false",
		"": " 0 false"} {
		label, id, ok := ParseUID(uid)
		if got := fmt.Sprint(label, " ", id, " ", ok); got != want {
			t.Errorf("ParseUID(%q) = %s, want %s", uid, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Run("reads what the script writes", func(t *testing.T) {
		d, err := Parse(
			"7.3|T 😀|https://x.example/p|https://x.example|4|2,3||(1.RootWebArea|(2.checkbox|na\"b^1c\nd^2|schecked=true|slevel=2|sx=y=z|a)" +
				"Tt|(3.Iframe|fu/q|)(2.|azunknown|uhttps://y.example/|))",
		)
		if err != nil {
			t.Fatal(err)
		}
		if d.Version != 7 || d.Shape != 3 || d.Title != "T 😀" || d.Unreported != 4 || fmt.Sprint(d.IDs) != "[2 3]" ||
			fmt.Sprint(d.Iframes()) != "[3]" {
			t.Errorf("%+v", d)
		}
		box := d.Root.Kids[0]
		if box.Name != "a\"b|c\nd^" || !box.Act || fmt.Sprint(box.States) != "[{checked true} {level 2} {x y=z}]" ||
			d.Root.Kids[2].URL != "https://x.example/q" {
			t.Errorf("%+v", box)
		}
		if twin := d.Root.Kids[3]; twin.ID != 0 || twin.URL != "https://y.example/" {
			t.Errorf("two nodes have the id %d", twin.ID)
		}
	})
	t.Run("refuses what is cut off", func(t *testing.T) {
		whole := `1|t|u|o|0|1||(1.RootWebArea|Ta|(2.checkbox|schecked=true|a))`
		for i := range whole {
			if _, err := Parse(whole[:i]); err == nil {
				t.Errorf("accepted %s", whole[:i])
			}
		}
		if _, err := Parse(whole); err != nil {
			t.Error(err)
		}
	})
	t.Run("flattens what is very deep, and loses nothing", func(t *testing.T) {
		const n = 200_000
		var b strings.Builder
		b.WriteString("|||||||")
		for i := range n + 1 {
			fmt.Fprintf(&b, "(%d.x|a", i+1)
		}
		b.WriteString(strings.Repeat(")", n+1))
		d, err := Parse(b.String())
		if err != nil {
			t.Fatal(err)
		}
		depth, count := 0, 0
		var walk func(n *Node, at int)
		walk = func(n *Node, at int) {
			depth, count = max(depth, at), count+1
			for _, k := range n.Kids {
				walk(k, at+1)
			}
		}
		walk(d.Root, 1)
		if depth > maxDepth+1 || count != n+1 {
			t.Errorf("%d nodes, %d deep", count, depth)
		}
	})
}
