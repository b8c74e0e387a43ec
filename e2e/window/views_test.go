//go:build e2e

package window

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// TestEveryViewIsAccessible: axe finds nothing in any view, dark and light, in a wide window and on a phone; nothing
// lies beside the window there or at 200 %.
func TestEveryViewIsAccessible(t *testing.T) {
	for _, width := range []string{"1280", "390", "640"} {
		for _, part := range []string{"profiles", "agents"} {
			t.Run(part+" "+width, func(t *testing.T) {
				a := harness.Start(t)
				all := map[string]string{"base": a.Base, "token": a.Token(), "width": width}
				if part == "agents" {
					all["ask"] = requestPage(t, a)
				}
				all["link"] = strings.TrimSpace(a.Must("ui"))
				given, err := json.Marshal(all)
				if err != nil {
					t.Fatal(err)
				}
				var got struct{ Wrong []string }
				harness.Node(t, &got, "views.mjs", part, string(given))
				for _, w := range got.Wrong {
					t.Error(w)
				}
			})
		}
	}
}

// requestPage is the address of the page of a request, as an agent's client gets it.
func requestPage(t *testing.T, a *harness.App) string {
	t.Helper()
	a.Open(1)
	a.Policy(1, "--answerer", "e2e")
	m := a.Bridge("1")
	addresses := make(chan string, 1)
	m.Can = harness.Object{"elicitation": harness.Object{"url": harness.Object{}}}
	m.Answers["elicitation/create"] = func(params any) any {
		p, _ := params.(map[string]any)
		address, _ := p["url"].(string)
		addresses <- address
		return harness.Object{"action": "accept"}
	}
	m.Initialize()
	m.BeginTool("ask_person", harness.Object{"message": "Which month? أي شهر؟", "kind": "text"})
	return <-addresses
}
