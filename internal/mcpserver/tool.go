package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"sync"

	"cove/internal/mcpserver/schema"
	"cove/internal/policy"
)

// Tool is one tool: its name, its description, its input and what it does. Define makes one.
type Tool struct {
	Name string
	Text string
	// ReadOnly says that the tool changes nothing.
	ReadOnly bool
	// Group is the group that a client asks for to get the tool; "" for the tools that every client gets.
	Group string
	// Needs are the rights that every call of the tool asks for, beside the right to act.
	Needs []Need
	// AsksPerson says that the tool only asks the person: it needs no right and waits for nobody else.
	AsksPerson bool
	// Composite says that the tool only runs other tools, each of which asks for its own rights.
	Composite bool
	// Types says that the arguments may hold a password.
	Types bool

	// Schema describes the input. It is made when it is first needed: every command of the program would wait for it.
	Schema func() json.RawMessage
	// Run does the work. An error of it is part of the result that the agent reads.
	Run func(ctx context.Context, c *Call, raw json.RawMessage) error

	check func(raw json.RawMessage) error
}

// Need is a right that a tool asks for before it begins.
type Need struct {
	Class policy.Class
	// What completes "The agent wants to …".
	What func(raw json.RawMessage) string
}

// Define completes a tool with the Go type of its input and the function that runs it.
func Define[In any](t Tool, run func(ctx context.Context, c *Call, in In) error) Tool {
	in, name := reflect.TypeFor[In](), t.Name
	t.Schema = sync.OnceValue(func() json.RawMessage { return schema.Of(in) })
	t.check = func(raw json.RawMessage) error { return schema.Read(name, raw, new(In)) }
	t.Run = func(ctx context.Context, c *Call, raw json.RawMessage) error {
		var input In
		if err := schema.Read(name, raw, &input); err != nil {
			return err
		}
		return run(ctx, c, input)
	}
	return t
}

// Check looks at arguments without running the tool.
func (t Tool) Check(raw json.RawMessage) error {
	if t.check == nil {
		return nil
	}
	return t.check(raw)
}

// hasPage reports whether the tool works on one page, which pageId may name.
func (t Tool) hasPage() bool { return bytes.Contains(t.Schema(), []byte(`"pageId"`)) }
