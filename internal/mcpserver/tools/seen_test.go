package tools

import (
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/snapshot/index"
)

func TestASnapshotIsComparedWithOneOfTheSamePage(t *testing.T) {
	var s seenSnapshots
	one, other := &page.Tab{}, &page.Tab{}
	s.add(s.nextNumber(), seenSnapshot{tab: one, version: "a", shown: &index.Index{}, whole: true})
	s.add(s.nextNumber(), seenSnapshot{tab: one, version: "b", shown: &index.Index{}})
	s.add(s.nextNumber(), seenSnapshot{tab: other, version: "c", shown: &index.Index{}, whole: true})

	if got, err := s.get(one, 2); err != nil || got.version != "b" {
		t.Errorf("by its number: %+v %v", got, err)
	}
	for name, number := range map[string]int{"of another page": 3, "that is not there": 4} {
		if _, err := s.get(one, number); fault.KindOf(err) != fault.NotFound {
			t.Errorf("one %s: %v", name, err)
		}
	}
	if got := s.lastWhole(one); got.version != "a" {
		t.Errorf("the last whole one: %+v", got)
	}
	if got := s.lastWhole(&page.Tab{}); got.shown != nil {
		t.Errorf("of a page that was not seen: %+v", got)
	}
}

func TestOldSnapshotsAreForgotten(t *testing.T) {
	var s seenSnapshots
	tab := &page.Tab{}
	for range maxSnapshots + 5 {
		s.add(s.nextNumber(), seenSnapshot{tab: tab, shown: &index.Index{}, whole: true})
	}
	if len(s.byNumber) != maxSnapshots {
		t.Errorf("%d are retained", len(s.byNumber))
	}
	if _, err := s.get(tab, 5); err == nil {
		t.Error("the fifth is still there")
	}
	if _, err := s.get(tab, 6); err != nil {
		t.Error(err)
	}
}

func TestAContextIsNamedInPrintableLetters(t *testing.T) {
	cs := isolatedContexts{names: map[string]string{"id": "work"}}
	if id, err := cs.get(t.Context(), nil, "work"); err != nil || id != "id" {
		t.Errorf("a known one: %s %v", id, err)
	}
	for _, name := range []string{"two words", "line\nbreak", "é"} {
		if _, err := cs.get(t.Context(), nil, name); err == nil || !strings.Contains(err.Error(), "letters") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
