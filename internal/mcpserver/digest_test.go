package mcpserver

import (
	"encoding/json"
	"testing"
)

// A yes is for a step, whatever the agent says of how long it may take, what it wants to see afterwards and how it
// names the page.
func TestTheSameStepHasTheSameDigest(t *testing.T) {
	first := digest(json.RawMessage(`{"uid":"a1","timeout":1000}`))
	for raw, same := range map[string]bool{
		`{"timeout":5, "uid":"a1"}`:             true,
		`{"uid":"a1"}`:                          true,
		`{"uid":"a1","includeSnapshot":true}`:   true,
		`{"uid":"a1","pageId":3}`:               true,
		`{"uid":"a2"}`:                          false,
		`{"uid":"a1","dblClick":true}`:          false,
		`{"uid":"a1","input":{"timeout":1000}}`: false,
	} {
		if got := digest(json.RawMessage(raw)) == first; got != same {
			t.Errorf("%s is the same: %v", raw, got)
		}
	}
}
