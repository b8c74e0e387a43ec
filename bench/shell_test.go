package main

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEveryDriverDoesEveryErrand(t *testing.T) {
	for _, e := range errands {
		for k, lines := range e.commands {
			if len(lines) == 0 {
				t.Errorf("%s: driver %d does nothing", e.name, k)
			}
		}
		if len(e.saw)+len(e.want) == 0 && e.file == "" {
			t.Errorf("%s: nothing tells whether it is done", e.name)
		}
	}
}

func TestALineTakesWhatWasRead(t *testing.T) {
	d := &driver{ref: `- %[1]s "%[2]s".*?ref=(\w+)`, mark: "@"}
	d.site = &errandSite{Server: &httptest.Server{URL: "http://site"}}
	read := []string{`- button "Send" [ref=e1]`, `- button "Send" [ref=e2] snapshot=7`}
	got, err := d.complete(`open SITE/a click <button Send> </snapshot=(\d+)/>`, read)
	if want := "open http://site/a click @e2 7"; err != nil || got != want {
		t.Errorf("%q, %v, not %q", got, err, want)
	}
	if _, err := d.complete("click <link Send>", read); err == nil || !strings.Contains(err.Error(), "<link Send>") {
		t.Errorf("what was not read: %v", err)
	}
}
