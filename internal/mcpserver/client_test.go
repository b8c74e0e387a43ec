package mcpserver

import (
	"log/slog"
	"strings"
	"testing"

	"cove/internal/page"
)

func TestPageNumbersAreNeverUsedAgain(t *testing.T) {
	last, documents := 0, 0
	s := New(Config{})
	c := s.newClient(Hello{LastPage: 7, Documents: 30})
	c.onNumbers = func(n, d int) { last, documents = n, d }
	p := c.pages
	one, two := &page.Tab{}, &page.Tab{}
	if a, b := p.Number(one), p.Number(two); a != 8 || b != 9 || p.Number(one) != 8 {
		t.Errorf("%d %d", a, b)
	}
	delete(p.numbers, two)
	if n := p.Number(&page.Tab{}); n != 10 {
		t.Errorf("the number of a page that is gone was given again: %d", n)
	}
	if other := s.newClient(Hello{}); other.pages.Number(one) != 1 {
		t.Error("clients share numbers")
	}

	p.numbers = map[*page.Tab]int{}
	p.use(page.New(slog.New(slog.DiscardHandler)), c.hello.Documents)
	c.updatePages()
	if last != 10 || documents != 30 {
		t.Errorf("the bridge hears %d, %d", last, documents)
	}
}

func TestANoticeIsGivenOnce(t *testing.T) {
	c := New(Config{}).newClient(Hello{Notice: "crashed"})
	if c.swapNotice("") != "crashed" || c.swapNotice("") != "" {
		t.Error("not once")
	}
	c.swapNotice("again")
	if !strings.Contains(c.swapNotice(""), "again") {
		t.Error("lost")
	}
}

func TestAToolRemembersOneValueOfATypeForEachClient(t *testing.T) {
	type counter struct{ n int }
	s := New(Config{})
	one, other := &Call{client: s.newClient(Hello{})}, &Call{client: s.newClient(Hello{})}
	State[counter](one).n++
	State[counter](&Call{client: one.client}).n++
	if State[counter](one).n != 2 || State[counter](other).n != 0 {
		t.Errorf("%d and %d", State[counter](one).n, State[counter](other).n)
	}
}
