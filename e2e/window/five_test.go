//go:build e2e

package window

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// TestFiveAgentsAtAGlance: five agents in five profiles, each in another state. The window shows each as it is, and
// the person answers from the keyboard alone.
func TestFiveAgentsAtAGlance(t *testing.T) {
	a := harness.Start(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>Login</title><form action=/sent method=post>`+
			`<input type=password name=password value=x aria-label=Password><button>Sign in</button></form>`)
	}))
	t.Cleanup(site.Close)
	for _, name := range []string{"Asks", "Hands over", "Fails", "Refused", "Works"} {
		a.Create(fmt.Sprintf(`{"name":%q}`, name))
	}
	agents := map[int]*harness.MCP{}
	for id := 2; id <= 6; id++ {
		agents[id] = a.Agent(fmt.Sprint(id))
		agents[id].Works("navigate_page", harness.Object{"url": site.URL})
	}
	guarded := fmt.Sprintf(`{"preset":"guarded","sites":{"allow":[%q]}}`, site.URL)
	a.Rules(2, guarded)
	a.Rules(5, guarded)

	over := make(chan struct{})
	var all sync.WaitGroup
	work := func(id int, f func(*harness.MCP)) { all.Go(func() { f(agents[id]) }) }
	var asked, helped harness.ToolAnswer
	work(2, func(m *harness.MCP) {
		pay := harness.Object{"uid": m.Find(`button "Sign in"`)}
		asked = m.Tool("click", pay)
		for strings.Contains(asked.Text, "No response yet") {
			asked = m.Tool("click", pay)
		}
	})
	work(3, func(m *harness.MCP) {
		help := harness.Object{"message": "Solve the captcha."}
		helped = m.Tool("ask_person", help)
		for strings.Contains(helped.Text, "Nobody has answered yet") {
			helped = m.Tool("ask_person", help)
		}
	})
	work(4, func(m *harness.MCP) { m.Fails("click", harness.Object{"uid": "zz999"}) })
	work(5, func(m *harness.MCP) {
		m.Fails("navigate_page", harness.Object{"url": strings.Replace(site.URL, "127.0.0.1", "localhost", 1)})
	})
	work(6, func(m *harness.MCP) {
		for {
			select {
			case <-over:
				return
			default:
				m.Works("take_snapshot", nil)
			}
		}
	})

	visit(t, a, "five")
	close(over)
	all.Wait()
	if asked.IsError {
		t.Errorf("the allowed step: %s", asked.Text)
	}
	if helped.IsError || !strings.Contains(helped.Text, "done") {
		t.Errorf("the answered request: %s", helped.Text)
	}
}
