package gate

import (
	"encoding/json"
	"slices"
	"sync"

	"cove/internal/cdp"
)

// invocations knows which calls of page tools are one program's own. Every session with the domain enabled hears of all
// calls, with input and output. Where the policy binds programs, a program hears of its own only.
type invocations struct {
	mu  sync.Mutex
	own []string // ids, the oldest first
}

// maxOwnCalls is how many calls of one program are remembered.
const maxOwnCalls = 1000

// add notes the id that the browser has given a call of the program.
func (i *invocations) add(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.own = append(i.own, id)
	i.own = i.own[max(0, len(i.own)-maxOwnCalls):]
}

// owns reports whether a call is the program's own.
func (i *invocations) owns(id string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()

	return slices.Contains(i.own, id)
}

// hides reports whether an event is about the call of somebody else. The browser tells the id of a call before it tells
// any session that the call has begun.
func (i *invocations) hides(method string, msg cdp.Message) bool {
	if method != "WebMCP.toolInvoked" && method != "WebMCP.toolResponded" {
		return false
	}
	var e struct{ Params struct{ InvocationID string } }

	return json.Unmarshal(msg.Raw(), &e) != nil || !i.owns(e.Params.InvocationID)
}

// invocationID returns the id in the browser's answer to a call; "" if it has not made the call.
func invocationID(msg cdp.Message) string {
	var r struct {
		Result struct{ InvocationID string }
	}
	_ = json.Unmarshal(msg.Raw(), &r)

	return r.Result.InvocationID
}
