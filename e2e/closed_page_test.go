//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// A call without a page must not act on another one than the agent believes.
func TestAClosedPageIsToldBeforeAnotherIsUsed(t *testing.T) {
	base := pages(t, map[string]string{
		"/first":  `<title>first</title><button onclick="document.title='pressed'">press</button><script>onkeydown=()=>{document.title='key'}</script>`,
		"/second": `<title>second</title><button onclick="setTimeout(() => window.close())">shut</button>`,
	})
	a := start(t)
	g, other := newOurs(t, a, 1), newOurs(t, a, 1)
	if s := g.call("navigate_page", arguments{"url": base + "/first"}); s.outcome() != "ok" {
		t.Fatal(s.err, s.text)
	}
	first := g.page
	here := arguments{"pageId": nil}
	with := func(args arguments) arguments {
		args["pageId"] = nil
		return args
	}
	// open makes a second page, which is selected then, and gives its number.
	open := func(t *testing.T) int {
		t.Helper()
		s := g.call("new_page", arguments{"url": base + "/second"})
		if s.outcome() != "ok" {
			t.Fatal(s.err, s.text)
		}
		return selected(s.text)
	}
	// shut closes that page from another client.
	shut := func(t *testing.T) {
		t.Helper()
		for line := range strings.Lines(other.call("list_pages", nil).text) {
			var n int
			if _, err := fmt.Sscanf(line, "%d:", &n); err == nil && strings.Contains(line, "/second") {
				if s := other.call("close_page", arguments{"pageId": n}); s.outcome() != "ok" {
					t.Fatal(s.err, s.text)
				}
			}
		}
		wait(t, "the page to be gone", func() bool { return !strings.Contains(other.call("list_pages", nil).text, "/second") })
	}
	title := func(t *testing.T) (now string) {
		t.Helper()
		if err := g.eval("() => { const was = document.title; document.title = 'first'; return was }", &now); err != nil {
			t.Fatal(err)
		}
		return now
	}
	told := func(t *testing.T, s said, number int) {
		t.Helper()
		says(t, s.text, fmt.Sprintf("Page %d (%s/second) was closed.", number, base), fmt.Sprintf("Page %d (%s/first) is selected now.", first, base))
	}
	t.Run("a call that acts is refused once", func(t *testing.T) {
		for _, acts := range []struct {
			tool string
			args arguments
		}{{"press_key", arguments{"key": "a"}}, {"evaluate_script", arguments{"function": "() => { document.title = 'script' }"}}, {"close_page", arguments{}}, {"navigate_page", arguments{"type": "reload"}}} {
			number := open(t)
			shut(t)
			s := g.call(acts.tool, with(acts.args))
			if !s.failed {
				t.Errorf("%s says success: %s", acts.tool, s.text)
			}
			told(t, s, number)
			if now := title(t); now != "first" {
				t.Errorf("%s acted on another page: %s", acts.tool, now)
			}
		}
		if s := g.call("press_key", arguments{"key": "a", "pageId": nil}); s.outcome() != "ok" || title(t) != "key" {
			t.Errorf("the second call: %s", s.text)
		}
	})
	t.Run("a page that closes itself", func(t *testing.T) {
		var opened bool
		if err := g.eval("() => !!window.open('/second')", &opened); err != nil || !opened { // only what a page has opened may close itself
			t.Fatal(opened, err)
		}
		number := 0
		wait(t, "the second page", func() bool {
			for line := range strings.Lines(g.call("list_pages", nil).text) {
				if strings.Contains(line, "/second") {
					_, _ = fmt.Sscanf(line, "%d:", &number)
				}
			}
			return number != 0
		})
		g.call("select_page", arguments{"pageId": number})
		g.page, g.seen, g.fresh = number, nil, false
		s := g.do("click", arguments{"uid": `button "shut"`})
		g.page, g.seen, g.fresh = first, nil, false
		if s.outcome() != "ok" {
			t.Fatal(s.err, s.text)
		}
		wait(t, "the page to be gone", func() bool { return !strings.Contains(other.call("list_pages", nil).text, "/second") })
		s = g.call("press_key", arguments{"key": "a", "pageId": nil})
		if !s.failed || title(t) != "first" {
			t.Errorf("says success: %s", s.text)
		}
		told(t, s, number)
	})
	t.Run("a call that reads says so", func(t *testing.T) {
		for _, tool := range []string{"take_snapshot", "list_pages", "list_console_messages"} {
			number := open(t)
			shut(t)
			s := g.call(tool, here)
			if s.outcome() != "ok" {
				t.Fatal(s.err, s.text)
			}
			told(t, s, number)
			if s := g.call(tool, here); strings.Contains(s.text, "was closed") {
				t.Errorf("%s says it twice: %s", tool, s.text)
			}
		}
	})
	t.Run("a page that is named is used", func(t *testing.T) {
		open(t)
		shut(t)
		if s := g.call("press_key", arguments{"key": "a"}); s.outcome() != "ok" || title(t) != "key" {
			t.Errorf("press_key: %s", s.text)
		}
		if s := g.call("select_page", arguments{"pageId": first}); strings.Contains(s.text, "was closed") {
			t.Errorf("select_page: %s", s.text)
		}
	})
	t.Run("a page that the agent closes itself", func(t *testing.T) {
		open(t)
		if s := g.call("close_page", here); s.outcome() != "ok" {
			t.Fatal(s.text)
		}
		if s := g.call("press_key", arguments{"key": "a", "pageId": nil}); s.outcome() != "ok" || title(t) != "key" {
			t.Errorf("press_key: %s", s.text)
		}
	})
}
