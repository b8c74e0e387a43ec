package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/paths"
	"cove/internal/policy"
)

func newLocation(t testing.TB) Location {
	t.Helper()
	home := paths.Home(t.TempDir())
	key, err := ReadKey(home.JournalKey())
	if err != nil {
		t.Fatal(err)
	}
	dir := home.Profile(1)
	if err := os.MkdirAll(string(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	return Location{Dir: dir, Key: key.Of(1)}
}

func open(p Location, b Bounds) *Writer { return Open(p, b, "0.1.0", slog.New(slog.DiscardHandler)) }

var agent = policy.Agent{Kind: policy.Tools, Name: "claude-code", Version: "2.1"}

func entry(i int) Entry {
	return Entry{Agent: agent, Name: "click",
		Args: json.RawMessage(fmt.Sprintf(`{"uid":"a%d","n":{"error":"<b>&\u2028"}}`, i)),
		Page: "https://shop.example/cart?a=1&b=<2>", Outcome: OK, Duration: 1234 * time.Microsecond}
}

func fill(p Location, b Bounds, from, n int) {
	j := open(p, b)
	for i := range n {
		e := entry(from + i)
		if i%5 == 0 {
			e.Screenshot = fmt.Appendf(nil, "\xff\xd8picture %d", from+i)
		}
		j.Record(e)
	}
	j.Close()
}

func mustVerify(t testing.TB, p Location, entries int64) Report {
	t.Helper()
	r, err := Verify(p)
	if err != nil || len(r.Problems) > 0 || (entries >= 0 && r.Entries != entries) {
		t.Fatalf("verify: %v, %d entries (want %d): %s", err, r.Entries, entries, strings.Join(r.Problems, "\n"))
	}
	return r
}

func mustFind(t testing.TB, p Location, what string) {
	t.Helper()
	r, err := Verify(p)
	if err != nil || !strings.Contains(strings.Join(r.Problems, "\n"), what) {
		t.Fatalf("verify: %v; %q is not in: %s", err, what, strings.Join(r.Problems, "\n"))
	}
}

func TestAnEmptyOrAbsentJournalVerifies(t *testing.T) {
	p := newLocation(t)
	mustVerify(t, p, 0)
	open(p, Bounds{}).Close()
	mustVerify(t, p, 0)
	if all, err := Read(p, Query{Limit: 10}); err != nil || len(all) != 0 {
		t.Fatalf("%v, %v", all, err)
	}
}

func TestJournalGoesOn(t *testing.T) {
	p := newLocation(t)
	for i := range 5 {
		fill(p, Bounds{}, i*20, 20)
		mustVerify(t, p, int64(20*(i+1)))
	}
	all, err := Read(p, Query{Limit: 1000})
	if err != nil || len(all) != 100 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	for i, raw := range all {
		var l Row
		if err := json.Unmarshal(raw, &l); err != nil || l.Seq != int64(i+1) || l.MS != 1.234 || l.Agent != agent {
			t.Fatalf("%s: %v", raw, err)
		}
		// The API sends the line itself, so that others can check its hash.
		if again, err := json.Marshal(raw); err != nil || !bytes.Equal(raw, again) {
			t.Fatalf("%s\n%s", raw, again)
		}
	}
	found, err := os.ReadDir(p.Dir.Journal())
	if err != nil || len(found) != 1 || found[0].Name() != "00000001.jsonl" {
		t.Fatalf("%v, %v", found, err)
	}
}

func TestRead(t *testing.T) {
	p := newLocation(t)
	small := Bounds{MB: 1}
	j := open(p, small)
	for i := range 400 {
		e := entry(i)
		e.Args = json.RawMessage(`"` + strings.Repeat("x", 1000) + `"`)
		if i%10 == 0 {
			e.Outcome, e.Agent.Name = Refused, "codex"
		}
		j.Record(e)
	}
	j.Close()
	if numbers, _, _ := p.files(); len(numbers) < 3 {
		t.Fatalf("%d files", len(numbers))
	}
	for name, c := range map[string]struct {
		q    Query
		want []int64
	}{
		"the first":             {Query{Limit: 3}, []int64{1, 2, 3}},
		"after one":             {Query{After: 250, Limit: 3}, []int64{251, 252, 253}},
		"the newest":            {Query{Newest: true, Limit: 3}, []int64{400, 399, 398}},
		"the newest before one": {Query{Newest: true, Before: 200, Limit: 3}, []int64{199, 198, 197}},
		"after the last":        {Query{After: 400, Limit: 3}, nil},
		"the end":               {Query{After: 398, Limit: 3}, []int64{399, 400}},
		"an agent's":            {Query{Agent: "CODEX", After: 300, Limit: 2}, []int64{301, 311}},
		"the refused, newest":   {Query{Outcome: Refused, Newest: true, Limit: 2}, []int64{391, 381}},
		"since tomorrow":        {Query{Since: time.Now().Add(24 * time.Hour), Limit: 2}, nil},
		"since yesterday":       {Query{Since: time.Now().Add(-24 * time.Hour), Limit: 2}, []int64{1, 2}},
	} {
		all, err := Read(p, c.q)
		var got []int64
		for _, raw := range all {
			var l Row
			_ = json.Unmarshal(raw, &l)
			got = append(got, l.Seq)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func TestEntriesOfAnyShapeAreKept(t *testing.T) {
	p := newLocation(t)
	j := open(p, Bounds{})
	for _, e := range []Entry{
		{}, {Time: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}, {Args: json.RawMessage("{not json")},
		{Args: json.RawMessage("\"\xff\"")},
		{Args: json.RawMessage(`"` + strings.Repeat("é", 1<<20) + `"`)},
		{Name: strings.Repeat("é", 1<<20), Page: "a\nb", Error: "\x00\xff"},
		{Args: json.RawMessage("{\n \"a\" : 1\n}")},
	} {
		j.Record(e)
	}
	j.Close()
	j.Record(entry(1)) // forgotten
	mustVerify(t, p, 7)
	if info, err := os.Stat(p.rowsFile(1)); err != nil || info.Size() > 32<<10 {
		t.Fatalf("%v, %v", info.Size(), err)
	}
}

func TestManyAtOnce(t *testing.T) {
	p := newLocation(t)
	j := open(p, Bounds{MB: 1})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 150 {
				j.Record(entry(i))
				if i%50 == 0 {
					mustVerify(t, p, -1) // while it is written, files begin and are removed
					if _, err := Read(p, Query{Newest: true, Limit: 10}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	j.Close()
	mustVerify(t, p, -1)
}

func TestShortened(t *testing.T) {
	p := newLocation(t)
	for range 3 {
		j := open(p, Bounds{MB: 1})
		for i := range 500 {
			e := entry(i)
			e.Args, e.Screenshot = json.RawMessage(`"`+strings.Repeat("x", 1000)+`"`),
				bytes.Repeat([]byte{byte(i)}, 500)
			j.Record(e)
		}
		for begun := time.Now(); kept(p) > 1<<20; <-time.After(time.Millisecond) {
			if time.Since(begun) > 30*time.Second {
				t.Fatalf("%d bytes are kept", kept(p))
			}
		}
		j.Close()
		mustVerify(t, p, -1)
	}
	h, err := readHead(p)
	if err != nil || h.First == 1 || h.FirstFile == 1 || h.Oldest != h.FirstFile {
		t.Fatalf("nothing was removed: %+v, %v", h, err)
	}
	if err := os.Remove(p.rowsFile(h.FirstFile)); err != nil {
		t.Fatal(err)
	}
	mustFind(t, p, fileName(h.FirstFile)+" was removed")
}

// kept returns the size of the journal and its screenshots.
func kept(p Location) (size int64) {
	for _, dir := range []string{p.Dir.Journal(), p.Dir.JournalPictures()} {
		found, _ := os.ReadDir(dir)
		for _, f := range found {
			if info, err := f.Info(); err == nil {
				size += info.Size()
			}
		}
	}
	return size
}

func TestOldEntriesAreRemoved(t *testing.T) {
	p := newLocation(t)
	// Nothing is removed while the old entries are written: a row about it would carry today's date among theirs.
	j := open(p, Bounds{Days: 48})
	for day := range 40 {
		e := entry(day)
		e.Time = time.Now().Add(time.Duration(day-40) * 24 * time.Hour)
		j.Record(e)
	}
	j.Close()
	if r := mustVerify(t, p, -1); r.Entries != 40 {
		t.Fatalf("%d entries were written", r.Entries)
	}

	j = open(p, Bounds{Days: 16})
	for begun := time.Now(); time.Since(begun) < 30*time.Second; <-time.After(time.Millisecond) {
		if h, err := readHead(p); err == nil && h.First > 1 {
			break
		}
	}
	j.Close()
	r := mustVerify(t, p, -1)
	if age := time.Since(r.Since); age > 20*24*time.Hour || r.Entries > 22 || r.Entries < 16 {
		t.Fatalf("%v old, %d entries", age, r.Entries)
	}
}

// rewrite changes a file of the journal line by line.
func rewrite(t testing.TB, name string, change func(lines []string) []string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(change(strings.SplitAfter(string(raw), "\n")), "")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyFinds(t *testing.T) {
	for name, c := range map[string]struct {
		tamper func(t *testing.T, p Location)
		says   string
	}{
		"a changed line": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(2), func(l []string) []string {
				l[4] = strings.Replace(l[4], "click", "hover", 1)
				return l
			})
		}, "00000002.jsonl, line 5: the entry was changed"},
		"a removed line": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(2), func(l []string) []string { return slices.Delete(l, 3, 4) })
		}, "00000002.jsonl, line 4: entry 105 is"},
		"lines in another order": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(2), func(l []string) []string { l[0], l[1] = l[1], l[0]; return l })
		}, "00000002.jsonl, line 1: entry 102 is missing"},
		"a repeated line": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(2), func(l []string) []string { return slices.Insert(l, 5, l[4]) })
		}, "00000002.jsonl, line 6: entry 106 is where entry 107 should be"},
		"a cut tail": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(3), func(l []string) []string { return l[:len(l)-4] })
		}, "missing at the end: cut off."},
		"a tail cut inside a line": {func(t *testing.T, p Location) {
			info, _ := os.Stat(p.rowsFile(3))
			if err := os.Truncate(p.rowsFile(3), info.Size()-10); err != nil {
				t.Fatal(err)
			}
		}, "the entry is incomplete"},
		"a removed first file": {func(t *testing.T, p Location) { _ = os.Remove(p.rowsFile(1)) },
			"00000001.jsonl was removed"},
		"a removed middle file": {func(t *testing.T, p Location) { _ = os.Remove(p.rowsFile(2)) },
			"00000002.jsonl was removed"},
		"a removed last file": {func(t *testing.T, p Location) { _ = os.Remove(p.rowsFile(3)) }, "missing at the end"},
		"a removed folder": {func(t *testing.T, p Location) { _ = os.RemoveAll(p.Dir.Journal()) },
			"missing at the end"},
		"a removed head": {func(t *testing.T, p Location) { _ = os.Remove(p.Dir.JournalHead()) },
			"journal.json, which records the end of the journal, is missing"},
		"a changed head": {func(t *testing.T, p Location) {
			rewrite(t, p.Dir.JournalHead(),
				func(l []string) []string { return []string{strings.Replace(l[0], `"first":1`, `"first":2`, 1)} })
		}, "journal.json, which records the end of the journal, was changed"},
		"a swapped picture": {func(t *testing.T, p Location) {
			found, _ := os.ReadDir(p.Dir.JournalPictures())
			if err := os.WriteFile(p.screenshotFile(found[3].Name()), []byte("another"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "has a changed screenshot"},
		"a removed picture": {func(t *testing.T, p Location) {
			found, _ := os.ReadDir(p.Dir.JournalPictures())
			_ = os.Remove(p.screenshotFile(found[3].Name()))
		}, "has no screenshot any more"},
		"bytes behind the end": {func(t *testing.T, p Location) {
			rewrite(t, p.rowsFile(3), func(l []string) []string { return append(l, "x") })
		}, "the entry is incomplete"},
		"another file": {func(t *testing.T, p Location) { _ = os.WriteFile(p.rowsFile(4), nil, 0o600) },
			"00000004.jsonl is not part"},
		"a stranger": {func(t *testing.T, p Location) {
			_ = os.WriteFile(filepath.Join(p.Dir.Journal(), "notes.txt"), nil, 0o600)
		}, "notes.txt, which is not part of the journal"},
		"a chain made anew by somebody without the key": {func(t *testing.T, p Location) {
			fake := Location{Dir: p.Dir, Key: make(Key, 32)}
			_ = os.RemoveAll(p.Dir.Journal())
			_ = os.Remove(p.Dir.JournalHead())
			fill(fake, Bounds{}, 0, 10)
		}, "its seal does not match"},
		"another profile's journal": {func(t *testing.T, p Location) {
			other := Location{Dir: p.Dir, Key: p.Key.Of(2)}
			_ = os.RemoveAll(p.Dir.Journal())
			_ = os.Remove(p.Dir.JournalHead())
			fill(other, Bounds{}, 0, 10)
		}, "its seal does not match"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := threeFiles(t, 101)
			c.tamper(t, p)
			mustFind(t, p, c.says)
			// A keeper that continues the journal does not hide the change.
			fill(p, Bounds{}, 1000, 5)
			if r, err := Verify(p); err != nil || len(r.Problems) == 0 {
				t.Fatalf("hidden by later entries: %+v, %v", r, err)
			}
		})
	}
}

