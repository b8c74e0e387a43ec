package mcpserver_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"cove/internal/mcpserver"
)

// greetInput is the input of a toy tool. The tags are all that its schema needs.
type greetInput struct {
	Name string `json:"name" say:"who is greeted"`
	Tone string `json:"tone,omitempty" enum:"warm|formal"`
}

// greetings is what the toy tool remembers of a client.
type greetings struct{ count int }

// greet is a toy tool: its author needs a Call, and nothing else of the server.
func greet(_ context.Context, c *mcpserver.Call, in greetInput) error {
	g := mcpserver.ClientState[greetings](c)
	g.count++
	c.Say("Greeting %d, with %d pages open.", g.count, len(c.Browser.Tabs()))
	c.Quote("They said:", "Hello, "+in.Name+"!")
	return nil
}

func greetTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "greet", Text: "Greet somebody.", ReadOnly: true}, greet)
}

func ExampleDefine() {
	tool := greetTool()
	fmt.Println(strings.ReplaceAll(string(tool.Schema()), ",\"", ",\n\""))
	fmt.Println(tool.Check([]byte(`{"tone":"rude","name":"you"}`)))
	// Output:
	// {"type":"object",
	// "properties":{"name":{"type":"string",
	// "description":"who is greeted"},
	// "tone":{"type":"string",
	// "enum":["warm",
	// "formal"]}},
	// "required":["name"],
	// "additionalProperties":false}
	// Invalid arguments for tool greet: tone: "rude" is not one of warm, formal.
}

func TestANewToolNeedsOnlyACall(t *testing.T) {
	s := mcpserver.NewServer(mcpserver.Config{Tools: []mcpserver.Tool{greetTool()}, Browser: emptyBrowser})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, mcpserver.Hello{}, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	c := newConversation(t, ours)
	for n := range 2 {
		text, failed := c.tool("greet", map[string]any{"name": "you"})
		want := fmt.Sprintf("Greeting %d, with 0 pages open.\nThey said: «Hello, you!»", n+1)
		if failed || text != want {
			t.Errorf("%q, not %q", text, want)
		}
	}
	const wrong = "Error: Invalid arguments for tool greet: name is required."
	if text, failed := c.tool("greet", nil); !failed || text != wrong {
		t.Errorf("without a name: %s", text)
	}
}
