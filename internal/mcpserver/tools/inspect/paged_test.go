package inspect

import (
	"math"
	"testing"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/record"
)

func TestAListComesInPages(t *testing.T) {
	n := func(f float64) *mcpserver.Number { x := mcpserver.Number(f); return &x }
	for name, one := range map[string]struct {
		in       paged
		total    int
		from, to int
	}{
		"all of a short list":  {paged{}, 5, 0, 5},
		"the first page":       {paged{}, 250, 0, 100},
		"the last page":        {paged{PageIdx: n(2)}, 250, 200, 250},
		"pages of its own":     {paged{PageSize: n(7), PageIdx: n(1)}, 20, 7, 14},
		"an empty list":        {paged{}, 0, 0, 0},
		"a size without bound": {paged{PageSize: n(math.Inf(1))}, 20, 0, 20},
	} {
		from, to, err := one.in.bounds(&mcpserver.Call{Record: &record.Step{}}, one.total, usualSize)
		if err != nil || from != one.from || to != one.to {
			t.Errorf("%s: %d to %d, %v", name, from, to, err)
		}
	}

	for name, in := range map[string]paged{
		"after the end": {PageIdx: n(3)}, "before the beginning": {PageIdx: n(-1)}, "of nothing": {PageSize: n(0)},
	} {
		if _, _, err := in.bounds(&mcpserver.Call{Record: &record.Step{}}, 250, usualSize); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a page %s: %v", name, err)
		}
	}
}
