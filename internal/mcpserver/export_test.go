package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// RecordedArguments returns what the journal holds of the arguments of a call. public says that it may hold what was
// typed.
func RecordedArguments(s *Server, t Tool, args string, public bool) json.RawMessage {
	r := callRecord{args: json.RawMessage(args), showTyped: public}
	return r.cleanArguments(t.Types, s.shared.redact)
}

// Finish returns a result as it goes to a client.
func Finish(s *Server, r *Result) *mcp.CallToolResult {
	return s.finish(&client{}, r.protocolResult(false))
}
