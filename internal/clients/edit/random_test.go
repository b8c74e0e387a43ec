package edit_test

import (
	"fmt"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/clients/edit/edittest"
	"cove/internal/racetest"
)

// cases is how many random documents each format gets, so 12,000 in all.
const cases = 4000 / racetest.Slower

// roundTrips adds entries to random documents and removes them again. It skips the few documents that are not valid.
func roundTrips(t *testing.T, random func(seed uint64) edittest.Case) {
	t.Helper()
	tried := 0
	for seed := range uint64(cases) {
		c := random(seed)
		d, err := edit.Open(c.Format, []byte(c.Text))
		if err == nil && c.Format == edit.YAML { // chance may have given the key another value than a map
			_, err = d.Entries(c.Keys)
		}
		if err != nil {
			continue
		}
		tried++
		edittest.RoundTrip(t, fmt.Sprintf("seed %d", seed), c, newScratch(t, c.Format, c.Keys, c.Text))
	}

	t.Logf("%d documents", tried)
	if tried < cases*5/6 {
		t.Errorf("only %d of %d documents were valid", tried, cases)
	}
}

func TestRandomJSON(t *testing.T) {
	t.Parallel()
	for seed := range uint64(cases) { // all of them are valid
		c := edittest.RandomJSON(seed)
		edittest.RoundTrip(t, fmt.Sprintf("seed %d", seed), c, newScratch(t, c.Format, c.Keys, c.Text))
	}
}

func TestRandomTOML(t *testing.T) {
	t.Parallel()
	roundTrips(t, edittest.RandomTOML)
}

func TestRandomYAML(t *testing.T) {
	t.Parallel()
	roundTrips(t, edittest.RandomYAML)
}
