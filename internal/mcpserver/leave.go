package mcpserver

import (
	"bytes"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/policy"
)

// closeLimit is how long the session of a disconnected agent stays open for the answer that says so.
const closeLimit = time.Second

// closeAfterAnswer ends a session after the answer that tells the agent why. Closing it at once would race with that
// answer.
func (c *client) closeAfterAnswer(session *mcp.ServerSession) {
	end := func() { _ = session.Close() }
	if c.payloads != nil {
		c.told.Store(&end)
	}
	time.AfterFunc(closeLimit, end)
}

// lastWords is what a client over a stream reads. It ends the session of an agent that has been told that the person
// disconnected it.
type lastWords struct {
	io.WriteCloser
	client *client
}

// Write writes one message.
func (w lastWords) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	if end := w.client.told.Load(); end != nil && bytes.Contains(p, []byte(policy.DisconnectedError().Text)) {
		w.client.told.Store(nil)
		go (*end)() // it waits for this write
	}
	return n, err
}
