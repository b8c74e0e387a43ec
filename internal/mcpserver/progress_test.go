package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools"
	"cove/internal/page"
)

func TestTheProgressOfALongCallIsReportedAgainAndAgain(t *testing.T) {
	free := make(chan struct{})
	c := talkTo(t, mcpserver.NewServer(mcpserver.Config{
		Name: "work", Version: "1", Tools: tools.All(), ProgressInterval: time.Millisecond,
		Browser: func(context.Context) (*page.Browser, error) {
			<-free
			return nil, errors.New("none today")
		},
	}))
	c.send(map[string]any{"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": map[string]any{
		"name": "list_pages", "arguments": map[string]any{}, "_meta": map[string]any{"progressToken": "p"},
	}})
	last := 0.0
	for reports := 0; ; {
		raw, err := c.in.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			ID     int
			Params struct{ Progress float64 }
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if got.ID == 77 {
			return
		}
		if got.Params.Progress <= last {
			t.Fatalf("%v after %v", got.Params.Progress, last)
		}
		last = got.Params.Progress
		if reports++; reports == 3 {
			close(free)
		}
	}
}
