package inspect

import (
	"fmt"

	"cove/internal/fault"
	"cove/internal/mcpserver"
)

// paged is the input of a tool whose list comes in pages.
type paged struct {
	PageSize *mcpserver.Number `json:"pageSize,omitempty"`
	PageIdx  *mcpserver.Number `json:"pageIdx,omitempty" say:"from 0"`
}

// usualSize is how many entries a page of a list has when the agent does not say.
const usualSize = 100

// bounds returns the bounds of one page of a list, and says which one it is.
func (p paged) bounds(c *mcpserver.Call, total, size int) (from, to int, err error) {
	c.Record.SetCount(total)
	if p.PageSize != nil {
		if size = int(min(*p.PageSize, 1<<30)); size <= 0 {
			return 0, 0, fault.Invalidf("pageSize is 1 or more.")
		}
	}
	pages := max((total+size-1)/size, 1)
	idx := 0
	if p.PageIdx != nil {
		idx = int(min(*p.PageIdx, 1<<30))
	}
	if idx < 0 || idx >= pages {
		return 0, 0, fault.Invalidf("There is no page %d of this list.", idx).
			WithHint(fmt.Sprintf("pageIdx is 0 to %d.", pages-1))
	}

	from, to = idx*size, min((idx+1)*size, total)
	switch {
	case total > 0 && pages == 1:
		c.Head("Showing %d-%d of %d (Page 1 of 1).", from+1, to, total)
	case total > 0:
		c.Say("Showing %d-%d of %d (Page %d of %d).", from+1, to, total, idx+1, pages)
	}
	if idx+1 < pages {
		c.Say("Next page: %d", idx+1)
	}
	return from, to, nil
}
