package mcpserver

import (
	"log/slog"
	"strings"
	"testing"

	"cove/internal/page"
)

func TestTheBridgeHearsTheHighestNumbers(t *testing.T) {
	last, documents := 0, 0
	s := NewServer(Config{})
	c := s.makeClient(Hello{LastPage: 7, Documents: 30})
	c.onNumbers = func(n, d int) { last, documents = n, d }
	if n := c.pages.NumberOf(&page.Tab{}); n != 8 {
		t.Errorf("the first number is %d", n)
	}
	if other := s.makeClient(Hello{}); other.pages.NumberOf(&page.Tab{}) != 1 {
		t.Error("clients share numbers")
	}

	c = s.makeClient(Hello{LastPage: 10, Documents: 30})
	c.onNumbers = func(n, d int) { last, documents = n, d }
	c.pages.Use(page.New(slog.New(slog.DiscardHandler)), c.hello.Documents)
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
