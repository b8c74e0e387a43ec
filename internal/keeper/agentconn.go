package keeper

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"

	"cove/internal/keeperclient"
	"cove/internal/process"
)

// agentConn is the connection of a bridge. It writes each MCP message whole, so that a notice of the keeper can stand
// between two of them.
type agentConn struct {
	net.Conn
	r         *bufio.Reader
	scavenger *process.Scavenger

	mu        sync.Mutex
	lastPage  int
	documents int
}

func (c *agentConn) Read(p []byte) (int, error) { return c.r.Read(p) }

func (c *agentConn) Write(p []byte) (int, error) {
	c.scavenger.Handled(len(p))
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Conn.Write(p)
}

// notify sends a notification to the bridge itself. It is not for the bridge's client.
func (c *agentConn) notify(name string, params map[string]any) {
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "method": keeperclient.NoticePrefix + name, "params": params,
	})
	if err == nil {
		_, _ = c.Write(append(raw, '\n'))
	}
}

// notifyNumbers sends the highest page number and the number of documents to the bridge, which hands them to the keeper
// that may come after this one.
func (c *agentConn) notifyNumbers(page, documents int) {
	c.mu.Lock()
	changed := page > c.lastPage || documents > c.documents
	c.lastPage, c.documents = max(page, c.lastPage), max(documents, c.documents)
	c.mu.Unlock()
	if changed {
		c.notify("pages", map[string]any{"last": page, "documents": documents})
	}
}
