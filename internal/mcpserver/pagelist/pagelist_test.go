package pagelist

import (
	"log/slog"
	"testing"

	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
)

func TestPageNumbersAreNeverUsedAgain(t *testing.T) {
	p := New(&redaction.Redactor{}, 7, func(*page.Tab) bool { return false })
	one, two := &page.Tab{}, &page.Tab{}
	if a, b := p.NumberOf(one), p.NumberOf(two); a != 8 || b != 9 || p.NumberOf(one) != 8 {
		t.Errorf("%d %d", a, b)
	}
	delete(p.numbers, two)
	if n := p.NumberOf(&page.Tab{}); n != 10 {
		t.Errorf("the number of a page that is gone was given again: %d", n)
	}

	p.numbers = map[*page.Tab]int{}
	if _, _, ok := p.Update(); ok {
		t.Error("there is a browser")
	}
	p.Use(page.New(slog.New(slog.DiscardHandler)), 30)
	if last, documents, ok := p.Update(); last != 10 || documents != 30 || !ok {
		t.Errorf("%d, %d, %t", last, documents, ok)
	}
}
