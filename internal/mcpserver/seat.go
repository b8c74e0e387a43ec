package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/policy"
)

// agentOf is who a client says it is.
func agentOf(info *mcp.Implementation) policy.Agent {
	a := policy.Agent{Kind: policy.Tools, Name: "a client without a name"}
	if info != nil && info.Name != "" {
		a.Name, a.Version = clip(urlText(info.Name), 100), clip(urlText(info.Version), 50)
	}
	return a
}

// sit gives an agent its seat at the desk: the one that it has, or a new one when it has none or must have left it.
func (c *client) sit(a policy.Agent) (*policy.Admission, error) {
	c.seating.Lock()
	defer c.seating.Unlock()
	if s := c.seats[a]; s != nil {
		select {
		case <-s.Done():
		default:
			return s, nil
		}
		delete(c.seats, a)
	}
	s, err := c.server.Enforcer.Admit(a)
	if err != nil {
		return nil, err
	}
	c.seats[a] = s
	go func() { // whoever must go is not counted among the agents any more
		<-s.Done()
		s.Close()
	}()
	return s, nil
}

// leave gives the client's seats up.
func (c *client) leave() {
	c.seating.Lock()
	defer c.seating.Unlock()
	for a, s := range c.seats {
		s.Close()
		delete(c.seats, a)
	}
}

// restTime is how long a client without a session is counted among the agents after its last call.
const restTime = 5 * time.Minute

// rests lets a client without a session leave when it has been quiet.
func (c *client) rests() {
	c.seating.Lock()
	defer c.seating.Unlock()
	if c.rest == nil {
		c.rest = time.AfterFunc(restTime, c.leave)
		return
	}
	c.rest.Reset(restTime)
}

// seated lets only those begin whom the desk lets in; a call says by itself why it is refused.
func (s *Server) seated(c *client) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "initialize" && method != "server/discover" {
				return next(ctx, method, req)
			}
			seat, err := c.sit(agentOf(infoOf(req)))
			if err != nil {
				f := fault.From(err)
				return nil, &jsonrpc.Error{Code: refusedCode, Message: f.Text + " " + f.Hint}
			}
			if session, ok := req.GetSession().(*mcp.ServerSession); ok && c.lasting && method == "initialize" {
				go func() {
					_ = session.Wait()
					seat.Close()
				}()
			}
			return next(ctx, method, req)
		}
	}
}

// refusedCode is JSON-RPC's code for a failure of the server's own.
const refusedCode = -32000

func infoOf(req mcp.Request) *mcp.Implementation {
	if p, ok := req.GetParams().(*mcp.InitializeParams); ok {
		return p.ClientInfo // the session does not know it yet
	}
	if r, ok := req.(interface{ ClientInfo() *mcp.Implementation }); ok {
		return r.ClientInfo()
	}
	return nil
}

// whileSeated is ctx until the agent must go.
func whileSeated(ctx context.Context, seat *policy.Admission) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		select {
		case <-seat.Done():
			cancel(seat.Err())
		case <-done:
		}
	}()
	return ctx, func() { close(done); cancel(nil) }
}

// tickTime is how often a call that waits for a person says so.
const tickTime = 5 * time.Second

// waits tells a client that wants to know that its call waits for somebody, until stop.
func (c *call) waits(ctx context.Context, message string) (stop func()) {
	if c.progress == nil || c.session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(tickTime)
		defer t.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-t.C:
				c.tell(ctx, n, 0, message)
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
