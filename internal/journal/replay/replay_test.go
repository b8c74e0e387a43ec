package replay

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/racetest"
	"cove/internal/step"
)

// newJournal writes a journal of two sessions.
func newJournal(t *testing.T) journal.Location {
	t.Helper()
	l := journal.Location{Dir: paths.ProfileDir(t.TempDir()), Key: journal.Key(strings.Repeat("k", 32)).Of(1)}
	w := journal.Open(l, journal.Bounds{}, "test", slog.New(slog.DiscardHandler))
	first := journal.Entry{
		Time: time.Now().UTC(), Agent: policy.Agent{Kind: "mcp", Name: "codex"}, Session: "one", Name: "click",
		Element: &step.Element{Role: "button", Name: "</script><script>alert(1)"}, Before: []byte("before"),
	}
	w.Record(first)
	w.Record(journal.Entry{Agent: first.Agent, Session: "two", Name: "fill", Args: json.RawMessage(`{"value":"s3cret"}`)})
	w.Record(journal.Entry{Agent: first.Agent, Session: "one", Name: journal.Picture, Args: journal.PictureArgs(first),
		Screenshot: []byte("after")})
	w.Close()
	return l
}

func write(t *testing.T, l journal.Location, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	o.Profile, o.Name, o.Made = 1, "shop", time.Now()
	if err := Write(&b, l, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func keyOf(l journal.Location) KeyOf { return func(int) journal.Key { return l.Key } }

func TestAFileVerifies(t *testing.T) {
	l := newJournal(t)
	for name, c := range map[string]struct {
		options                      Options
		entries, sealed, screenshots int
	}{
		"all of it":           {Options{Pictures: true}, 3, 3, 2},
		"without screenshots": {Options{}, 3, 3, 0},
		"one session":         {Options{Session: "one", Pictures: true}, 2, 2, 2},
		"no entry at all":     {Options{Session: "none"}, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Verify(write(t, l, c.options), keyOf(l))
			if err != nil || len(r.Problems) > 0 || r.Name != "shop" || r.Profile != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			if r.Entries != c.entries || r.Sealed != c.sealed || r.Screenshots != c.screenshots {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAnotherComputersKeySealsNothing(t *testing.T) {
	l := newJournal(t)
	r, err := Verify(write(t, l, Options{}), func(int) journal.Key { return journal.Key("other") })
	if err != nil || len(r.Problems) > 0 || r.Sealed != 0 || r.Entries != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Whatever byte of a file is changed, Verify says so or cannot read the file at all.
func TestEveryChangedByteIsFound(t *testing.T) {
	l := newJournal(t)
	file := write(t, l, Options{Pictures: true})
	for i := 0; i < len(file); i += racetest.Slower {
		changed := bytes.Clone(file)
		changed[i] ^= 1
		if r, err := Verify(changed, keyOf(l)); err == nil && len(r.Problems) == 0 {
			t.Fatalf("byte %d of %d: %q", i, len(file), file[max(0, i-20):min(len(file), i+20)])
		}
	}
}

func TestAChangedFileSaysWhichEntry(t *testing.T) {
	l := newJournal(t)
	file := write(t, l, Options{Pictures: true})
	for name, c := range map[string]struct{ old, now, says string }{
		"an entry":          {`\"name\":\"fill\"`, `\"name\":\"file\"`, "Entry 2 was changed."},
		"a screenshot":      {"YWZ0ZXI=", "YWZ0ZXM=", "A screenshot of entry 3 was changed."},
		"a lost screenshot": {`class="picture" id="0`, `class="picture" id="1`, "A screenshot of entry 1 is missing."},
	} {
		t.Run(name, func(t *testing.T) {
			if !bytes.Contains(file, []byte(c.old)) {
				t.Fatalf("no %s in the file", c.old)
			}
			r, err := Verify(bytes.Replace(file, []byte(c.old), []byte(c.now), 1), keyOf(l))
			if err != nil || !strings.Contains(strings.Join(r.Problems, "\n"), c.says) {
				t.Errorf("%q, %v", r.Problems, err)
			}
		})
	}
}

func TestRowsWithSecretsAreLeftOut(t *testing.T) {
	l := newJournal(t)
	private := func(row []byte) bool { return bytes.Contains(row, []byte("s3cret")) }
	file := write(t, l, Options{Pictures: true, Private: private})
	if bytes.Contains(file, []byte("s3cret")) {
		t.Error("the secret is in the file")
	}
	if r, err := Verify(file, keyOf(l)); err != nil || len(r.Problems) > 0 || r.Entries != 2 {
		t.Errorf("the chain is not closed: %+v, %v", r, err)
	}
}

// Words of a page can end neither the data nor the screenshots.
func TestThePagesWordsDoNotLeaveTheData(t *testing.T) {
	l := newJournal(t)
	file := string(write(t, l, Options{Pictures: true}))
	if n := strings.Count(file, "<script"); n != 4 || strings.Contains(file, "alert(1)\"}") {
		t.Errorf("%d scripts, not the data, two screenshots and the viewer", n)
	}
	for _, part := range []string{viewerJS, viewerCSS, appHTML} {
		if strings.Contains(part, "</script") || strings.Contains(part, "<!--") || strings.Contains(part, "\r") {
			t.Error("a part of the viewer would end its own element")
		}
	}
	for _, no := range []string{"http:", "https:", "fetch(", "XMLHttpRequest", "WebSocket", "import(", "eval("} {
		if strings.Contains(viewerJS+viewerCSS, no) {
			t.Errorf("the viewer has %s", no)
		}
	}
}
