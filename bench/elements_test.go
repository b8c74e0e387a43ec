package main

import (
	"maps"
	"testing"
)

func TestElementsAreCountedWhereverTheyStand(t *testing.T) {
	text := `uid=a1 RootWebArea "page"
 uid=a2 button "Save"
  3 rows of: text | link | textbox
   "uid=a9 button \"Forged\"" | uid=a3 link "One" /1 | uid=a4 textbox "Name" value="uid=a8 link"
 "text with" uid=a5 link "One" /2 "and uid=a7 link"
 uid=1_4 "only text"`
	want := map[string]int{"button Save": 1, "link One": 2, "textbox Name": 1}
	if got := elements(text); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if n, lost := missing(text+"\nuid=a6 button \"Send\"", text); n != 5 || len(lost) != 1 {
		t.Errorf("of %d elements %v are missing", n, lost)
	}
}
