package tools

import (
	"context"

	"cove/internal/mcpserver"
	"cove/internal/page"
)

// act runs an action on a page and reports what it has caused.
func act(
	ctx context.Context, c *mcpserver.Call, p mcpserver.OnPage, s shows, do func(t *page.Tab) (page.Effects, error),
) error {
	t, unlock, err := c.LockTab(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()

	e, err := do(t)
	c.ReportEffects(ctx, e) // also after an error: the page may have acted
	reportToolCalls(ctx, c, t)
	if err != nil {
		return err
	}
	if s.IncludeSnapshot && e.Dialog == nil && !e.Closed {
		return addSnapshot(ctx, c, t, snapshotInput{again: true})
	}
	return nil
}

// merge joins the effects of two steps.
func merge(a, b page.Effects) page.Effects {
	if b.Navigated == "" {
		b.Navigated = a.Navigated
	}
	b.Opened = append(a.Opened, b.Opened...)
	b.Downloads = append(a.Downloads, b.Downloads...)
	return b
}
