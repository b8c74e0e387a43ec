package snapshot

import (
	"bytes"
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/fold"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the tests got into the golden files")

// TestGolden renders the pages of testdata. In a file, "page" is the page, "then" the same page later, "frame ID" and
// "then frame ID" the document of an iframe; every other part is the output with an option: "full", "uid a5", "query
// words", "tokens 300".
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	run, long, links := fold.MinRun, fold.LongRun, fold.MinLinks
	fold.MinRun, fold.LongRun, fold.MinLinks = 6, 6, 6 // so that the pages stay short enough to read
	defer func() { fold.MinRun, fold.LongRun, fold.MinLinks = run, long, links }()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page, then := goldenPage(t, archive, ""), goldenPage(t, archive, "then ")
	for i, f := range archive.Files {
		word, rest, _ := strings.Cut(f.Name, " ")
		if word == "page" || word == "then" || word == "frame" {
			continue
		}
		o, d := Options{Number: 1}, page
		switch word {
		case "full":
		case "interactive":
			o.Interactive = true
		case "verbose":
			o.Verbose = true
		case "uid":
			o.UID = rest
		case "query":
			o.Query = rest
		case "tokens":
			o.MaxTokens, _ = strconv.Atoi(rest)
		case "since":
			_, p, err := Render(page, Options{Number: 1})
			if err != nil {
				t.Fatal(err)
			}
			o, d = Options{Number: 2, Since: p, UID: rest}, then
		case "shorter":
			_, p, err := Render(page, Options{Number: 1})
			if err != nil {
				t.Fatal(err)
			}
			o, d = Options{Number: 2, Since: p, Shorter: true}, then
		default:
			t.Fatalf("%s: unknown part", f.Name)
		}
		got := render(t, d, o)
		if *update {
			archive.Files[i].Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s:\ngot:\n%s\nwant:\n%s", f.Name, got, f.Data)
		}
		wellFormed(t, got)
	}
	if *update {
		if err := os.WriteFile(file, bytes.TrimLeft(txtar.Format(archive), "\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// goldenPage returns a page of an archive, or nil when the archive has no second one.
func goldenPage(t *testing.T, a *txtar.Archive, prefix string) *document.Doc {
	var page *document.Doc
	for _, f := range a.Files {
		if f.Name == prefix+"page" || prefix != "" && f.Name == "then" {
			page = outline(t, string(f.Data)).doc(t, "a")
		}
	}
	if page == nil {
		return nil
	}
	page.Frames = map[int]*document.Doc{}
	frames := 0
	for _, f := range a.Files {
		if id, ok := strings.CutPrefix(f.Name, prefix+"frame "); ok {
			n, _ := strconv.Atoi(id)
			frames++
			page.Frames[n] = outline(t, string(f.Data)).doc(t, document.Label(frames))
		}
	}
	return page
}
