package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestARowSaysWhatIsWrongWithIt(t *testing.T) {
	for name, test := range map[string]struct {
		row                 row
		ours, theirs, rival float64
		want                []string // ours : upstream, the aim, ours : best rival, what is wrong
	}{
		"good":             {row{id: "x", aim: 0.5}, 0.1, 1, 0.2, []string{"1:10.0", "1:2", "0.50", ""}},
		"short of the aim": {row{id: "x", aim: 0.5}, 0.9, 1, 2, []string{"0.90", "1:2", "0.90", "short of the aim"}},
		"behind a rival":   {row{id: "x"}, 0.9, 1, 0.3, []string{"0.90", "", "3.00", "behind a rival"}},
		"both": {row{id: "x", aim: 0.5}, 0.9, 1, 0.3,
			[]string{"0.90", "1:2", "3.00", "short of the aim, behind a rival"}},
		"with a reason": {row{id: "evaluate", aim: 0.5}, 0.9, 1, 2,
			[]string{"0.90", "1:2", "0.90", "short of the aim: " + reasons["evaluate"]}},
		"a limit of ours alone": {row{id: "x", unit: bytesOf, limit: 30e6}, 40e6, 1e6, 1e6,
			[]string{"40.00", "< 30.0 MB", "40.00", "short of the aim"}},
		"tokens are shown as a share": {row{id: "x", unit: count, aim: 0.5}, 20, 100, 50,
			[]string{"0.20", "0.50", "0.40", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &match{all: make([]*rival, servers), samples: map[string][][]float64{}}
			m.add(test.row.id, ours, test.ours)
			m.add(test.row.id, upstream, test.theirs)
			m.add(test.row.id, playwright, test.rival)
			cells := m.cells(test.row)
			if got := cells[1+servers:]; !slices.Equal(got, test.want) || cells[1+agentBrowser] != "–" {
				t.Errorf("got %q, want %q", cells, test.want)
			}
		})
	}
}

func TestTheVersionBeforeHasAColumnAndIsNoRival(t *testing.T) {
	m := &match{all: make([]*rival, servers+1), samples: map[string][][]float64{}}
	m.add("x", ours, 1)
	m.add("x", upstream, 4)
	m.add("x", baseline, 0.5)

	cells := m.cells(row{id: "x"})
	if got, want := cells[1+baseline:], []string{"500ms", "2.00", "1:4.0", "", "1:4.0", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTurnsGiveMediansWithoutTheFirstRound(t *testing.T) {
	calls := [2]int{}
	medians, err := inTurns(3, 2, func(i int) (time.Duration, error) {
		calls[i]++
		if calls[i] == 1 {
			return time.Hour, nil // from the disk
		}
		return time.Duration((i + 1) * calls[i]), nil
	})
	if want := []time.Duration{3, 6}; err != nil || !slices.Equal(medians, want) {
		t.Errorf("got %v, %v, want %v", medians, err, want)
	}
}

func TestInstallCopiesAProgram(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}

	to, err := install(from, from+"-copy")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(to)
	if err != nil || string(raw) != "program" {
		t.Errorf("got %q, %v", raw, err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm()&0o100 == 0 && os.PathSeparator == '/' {
		t.Errorf("the copy cannot be run: %v, %v", info.Mode(), err)
	}
}
