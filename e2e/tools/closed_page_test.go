//go:build e2e

package tools

import (
	"fmt"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// A call without a page must not act on another one than the agent believes.
func TestAClosedPageIsToldBeforeAnotherIsUsed(t *testing.T) {
	base := pages(t, map[string]string{
		"/first":  `<title>first</title><button onclick="document.title='pressed'">press</button><script>onkeydown=()=>{document.title='key'}</script>`,
		"/second": `<title>second</title><button onclick="setTimeout(() => window.close())">shut</button>`,
	})
	a := harness.Start(t)
	g, other := harness.NewOurs(t, a, 1), harness.NewOurs(t, a, 1)
	if s := g.Call("navigate_page", harness.Object{"url": base + "/first"}); s.Outcome() != "ok" {
		t.Fatal(s.Err, s.Text)
	}
	first := g.Page
	here := harness.Object{"pageId": nil}
	with := func(args harness.Object) harness.Object {
		args["pageId"] = nil
		return args
	}
	// open makes a second page, which is selected then, and gives its number.
	open := func(t *testing.T) int {
		t.Helper()
		s := g.Call("new_page", harness.Object{"url": base + "/second"})
		if s.Outcome() != "ok" {
			t.Fatal(s.Err, s.Text)
		}
		return harness.Selected(s.Text)
	}
	// shut closes that page from another client, which has to take it first.
	shut := func(t *testing.T) {
		t.Helper()
		for line := range strings.Lines(other.Call("list_pages", nil).Text) {
			var n int
			if _, err := fmt.Sscanf(line, "%d:", &n); err == nil && strings.Contains(line, "/second") {
				if s := other.Call("select_page", harness.Object{"pageId": n, "take": true}); s.Outcome() != "ok" {
					t.Fatal(s.Err, s.Text)
				}
				if s := other.Call("close_page", harness.Object{"pageId": n}); s.Outcome() != "ok" {
					t.Fatal(s.Err, s.Text)
				}
			}
		}
		harness.Wait(t, "the page to be gone",
			func() bool { return !strings.Contains(other.Call("list_pages", nil).Text, "/second") })
	}
	title := func(t *testing.T) (now string) {
		t.Helper()
		if err := g.Eval("() => { const was = document.title; document.title = 'first'; return was }",
			&now); err != nil {
			t.Fatal(err)
		}
		return now
	}
	told := func(t *testing.T, s harness.Said, number int) {
		t.Helper()
		says(t, s.Text, fmt.Sprintf("Page %d (%s/second) was closed.", number, base),
			fmt.Sprintf("Page %d (%s/first) is selected now.", first, base))
	}
	t.Run("a call that acts is refused once", func(t *testing.T) {
		for _, acts := range []struct {
			tool string
			args harness.Object
		}{{"press_key", harness.Object{"key": "a"}}, {"evaluate_script",
			harness.Object{"function": "() => { document.title = 'script' }"}}, {"close_page",
			harness.Object{}}, {"navigate_page", harness.Object{"type": "reload"}}} {
			number := open(t)
			shut(t)
			s := g.Call(acts.tool, with(acts.args))
			if !s.Failed {
				t.Errorf("%s says success: %s", acts.tool, s.Text)
			}
			told(t, s, number)
			if now := title(t); now != "first" {
				t.Errorf("%s acted on another page: %s", acts.tool, now)
			}
		}
		if s := g.Call("press_key", harness.Object{"key": "a", "pageId": nil}); s.Outcome() != "ok" ||
			title(t) != "key" {
			t.Errorf("the second call: %s", s.Text)
		}
	})
	t.Run("a page that closes itself", func(t *testing.T) {
		var opened bool
		// Only what a page has opened may close itself.
		if err := g.Eval("() => !!window.open('/second')", &opened); err != nil || !opened {
			t.Fatal(opened, err)
		}
		number := 0
		harness.Wait(t, "the second page", func() bool {
			for line := range strings.Lines(g.Call("list_pages", nil).Text) {
				if strings.Contains(line, "/second") {
					_, _ = fmt.Sscanf(line, "%d:", &number)
				}
			}
			return number != 0
		})
		g.Call("select_page", harness.Object{"pageId": number})
		g.Page, g.Seen, g.Fresh = number, nil, false
		s := g.Do("click", harness.Object{"uid": `button "shut"`})
		g.Page, g.Seen, g.Fresh = first, nil, false
		if s.Outcome() != "ok" {
			t.Fatal(s.Err, s.Text)
		}
		harness.Wait(t, "the page to be gone",
			func() bool { return !strings.Contains(other.Call("list_pages", nil).Text, "/second") })
		s = g.Call("press_key", harness.Object{"key": "a", "pageId": nil})
		if !s.Failed || title(t) != "first" {
			t.Errorf("says success: %s", s.Text)
		}
		told(t, s, number)
	})
	t.Run("a call that reads says so", func(t *testing.T) {
		for _, tool := range []string{"take_snapshot", "list_pages", "list_console_messages"} {
			number := open(t)
			shut(t)
			s := g.Call(tool, here)
			if s.Outcome() != "ok" {
				t.Fatal(s.Err, s.Text)
			}
			told(t, s, number)
			if s := g.Call(tool, here); strings.Contains(s.Text, "was closed") {
				t.Errorf("%s says it twice: %s", tool, s.Text)
			}
		}
	})
	t.Run("a page that is named is used", func(t *testing.T) {
		open(t)
		shut(t)
		if s := g.Call("press_key", harness.Object{"key": "a"}); s.Outcome() != "ok" || title(t) != "key" {
			t.Errorf("press_key: %s", s.Text)
		}
		if s := g.Call("select_page", harness.Object{"pageId": first}); strings.Contains(s.Text, "was closed") {
			t.Errorf("select_page: %s", s.Text)
		}
	})
	t.Run("a page that the agent closes itself", func(t *testing.T) {
		open(t)
		if s := g.Call("close_page", here); s.Outcome() != "ok" {
			t.Fatal(s.Text)
		}
		if s := g.Call("press_key", harness.Object{"key": "a", "pageId": nil}); s.Outcome() != "ok" ||
			title(t) != "key" {
			t.Errorf("press_key: %s", s.Text)
		}
	})
}
