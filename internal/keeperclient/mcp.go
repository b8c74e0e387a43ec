package keeperclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/session"
)

// Headers of a bridge's request for /v1/mcp. They describe its client.
const (
	HeaderDir       = "Cove-Dir"
	HeaderTools     = "Cove-Tools"
	HeaderPage      = "Cove-Last-Page"
	HeaderDocuments = "Cove-Documents"
	HeaderNotice    = "Cove-Note"
)

// Upgrade is the protocol of a connection on /v1/mcp: one MCP message a line, in both directions.
const Upgrade = "cove-mcp"

// NoticePrefix begins the methods of notifications that the keeper sends to the bridge itself, and not to its client.
const NoticePrefix = "notifications/cove/"

// Greeting describes a bridge's client to the keeper.
type Greeting struct {
	// Dir is the folder that the client runs in, and Tools names the groups of tools beside the default ones.
	Dir, Tools string
	// LastPage is the highest page number and Documents the number of documents that the client has seen in browsers
	// before this one.
	LastPage  int
	Documents int
	// Notice tells the client what happened to the browser before this one.
	Notice string
}

func (g Greeting) header() http.Header {
	h := http.Header{}
	h.Set(HeaderDir, g.Dir)
	h.Set(HeaderTools, g.Tools)
	h.Set(HeaderPage, strconv.Itoa(g.LastPage))
	h.Set(HeaderDocuments, strconv.Itoa(g.Documents))
	h.Set(HeaderNotice, strings.NewReplacer("\r", " ", "\n", " ").Replace(g.Notice))
	return h
}

// AgentConn carries the MCP messages between a bridge and a keeper.
type AgentConn struct {
	RunID string // of the browser that the connection leads to
	// Shared says that the browser is one that its user shares.
	Shared bool
	conn   net.Conn
	r      *bufio.Reader
	mu     sync.Mutex // one message is written at a time
}

// DialMCP connects a bridge to the keeper's tools.
func (c *Client) DialMCP(ctx context.Context, g Greeting) (*AgentConn, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	r, err := c.upgrade(ctx, conn, g)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return &AgentConn{RunID: c.record.RunID, Shared: c.record.Shared, conn: conn, r: r}, nil
}

// upgrade turns an HTTP connection into one of MCP messages.
func (c *Client) upgrade(ctx context.Context, conn net.Conn, g Greeting) (*bufio.Reader, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://keeper/v1/mcp", nil)
	if err != nil {
		return nil, err
	}
	req.Header = g.header()
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", Upgrade)
	c.authorize(req.Header)
	if err := req.Write(conn); err != nil {
		return nil, err
	}

	r := bufio.NewReaderSize(conn, 64<<10)
	res, err := http.ReadResponse(r, req) //nolint:bodyclose // the connection is the answer
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		return nil, refusal(res)
	}
	return r, conn.SetDeadline(time.Time{})
}

// Read returns the next message.
func (a *AgentConn) Read() ([]byte, error) {
	raw, err := a.r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(raw), nil
}

// Write sends one message.
func (a *AgentConn) Write(raw []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := a.conn.Write(append(bytes.Clone(raw), '\n'))
	return err
}

// Close ends the connection.
func (a *AgentConn) Close() error {
	err := a.conn.Close()
	if errors.Is(err, os.ErrClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// sharedEnds says how the sharing of a person's browser ends.
var sharedEnds = map[session.EndReason]string{
	session.LetGo:       "The browser is not shared with agents any more.",
	session.Refused:     "The user did not allow agents to use the browser.",
	session.SwitchedOff: "The browser was switched to let no program connect, so it is not shared any more.",
	session.BrowserQuit: "The browser that was shared with agents was closed.",
	session.KeeperEnded: "The connection to the shared browser was lost. Calls that were under way may have been done.",
}

// ClosedFault is what agents read of a profile that has closed.
func ClosedFault(id string, end session.EndReason) *fault.Error {
	if end == session.Crashed {
		return fault.New(fault.CodeCrashed, "The browser of profile "+id+" crashed during this call."+
			" The next call opens the profile again; take a new snapshot then.", "")
	}
	if why, shared := sharedEnds[end]; shared {
		return fault.New(fault.CodeClosed, why+" Its user can share it again with: cove adopt "+id, "")
	}
	return fault.New(fault.CodeClosed, "Profile "+id+" was closed by a person."+
		" It stays closed until somebody opens it again (cove start "+id+" --automation)"+
		" or a new session of this client begins.", "")
}
