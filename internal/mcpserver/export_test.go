package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/record"
)

// RecordedArguments returns what the journal holds of the arguments of a call. public says that it may hold what was
// typed.
func RecordedArguments(s *Server, t Tool, args string, public bool) json.RawMessage {
	r := record.Begin(json.RawMessage(args), s.shared.redact)
	r.AllowTyped(public)
	return r.Arguments(t.Types)
}

// Finish returns a result as it goes to a client.
func Finish(s *Server, r *Result) *mcp.CallToolResult {
	return s.finish(&client{}, r.protocolResult(false))
}
