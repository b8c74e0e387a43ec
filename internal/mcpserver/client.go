package mcpserver

import (
	"reflect"
	"sync"
	"sync/atomic"

	"cove/internal/mcpserver/admission"
	"cove/internal/mcpserver/files"
	"cove/internal/mcpserver/pagelist"
	"cove/internal/mcpserver/payload"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/redaction"
	"cove/internal/policy/owner"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Hello is what a bridge says of its client before the first message.
type Hello struct {
	// Dir is the folder that the client runs in.
	Dir string
	// Tools are the groups beside the default ones.
	Tools []string
	// LastPage is the highest page number that this client has seen in a browser before this one.
	LastPage int
	// Documents is how many documents there have been in browsers before this one: their uids are not used again.
	Documents int
	// Notice stands in the first answer: what has happened to the browser before.
	Notice string
	// Disconnected is called before the session ends because the person has disconnected the agent. It may be nil.
	Disconnected func()
}

// client is what the server knows of one agent. It lives as long as the agent's connection or its session over HTTP;
// one without either lives until it has been silent for callerLimit. Its calls come at the same time.
type client struct {
	hello      Hello
	pages      *pagelist.List
	folders    *files.Folders
	admissions *admission.Set
	owner      *owner.Owner               // whose tabs stay while the agent only rests
	payloads   *payload.Stream            // of its stream; nil for a client over HTTP
	onNumbers  func(pages, documents int) // hears the highest numbers; nil for a client over HTTP
	hasSession bool                       // over HTTP, which ends on its own
	streams    atomic.Int32               // of events that such a client listens to
	told       atomic.Pointer[func()]     // ends the session once the agent was told that it is disconnected

	mu      sync.Mutex
	session *mcp.ServerSession // of its stream; nil for a client over HTTP
	notice  string
	state   map[reflect.Type]any // what tools remember of it
}

func newClient(r *redaction.Redactor, as *admission.Set, h Hello) *client {
	return &client{
		hello:      h,
		pages:      pagelist.New(r, h.LastPage, as.IsOthers),
		folders:    &files.Folders{Dir: h.Dir},
		admissions: as,
		owner:      as.Owner,
		notice:     h.Notice,
		state:      map[reflect.Type]any{},
	}
}

func (c *client) setSession(s *mcp.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
}

// DisplayName is what the client calls itself; "" before it has.
func (c *client) DisplayName() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return peer.NameOf(c.session)
}

// updatePages numbers the pages that are open now, and lets the bridge know.
func (c *client) updatePages() {
	last, documents, ok := c.pages.Update()
	if ok && c.onNumbers != nil {
		c.onNumbers(last, documents)
	}
}

// swapNotice sets the notice for the next answer and returns the one before.
func (c *client) swapNotice(notice string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.notice
	c.notice = notice
	return before
}
