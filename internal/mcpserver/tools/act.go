package tools

import (
	"context"
	"strings"
	"time"

	"cove/internal/mcpserver"
	"cove/internal/page"
)

// onElement is the input of a tool that acts on one element.
type onElement struct {
	mcpserver.OnPage
	UID string `json:"uid"`
}

// shows is the input of a tool that may add a snapshot to its result.
type shows struct {
	IncludeSnapshot bool `json:"includeSnapshot,omitempty"`
}

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

// defaultLimit is how long a server may take to answer a navigation.
const defaultLimit = 30 * time.Second

// limitOf returns the time that an agent gives in milliseconds; defaultLimit when it gives none.
func limitOf(ms *mcpserver.Number) time.Duration {
	if ms == nil || *ms <= 0 {
		return defaultLimit
	}
	return min(time.Duration(float64(*ms)*float64(time.Millisecond)), 10*time.Minute)
}

// capital returns a text with a capital first letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
