package inspect

import (
	"context"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
)

// standing is what an agent sets on a page until it leaves, in place of what it has set there before: its logpoints,
// its rules for requests.
type standing[In, Out any] struct {
	name string // of one, as the beginning of a sentence
	// read returns one as the page takes it, or what is wrong with it.
	read func(In) (one Out, wrong string)
	// set sets all of an agent. first says that it had none on the page.
	set   func(t *page.Tab, agent string, all []Out) (first bool, err error)
	clear func(t *page.Tab, agent string)
}

// apply sets what a call gives. It sets nothing if one of them is wrong.
func (s standing[In, Out]) apply(ctx context.Context, c *mcpserver.Call, on mcpserver.OnPage, given []In) error {
	var all []Out
	for i, in := range given {
		one, wrong := s.read(in)
		if wrong != "" {
			return fault.Invalidf("%s %d %s.", s.name, i+1, wrong)
		}
		all = append(all, one)
	}
	c.Record.SetCount(len(all))
	t, unlock, err := c.LockTab(ctx, on)
	if err != nil {
		return err
	}
	defer unlock()

	agent := c.Session()
	first, err := s.set(t, agent, all)
	if first {
		c.OnLeave(func() { s.clear(t, agent) })
	}
	return err
}