// threeFiles returns a closed journal of three files.
func threeFiles(t testing.TB, size int) Location {
	t.Helper()
	p := newLocation(t)
	j := open(p, Bounds{})
	for i := range 3 * size {
		if i == size || i == 2*size {
			j.mu.Lock()
			if err := j.roll(); err != nil {
				t.Fatal(err)
			}
			j.mu.Unlock()
		}
		e := entry(i)
		if i%7 == 0 {
			e.Screenshot = fmt.Appendf(nil, "picture %d", i)
		}
		j.Record(e)
	}
	j.Close()
	mustVerify(t, p, int64(3*size))
	return p
}

func TestTheFirstBrokenEntryIsNamed(t *testing.T) {
	p := threeFiles(t, 8)
	rewrite(t, p.rowsFile(1), func(l []string) []string {
		for _, i := range []int{2, 4} {
			l[i] = strings.Replace(l[i], `"outcome":"ok"`, `"outcome":"no"`, 1)
		}
		return l
	})
	if r, err := Verify(p); err != nil || r.Broken != 3 {
		t.Errorf("entry %d is broken first, not 3: %v, %q", r.Broken, err, r.Problems)
	}
}

// TestAnySingleChangeIsFound changes one thing at random, many times.
func TestAnySingleChangeIsFound(t *testing.T) {
	p := threeFiles(t, 8)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 400 {
		name := p.rowsFile(1 + r.IntN(3))
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		after, what := change(r, before)
		if bytes.Equal(before, after) {
			continue
		}
		if err := os.WriteFile(name, after, 0o600); err != nil {
			t.Fatal(err)
		}
		if found, err := Verify(p); err != nil || len(found.Problems) == 0 {
			t.Fatalf("seed %d: %s in %s is not found: %v", seed, what, filepath.Base(name), err)
		}
		if err := os.WriteFile(name, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustVerify(t, p, 24)
}

// change makes one random change.
func change(r *rand.Rand, text []byte) ([]byte, string) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines = lines[:len(lines)-1]
	at, other := r.IntN(len(text)), r.IntN(len(lines))
	i := r.IntN(len(lines))
	join := func(l [][]byte) []byte { return bytes.Join(l, nil) }
	switch r.IntN(8) {
	case 0:
		out := bytes.Clone(text)
		out[at] = byte(r.IntN(256))
		return out, fmt.Sprintf("another byte at %d", at)
	case 1:
		return slices.Delete(bytes.Clone(text), at, at+1), fmt.Sprintf("the byte %d removed", at)
	case 2:
		return slices.Insert(bytes.Clone(text), at, byte(r.IntN(256))), fmt.Sprintf("a byte put in at %d", at)
	case 3:
		return join(slices.Delete(slices.Clone(lines), i, i+1)), fmt.Sprintf("line %d removed", i)
	case 4:
		return join(slices.Insert(slices.Clone(lines), i, lines[other])),
			fmt.Sprintf("line %d repeated before %d", other, i)
	case 5:
		out := slices.Clone(lines)
		out[i], out[other] = out[other], out[i]
		return join(out), fmt.Sprintf("lines %d and %d exchanged", i, other)
	case 6:
		return text[:at], fmt.Sprintf("cut at %d", at)
	default:
		return append(bytes.Clone(text), byte(r.IntN(256))), "a byte put behind the end"
	}
}

func TestTamperedWhileItIsWritten(t *testing.T) {
	for name, tamper := range map[string]func(p Location){
		"removed": func(p Location) { _ = os.Remove(p.rowsFile(1)) },
		"cut":     func(p Location) { _ = os.Truncate(p.rowsFile(1), 100) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newLocation(t)
			j := open(p, Bounds{})
			for i := range 20 {
				j.Record(entry(i))
			}
			tamper(p)
			j.Record(entry(20))
			j.inspect()
			j.Record(entry(21))
			j.Close()
			mustFind(t, p, "00000001.jsonl")
			all, err := Read(p, Query{Newest: true, Limit: 1})
			if err != nil || len(all) != 1 || !strings.Contains(string(all[0]), `"a21"`) {
				t.Fatalf("%s, %v", all, err)
			}
		})
	}
}

