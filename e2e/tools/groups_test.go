//go:build e2e

package tools

import (
	"regexp"
	"testing"

	"cove/e2e/harness"
)

// newDeveloper connects an agent that has asked for every group of tools.
func newDeveloper(t *testing.T, a *harness.App) *harness.Driver {
	t.Helper()
	port := a.Get("/v1.0/browser_profiles/1/active").Port()
	if port == 0 {
		port = a.Open(1)
	}
	m := harness.StartMCP(t, harness.Command{Args: []string{harness.Cove, "mcp", "1", "--tools", "all"},
		Env: a.Environ(), Dir: t.TempDir()})
	g := &harness.Driver{MCP: m, App: a, Port: port}
	g.Initialize()
	return g
}

// lastPage returns the number of the page that was opened last.
func lastPage(t *testing.T, g *harness.Driver) string {
	t.Helper()
	all := regexp.MustCompile(`(?m)^(\d+): `).FindAllStringSubmatch(g.Works("list_pages", nil), -1)
	if len(all) == 0 {
		t.Fatal("there is no page")
	}
	return all[len(all)-1][1]
}
