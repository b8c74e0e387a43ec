package mcpserver

import (
	"testing"
	"time"
)

func TestACallWaitsALittleLessThanItsClient(t *testing.T) {
	for _, c := range []struct {
		client string
		http   bool
		gives  time.Duration // the client gives up then
	}{
		{"claude-code", false, 30 * time.Minute}, {"claude-code", true, 5 * time.Minute},
		{"codex-mcp-client", false, 300 * time.Second}, {"gemini-cli-mcp-client", false, 600 * time.Second},
		{"goose-cli", false, 300 * time.Second}, {"Visual Studio Code", true, 5 * time.Minute},
		{"Zed", false, time.Minute}, {"@cline/core", false, time.Minute}, {"somebody", false, 30 * time.Second},
	} {
		if got := patienceOf(c.client, c.http); got >= c.gives || got < c.gives/2 {
			t.Errorf("%s waits %v and its client %v", c.client, got, c.gives)
		}
	}
}