func TestAFullDiskIsTold(t *testing.T) {
	p := newLocation(t)
	j := open(p, Bounds{})
	j.Record(entry(1))
	j.mu.Lock()
	good := j.f
	j.f, _ = os.Open(p.rowsFile(1)) // it can only be read: every write fails
	j.mu.Unlock()
	for i := range 3 {
		j.Record(entry(i))
	}
	mustVerify(t, p, 1)
	j.mu.Lock()
	_ = j.f.Close()
	j.f = good
	j.mu.Unlock()
	j.inspect()
	j.Close()
	mustVerify(t, p, 2)
	all, err := Read(p, Query{Newest: true, Limit: 1})
	if err != nil || !strings.Contains(string(all[0]), `"name":"lost"`) ||
		!strings.Contains(string(all[0]), `"entries":3`) {
		t.Fatalf("%s, %v", all, err)
	}
}

func TestATornLineIsTakenOut(t *testing.T) {
	p := newLocation(t)
	fill(p, Bounds{}, 0, 10)
	h, err := readHead(p)
	if err != nil {
		t.Fatal(err)
	}
	h.Closed = false // as after a kill
	if err := h.write(p, false); err != nil {
		t.Fatal(err)
	}
	rewrite(t, p.rowsFile(1), func(l []string) []string { return append(l, l[3][:40]) })
	mustVerify(t, p, 10)
	open(p, Bounds{}).Close()
	mustVerify(t, p, 11)
	all, _ := Read(p, Query{Newest: true, Limit: 1})
	if !strings.Contains(string(all[0]), `"name":"recovered"`) {
		t.Fatalf("%s", all)
	}
}

func BenchmarkRecord(b *testing.B) {
	j := open(newLocation(b), Bounds{})
	defer j.Close()
	for i := range b.N {
		j.Record(entry(i))
	}
}
