package mcpserver

import (
	"log/slog"
	"strings"
	"testing"

	"cove/internal/page"
)

func TestPageNumbersAreNeverUsedAgain(t *testing.T) {
	last, documents := 0, 0
	s := NewServer(Config{})
	c := s.makeClient(Hello{LastPage: 7, Documents: 30})
	c.onNumbers = func(n, d int) { last, documents = n, d }
	p := c.pages
	one, two := &page.Tab{}, &page.Tab{}
	if a, b := p.NumberOf(one), p.NumberOf(two); a != 8 || b != 9 || p.NumberOf(one) != 8 {
		t.Errorf("%d %d", a, b)
	}
	delete(p.numbers, two)
	if n := p.NumberOf(&page.Tab{}); n != 10 {
		t.Errorf("the number of a page that is gone was given again: %d", n)
	}
	if other := s.makeClient(Hello{}); other.pages.NumberOf(one) != 1 {
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
	c := NewServer(Config{}).makeClient(Hello{Notice: "crashed"})
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
	s := NewServer(Config{})
	one, other := &Call{client: s.makeClient(Hello{})}, &Call{client: s.makeClient(Hello{})}
	ClientState[counter](one).n++
	ClientState[counter](&Call{client: one.client}).n++
	if ClientState[counter](one).n != 2 || ClientState[counter](other).n != 0 {
		t.Errorf("%d and %d", ClientState[counter](one).n, ClientState[counter](other).n)
	}
}
