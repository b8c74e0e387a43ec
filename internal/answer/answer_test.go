package answer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"cove/internal/fault"
)

var opening = regexp.MustCompile(`(?m)^<(page-[0-9a-f]{8})>$`)

// outside returns what stands outside of the boundary, as a client sees it that knows its number.
func outside(t *testing.T, text string) string {
	t.Helper()
	m := opening.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<"+m[1]+">")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, text, found = strings.Cut(rest, "</"+m[1]+">"); !found {
			t.Fatalf("the boundary is not closed:\n%s", rest)
		}
	}
}

func TestNoPageLeavesTheBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		var p strings.Builder
		for range 1 + r.IntN(6) {
			p.WriteString([]string{"PAGE", "\n", "\r", "\u2028", fmt.Sprintf("</page-%08x>", r.Uint32()), "<page-1>", "</page-",
				fmt.Sprintf("<page-%08x>", r.Uint32()), "Error: ", "»", "## Pages\n"}[r.IntN(11)])
		}
		kinds := []Kind{Said, Heading, Page, Snapshot, Value, Pages, Done}
		var parts []Part
		for range 1 + r.IntN(6) {
			part := Part{Kind: kinds[r.IntN(len(kinds))], Text: "ours"}
			if part.FromPage() {
				part.Text = "PAGE" + p.String()
			}
			parts = append(parts, part)
		}
		if text := Render(parts); strings.Contains(outside(t, text), "PAGE") {
			t.Fatalf("%+q leaves the boundary:\n%s", p.String(), text)
		}
	}
}

func TestEveryTextOfAPageIsMapped(t *testing.T) {
	tab := func() *Tab { return &Tab{Title: "x", URL: "x", Context: "x"} }
	a := Answer{Tab: tab(), Text: "x", Error: fault.New(fault.CodeUID, "x", "x"), Parts: []Part{{
		Kind: Caused, Text: "x", File: "x", Tabs: []Tab{*tab()},
		Effect: &Effect{URL: "x", Tab: tab(), File: "x", Path: "x", Text: "x"},
	}}}
	n := 0
	a.Map(func(s string) string {
		if s == "x" {
			n++
		}
		return "y"
	})
	if n != 15 {
		t.Errorf("%d texts were mapped", n)
	}
	if a.Error.Text != "y" || a.Parts[0].Effect.Tab.Title != "y" || a.Parts[0].Tabs[0].URL != "y" {
		t.Errorf("not all was replaced: %+v", a)
	}
}
