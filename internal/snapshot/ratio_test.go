package snapshot

import (
	"encoding/json"
	"os"
	"testing"
)

func TestRatio(t *testing.T) {
	for name, page := range map[string]jsonDoc{"article": article(), "rows": rows("paragraph"), "rows without wrappers": rows("")} {
		theirs, ours := upstream(page), render(t, page.doc(t, "a"), Options{Number: 1})
		if dir := os.Getenv("DUMP"); dir != "" {
			os.WriteFile(dir+"/"+name+".theirs", []byte(theirs), 0o644)
			os.WriteFile(dir+"/"+name+".ours", []byte(ours), 0o644)
		}
		t.Logf("%s: %d bytes, %d tokens; theirs %d bytes, %d tokens; ratio %.2f", name, len(ours), Tokens(ours), len(theirs), Tokens(theirs),
			float64(Tokens(ours))/float64(Tokens(theirs)))
	}
}

func BenchmarkRender(b *testing.B) {
	for name, page := range map[string]jsonDoc{"article": article(), "rows": rows("paragraph")} {
		raw, _ := json.Marshal(page)
		b.Run(name+"/parse", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(raw)
			}
		})
		b.Run(name+"/both", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d, _ := Parse(raw)
				d.Label = "a"
				Render(d, Options{})
			}
		})
	}
}
