package snapshot

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/tokens"
	"testing"
)

var bigPages = []struct {
	name string
	page toldDoc
}{
	{"article", article()},
	{"5,000 elements", rows("paragraph")},
	{"5,000 elements without wrappers", rows("")},
}

func TestRatio(t *testing.T) {
	for _, p := range bigPages {
		t.Run(p.name, func(t *testing.T) {
			d := p.page.doc(t, "a")
			theirs, ours := upstream(p.page), render(t, d, Options{Number: 1, MaxTokens: 60_000})
			ratio := float64(tokens.Count(ours)) / float64(tokens.Count(theirs))
			t.Logf(
				"%d bytes, %d tokens; upstream %d bytes, %d tokens; ratio %.2f",
				len(ours),
				tokens.Count(ours),
				len(theirs),
				tokens.Count(theirs),
				ratio,
			)
			if ratio > 0.6 {
				t.Errorf("%.2f of upstream's tokens", ratio)
			}
			acts := map[string]bool{}
			collect(d.Root, "a", acts)
			got := uids(ours)
			for uid := range acts {
				if got[uid] != 1 {
					t.Fatalf("%s stands %d times", uid, got[uid])
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, p := range bigPages {
		b.Run(p.name, func(b *testing.B) {
			raw := p.page.told()
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := document.Parse(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRender parses and renders pages, and reports the tokens of our text and of upstream's.
func BenchmarkRender(b *testing.B) {
	for _, p := range bigPages {
		b.Run(p.name, func(b *testing.B) {
			raw := p.page.told()
			b.ReportAllocs()
			var text string
			for b.Loop() {
				d, err := document.Parse(raw)
				if err != nil {
					b.Fatal(err)
				}
				d.Label = "a"
				text, _, _ = Render(d, Options{Number: 1, MaxTokens: 60_000})
			}
			b.ReportMetric(float64(tokens.Count(text)), "tokens")
			b.ReportMetric(float64(tokens.Count(text))/float64(tokens.Count(upstream(p.page))), "of-upstream")
		})
	}
}
