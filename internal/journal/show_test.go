package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/step"
)

// shownRow is what a test reads of a row that was made for people.
type shownRow struct {
	Row
	After string
	Hash  string
}

func showAll(t *testing.T, l Location, q Query) (rows []shownRow, p Page) {
	t.Helper()
	p, err := Show(l, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range p.Rows {
		var r shownRow
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		body, _, _ := strings.Cut(string(raw), `,"hash":`)
		if sum := sha256.Sum256([]byte(body)); r.Hash != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: its hash is not that of its beginning", raw)
		}
		rows = append(rows, r)
	}
	return rows, p
}

func TestPeopleGetWordsSessionsAndPictures(t *testing.T) {
	l := Location{Dir: paths.ProfileDir(t.TempDir()), Key: Key("key")}
	w := Open(l, Bounds{}, "test", slog.New(slog.DiscardHandler))
	codex := policy.Agent{Kind: "mcp", Name: "codex"}
	begun := time.Now().UTC().Add(-time.Hour)
	click := Entry{Time: begun, Agent: codex, Session: "one", Name: "click", Page: "https://shop.example/orders",
		Element: &step.Element{Role: "button", Name: "Refund"}, Before: []byte("old"), BeforeTime: begun}
	w.Record(click)
	w.Record(Entry{Agent: codex, Session: "one", Name: "take_snapshot", Count: 3, Time: begun.Add(time.Second)})
	w.Record(Entry{Agent: codex, Session: "one", Name: Picture, Args: PictureArgs(click), Screenshot: []byte("new")})
	w.Record(Entry{Agent: policy.Agent{Kind: Keeper, Name: "cove"}, Session: "one", Name: "refused",
		Args: json.RawMessage(`{"agent":"codex","what":"pay","by":"person"}`)})
	w.Record(Entry{Agent: policy.Agent{Kind: Keeper, Name: "cove"}, Session: "two", Name: "asked",
		Args: json.RawMessage(`{"agent":"codex","what":"pay","kind":"approve"}`)})
	w.Record(Entry{Agent: codex, Session: "two", Name: "click", Outcome: Refused, Brief: "you said no"})
	w.Record(Entry{Agent: policy.Agent{Kind: Keeper, Name: "cove"}, Name: "closed"})
	w.Close()

	rows, page := showAll(t, l, Query{Limit: 3, Steps: true})
	if len(rows) != 3 || !page.More || page.First != 1 || page.Last != 7 {
		t.Fatalf("%d rows, %+v", len(rows), page)
	}
	if r := rows[0]; r.Text != `Clicked the button "Refund"` || r.Kind != step.Act || r.Session != "one" ||
		r.Before == "" || r.BeforeTime == nil || r.After == "" || r.After == r.Before {
		t.Errorf("%+v", r)
	}
	for name, c := range map[string]struct {
		query Query
		seqs  []int64
	}{
		"one session":                         {Query{Session: "one", Steps: true}, []int64{1, 2, 4}},
		"what acts":                           {Query{Kind: "act"}, []int64{1, 6}},
		"the person":                          {Query{Kind: "person"}, []int64{4}},
		"words, any order":                    {Query{Text: "SHOP refund"}, []int64{1}},
		"words that are in no entry together": {Query{Text: "refund denied"}, nil},
		"until":                               {Query{Until: begun.Add(time.Millisecond)}, []int64{1}},
		"the newest first":                    {Query{Newest: true, Steps: true}, []int64{7, 6, 5, 4, 2, 1}},
		"pictures too":                        {Query{Session: "one"}, []int64{1, 2, 3, 4}},
	} {
		c.query.Limit = 10
		rows, page := showAll(t, l, c.query)
		var seqs []int64
		for _, r := range rows {
			seqs = append(seqs, r.Seq)
		}
		if !slices.Equal(seqs, c.seqs) || page.More {
			t.Errorf("%s: %v, not %v", name, seqs, c.seqs)
		}
	}

	all, err := Sessions(l)
	if err != nil || len(all) != 2 || all[0].Name != "two" || all[1].Name != "one" {
		t.Fatalf("%+v, %v", all, err)
	}
	if one := all[1]; one.Steps != 2 || one.Acts != 1 || one.Reads != 1 || one.Answers != 1 || one.FirstSeq != 1 ||
		one.LastSeq != 4 || one.Agent != codex || !one.First.Equal(begun) || one.Last.Before(begun.Add(time.Second)) {
		t.Errorf("%+v", one)
	}
	if two := all[0]; two.Refused != 1 || two.Steps != 1 || two.Answers != 0 {
		t.Errorf("%+v", two)
	}
	if r, err := Verify(l); err != nil || len(r.Problems) > 0 || r.Screenshots != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A journal of an older version has neither words nor sessions.
func TestOldRowsAreReadInWords(t *testing.T) {
	l := Location{Dir: paths.ProfileDir(t.TempDir()), Key: Key("key")}
	if err := os.MkdirAll(l.Dir.Journal(), 0o700); err != nil {
		t.Fatal(err)
	}
	const old = `{"seq":1,"time":"2026-03-05T08:00:00Z","agent":{"kind":"mcp","name":"codex","version":"1"},` +
		`"name":"click","args":{"uid":"f10"},"outcome":"error","reason":"The element with uid f10 is hidden.","ms":1,` +
		`"prev":""`
	sum := sha256.Sum256([]byte(old))
	text := old + hashMark + hex.EncodeToString(sum[:]) + sealMark + strings.Repeat("0", 2*sealBytes) + endMark + "\n"
	if err := os.WriteFile(l.rowsFile(1), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}

	rows, _ := showAll(t, l, Query{Limit: 1, Kind: "act", Text: "hidden"})
	if len(rows) != 1 || rows[0].Text != "Could not click an element: the element is hidden" ||
		rows[0].Kind != step.Act || !strings.HasPrefix(rows[0].Session, oldSession) {
		t.Fatalf("%+v", rows)
	}
	if all, err := Sessions(l); err != nil || len(all) != 1 || all[0].Name != rows[0].Session || all[0].Failed != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
